/*
 * The event, and the entry to the module `format`: layouts that two parties share byte for byte.
 *
 * The headers of format and the two sides of each:
 *   event.h          events; the runtime writes them, src/trace and src/model read them
 *   pool.h           shared memory from the runtime (core/rt_pool.c) to the recorder
 *                    (trace/pool_reader.c)
 *   trace_file.h     the file `trace`; written by trace/writer.c, read by trace/trace.c
 *   peers.h          the file `peers`, what came through sockets and FIFOs; written by core/peer.c,
 *                    read by trace/peer_steps.c
 *   site_table.h     tables of sites; written by the pass, read by symbols/
 *   site_test.h      evaluates the tests of values in site tables, for the pass and the tool
 *   guard_attributes.h  annotations that `forerun cc` adds for the pass (attribute_property.c)
 *   hook_abi.h       functions of the runtime that instrumented code calls
 *   wrapped.def      functions of libc that the runtime replaces
 *   deletes.h        forms of operator delete that the runtime replaces
 *   schedule_text.h  schedule files; written by predict, read by confirm
 *   crash_record.h   how a program died; in the pool and in the control file
 *   signal_wakes.h   which handlers of signals can end a wait; for recorder and controller
 *   control_file.h   a schedule and its progress; shared by confirm and the runtime's controller
 *   ghost_file.h     what the ghost shall do next; shared by confirm, the ghost and the runtime
 *
 * An event is one *slot* of 24 bytes, or one slot followed by FR_EV_EXT slots that belong to it.
 * A thread's trace is the sequence of its events in program order. Two sorts of events stand later
 * than they happened: late accesses (FR_ACC_LATE), and events that a signal handler interrupted.
 * `hook` gives their true position.
 *
 * Stamps:    every event that is not an access carries an order stamp in `value`. The runtime takes
 *            it from one counter of the process, after an acquire and before a release, so that
 *            stamps order the operations on each object exactly. Accesses carry no stamp.
 *            FR_EV_STAMP slots, one every few hundred kept accesses, bound their position.
 *            One with the aux FR_STAMP_TURN begins a turn of a re-execution: later hooks of the
 *            thread happen after this point, and the current hook before it.
 * Hook:      `hook` is the low half of the number of hooks that the thread had executed, this one
 *            included, whether or not the runtime kept their events. The block header holds the
 *            high half. Slots that are not hooks (EXT, FRAMES, STAMP, LAST_*, BRANCH, INPUT, TU...)
 *            repeat the last hook.
 *
 * A change of these layouts needs a new FR_TRACE_VERSION, doc/trace-format.md and its test.
 */
#ifndef FR_FORMAT_EVENT_H
#define FR_FORMAT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct fr_event {
	uint64_t w0;	/* address : 48 | kind : 8 | aux : 8 */
	uint64_t value; /* accesses: the value (a hash if above 8 bytes); others: the stamp */
	uint32_t site;	/* site id, see FR_SITE_*; 0 = not known */
	uint32_t hook;	/* low half of the hook */
};
_Static_assert(sizeof(struct fr_event) == 24, "on-disk layout: bump FR_TRACE_VERSION");

#define FR_ADDR_BITS 48
#define FR_ADDR_MASK ((UINT64_C(1) << FR_ADDR_BITS) - 1)

static inline uint64_t fr_w0(uint64_t addr, unsigned kind, unsigned aux)
{
	return (addr & FR_ADDR_MASK) | (uint64_t)kind << 48 | (uint64_t)aux << 56;
}
static inline uint64_t fr_event_addr(const struct fr_event *e)
{
	return e->w0 & FR_ADDR_MASK;
}
static inline unsigned fr_event_kind(const struct fr_event *e)
{
	return (unsigned)(e->w0 >> 48) & 0xff;
}
static inline unsigned fr_event_aux(const struct fr_event *e)
{
	return (unsigned)(e->w0 >> 56);
}

