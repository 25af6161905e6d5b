/*
 * Names heap objects of controlled programs by thread and hook of their allocation. Addresses may
 * differ between runs, names do not.
 *
 * A ring holds the last allocations. frt_ctl_same_object searches it from the newest entry back
 * when a pointer differs from the recorded number, which is rare. It searches for the name, not the
 * address: a pointer to the end of an object lies in no object.
 */
#include "ctl_state.h"
#include "runtime/core/real.h"

#define RING (1u << 20)

static struct heap_object {
	uint64_t lo, hook;
	uint32_t thread;
} *ring;
static uint64_t n;

/* Called before the hook of the allocation: other threads may run at the end of that hook. */
void frt_ctl_allocated(struct frt_thread *t, const void *p)
{
	if (!ring) {
		void *m = mmap(FRT_OBJECTS_AT, RING * sizeof(*ring), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (m == MAP_FAILED)
			return;
		ring = m;
	}
	ring[n++ % RING] = (struct heap_object){
	    .lo = (uintptr_t)p, .hook = t->hook + 1, .thread = frt_ctl_thread(t)->known};
}

bool frt_ctl_same_object(uint64_t value, const struct fr_control_file_expect *x)
{
	for (uint64_t i = n; ring && i && n - i < RING; i--) {
		const struct heap_object *o = &ring[(i - 1) % RING];

		if (o->thread == x->object_thread && o->hook == x->object_hook)
			return value - o->lo == x->offset;
	}
	return false;
}
