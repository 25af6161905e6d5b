/*
 * The event: what one hook of the recorded program writes, and what the analyser reads.
 *
 * Meaning:   a thread's trace is the sequence of its events in program order. An event is one
 *            *slot* of 24 bytes, or one slot followed by FR_EV_EXT slots that belong to it.
 * Invariant: every event that is not an access carries an order stamp in `value`: taken after it
 *            acquires and before it releases, from one counter of the process, so that stamps order
 *            the operations on each object exactly. Accesses carry no stamp; FR_EV_STAMP events,
 *            every few hundred kept accesses, narrow their place.
 * Index:     `idx` is the low half of the number of hooks its thread had executed, this one
 *            included, whether or not they were kept. The block header holds the high half.
 *            Slots that are not hooks (EXT, FRAMES, STAMP, LAST_*, BRANCH, INPUT, TU...) repeat the
 *            index of the last hook.
 * Changing anything here means a new FR_TRACE_VERSION, doc/trace-format.md and its test.
 */
#ifndef FR_FORMAT_EVENT_H
#define FR_FORMAT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct fr_event {
	uint64_t w0;	/* address : 48 | kind : 8 | aux : 8 */
	uint64_t value; /* accesses: the value (a hash above 8 bytes); others: the stamp */
	uint32_t site;	/* site id: see FR_SITE_*; 0 is "not known" */
	uint32_t idx;	/* low half of the hook index */
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
 * Site ids. Native sites (built by the pass) are numbered from 1 in order of registration of
 * translation units; sites of objects built with -fsanitize=thread are program counters, numbered
 * from FR_SITE_PC_FIRST as they are first seen (FR_EV_PC_SITE tells which is which).
 */
#define FR_SITE_BITS 22
#define FR_SITE_PC_FIRST (1u << 21)
#define FR_SITE_MAX ((1u << FR_SITE_BITS) - 1)

/*
 * X(NAME, number, "name", class)
 * Classes: 'a' access (value is a value), 's' synchronisation, 't' thread life, 'm' memory life,
 * 'u' user annotation, 'x' structure of the trace (not a hook, not an event of the program).
 * Columns "EXT" below: what the FR_EV_EXT slot that follows holds as (addr, value, site).
 */