/*
 * Site ids. Sites that the pass made are numbered from 1 in the order in which translation units
 * register. A site of code built with -fsanitize=thread is a program counter; the runtime numbers
 * these from FR_SITE_PC_FIRST as they first appear, and writes a FR_EV_PC_SITE slot for each.
 */
#define FR_SITE_BITS 22
#define FR_SITE_PC_FIRST (1u << 21)
#define FR_SITE_MAX ((1u << FR_SITE_BITS) - 1)

/* Properties of a kind of event. The codec depends on STAMPED, ASIDE and EXT
   (doc/trace-format.md). */
#define FR_IS_STAMPED 0x01 /* `value` is a stamp; from the class */
#define FR_IS_EVENT 0x02   /* an event of the program; from the class */
#define FR_NAMES 0x04	   /* defines sites or names */
#define FR_IS_ASIDE 0x08   /* does not update the codec's slot before */
#define FR_IS_EXT 0x10	   /* does not update the address of the codec's slot before */
#define FR_IS_READ 0x20
#define FR_IS_WRITE 0x40
#define FR_IS_ATOMIC 0x80
#define FR_IS_RANGE 0x100
#define FR_IS_ACQUIRE 0x200   /* of a lock */
#define FR_IS_RELEASE 0x400   /* of a lock */
#define FR_IS_WAIT 0x800      /* waits for another thread, but not for a lock */
#define FR_HAS_OUTCOME 0x1000 /* aux contains an enum fr_outcome */

/*
 * The kinds of events: X(NAME, number, "name", class, properties).
 *
 * Classes: 'a' access (`value` is a value), 's' synchronisation, 't' thread life, 'm' memory life,
 * 'u' user annotation, 'x' structure of the trace (neither a hook nor an event of the program).
 * A comment describes the entry below it, or the entries that it names. "EXT: a, b, c" gives addr,
 * value and site of the FR_EV_EXT slot that follows.
 */
