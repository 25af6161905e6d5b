/*
 * Annotations that programs make for -fsanitize=thread: sanitizer/tsan_interface.h and the older
 * Annotate* macros. An annotation that has a meaning in a trace becomes an event. One that means
 * nothing to a recorder (names, expectations, reports) is accepted. The rest is counted as not
 * modelled, under its name.
 *
 * Such locks may be taken shared or exclusively, so all are recorded as rwlocks. If a recursive
 * lock is released at once (recursive_unlock), the number of its acquisitions is not known.
 */
#include "tsan.h"
#include <stddef.h>

#define RET ((uintptr_t)__builtin_return_address(0))

/* Flags of tsan_interface.h. */
enum {
	WRITE_REENTRANT = 1 << 1,
	READ_REENTRANT = 1 << 2,
	READ_LOCK = 1 << 3,
	TRY_LOCK = 1 << 4,
	TRY_LOCK_FAILED = 1 << 5,
	RECURSIVE_LOCK = 1 << 6,
	RECURSIVE_UNLOCK = 1 << 7,
};

static void annotate(unsigned kind, unsigned aux, const volatile void *addr, uint64_t size,
		     uintptr_t ret)
{
	struct frt_thread *t = frt_self;
	struct fr_event e[2];

	if (!t)
		return;
	e[0] = (struct fr_event){.w0 = fr_w0((uintptr_t)addr, kind, aux),
				 .value = frt_stamp(),
				 .site = frt_pc_site(t, ret)};
	e[1] = (struct fr_event){.w0 = fr_w0(size, FR_EV_EXT, 0)};
	frt_emit(t, e, size ? 2 : 1);
}

static void ignore(uint32_t reads, uint32_t writes)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return;
	if (t->announced_addr)
		frt_flush_announced(t);
	t->tsan->ignore_reads += reads;
	t->tsan->ignore_writes += writes;
}

/* May end an annotation that began before recording, or never began: the counts stay above zero. */
static void unignore(uint32_t reads, uint32_t writes)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return;
	t->tsan->ignore_reads -= t->tsan->ignore_reads ? reads : 0;
	t->tsan->ignore_writes -= t->tsan->ignore_writes ? writes : 0;
}

/* ---- happens-before ---- */

void __tsan_acquire(void *addr)
{
	annotate(FR_EV_USER_ACQUIRE, 0, addr, 0, RET);
}

void __tsan_release(void *addr)
{
	annotate(FR_EV_USER_RELEASE, 0, addr, 0, RET);
}

#define DEFINE_EDGES(name)                                                          \
	void name##HappensBefore(const char *f, int l, const volatile void *addr)   \
	{                                                                           \
		(void)f, (void)l;                                                   \
		annotate(FR_EV_USER_RELEASE, 0, addr, 0, RET);                      \
	}                                                                           \
	void name##HappensAfter(const char *f, int l, const volatile void *addr)    \
	{                                                                           \
		(void)f, (void)l;                                                   \
		annotate(FR_EV_USER_ACQUIRE, 0, addr, 0, RET);                      \
	}                                                                           \
	void name##BenignRaceSized(const char *f, int l, const volatile void *addr, \
				   unsigned long size, const char *why)             \
	{                                                                           \
		(void)f, (void)l, (void)why;                                        \
		annotate(FR_EV_USER_BENIGN, 0, addr, size, RET);                    \
	}
DEFINE_EDGES(Annotate)
DEFINE_EDGES(WTFAnnotate)

void AnnotateBenignRace(const char *f, int l, const volatile void *addr, const char *why)
{
	(void)f, (void)l, (void)why;
	annotate(FR_EV_USER_BENIGN, 0, addr, 1, RET);
}

/* ---- locks ---- */

static unsigned lock_aux(unsigned flags)
{
	return FR_SYNC(flags & TRY_LOCK_FAILED ? FR_BUSY : FR_OK,
		       flags & TRY_LOCK ? FR_TRY : FR_PLAIN,
		       flags & (WRITE_REENTRANT | RECURSIVE_LOCK) ? FR_RECURSIVE : FR_NORMAL);
}

