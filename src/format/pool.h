/*
 * The pool: memory shared between the recorded program and `forerun record`, as a file mapping.
 *
 * Meaning:   the program's threads write events into blocks (runtime/core/rt_pool.c). Full blocks
 *            go to the recorder (trace/pool_reader.c), which encodes them into the trace file
 *            (trace_file.h) and returns them. If the program dies, all its events are still here.
 *            If the recorder dies, the file `pool` stays in the run folder, and trace/salvage.c
 *            reads the rest from it.
 * Layout:    header page(s) | thread slots | blocks.
 * Space:     the recorder reserves disk space for blocks with posix_fallocate before their use;
 *            `reserved` counts them. The file is sparse beyond them. The program reserves nothing:
 *            it holds no file descriptor that it could close by mistake.
 * Waiting:   a thread that finds the free list empty adds one to `want`, increments and wakes
 *            full_wake, and waits on free_wake until a block is free (or the recorder is gone, or
 *            the state is STOPPED). The recorder reserves more blocks, up to max_blocks + 4 for
 *            each live thread. Beyond that, the thread waits until the recorder has drained some.
 * Invariant: a block belongs to exactly one of: the free list, a thread (FR_BLOCK_OPEN), the full
 *            list (FR_BLOCK_FULL). All slots below `used` are complete in a full block, all slots
 *            below the thread's `pos` in an open block. Free blocks are all zero after the header.
 */
#ifndef FR_FORMAT_POOL_H
#define FR_FORMAT_POOL_H

#include "crash_record.h"
#include "event.h"
#include <stdint.h>

#define FR_POOL_MAGIC UINT64_C(0x316c6f6f70726600) /* "\0frpool1" */
#define FR_POOL_VERSION 9
#define FR_POOL_MAX_THREADS 16384
#define FR_BLOCK_SIZE 65536
#define FR_BLOCK_SLOTS ((FR_BLOCK_SIZE - 64) / sizeof(struct fr_event))
#define FR_POOL_MAX_BLOCKS 32768
#define FR_PATH_MAX 1024

/* What a counter above zero means: FR_LOSS_WARNED: `forerun record` warns. FR_LOSS_REPORTED: the
   report lists it, because events may be missing from the trace. */
enum { FR_LOSS_NONE, FR_LOSS_WARNED, FR_LOSS_REPORTED, FR_LOSS_BOTH };

/* X(name, "text", loss): counters of the runtime: sizes, and everything that it dropped, skipped or
   did not understand. */
#define FR_RT_COUNTERS(X)                                                                     \
	X(hooks, "hooks executed", NONE)                                                      \
	X(dropped_repeat,                                                                     \
	  "reads dropped: they repeat a read since the thread's last synchronisation", NONE)  \
	X(forgotten,                                                                          \
	  "last accesses to memory of one thread forgotten: too old, or no room for them",    \
	  REPORTED)                                                                           \
	X(lost_signal, "events lost in signal handlers that interrupted the runtime", BOTH)   \
	X(lost_stopped, "events lost after recording stopped", BOTH)                          \
	X(lost_threads, "threads not recorded: too many, or created by an unrecorded thread", \
	  BOTH)                                                                               \
	X(frames_deep, "call stacks truncated: deeper than the runtime's limit", NONE)        \
	X(forks, "child processes (not recorded)", REPORTED)                                  \
	X(execs, "calls of exec (the new program is not recorded)", REPORTED)                 \
	X(unmodelled, "calls of threading functions that forerun does not model", NONE)       \
	X(lost_sites, "sites without a number: too many program counters", BOTH)              \
	X(lost_late, "writes lost: the memory was freed before the value was read", BOTH)     \
	X(lost_names,                                                                         \
	  "uses of names of files and other objects not tracked: too many "                   \
	  "names",                                                                            \
	  BOTH)                                                                               \
	X(lost_peers,                                                                         \
	  "steps of clients and servers outside not kept: too many bytes or "                 \
	  "connections",                                                                      \
	  WARNED)

enum fr_rt_counter {
#define FR_X(n, s, loss) FR_RTC_##n,
	FR_RT_COUNTERS(FR_X)
#undef FR_X
	    FR_RTC_COUNT
};