/* clang-format off */
#define FR_EVENT_KINDS(X) \
	/* an empty slot, which readers skip */ \
	X(NONE, 0, "none", 'x', 0) \
	/* continues the slot before it */ \
	X(EXT, 1, "ext", 'x', FR_IS_EXT) \
	\
	/* accesses. READ, WRITE: aux = log2(size) | FR_ACC_* */ \
	X(READ, 2, "read", 'a', FR_IS_READ) \
	X(WRITE, 3, "write", 'a', FR_IS_WRITE) \
	/* RANGE_*: EXT: number of elements, stride in bytes (signed), bytes of an element */ \
	X(RANGE_READ, 4, "range-read", 'a', FR_IS_READ | FR_IS_RANGE) \
	X(RANGE_WRITE, 5, "range-write", 'a', FR_IS_WRITE | FR_IS_RANGE) \
	/* ATOMIC_*: aux = log2(size) | order << 3 | FR_ATOMIC_OK */ \
	X(ATOMIC_LOAD, 6, "atomic-load", 'a', FR_IS_READ | FR_IS_ATOMIC) \
	X(ATOMIC_STORE, 7, "atomic-store", 'a', FR_IS_WRITE | FR_IS_ATOMIC) \
	/* value = the value read. EXT: enum fr_rmw, the value written, 0 */ \
	X(ATOMIC_RMW, 8, "atomic-rmw", 'a', FR_IS_READ | FR_IS_WRITE | FR_IS_ATOMIC) \
	/* value = the value read. FR_ATOMIC_OK in aux: the exchange succeeded. */ \
	/* EXT: memory order of failure, the desired value, 0 */ \
	X(ATOMIC_CAS, 9, "atomic-cas", 'a', FR_IS_READ | FR_IS_WRITE | FR_IS_ATOMIC) \
	/* aux = order << 3 | FR_FENCE_SIGNAL; addr = 0 */ \
	X(FENCE, 10, "fence", 's', 0) \
	\
	/* locks and all calls that follow, to THREAD_CANCEL: aux = FR_SYNC(outcome, variant, */ \
	/* mutex or rwlock type), see FR_HAS_OUTCOME */ \
	X(MUTEX_INIT, 16, "mutex-init", 's', FR_HAS_OUTCOME) \
	X(MUTEX_DESTROY, 17, "mutex-destroy", 's', FR_HAS_OUTCOME) \
	X(MUTEX_LOCK, 18, "mutex-lock", 's', FR_IS_ACQUIRE | FR_HAS_OUTCOME) \
	X(MUTEX_UNLOCK, 19, "mutex-unlock", 's', FR_IS_RELEASE | FR_HAS_OUTCOME) \
	X(MUTEX_CONSISTENT, 20, "mutex-consistent", 's', FR_HAS_OUTCOME) \
	X(SPIN_INIT, 21, "spin-init", 's', FR_HAS_OUTCOME) \
	X(SPIN_DESTROY, 22, "spin-destroy", 's', FR_HAS_OUTCOME) \
	X(SPIN_LOCK, 23, "spin-lock", 's', FR_IS_ACQUIRE | FR_HAS_OUTCOME) \
	X(SPIN_UNLOCK, 24, "spin-unlock", 's', FR_IS_RELEASE | FR_HAS_OUTCOME) \
	X(RW_INIT, 25, "rwlock-init", 's', FR_HAS_OUTCOME) \
	X(RW_DESTROY, 26, "rwlock-destroy", 's', FR_HAS_OUTCOME) \
	X(RW_RDLOCK, 27, "rwlock-rdlock", 's', FR_IS_ACQUIRE | FR_HAS_OUTCOME) \
	X(RW_WRLOCK, 28, "rwlock-wrlock", 's', FR_IS_ACQUIRE | FR_HAS_OUTCOME) \
	X(RW_UNLOCK, 29, "rwlock-unlock", 's', FR_IS_RELEASE | FR_HAS_OUTCOME) \
	\
	/* condition variables. A wait is MUTEX_UNLOCK (variant WAIT), COND_WAIT, MUTEX_LOCK */ \
	/* (variant WAIT). COND_WAIT takes its stamp on return. Its EXT: the mutex, 0, 0 */ \
	X(COND_INIT, 32, "cond-init", 's', FR_HAS_OUTCOME) \
	X(COND_DESTROY, 33, "cond-destroy", 's', FR_HAS_OUTCOME) \
	X(COND_WAIT, 34, "cond-wait", 's', FR_IS_WAIT | FR_HAS_OUTCOME) \
	X(COND_SIGNAL, 35, "cond-signal", 's', FR_HAS_OUTCOME) \
	X(COND_BROADCAST, 36, "cond-broadcast", 's', FR_HAS_OUTCOME) \
	/* futexes. A wait is FUTEX_BEGIN, an ATOMIC_LOAD of the word as the kernel found it, */ \
	/* FUTEX_WAIT. Outcome BUSY: it did not sleep, because the word had another value */ \
	X(FUTEX_BEGIN, 37, "futex-begin", 's', 0) \
	X(FUTEX_WAIT, 38, "futex-wait", 's', FR_IS_WAIT | FR_HAS_OUTCOME) \
	/* aux = 1: may wake several threads */ \
	X(FUTEX_WAKE, 39, "futex-wake", 's', 0) \
	\
	/* semaphores and barriers. EXT of *_INIT: the count, 0, 0 */ \
	X(SEM_INIT, 40, "sem-init", 's', FR_HAS_OUTCOME) \
	X(SEM_DESTROY, 41, "sem-destroy", 's', FR_HAS_OUTCOME) \
	X(SEM_WAIT, 42, "sem-wait", 's', FR_IS_WAIT | FR_HAS_OUTCOME) \
	X(SEM_POST, 43, "sem-post", 's', FR_HAS_OUTCOME) \
	X(BARRIER_INIT, 44, "barrier-init", 's', FR_HAS_OUTCOME) \
	X(BARRIER_DESTROY, 45, "barrier-destroy", 's', FR_HAS_OUTCOME) \
	X(BARRIER_ENTER, 46, "barrier-enter", 's', FR_IS_WAIT | FR_HAS_OUTCOME) \
	/* outcome SERIAL for one of the threads. EXT: the generation, 0, 0 */ \
	X(BARRIER_LEAVE, 47, "barrier-leave", 's', FR_IS_WAIT | FR_HAS_OUTCOME) \
	\
	/* once: BEGIN and END around the routine in the thread that runs it, DONE in others. */ \
	/* ONCE_END with outcome ERROR: the initialiser was abandoned */ \
	X(ONCE_BEGIN, 48, "once-begin", 's', FR_HAS_OUTCOME) \
	X(ONCE_END, 49, "once-end", 's', FR_HAS_OUTCOME) \
	X(ONCE_DONE, 50, "once-done", 's', FR_HAS_OUTCOME) \
	\
	/* threads. addr = the other thread's id. THREAD_CREATE: the child, 0 if that failed. */ \
	/* THREAD_START: the parent. EXT: n-th child of the parent (from 1), start routine, 0; */ \
	/* EXT: low end of the stack, its size, 0 */ \
	X(THREAD_CREATE, 56, "thread-create", 't', FR_HAS_OUTCOME) \
	X(THREAD_START, 57, "thread-start", 't', 0) \
	X(THREAD_EXIT, 58, "thread-exit", 't', 0) \
	X(THREAD_JOIN, 59, "thread-join", 't', FR_IS_WAIT | FR_HAS_OUTCOME) \
	X(THREAD_DETACH, 60, "thread-detach", 't', FR_HAS_OUTCOME) \
	X(THREAD_CANCEL, 61, "thread-cancel", 't', FR_HAS_OUTCOME) \
	/* A signal handler runs from SIGNAL_BEGIN to SIGNAL_END. addr = signal number. */ \
	/* aux = FR_SIGNAL_* */ \
	X(SIGNAL_BEGIN, 62, "signal-begin", 't', 0) \
	X(SIGNAL_END, 63, "signal-end", 't', 0) \
	/* addr = process id of the child */ \
	X(FORK, 64, "fork", 't', 0) \
	/* before the program replaces itself */ \
	X(EXEC, 65, "exec", 't', 0) \
	\
	/* memory life. aux = FR_MEM_*. EXT: size, 0, 0; size 0 of FREE: not known. */ \
	/* STACK_FREE: escaping locals of a function go out of scope */ \
	X(ALLOC, 72, "alloc", 'm', 0) \
	X(FREE, 73, "free", 'm', 0) \
	X(STACK_FREE, 74, "stack-free", 'm', 0) \
	\
	/* annotations of forerun.h. USER_EVENT: addr = address of the name. EXT: length of the */ \
	/* name, argument 0, number of arguments. USER_BENIGN: EXT: size, 0, 0. */ \
	/* USER_LOCK: aux as for locks; variant TRY for FORERUN_TRYLOCK */ \
	X(USER_EVENT, 80, "event", 'u', FR_NAMES) \
	X(USER_ATOMIC_BEGIN, 81, "atomic-begin", 'u', 0) \
	X(USER_ATOMIC_END, 82, "atomic-end", 'u', 0) \
	X(USER_LOCK, 83, "lock", 'u', FR_IS_ACQUIRE | FR_HAS_OUTCOME) \
	X(USER_UNLOCK, 84, "unlock", 'u', FR_IS_RELEASE) \
	X(USER_BENIGN, 85, "benign", 'u', 0) \
	/* USER_ACQUIRE happens after every USER_RELEASE of the same addr with a lower stamp. */ \
	/* addr may also be a signal number (RELEASE: the thread sends it, ACQUIRE: it waited */ \
	/* for it), or FR_STREAM | number (bytes written to or read from this pipe or socket) */ \
	X(USER_ACQUIRE, 86, "acquire", 'u', 0) \
	X(USER_RELEASE, 87, "release", 'u', 0) \
	\
	/* Functions named at compile time (calls=GLOB). addr = number of frames on the call */ \
	/* stack, the same at both ends. CALL and RETURN are at a call: site = FR_SITE_CALL, */ \
	/* name = the callee. EXEC_* are in the function itself: site = FR_SITE_EXEC, name = */ \
	/* the function. CALL, EXEC_BEGIN: aux = number of arguments; one EXT for each of the */ \
	/* first FR_CALL_ARGS: size in bytes (0: not recorded), value, enum fr_arg. */ \
	/* RETURN, EXEC_END: aux = FR_CALL_*; one EXT for the result if the function has one */ \
	X(CALL, 88, "call", 'u', 0) \
	X(RETURN, 89, "return", 'u', 0) \
	X(EXEC_BEGIN, 90, "exec-begin", 'u', 0) \
	X(EXEC_END, 91, "exec-end", 'u', 0) \
	\
	/* structure of the trace */ \
	/* addr = the stamp counter now, value = the clock in nanoseconds */ \
	X(STAMP, 96, "stamp", 'x', 0) \
	/* The call stack from here on: keep the lowest `addr` frames, of which the topmost now */ \
	/* calls from site `site`; then push one frame for each of the aux EXT slots. */ \
	/* EXT: site of the call, site of the function */ \
	X(FRAMES, 97, "frames", 'x', 0) \
	/* The last access of another thread, the owner, to a granule, which the owner had not */ \
	/* written to the trace (src/runtime/core/shadow.h). addr, aux and site are those of */ \
	/* the access. EXT: its hook (48 bits), the owner, 0. */ \
	/* LAST_WRITE: value = the granule's 8 bytes after the write */ \
	X(LAST_READ, 98, "last-read", 'x', 0) \
	X(LAST_WRITE, 99, "last-write", 'x', 0) \
	/* A translation unit: addr = address of its site table, value = its first site id, */ \
	/* site = number of its sites */ \
	X(TU, 100, "tu", 'x', FR_NAMES) \
	/* addr = program counter, site = its id. aux = 1: the site stands for a function, of */ \
	/* which the program counter is the entry */ \
	X(PC_SITE, 101, "pc-site", 'x', FR_NAMES) \
	/* Later events of the thread may depend on reads kept before this. addr = 0, */ \
	/* aux = enum fr_branch, which defines `value` */ \
	X(BRANCH, 102, "branch", 'x', FR_IS_ASIDE) \
	/* At the end of the run the thread was still in a blocking call: addr = the object, */ \
	/* aux = the event kind of the call */ \
	X(PENDING, 103, "pending", 'x', 0) \
	/* An answer from outside the program: aux = enum fr_input, which defines addr and */ \
	/* value. EXT of RANDOM and MORE: 0, the next 8 bytes, 0 */ \
	X(INPUT, 104, "input", 'x', FR_IS_ASIDE)
