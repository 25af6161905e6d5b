/*
 * Atomic accesses, fences, and the end of local variables. Atomics are never dropped, because they
 * synchronise. An atomic ends the span in which repeated reads are dropped.
 */
#include "rt_access.h"
#include "runtime/control/ctl_freed.h"
#include "program_state.h"
#include "shared_mapping.h"
#include "rt_branch.h"
#include "emit.h"
#include "format/hook_abi.h"
#include <stddef.h>

static __attribute__((noinline)) void atomic(const void *addr, unsigned kind, uint32_t aux,
					     uint64_t value, uint32_t site,
					     const struct fr_event *ext)
{
	struct frt_thread *t = frt_self;
	struct fr_event e[2];
	uint64_t size = UINT64_C(1) << (aux & 7);
	bool first;

	if (!t)
		return;
	addr = frt_alias(addr);
	e[0] = (struct fr_event){
	    .w0 = fr_w0((uintptr_t)addr, kind, aux), .value = value, .site = site};
	first = kind != FR_EV_ATOMIC_LOAD && frt_write_first(t);
	e[0].hook = (uint32_t)(first ? t->hook + 1 : frt_tick(t, e[0].w0, value, site));
	if (frt_filter.discard)
		return;
	if (frt_shadow_on())
		for (uint64_t g = (uintptr_t)addr >> 3; g <= ((uintptr_t)addr + size - 1) >> 3; g++)
			frt_shadow_touch(
			    t, g,
			    kind == FR_EV_ATOMIC_LOAD
				? frt_granule_bytes(g, (uintptr_t)addr, (uintptr_t)addr + size)
				: 0);
	t->epoch++;
	if (kind != FR_EV_ATOMIC_STORE)
		frt_branch_next = frt_filter.branch;
	if (ext) {
		e[1] = *ext;
		e[1].hook = e[0].hook;
	}
	frt_put_inline(t, e, ext ? 2 : 1);
	if (first)
		frt_tick(t, e[0].w0, value, site);
}

void frt_h_atomic_load(const void *addr, uint64_t value, uint32_t aux, uint32_t site)
{
	frt_keep_state();
	atomic(addr, FR_EV_ATOMIC_LOAD, aux, value, site, NULL);
}

void frt_h_atomic_store(const void *addr, uint64_t value, uint32_t aux, uint32_t site)
{
	frt_keep_state();
	atomic(addr, FR_EV_ATOMIC_STORE, aux, value, site, NULL);
}

void frt_h_atomic_rmw(const void *addr, uint64_t old, uint64_t new_value, uint32_t aux, uint32_t op,
		      uint32_t site)
{
	struct fr_event ext = {.w0 = fr_w0(op, FR_EV_EXT, 0), .value = new_value};

	frt_keep_state();
	atomic(addr, FR_EV_ATOMIC_RMW, aux, old, site, &ext);
}

void frt_h_atomic_cas(const void *addr, uint64_t old, uint64_t desired, uint32_t aux,
		      uint32_t fail_order, uint32_t site)
{
	struct fr_event ext = {.w0 = fr_w0(fail_order, FR_EV_EXT, 0), .value = desired};

	frt_keep_state();
	atomic(addr, FR_EV_ATOMIC_CAS, aux, old, site, &ext);
}

void frt_h_fence(uint32_t aux, uint32_t site)
{
	struct frt_thread *t = frt_self;
	struct fr_event e;

	if (!t)
		return;
	e = (struct fr_event){.w0 = fr_w0(0, FR_EV_FENCE, aux), .value = frt_stamp(), .site = site};
	frt_emit(t, &e, 1);
}

static void ended(struct frt_thread *t, const void *addr, uint64_t size, uint32_t site)
{
	struct fr_event e[2];

	frt_shadow_forget(t, addr, size);
	e[0] = (struct fr_event){.w0 = fr_w0((uintptr_t)addr, FR_EV_STACK_FREE, FR_MEM_STACK),
				 .value = frt_stamp(),
				 .site = site};
	e[1] = (struct fr_event){.w0 = fr_w0(size, FR_EV_EXT, 0)};
	frt_emit(t, e, 2);
}

void frt_h_stack_free(const void *addr, uint64_t size, uint32_t site)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return;
	frt_ctl_frees(t, size);
	if (frt_shadow_shared(t, (uintptr_t)addr, (uintptr_t)addr + size))
		ended(t, addr, size, site);
	else
		frt_tick(t, fr_w0((uintptr_t)addr, FR_EV_STACK_FREE, FR_MEM_STACK), 0, site);
}

void frt_tls_ends(struct frt_thread *t, const void *addr, uint64_t size)
{
	frt_ctl_frees(t, size);
	ended(t, addr, size, frt_call_site(t));
}