enum fr_pool_state {
	FR_POOL_NEW,	  /* no process has attached */
	FR_POOL_ATTACHED, /* process `pid` is recorded */
	FR_POOL_STOPPED,  /* recording stopped early with `stop_errno`; the program continues */
};

enum fr_thread_state { FR_THREAD_FREE, FR_THREAD_LIVE, FR_THREAD_DONE };

/* The state of a thread that the runtime shares with the recorder, and that outlives the process:
   an unnamed part of struct fr_pool_thread here and of struct frt_thread in the runtime.
   state:    enum fr_thread_state
   id:       1 = the main thread; 0 = none
   parent:   id, 0 for main; the thread is the nth child of its parent, from 1
   block:    open block, ~0 if none; seq is its sequence number
   hook:      hooks executed
   pos, end: next slot to write, and end of the open block (0 if none), both in the program's
             address space
   pending:  fr_w0(object, kind of event, 0) while in a blocking call at pending_site */
#define FR_POOL_THREAD_SHARED             \
	struct {                          \
		_Atomic uint32_t state;   \
		uint32_t id, parent, nth; \
		uint32_t block, seq;      \
		uint64_t hook;            \
		struct fr_event *pos;     \
		struct fr_event *end;     \
		_Atomic uint64_t pending; \
		uint32_t pending_site;    \
		uint32_t os_tid;          \
	}

/* One for each thread ever created; never reused. */
struct fr_pool_thread {
	FR_POOL_THREAD_SHARED;
	uint64_t rt[24]; /* private to the runtime: meaningless outside the program */
};
_Static_assert(sizeof(struct fr_pool_thread) == 256, "shared layout: bump FR_POOL_VERSION");

/* Loaded objects (executable, libraries). The runtime fills them in at start and after dlopen. */
struct fr_pool_module {
	uint64_t bias;	 /* load address - link address */
	uint64_t lo, hi; /* mapped range */
	uint8_t build_id_len, pad[7];
	uint8_t build_id[32];
	char path[448]; /* "" for the executable if the loader does not name it */
};
_Static_assert(sizeof(struct fr_pool_module) == 512, "shared layout: bump FR_POOL_VERSION");
#define FR_POOL_MAX_MODULES 512

/* A function that the program called and forerun does not model, with its number of calls. */
struct fr_pool_unmodelled {
	char name[40];
	_Atomic uint64_t calls;
};
_Static_assert(sizeof(struct fr_pool_unmodelled) == 48, "shared layout: bump FR_POOL_VERSION");
#define FR_POOL_MAX_UNMODELLED 64

/*
 * The program is about to change a file, and asks the recorder to keep it as it is
 * (runtime/core/keep_file.c asks, record/file_keeper.c answers). Threads ask one after another.
 */
enum fr_keep_state {
	FR_KEEP_OFF,	 /* nobody keeps files */
	FR_KEEP_FREE,	 /* a thread may ask */
	FR_KEEP_CLAIMED, /* a thread writes its question */
	FR_KEEP_ASKED,	 /* the recorder must answer */
	FR_KEEP_DONE,	 /* the thread may go on */
};
#define FR_KEEP_PATH 4096
struct fr_pool_keep {
	_Atomic uint32_t state; /* enum fr_keep_state; a futex */
	int32_t dir;		/* where a relative path begins: a descriptor or AT_FDCWD */
	uint32_t follow;	/* if the path is a symbolic link: the file that it names */
	char path[FR_KEEP_PATH];
};