/* clang-format on */

#define FR_STAMP_TURN 1 /* aux of STAMP */
enum fr_event_kind {
#define FR_X(n, num, s, c, p) FR_EV_##n = num,
	FR_EVENT_KINDS(FR_X)
#undef FR_X
};

/* Returns the properties of an event kind; none if it is unknown. */
static inline unsigned fr_event_is(unsigned kind)
{
	static const uint16_t is[256] = {
#define FR_X(n, num, s, c, p) \
	[num] = (p) | ((c) == 'x' ? 0 : FR_IS_EVENT | ((c) == 'a' ? 0 : FR_IS_STAMPED)),
		FR_EVENT_KINDS(FR_X)
#undef FR_X
	};

	return is[(uint8_t)kind];
}

/* USER_ACQUIRE, USER_RELEASE: this bit marks an address that is the number of a pipe or the like.
   Number 0: an unknown pipe, which orders nothing. */
#define FR_STREAM (UINT64_C(1) << (FR_ADDR_BITS - 1))

/* USER_ACQUIRE, USER_RELEASE: returns whether the address is a signal number. */
static inline bool fr_signal_number(uint64_t addr)
{
	return addr >= 1 && addr <= 64;
}

/* Returns the value of a 16-byte access: a hash of its two halves. */
static inline uint64_t fr_value16(uint64_t lo, uint64_t hi)
{
	return lo + hi * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns a hash of bytes. `hash` is the hash of the pieces before, 0 for the first piece. The same
   bytes split into other pieces have another hash. */
static inline uint64_t fr_hash_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}
static inline uint64_t fr_hash(uint64_t hash, const void *bytes, uint64_t n)
{
	const unsigned char *p = (const unsigned char *)bytes;
	uint64_t word;

	hash += n;
	for (; n >= 8; n -= 8, p += 8) {
		__builtin_memcpy(&word, p, 8);
		hash = fr_hash_mix(hash, word);
	}
	for (word = 0; n; n--)
		word = word << 8 | p[n - 1];
	return fr_hash_mix(hash, word);
}