#define FR_EVENT_KINDS(X)                                                                            \
	X(NONE, 0, "none", 'x') /* an empty slot: skipped */                                         \
	X(EXT, 1, "ext", 'x')	/* continues the slot before */                                      \
	/* accesses; aux = log2(size) | FR_ACC_* */                                                  \
	X(READ, 2, "read", 'a')                                                                      \
	X(WRITE, 3, "write", 'a')                                                                    \
	/* EXT: element count, stride in bytes (signed), element size in bytes */                    \
	X(RANGE_READ, 4, "range-read", 'a')                                                          \
	X(RANGE_WRITE, 5, "range-write", 'a')                                                        \
	/* aux = log2(size) | order << 3 | FR_ATOMIC_OK */                                           \
	X(ATOMIC_LOAD, 6, "atomic-load", 'a')                                                        \
	X(ATOMIC_STORE, 7, "atomic-store", 'a')                                                      \
	/* value = the value read. EXT: enum fr_rmw, the value written, 0 */                         \
	X(ATOMIC_RMW, 8, "atomic-rmw", 'a')                                                          \
	/* value = the value read. EXT: order of failure, the value written or wanted, 0.          \
	   FR_ATOMIC_OK in aux: it was written */ \
	X(ATOMIC_CAS, 9, "atomic-cas", 'a')                                                          \
	X(FENCE, 10, "fence", 's') /* aux = order << 3 | FR_FENCE_SIGNAL; addr 0 */                  \
	/* locks; aux = FR_SYNC(outcome, variant, mutex type) */                                     \
	X(MUTEX_INIT, 16, "mutex-init", 's')                                                         \
	X(MUTEX_DESTROY, 17, "mutex-destroy", 's')                                                   \
	X(MUTEX_LOCK, 18, "mutex-lock", 's')                                                         \
	X(MUTEX_UNLOCK, 19, "mutex-unlock", 's')                                                     \
	X(MUTEX_CONSISTENT, 20, "mutex-consistent", 's')                                             \
	X(SPIN_INIT, 21, "spin-init", 's')                                                           \
	X(SPIN_DESTROY, 22, "spin-destroy", 's')                                                     \
	X(SPIN_LOCK, 23, "spin-lock", 's')                                                           \
	X(SPIN_UNLOCK, 24, "spin-unlock", 's')                                                       \
	X(RW_INIT, 25, "rwlock-init", 's')                                                           \
	X(RW_DESTROY, 26, "rwlock-destroy", 's')                                                     \
	X(RW_RDLOCK, 27, "rwlock-rdlock", 's')                                                       \
	X(RW_WRLOCK, 28, "rwlock-wrlock", 's')                                                       \
	X(RW_UNLOCK, 29, "rwlock-unlock", 's')                                                       \
	/* condition variables: a wait is MUTEX_UNLOCK (variant WAIT), COND_WAIT, MUTEX_LOCK       \
	   (variant WAIT). COND_WAIT is stamped on return. EXT: the mutex, 0, 0 */ \
	X(COND_INIT, 32, "cond-init", 's')                                                           \
	X(COND_DESTROY, 33, "cond-destroy", 's')                                                     \
	X(COND_WAIT, 34, "cond-wait", 's')                                                           \
	X(COND_SIGNAL, 35, "cond-signal", 's')                                                       \
	X(COND_BROADCAST, 36, "cond-broadcast", 's')                                                 \
	X(SEM_INIT, 40, "sem-init", 's') /* EXT: the count, 0, 0 */                                  \
	X(SEM_DESTROY, 41, "sem-destroy", 's')                                                       \
	X(SEM_WAIT, 42, "sem-wait", 's')                                                             \
	X(SEM_POST, 43, "sem-post", 's')                                                             \
	X(BARRIER_INIT, 44, "barrier-init", 's') /* EXT: the count, 0, 0 */                          \
	X(BARRIER_DESTROY, 45, "barrier-destroy", 's')                                               \
	X(BARRIER_ENTER, 46, "barrier-enter", 's')                                                   \
	X(BARRIER_LEAVE, 47, "barrier-leave",                                                        \
	  's') /* outcome SERIAL for one thread.               \
	   EXT: the generation, 0, 0 */                                     \
	/* once: BEGIN/END around the routine in the winner, DONE in those that passed it */         \
	X(ONCE_BEGIN, 48, "once-begin", 's')                                                         \
	X(ONCE_END, 49, "once-end", 's') /* outcome ERROR: the initialiser was abandoned */          \
	X(ONCE_DONE, 50, "once-done", 's')                                                           \
	/* threads; addr = the other thread's id */                                                  \
	X(THREAD_CREATE, 56, "thread-create", 't') /* addr = child, 0 if it failed */                \
	X(THREAD_START, 57, "thread-start",                                                          \
	  't') /* addr = parent. EXT: n-th child of it (from 1), \
	 start routine, 0; EXT: stack low, stack size, 0 */                                   \
	X(THREAD_EXIT, 58, "thread-exit", 't')                                                       \
	X(THREAD_JOIN, 59, "thread-join", 't')                                                       \
	X(THREAD_DETACH, 60, "thread-detach", 't')                                                   \
	X(THREAD_CANCEL, 61, "thread-cancel", 't')                                                   \
	X(SIGNAL_BEGIN, 62, "signal-begin",                                                          \
	  't') /* addr = signal number: a handler runs here. aux \
	   = 1: in a call by which the thread has sent it (raise) */                                   \
	X(SIGNAL_END, 63, "signal-end", 't')                                                         \
	X(FORK, 64, "fork", 't') /* addr = child's process id */                                     \
	X(EXEC, 65, "exec", 't') /* about to replace the program */                                  \
	/* memory life; aux = FR_MEM_* */                                                            \
	X(ALLOC, 72, "alloc", 'm')	     /* EXT: size, 0, 0 */                                   \
	X(FREE, 73, "free", 'm')	     /* EXT: size (0: not known), 0, 0 */                    \
	X(STACK_FREE, 74, "stack-free", 'm') /* locals that others saw go away. EXT: size, 0, 0 */   \
	/* annotations of forerun.h. EXT: as said there */                                           \
	X(USER_EVENT, 80, "event",                                                                   \
	  'u') /* addr = name. EXT: length of the name, argument 0, argument count */                \
	X(USER_ATOMIC_BEGIN, 81, "atomic-begin", 'u')                                                \
	X(USER_ATOMIC_END, 82, "atomic-end", 'u')                                                    \
	X(USER_LOCK, 83, "lock", 'u') /* aux as for locks; variant TRY on request */                 \
	X(USER_UNLOCK, 84, "unlock", 'u')                                                            \
	X(USER_BENIGN, 85, "benign", 'u') /* EXT: size, 0, 0 */                                      \
	/* an acquire happens after every release of the same addr with a lower stamp */             \
	X(USER_ACQUIRE, 86, "acquire", 'u') /* or addr = a signal's number: it was waited for */     \
	X(USER_RELEASE, 87, "release",                                                               \
	  'u') /* or addr = a signal's number: it is sent. FR_STREAM  \
	   | a number: bytes go there, or come from there */                              \
	/* functions named at compile time (calls=GLOB). addr = frames on the call stack: the same \
	   at both ends. CALL, RETURN: at a call, site = FR_SITE_CALL, name = the callee.          \
	   EXEC_*: in the function itself, site = FR_SITE_EXEC, name = the function. CALL,         \
	   EXEC_BEGIN: aux = number of arguments; EXT for each of the first FR_CALL_ARGS: size in  \
	   bytes (0: not recorded), value, enum fr_arg. RETURN, EXEC_END: aux = FR_CALL_*, an EXT  \
	   for the result if there is one */ \
	X(CALL, 88, "call", 'u')                                                                     \
	X(RETURN, 89, "return", 'u')                                                                 \
	X(EXEC_BEGIN, 90, "exec-begin", 'u')                                                         \
	X(EXEC_END, 91, "exec-end", 'u')                                                             \
	/* structure of the trace */                                                                 \
	X(STAMP, 96, "stamp", 'x') /* addr = stamp counter now, value = clock in nanoseconds */      \
	X(FRAMES, 97, "frames",                                                                      \
	  'x') /* the call stack from here on: keep the lowest `addr`        \
	frames, the topmost kept one now calling from site `site`, then push one frame for each    \
	EXT that follows (aux of them): EXT: call site, function's site */                       \
	X(LAST_READ, 98, "last-read",                                                                \
	  'x') /* what another thread did last to a granule of 8 bytes                             \
and had not written: see src/runtime/core/shadow.h. addr and aux = the access, site = its site */ \
	X(LAST_WRITE, 99, "last-write",                                                              \
	  'x') /* value = the granule's 8 bytes after it. EXT of     \
	   both: hook index (48 bits), owner thread, 0 */                               \
	X(TU, 100, "tu",                                                                             \
	  'x') /* a translation unit: addr = its site table in memory, value =      \
     first site id, site = number of sites */                \
	X(PC_SITE, 101, "pc-site",                                                                   \
	  'x')			      /* addr = program counter, site = its id; aux = 1: the     \
	   entry of a function, which the site stands for */   \
	X(BRANCH, 102, "branch", 'x') /* what follows may depend on reads kept before: addr = 0, \
	     aux = enum fr_branch, which says what `value` is */   \
	X(PENDING, 103, "pending",                                                                   \
	  'x') /* at the end of the run: this thread was still in such a  \
	   call. addr = object, aux = its event kind */                          \
	X(INPUT, 104, "input",                                                                       \
	  'x') /* the outside world answered: aux = enum fr_input, which says \
	   what addr and value are. EXT of RANDOM and MORE: 0, the next 8 bytes, 0 */

