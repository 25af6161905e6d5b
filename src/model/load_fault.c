/*
 * The access with which the recorded run crashed. A hook comes after its access, so the trace does
 * not contain an access that faults. Where it touched memory that had been freed, it is the use
 * after free: it is added to the trace as the last event of its thread, without a value. The crash
 * record has its address and hook, and its program counter gives the source position and so the
 * site.
 *
 * Not handled: an access by code that was not compiled by forerun, or by a loop that is one event.
 */
#include "model/load.h"
#include "symbols/pcsite.h"
#include <signal.h>

/* Is an address in memory whose last event is its release? Returns 1, 0, or -errno. */
static int was_freed(const struct fr_trace *t, uint64_t addr, struct fr_err *reterr)
{
	uint64_t last = 0;
	int freed = 0, r = 0;

	for (size_t i = 0; r >= 0 && i < t->thread.n; i++) {
		struct fr_iter it;
		struct fr_rec rec;

		fr_iter_open(&it, t, &t->thread.v[i]);
		while ((r = fr_iter_next(&it, &rec, reterr)) > 0) {
			unsigned kind = fr_event_kind(rec.e);

			if ((kind != FR_EV_ALLOC && kind != FR_EV_FREE) || rec.n < 2 ||
			    rec.e->value < last ||
			    addr - fr_event_addr(rec.e) >= fr_event_addr(&rec.e[1]))
				continue;
			last = rec.e->value;
			freed = kind == FR_EV_FREE;
		}
		fr_iter_close(&it);
	}
	return r < 0 ? r : freed;
}

static uint32_t site_of(const struct fr_trace *t)
{
	struct fr_pcsites *pcs = fr_pcsites_new(t->run.modules.v, t->run.modules.n);
	struct fr_pcsite p;
	uint32_t site = 0;

	if (fr_pcsite_resolve(pcs, t->run.crash.pc, &p) == FR_PCSITE_SOURCE)
		site = fr_sites_at(t->sites, p.file, p.line, p.column);
	fr_pcsites_free(pcs);
	return site;
}

static struct fr_trace_thread *thread_of(struct fr_trace *t, uint32_t id)
{
	FR_VEC_FOREACH (x, &t->thread)
		if (x->id == id)
			return x;
	return NULL;
}

int fr_load_fault(struct fr_trace *t, struct fr_err *reterr)
{
	const struct fr_crash *c = &t->run.crash;
	struct fr_trace_thread *th = thread_of(t, c->stack.id);
	struct fr_event_block b = {.raw = &t->fault, .first_hook = c->hook, .slots = 1};
	uint32_t site;
	bool reads;
	int r;

	if (t->run.imported || t->fault.w0 || !t->sites || !th || !c->hook || !c->addr || c->sent ||
	    (c->signal != SIGSEGV && c->signal != SIGBUS) || (int32_t)c->code <= 0)
		return 0;
	r = was_freed(t, c->addr, reterr);
	site = r > 0 ? site_of(t) : 0;
	if (r < 0 || !site)
		return r < 0 ? r : 0;
	reads = fr_sites_get(t->sites, site).access & FR_SITE_READ;
	t->fault = (struct fr_event){
	    .w0 = fr_w0(c->addr, reads ? FR_EV_READ : FR_EV_WRITE, FR_ACC_NOVALUE),
	    .site = site,
	    .hook = c->hook + 1};
	fr_vec_push(&th->block, b);
	th->slots++;
	t->slots++;
	return 0;
}