/* READ/WRITE aux: bits 0-2 log2(size) (0..4), then flags. */
#define FR_ACC_SIZE(aux) (1u << ((aux) & 7))
#define FR_ACC_VOLATILE 0x08
#define FR_ACC_LATE 0x10 /* a late access: it happened at `hook`, before the slots before it */
#define FR_ACC_UNALIGNED 0x20
#define FR_ACC_NOVALUE 0x40 /* `value` is not known */
static inline bool fr_reads_value(unsigned kind)
{
	return (fr_event_is(kind) & (FR_IS_READ | FR_IS_RANGE)) == FR_IS_READ;
}
/* Does the event end the life of memory? */
static inline bool fr_frees(unsigned kind)
{
	return kind == FR_EV_FREE || kind == FR_EV_STACK_FREE;
}
/* Returns the bytes of an access that is not a range; 0 for all other event kinds. */
static inline unsigned fr_access_size(unsigned kind, unsigned aux)
{
	unsigned is = fr_event_is(kind);

	return is & (FR_IS_READ | FR_IS_WRITE) && !(is & FR_IS_RANGE) ? FR_ACC_SIZE(aux) : 0;
}
/* RANGE aux flags */
#define FR_RANGE_HASH 0x01 /* `value` is a hash of the range's bytes after the access */