enum fr_event_kind {
#define FR_X(n, num, s, c) FR_EV_##n = num,
	FR_EVENT_KINDS(FR_X)
#undef FR_X
};

/* USER_ACQUIRE, USER_RELEASE: the address is that of no memory, but the number of a pipe or the
   like. 0: one that is not known, and orders nothing. */
#define FR_STREAM (UINT64_C(1) << (FR_ADDR_BITS - 1))

/* USER_ACQUIRE, USER_RELEASE: the address is a signal's number. */
static inline bool fr_signal_number(uint64_t addr)
{
	return addr >= 1 && addr <= 64;
}

/* The value of a 16-byte access. */
static inline uint64_t fr_value16(uint64_t lo, uint64_t hi)
{
	return lo + hi * UINT64_C(0x9e3779b97f4a7c15);
}

/* A hash of bytes. `hash` is that of the pieces before, 0 for the first: the same bytes in other
   pieces have another. */
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
#define FR_ACC_LATE 0x10 /* written down late: it happened at `idx`, before what stands here */
#define FR_ACC_UNALIGNED 0x20
#define FR_ACC_NOVALUE 0x40 /* `value` is not known */
/* RANGE aux flags */
#define FR_RANGE_HASH 0x01 /* `value` is a hash over the range's bytes, taken after the access */