struct fr_pool {
	uint64_t magic;
	uint32_t version;
	_Atomic uint32_t state;	  /* enum fr_pool_state */
	_Atomic int32_t pid;	  /* of the recorded process */
	_Atomic int32_t recorder; /* process id of the recorder, 0 once it is gone */
	_Atomic int32_t stop_errno;
	_Atomic uint32_t exited; /* 1: the program reached exit or _exit by itself; 2: exec */
	_Alignas(64) _Atomic uint64_t stamp;	 /* the counter of order stamps (event.h) */
	_Alignas(64) _Atomic uint64_t free_list; /* block index + 1 (low 32), tag (high 32) */
	_Atomic uint64_t full_list;		 /* likewise; the recorder takes all at once */
	_Atomic uint32_t full_wake;		 /* futex: incremented with each full block */
	_Atomic uint32_t free_wake;		 /* futex: incremented with each freed block */
	_Atomic uint32_t reserved;		 /* blocks backed by disk space */
	_Atomic uint32_t want;			 /* threads that wait for a free block */
	_Atomic uint32_t threads;		 /* thread slots in use */
	_Atomic uint32_t live;			 /* threads alive now */
	_Atomic uint32_t modules;
	_Atomic uint32_t unmodelled;
	uint32_t max_blocks; /* soft limit, see "Waiting" above */
	uint32_t discard;    /* the runtime writes no events: blocks are not used */
	/* A re-execution that is judged by its events: nobody empties blocks, so a thread without a
	   free one stops the recording. Each turn begins with a STAMP of FR_STAMP_TURN. */
	uint32_t judged;
	uint64_t clock[5]; /* FR_POOL_CLOCK_IDS when the program attached, nanoseconds */
	_Alignas(64) _Atomic uint64_t counters[FR_RTC_COUNT];
	char options[FR_PATH_MAX];	/* the recorder's FORERUN_OPTIONS, "key=value:..." */
	char control_file[FR_PATH_MAX]; /* the control file (control_file.h); "": no schedule */
	char peers_file[FR_PATH_MAX];	/* recording: the file of peers.h; "": none */
	char ghost_file[FR_PATH_MAX];	/* re-execution: that of ghost_file.h; "": no ghost */
	struct fr_crash crash;		/* of the recorded program */
	struct fr_pool_keep keep;
	struct fr_pool_unmodelled unmodelled_calls[FR_POOL_MAX_UNMODELLED];
	struct fr_pool_module module[FR_POOL_MAX_MODULES];
};

/* The clocks of fr_pool.clock, in this order. */
#define FR_POOL_CLOCKS 5
#define FR_POOL_CLOCK_IDS \
	{CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI}

enum fr_block_state { FR_BLOCK_FREE, FR_BLOCK_OPEN, FR_BLOCK_FULL };

struct fr_block {
	_Atomic uint32_t state; /* enum fr_block_state */
	uint32_t thread;	/* id of the writer */
	uint32_t seq;		/* n-th block of that thread, from 0 */
	uint32_t used;		/* slots, valid when FULL */
	uint64_t first_hook;	/* hooks that the thread had executed when it opened the block */
	_Atomic uint32_t next;	/* index + 1, in a list */
	uint32_t pad[7];
	uint64_t pad2;
	struct fr_event slot[FR_BLOCK_SLOTS];
	uint8_t tail[FR_BLOCK_SIZE - 64 - FR_BLOCK_SLOTS * sizeof(struct fr_event)];
};
_Static_assert(sizeof(struct fr_block) == FR_BLOCK_SIZE, "shared layout: bump FR_POOL_VERSION");

#define FR_POOL_THREADS_OFF (1u << 20)
#define FR_POOL_BLOCKS_OFF \
	(FR_POOL_THREADS_OFF + FR_POOL_MAX_THREADS * (uint32_t)sizeof(struct fr_pool_thread))
#define FR_POOL_SIZE (FR_POOL_BLOCKS_OFF + (uint64_t)FR_POOL_MAX_BLOCKS * FR_BLOCK_SIZE)
_Static_assert(sizeof(struct fr_pool) <= FR_POOL_THREADS_OFF, "pool header grew");

static inline struct fr_pool_thread *fr_pool_threads(struct fr_pool *p)
{
	return (struct fr_pool_thread *)((char *)p + FR_POOL_THREADS_OFF);
}
static inline struct fr_block *fr_pool_block(struct fr_pool *p, uint32_t i)
{
	return (struct fr_block *)((char *)p + FR_POOL_BLOCKS_OFF) + i;
}

/*
 * The recorder sets this environment variable to the pool file's absolute path, and the program
 * finds the pool by it. The first process image that attaches (state NEW -> ATTACHED) is the
 * recorded one. Any other (a child, an image after exec) sees the state and runs unrecorded.
 */
#define FR_ENV_POOL "FORERUN_POOL"

#endif