/* Memory orders, as C11 numbers them: relaxed, consume, acquire, release, acq_rel, seq_cst. */
#define FR_ATOMIC_ORDER(aux) (((aux) >> 3) & 7)
#define FR_ATOMIC_OK 0x40
#define FR_FENCE_SIGNAL 0x40

/* aux of SIGNAL_BEGIN */
#define FR_SIGNAL_OWN 1 /* during the call with which this thread sent the signal (raise) */
/* The handler began at any point of the thread. The hook before this one is that of an access that
   the handler interrupted, after the access and before its hook; if there is no such event, that
   hook is unused. */
#define FR_SIGNAL_GAP 2
#define FR_SIGNAL_OUTSIDE 4 /* a process that is no child sent the signal, or the terminal did */
#define FR_SIGNAL_CHILD 8   /* a child sent the signal, or ended */

/* aux of USER_ACQUIRE with a signal number: as FR_SIGNAL_OUTSIDE */
#define FR_ACQUIRE_OUTSIDE 1

enum fr_rmw {
	FR_RMW_XCHG,
	FR_RMW_ADD,
	FR_RMW_SUB,
	FR_RMW_AND,
	FR_RMW_OR,
	FR_RMW_XOR,
	FR_RMW_NAND,
	FR_RMW_OTHER
};