/* Memory orders, as C11 numbers them: relaxed, consume, acquire, release, acq_rel, seq_cst. */
#define FR_ATOMIC_ORDER(aux) (((aux) >> 3) & 7)
#define FR_ATOMIC_OK 0x40
#define FR_FENCE_SIGNAL 0x40

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
	FR_CANCELLED, /* the thread was cancelled in it; a wait holds its mutex again */
	FR_SERIAL,    /* PTHREAD_BARRIER_SERIAL_THREAD */
	FR_ERROR,     /* any other error: nothing happened */
};
/* Calls whose aux is that. */
static inline bool fr_event_has_outcome(unsigned kind)
{
	return (kind >= FR_EV_MUTEX_INIT && kind <= FR_EV_THREAD_CANCEL &&
		kind != FR_EV_THREAD_START && kind != FR_EV_THREAD_EXIT) ||
	       kind == FR_EV_USER_LOCK;
}
enum fr_variant { FR_PLAIN, FR_TRY, FR_TIMED, FR_WAIT };
enum fr_mutex_type { FR_NORMAL, FR_RECURSIVE, FR_ERRORCHECK, FR_ADAPTIVE };

/* BRANCH aux */
enum fr_branch {
	FR_BRANCH_IF,	    /* value = the condition, 0 or 1 */
	FR_BRANCH_SWITCH,   /* value = the value that is looked up among the cases */
	FR_BRANCH_INDIRECT, /* a computed goto or an indirect call: value = the address */
	FR_BRANCH_LOOP,	    /* a loop begins whose branches depend on reads before it; value = 0 */
	FR_BRANCH_RANGE,    /* a loop has ended whose branches depend on reads that were written
			       down at its end; value = 0 */
};

/*
 * INPUT aux: X(NAME, number, "name"). A result below zero is -errno. Clocks that do not exist fail
 * in the same way every time and are left out.
 */