void __tsan_mutex_create(void *m, unsigned flags)
{
	annotate(FR_EV_RW_INIT, lock_aux(flags & WRITE_REENTRANT), m, 0, RET);
}

void __tsan_mutex_destroy(void *m, unsigned flags)
{
	(void)flags;
	annotate(FR_EV_RW_DESTROY, 0, m, 0, RET);
}

/* Accesses to the lock's own memory are ignored while it is taken or released. */
void __tsan_mutex_pre_lock(void *m, unsigned flags)
{
	struct frt_thread *t = frt_self;

	ignore(1, 1);
	if (t && !(flags & TRY_LOCK)) {
		frt_tsan_called(t);
		frt_pending(t, flags & READ_LOCK ? FR_EV_RW_RDLOCK : FR_EV_RW_WRLOCK, m);
	}
}

void __tsan_mutex_post_lock(void *m, unsigned flags, int recursion)
{
	struct frt_thread *t = frt_self;

	unignore(1, 1);
	if (t)
		frt_pending_done(t);
	/* A recursive lock that is taken back after a wait is held as often as before. */
	for (int i = flags & RECURSIVE_LOCK && recursion > 1 ? recursion : 1; i > 0; i--)
		annotate(flags & READ_LOCK ? FR_EV_RW_RDLOCK : FR_EV_RW_WRLOCK, lock_aux(flags), m,
			 0, RET);
}

int __tsan_mutex_pre_unlock(void *m, unsigned flags)
{
	if (flags & RECURSIVE_UNLOCK)
		frt_unmodelled("__tsan_mutex_recursive_unlock");
	annotate(FR_EV_RW_UNLOCK, FR_SYNC(FR_OK, FR_PLAIN, FR_NORMAL), m, 0, RET);
	ignore(1, 1);
	return 1;
}

void __tsan_mutex_post_unlock(void *m, unsigned flags)
{
	(void)m, (void)flags;
	unignore(1, 1);
}

void __tsan_mutex_pre_signal(void *m, unsigned flags)
{
	(void)m, (void)flags;
	ignore(1, 1);
}

void __tsan_mutex_post_signal(void *m, unsigned flags)
{
	(void)m, (void)flags;
	unignore(1, 1);
}

void __tsan_mutex_pre_divert(void *m, unsigned flags)
{
	(void)m, (void)flags;
	unignore(1, 1);
}

void __tsan_mutex_post_divert(void *m, unsigned flags)
{
	(void)m, (void)flags;
	ignore(1, 1);
}

#define DEFINE_RW(name, kind)                                   \
	void name(const char *f, int l, const volatile void *m) \
	{                                                       \
		(void)f, (void)l;                               \
		annotate(kind, 0, m, 0, RET);                   \
	}
DEFINE_RW(AnnotateRWLockCreate, FR_EV_RW_INIT)
DEFINE_RW(AnnotateRWLockCreateStatic, FR_EV_RW_INIT)
DEFINE_RW(AnnotateRWLockDestroy, FR_EV_RW_DESTROY)

void AnnotateRWLockAcquired(const char *f, int l, const volatile void *m, unsigned long is_w)
{
	(void)f, (void)l;
	annotate(is_w ? FR_EV_RW_WRLOCK : FR_EV_RW_RDLOCK, 0, m, 0, RET);
}

void AnnotateRWLockReleased(const char *f, int l, const volatile void *m, unsigned long is_w)
{
	(void)f, (void)l, (void)is_w;
	annotate(FR_EV_RW_UNLOCK, 0, m, 0, RET);
}

/* ---- ignored accesses ---- */

#define DEFINE_IGNORE(name, what, reads, writes) \
	void name(const char *f, int l)          \
	{                                        \
		(void)f, (void)l;                \
		what(reads, writes);             \
	}
DEFINE_IGNORE(AnnotateIgnoreReadsBegin, ignore, 1, 0)
DEFINE_IGNORE(AnnotateIgnoreReadsEnd, unignore, 1, 0)
DEFINE_IGNORE(AnnotateIgnoreWritesBegin, ignore, 0, 1)
DEFINE_IGNORE(AnnotateIgnoreWritesEnd, unignore, 0, 1)