/* Synchronisation aux: outcome : 4 | variant : 2 | mutex type : 2 */
#define FR_SYNC(outcome, variant, type) ((outcome) | (variant) << 4 | (type) << 6)
#define FR_SYNC_OUTCOME(aux) ((aux) & 15)
#define FR_SYNC_VARIANT(aux) (((aux) >> 4) & 3)
#define FR_SYNC_TYPE(aux) (((aux) >> 6) & 3)
enum fr_outcome {
	FR_OK,
	FR_BUSY,      /* EBUSY, EAGAIN: not acquired */
	FR_TIMEDOUT,  /* ETIMEDOUT */
	FR_OWNERDEAD, /* acquired, the owner died */
	FR_DEADLK,    /* EDEADLK: not acquired */
	FR_NOTOWNER,  /* EPERM */
	FR_INTR,      /* EINTR: not acquired */
	FR_CANCELLED, /* the thread was cancelled in the call; a wait holds its mutex again */
	FR_SERIAL,    /* PTHREAD_BARRIER_SERIAL_THREAD */
	FR_ERROR,     /* any other error: nothing happened */
};
enum fr_variant { FR_PLAIN, FR_TRY, FR_TIMED, FR_WAIT };
enum fr_mutex_type { FR_NORMAL, FR_RECURSIVE, FR_ERRORCHECK, FR_ADAPTIVE };
/* the type of a rwlock: while a writer waits, a reader waits behind it */
#define FR_WRITERS_FIRST 1

/* aux of BRANCH */
enum fr_branch {
	FR_BRANCH_IF,	    /* value = the condition, 0 or 1 */
	FR_BRANCH_SWITCH,   /* value = the value switched on */
	FR_BRANCH_INDIRECT, /* a computed goto or an indirect call: value = the address */
	FR_BRANCH_LOOP,	    /* a loop begins whose branches depend on reads before it; value = 0 */
	FR_BRANCH_RANGE,    /* a loop has ended whose branches depend on range reads, which were
			       recorded at its end; value = 0 */
};

/*
 * aux of INPUT: X(NAME, number, "name"). A result below zero is -errno. The runtime leaves out
 * clocks that do not exist: they fail in the same way every time.
 */
/* clang-format off */
#define FR_INPUTS(X) \
	/* time of day: addr = 0, value = nanoseconds since 1970 */ \
	X(TIME, 1, "time") \
	/* other clocks: addr = clock id, value = nanoseconds */ \
	X(CLOCK, 2, "clock") \
	/* processor time used: addr = clock id, value = nanoseconds */ \
	X(CPU, 3, "cpu-time") \
	/* addr = number of bytes, value = the first 8 of them, one EXT for each 8 that */ \
	/* follow; addr = 0: the call failed, value = result */ \
	X(RANDOM, 4, "random") \
	/* continues the RANDOM before it, in the same form */ \
	X(MORE, 5, "more") \
	/* value = id of this process, of its parent, of this thread (the kernel's numbers) */ \
	X(PID, 6, "pid") \
	X(PPID, 7, "ppid") \
	X(TID, 8, "tid") \
	/* addr = fr_read_addr(number of bytes read, descriptor), value = their fr_hash; */ \
	/* no bytes: value = result <= 0 */ \
	X(READ, 9, "read") \
	/* poll, select and the like: value = result, addr = the ready ones: bit i = entry i of */ \
	/* poll, or descriptor i readable; 0 = not known. */ \
	/* sigwait and the like: value = the signal, addr = 1: the program itself sent it */ \
	X(READY, 10, "ready") \
	/* value = result */ \
	X(ACCEPT, 11, "accept") \
	/* A file was opened, examined, created or removed: value = 0 or the failed result, */ \
	/* addr = hash of its type and length, 0 = not examined */ \
	X(FILE, 12, "file") \
	/* A write took fewer bytes than were given: value = result */ \
	X(WRITE, 13, "write") \
	/* A file, socket address or named object as it was before the program changed it: */ \
	/* value = hash of the name, addr = fr_name_addr(...) */ \
	X(NAME, 14, "name")
