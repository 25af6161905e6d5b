/*
 * The names of a model's objects in reports. An imported trace has its own names. An object of a
 * recorded trace has the name at the sites of its accesses, or the symbol of a global in the
 * modules of the run, or the allocation that contains it, or its address.
 */
#include "model/model.h"
#include "model/model_heap.h"
#include "symbols/symbol.h"
#include <inttypes.h>
#include <string.h>

#define SITES 16 /* events of an object whose sites are tried */
#define CALLS 32 /* calls of a stack that are tried */

uint64_t fr_model_line(const struct fr_model *m, fr_ev e)
{
	return m->trace && m->trace->run.imported ? fr_model_hook(m, e) : 0;
}

static const char class_letter[FR_C_COUNT] = {[FR_C_LOCK] = 'L',
					      [FR_C_COND] = 'C',
					      [FR_C_SEM] = 'S',
					      [FR_C_BARRIER] = 'B',
					      [FR_C_ONCE] = 'O'};

char *fr_model_sync_name(const struct fr_model *m, fr_ev e, const uint32_t *call, size_t n)
{
	enum fr_class c = fr_op_class[m->ev[e].op];
	const struct fr_run *run = m->trace ? &m->trace->run : NULL;
	FR_CLEANUP(fr_freep) char *symbol = NULL;
	uint32_t site[CALLS + 1] = {m->ev[e].site};
	struct fr_site_object o;
	uint64_t off = 0;

	fr_assert(e < m->n);
	n = fr_min(n, (size_t)CALLS);
	if (n)
		memcpy(site + 1, call, n * sizeof(*call));
	if (!run || run->imported || !class_letter[c] ||
	    !fr_sites_object(m->trace->sites, class_letter[c], site, n + 1, &o))
		return NULL;
	symbol =
	    fr_symbol_find(run->modules.v, run->modules.n, m->cls[c].obj[m->ev[e].obj].addr, &off);
	return fr_site_object_text(&o, symbol, off);
}

/* The variable that the sites of a location's accesses, or of the calls on an object, name. */
static char *by_site(const struct fr_model *m, enum fr_class c, uint32_t obj)
{
	const struct fr_mclass *k = &m->cls[c];
	uint32_t first = k->first[obj], n = k->first[obj + 1] - first;
	char *name = NULL;

	for (uint32_t i = 0; i < n && i < SITES && !name; i++) {
		fr_ev e = k->list[first + i];
		struct fr_site_info s = fr_sites_get(m->trace->sites, m->ev[e].site);

		if (c != FR_C_LOC)
			name = fr_model_sync_name(m, e, NULL, 0);
		/* a lock that the program makes of atomic accesses has such sites too */
		if (!name && (c == FR_C_LOC || c == FR_C_LOCK) && s.kind == FR_SITE_ACCESS &&
		    *s.name && !(m->ev[e].flags & FR_F_SYNTH))
			name = fr_xstrdup(s.name);
	}
	return name;
}

/* The site that allocated a heap object; false if it is not known. */
static bool allocation(const struct fr_model *m, uint32_t heap, struct fr_site_info *ret)
{
	const struct fr_mobj *o = &m->cls[FR_C_HEAP].obj[heap];

	if (!o->count)
		return false;
	fr_assert(m->ev[o->count - 1].op == FR_OP_ALLOC);
	*ret = fr_sites_get(m->trace->sites, m->ev[o->count - 1].site);
	return ret->known && *ret->file;
}

static char *allocated(const struct fr_model *m, uint32_t heap, const char *what)
{
	struct fr_site_info s;

	if (!allocation(m, heap, &s))
		return NULL;
	return fr_xasprintf("%s allocated at %s:%u", what, s.file, s.line);
}

/* One allocation site makes many objects, so the name has a number. */
static char *numbered(const struct fr_model *m, uint32_t heap, const char *what, uint32_t obj)
{
	struct fr_site_info s;

	if (!allocation(m, heap, &s))
		return NULL;
	return fr_xasprintf("%s %" PRIu32 " (%s:%u)", what, obj + 1, s.file, s.line);
}

/* The heap object that contains a synchronisation object: allocated before its first event. */
static uint32_t heap_of(const struct fr_model *m, enum fr_class c, uint32_t obj)
{
	const struct fr_mclass *k = &m->cls[c];

	return fr_heap_find(m, k->obj[obj].addr,
			    k->first[obj] < k->first[obj + 1] ? k->list[k->first[obj]] : 0);
}

char *fr_model_obj_name(const struct fr_model *m, enum fr_class c, uint32_t obj)
{
	static const char *const what[FR_C_COUNT] = {
	    [FR_C_LOCK] = "lock",	[FR_C_COND] = "condition", [FR_C_SEM] = "semaphore",
	    [FR_C_BARRIER] = "barrier", [FR_C_ONCE] = "once",	   [FR_C_FLAG] = "flag"};
	const struct fr_mobj *o;
	char *name = NULL;
	uint32_t heap;

	fr_assert(c != FR_C_MARK && obj < (c == FR_C_THREAD ? m->nthreads : m->cls[c].n));
	if (c == FR_C_THREAD)
		return fr_xstrdup(m->thread[obj].path);
	o = &m->cls[c].obj[obj];
	if (!m->trace)
		return fr_xasprintf("0x%" PRIx64, o->addr);
	if (m->trace->run.imported && fr_sites_name(m->trace->sites, o->addr))
		return fr_xstrdup(fr_sites_name(m->trace->sites, o->addr));
	if (c == FR_C_FLAG && o->addr & FR_STREAM)
		return fr_xasprintf("stream %u", obj + 1);
	if (c == FR_C_FLAG && fr_signal_number(o->addr))
		return fr_xasprintf("signal %" PRIu64, o->addr);
	name = by_site(m, c, obj);
	if (!name && c != FR_C_HEAP)
		name = fr_symbol_data(m->trace->run.modules.v, m->trace->run.modules.n, o->addr);
	if (!name && c == FR_C_HEAP)
		name = allocated(m, obj, "block");
	for (uint32_t i = 0; !name && c == FR_C_HEAP && i < m->cls[FR_C_LOC].n; i++)
		if (m->cls[FR_C_LOC].obj[i].aux == obj + 1) /* a variable, not a block */
			name = fr_model_obj_name(m, FR_C_LOC, i);
	if (!name && c == FR_C_LOC && o->aux)
		name = allocated(m, o->aux - 1, "memory");
	if (!name && what[c] && (heap = heap_of(m, c, obj)) != UINT32_MAX)
		name = numbered(m, heap, what[c], obj);
	return name ? name : fr_xasprintf("0x%" PRIx64, o->addr);
}