#define FR_INPUTS(X)                                                                               \
	X(TIME, 1, "time")	/* time of day: addr = 0, value = nanoseconds since 1970 */        \
	X(CLOCK, 2, "clock")	/* other clocks: addr = clock id, value = nanoseconds */           \
	X(CPU, 3, "cpu-time")	/* processor time used: addr = clock id, value = nanoseconds */    \
	X(RANDOM, 4, "random")	/* addr = bytes, value = the first 8 of them, EXT for each 8     \
		 that follow; addr = 0: it failed, value = result */ \
	X(MORE, 5, "more")	/* continues the RANDOM before, in the same form */                \
	X(PID, 6, "pid")	/* value = process id of this process */                           \
	X(PPID, 7, "ppid")	/* ... of its parent */                                            \
	X(TID, 8, "tid")	/* value = thread id, as the kernel has it */                      \
	X(READ, 9, "read")	/* addr = bytes read, value = their fr_hash; addr = 0: value =   \
		   result, 0 or below */ \
	X(READY, 10, "ready")	/* poll, select and the like: value = result; addr = which:      \
	     bit i: entry i of poll, or descriptor i to be read; 0: not known. sigwait and the   \
	     like: value = the signal, addr = 1: the program has sent it */ \
	X(ACCEPT, 11, "accept") /* value = result */                                               \
	X(FILE, 12, "file")	/* a file was opened, looked at, made, removed: value = 0 or the \
		   result; addr: its kind and length hashed, 0: not looked at */ \
	X(WRITE, 13, "write")	/* less was taken than was given: value = result */                \
	X(NAME, 14, "name")	/* a file, address or named object, as it was before the program \
		changed it: value = hash of the name, addr = fr_name_addr(...) */
enum fr_input {
#define FR_X(n, num, s) FR_INPUT_##n = num,
	FR_INPUTS(FR_X)
#undef FR_X
};
#define FR_INPUT_BYTES 256 /* at most in one slot with its EXT slots */

/*
 * INPUT of NAME: what is known, the sort of name, and 28 bits of a hash that CONTENT or else SIZE
 * is about. The first one of a name, and each that adds something.
 */
#define FR_NAME_THERE 0x01   /* it existed */
#define FR_NAME_ABSENT 0x02  /* it did not */
#define FR_NAME_SIZE 0x04    /* the hash is that of its type and length */
#define FR_NAME_CONTENT 0x08 /* ... of its first bytes */
#define FR_NAME_CHANGED 0x10 /* the program has made, changed or removed it, or uses a service */
#define FR_NAME_FIXED 0x20   /* THERE or ABSENT here, and not what was recorded before, is right */
#define FR_NAME_HASH_BITS 28
#define FR_NAME_HASH_MASK ((UINT32_C(1) << FR_NAME_HASH_BITS) - 1)

/* X(NAME, "what a reader calls it") */
#define FR_NAME_SORTS(X)               \
	X(FILE, "file")                \
	X(ADDRESS, "socket address")   \
	X(SHM, "shared memory object") \
	X(SEM, "named semaphore")      \
	X(QUEUE, "message queue")      \
	X(SYSV, "System V object")

enum fr_name_sort {
#define FR_X(n, s) FR_NAME_##n,
	FR_NAME_SORTS(FR_X)
#undef FR_X
	    FR_NAME_SORT_COUNT
};

static inline uint64_t fr_name_addr(unsigned flags, unsigned sort, uint32_t hash)
{
	return (uint64_t)(hash & FR_NAME_HASH_MASK) << 16 | (uint64_t)sort << 8 | flags;
}

/* CALL, RETURN, EXEC_* */
#define FR_CALL_ARGS 16	     /* arguments that are recorded of a call */
#define FR_CALL_UNWOUND 0x01 /* EXEC_END: left by an exception */
#define FR_CALL_TAIL 0x02    /* EXEC_END: replaced by a call, whose result is the function's */
enum fr_arg {
	FR_ARG_OTHER,	/* not recorded: a struct, a vector, or more than 8 bytes */
	FR_ARG_INT,	/* zero-extended */
	FR_ARG_SIGNED,	/* sign-extended */
	FR_ARG_POINTER, /* or reference */
	FR_ARG_FLOAT,	/* its bits, zero-extended */
};

/* ALLOC/FREE aux */
enum fr_mem {
	FR_MEM_MALLOC,
	FR_MEM_CALLOC,
	FR_MEM_REALLOC,
	FR_MEM_ALIGNED,
	FR_MEM_MMAP,
	FR_MEM_STACK,
	FR_MEM_ANON, /* mmap of no file: zeros; its FREE is FR_MEM_MMAP */
};

#endif
