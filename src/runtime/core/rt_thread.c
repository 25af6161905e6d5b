/*
 * The life of a thread as the recorder sees it: its slot in the pool, its memory, start and end. A
 * slot is never reused, so that ids are unique names; a thread's memory is freed when it ends.
 */
#include "rt_access.h"
#include "rt_assert.h"
#include "rt_branch.h"
#include "runtime/control/ctl.h"
#include "emit.h"
#include "rt_interrupt.h"
#include "rt_pool.h"
#include "runtime/tsan/tsan.h"
#include "format/hook_abi.h"
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local struct frt_thread *frt_self __attribute__((tls_model("initial-exec")));

struct memory {
	uint8_t hot[FRT_HOT_SITES];
	struct frt_frame stack[FRT_FRAMES];
	struct frt_repeat repeat[FRT_REPEATS];
	struct fr_event side[FRT_SIDE];
	struct frt_tsan tsan;
	struct frt_interrupt interrupt;
};

struct frt_thread *frt_thread_new(struct frt_thread *parent)
{
	struct frt_thread *t;
	struct memory *m;
	uint32_t n;

	if (!frt_pool || atomic_load(&frt_pool->state) != FR_POOL_ATTACHED)
		return NULL;
	m = mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m == MAP_FAILED) {
		frt_count(FR_RTC_lost_threads, 1);
		return NULL;
	}
	n = atomic_fetch_add(&frt_pool->threads, 1);
	if (n >= FR_POOL_MAX_THREADS) {
		atomic_store(&frt_pool->threads, FR_POOL_MAX_THREADS);
		munmap(m, sizeof(*m));
		frt_count(FR_RTC_lost_threads, 1);
		return NULL;
	}
	t = (struct frt_thread *)&fr_pool_threads(frt_pool)[n];
	frt_assert(!t->id && !t->hook && atomic_load(&t->state) == FR_THREAD_FREE);
	frt_assert(!parent == !n); /* the main thread has no parent, and is the first */
	t->id = n + 1;
	t->parent = parent ? parent->id : 0;
	t->nth = parent ? ++parent->children : 0;
	t->block = UINT32_MAX;
	t->limit = FRT_HEARTBEAT;
	t->shadow = frt_shadow_table();
	t->owner = frt_filter.private_ ? (uint64_t)t->id << FRT_GRANULE_BITS : UINT64_MAX;
	t->memory = m;
	t->hot = m->hot;
	t->stack = m->stack;
	t->repeat = m->repeat;
	t->side = m->side;
	t->tsan = &m->tsan;
	t->interrupt = &m->interrupt;
	/* The child may change memory that the parent has just written. */
	if (parent && parent->announced_addr)
		frt_flush_announced(parent);
	return t;
}

void frt_thread_abandon(struct frt_thread *child)
{
	frt_assert(child->id && atomic_load(&child->state) == FR_THREAD_FREE);
	atomic_store(&child->state, FR_THREAD_DONE);
	munmap(child->memory, sizeof(struct memory));
}

void frt_thread_start(struct frt_thread *t, const void *start_routine)
{
	struct fr_event e[3] = {
	    {.w0 = fr_w0(t->parent, FR_EV_THREAD_START, 0)},
	    {.w0 = fr_w0(t->nth, FR_EV_EXT, 0), .value = (uintptr_t)start_routine},
	    {.w0 = fr_w0((uintptr_t)__builtin_frame_address(0), FR_EV_EXT, 0)},
	};

	frt_assert(!frt_self && atomic_load(&t->state) == FR_THREAD_FREE);
	t->os_tid = (uint32_t)syscall(SYS_gettid);
	atomic_store(&t->state, FR_THREAD_LIVE);
	atomic_fetch_add(&frt_pool->live, 1);
	frt_self = t;
	if (frt_controlled() && t->parent)
		frt_ctl_begin(t);
	frt_branch_start();
	e[0].value = frt_stamp();
	frt_emit(t, e, 3);
}

void frt_thread_counters(struct frt_thread *t)
{
	frt_count(FR_RTC_dropped_repeat, t->dropped_repeat);
	frt_count(FR_RTC_forgotten, t->forgotten);
	t->dropped_repeat = t->forgotten = 0;
}

/* ---- thread-local variables ---- */

/* Where the thread-local variables of the modules that the program starts with are, relative to the
   thread pointer. */
static intptr_t tls_lo, tls_hi;

static int see_tls(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *self = __builtin_thread_pointer();

	(void)arg;
	if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(info->dlpi_tls_data) ||
	    !info->dlpi_tls_data)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS) {
			intptr_t lo = (const char *)info->dlpi_tls_data - self;
			intptr_t hi = lo + (intptr_t)info->dlpi_phdr[i].p_memsz;
			bool first = tls_lo == tls_hi;

			tls_lo = first || lo < tls_lo ? lo : tls_lo;
			tls_hi = first || hi > tls_hi ? hi : tls_hi;
		}
	return 0;
}

void frt_thread_find_tls(void)
{
	dl_iterate_phdr(see_tls, NULL);
}

void frt_thread_exit(struct frt_thread *t)
{
	frt_assert(frt_self == t && atomic_load(&t->state) == FR_THREAD_LIVE);
	if (tls_lo != tls_hi)
		frt_tls_ends(t, (const char *)__builtin_thread_pointer() + tls_lo,
			     (uint64_t)(tls_hi - tls_lo));
	frt_ctl_hold(t); /* never settled */
	frt_sync(t, FR_EV_THREAD_EXIT, 0, NULL);
	frt_self = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	frt_block_close(t);
	frt_assert(t->block == UINT32_MAX && !t->pos);
	frt_thread_counters(t);
	atomic_store(&t->state, FR_THREAD_DONE);
	atomic_fetch_sub(&frt_pool->live, 1);
	munmap(t->memory, sizeof(struct memory));
	if (frt_controlled())
		frt_ctl_end(t);
}