void __tsan_ignore_thread_begin(void)
{
	ignore(1, 1);
}

void __tsan_ignore_thread_end(void)
{
	unignore(1, 1);
}

/* ---- annotations without a meaning here ---- */

/* clang-format off */
#define NOTHING(X) \
	X(AnnotateFlushState) \
	X(AnnotateNewMemory) \
	X(AnnotateNoOp) \
	X(AnnotateFlushExpectedRaces) \
	X(AnnotateEnableRaceDetection) \
	X(AnnotateMutexIsNotPHB) \
	X(AnnotateTraceMemory) \
	X(AnnotateThreadName) \
	X(AnnotateMemoryIsInitialized) \
	X(AnnotateMemoryIsUninitialized) \
	X(AnnotateExpectRace) \
	X(RunningOnValgrind) \
	X(ThreadSanitizerQuery) \
	X(__tsan_flush_memory) \
	X(__tsan_on_thread_idle) \
	X(__tsan_set_fiber_name) \
	X(__tsan_check_no_mutexes_held) \
	X(__tsan_external_register_header) \
	X(__tsan_external_assign_tag) \
	X(__tsan_testonly_shadow_stack_current_size) \
	X(__tsan_java_find)
/* clang-format on */

/* Annotations whose information is then missing from the trace. */
/* clang-format off */
#define UNMODELLED(X) \
	X(AnnotateCondVarSignal) \
	X(AnnotateCondVarSignalAll) \
	X(AnnotateCondVarWait) \
	X(AnnotateMutexIsUsedAsCondVar) \
	X(AnnotatePublishMemoryRange) \
	X(AnnotateUnpublishMemoryRange) \
	X(AnnotatePCQCreate) \
	X(AnnotatePCQDestroy) \
	X(AnnotatePCQGet) \
	X(AnnotatePCQPut) \
	X(AnnotateIgnoreSyncBegin) \
	X(AnnotateIgnoreSyncEnd) \
	X(__tsan_external_read) \
	X(__tsan_external_write) \
	X(__tsan_external_register_tag) \
	X(__tsan_create_fiber) \
	X(__tsan_destroy_fiber) \
	X(__tsan_switch_to_fiber) \
	X(__tsan_get_current_fiber) \
	X(__tsan_setjmp) \
	X(__tsan_java_init) \
	X(__tsan_java_fini) \
	X(__tsan_java_alloc) \
	X(__tsan_java_free) \
	X(__tsan_java_move) \
	X(__tsan_java_finalize) \
	X(__tsan_java_mutex_lock) \
	X(__tsan_java_mutex_unlock) \
	X(__tsan_java_mutex_read_lock) \
	X(__tsan_java_mutex_read_unlock) \
	X(__tsan_java_mutex_lock_rec) \
	X(__tsan_java_mutex_unlock_rec) \
	X(__tsan_java_acquire) \
	X(__tsan_java_release) \
	X(__tsan_java_release_store) \
	X(__tsan_get_report_data) \
	X(__tsan_get_report_stack) \
	X(__tsan_get_report_mop) \
	X(__tsan_get_report_loc) \
	X(__tsan_get_report_loc_object_type) \
	X(__tsan_get_report_mutex) \
	X(__tsan_get_report_thread) \
	X(__tsan_get_report_unique_tid) \
	X(__tsan_get_report_tag) \
	X(__tsan_get_current_report) \
	X(__tsan_locate_address) \
	X(__tsan_get_alloc_stack) \
	X(__tsan_testonly_barrier_init) \
	X(__tsan_testonly_barrier_wait)
/* clang-format on */

/* The arguments do not matter: they stay in registers. The result, if the program uses it, is 0. */
#define FRT_X(name)          \
	uintptr_t name(void) \
	{                    \
		return 0;    \
	}
NOTHING(FRT_X)
#undef FRT_X
#define FRT_X(name)                    \
	uintptr_t name(void)           \
	{                              \
		frt_unmodelled(#name); \
		return 0;              \
	}
UNMODELLED(FRT_X)
#undef FRT_X

double ValgrindSlowdown(void)
{
	return 1;
}