/* clang-format on */
enum fr_input {
#define FR_X(n, num, s) FR_INPUT_##n = num,
	FR_INPUTS(FR_X)
#undef FR_X
};
#define FR_INPUT_BYTES 256 /* limit of one slot with its EXT slots */

/* addr of INPUT READ. fd = -1: the call reads from no descriptor. */
static inline uint64_t fr_read_addr(uint64_t n, int fd)
{
	return (uint32_t)n | (uint64_t)(fd >= 0 && fd < UINT16_MAX ? fd + 1 : 0) << 32;
}
static inline uint64_t fr_read_bytes(uint64_t addr)
{
	return (uint32_t)addr;
}
/* 1 + the descriptor; 0: none, or it is not known. */
static inline uint16_t fr_read_from(uint64_t addr)
{
	return (uint16_t)(addr >> 32);
}

/*
 * addr of INPUT NAME: flags for the known facts, the kind of name, and 28 bits of a hash: of the
 * content (CONTENT) or else of the size (SIZE). The runtime writes one such event at the first use
 * of a name, and one for each later use that adds a fact.
 */
#define FR_NAME_THERE 0x01   /* the object existed */
#define FR_NAME_ABSENT 0x02  /* the object did not exist */
#define FR_NAME_SIZE 0x04    /* the hash is that of its type and length */
#define FR_NAME_CONTENT 0x08 /* the hash is that of its first bytes */
#define FR_NAME_CHANGED 0x10 /* the program made, changed or removed it, or uses a service */
#define FR_NAME_FIXED 0x20   /* this THERE or ABSENT corrects the recorded one */
#define FR_NAME_HASH_BITS 28
#define FR_NAME_HASH_MASK ((UINT32_C(1) << FR_NAME_HASH_BITS) - 1)

/* X(NAME, "text in reports") */
#define FR_NAME_KINDS(X)               \
	X(FILE, "file")                \
	X(ADDRESS, "socket address")   \
	X(SHM, "shared memory object") \
	X(SEM, "named semaphore")      \
	X(QUEUE, "message queue")      \
	X(SYSV, "System V object")

enum fr_name_kind {
#define FR_X(n, s) FR_NAME_##n,
	FR_NAME_KINDS(FR_X)
#undef FR_X
	    FR_NAME_KIND_COUNT
};

static inline uint64_t fr_name_addr(unsigned flags, unsigned kind, uint32_t hash)
{
	return (uint64_t)(hash & FR_NAME_HASH_MASK) << 16 | (uint64_t)kind << 8 | flags;
}

/* CALL, RETURN, EXEC_* */
#define FR_CALL_ARGS 16	     /* limit of the recorded arguments of a call */
#define FR_CALL_UNWOUND 0x01 /* EXEC_END: an exception left the function */
#define FR_CALL_TAIL 0x02    /* EXEC_END: a tail call, whose result is the function's */
enum fr_arg {
	FR_ARG_OTHER,	/* not recorded: a struct, a vector, or more than 8 bytes */
	FR_ARG_INT,	/* zero-extended */
	FR_ARG_SIGNED,	/* sign-extended */
	FR_ARG_POINTER, /* or reference */
	FR_ARG_FLOAT,	/* its bits, zero-extended */
};

/* aux of ALLOC and FREE */
enum fr_mem {
	FR_MEM_MALLOC,
	FR_MEM_CALLOC,
	FR_MEM_REALLOC,
	FR_MEM_ALIGNED,
	FR_MEM_MMAP,
	FR_MEM_STACK,
	FR_MEM_ANON, /* anonymous mmap: zeros; its FREE is FR_MEM_MMAP */
};

#endif
