/*
 * Source positions, names and values of events.
 *
 * A position inside a system header (std::mutex::lock, std::vector) tells the reader nothing. The
 * nearest caller in another file stands for it. The call stack keeps all positions.
 */
#include "predict/describe.h"
#include "base/assert.h"
#include "symbols/demangle.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOOK_BACK 4096 /* events of a lock that are searched for its acquisition */

void fr_describe_site(const struct fr_describer *d, uint32_t site, struct fr_finding_event *ret)
{
	struct fr_site_info s = fr_sites_get(d->m->trace->sites, site);

	if (!site || !s.known)
		return;
	fr_vec_push(&ret->stack,
		    ((struct fr_position){fr_findings_str(d->f, s.file),
					  fr_findings_str(d->f, s.function), s.line, s.column}));
	for (uint32_t i = 0; i < s.nframes; i++) {
		const struct fr_site_frame *f = &s.frames[i];

		fr_vec_push(&ret->stack,
			    ((struct fr_position){fr_findings_str(d->f, s.strings + f->file),
						  fr_findings_str(d->f, s.strings + f->function),
						  f->line, f->column}));
	}
}

/* The name of an allocated block; NULL: it is none, or the position of its allocation is not known.
   */
static char *block_name(const struct fr_describer *d, uint32_t obj)
{
	uint32_t allocation = d->m->cls[FR_C_HEAP].obj[obj].count;
	struct fr_position at = {0};

	fr_assert(obj < d->m->cls[FR_C_HEAP].n);
	if (allocation && d->m->trace)
		at = fr_describe_position(d, allocation - 1);
	return at.line ? fr_xasprintf("block allocated at %s:%" PRIu32, at.file, at.line) : NULL;
}

static const char *object_name(const struct fr_describer *d, enum fr_class c, uint32_t obj)
{
	uint64_t *at = fr_map_put(d->names, (uint64_t)c << 32 | obj);

	if (!*at) {
		FR_CLEANUP(fr_freep) char *block = c == FR_C_HEAP ? block_name(d, obj) : NULL;
		FR_CLEANUP(fr_freep) char *name = block ? NULL : fr_model_obj_name(d->m, c, obj);
		FR_CLEANUP(fr_freep) char *plain = fr_demangle(block ? block : name);

		*at = (uintptr_t)fr_findings_str(d->f, plain);
	}
	return (const char *)(uintptr_t)*at;
}

/* A thread that releases a lock, or waits with it, took it before: that acquisition names it. */
fr_ev fr_describe_namer(const struct fr_model *m, fr_ev e)
{
	const struct fr_mev *v = &m->ev[e];
	const struct fr_mclass *k = &m->cls[FR_C_LOCK];
	uint32_t lo, i;

	fr_assert(e < m->n);
	if (fr_op_class[v->op] != FR_C_LOCK ||
	    (v->op != FR_OP_RELEASE && v->op != FR_OP_RELEASE_SHARED && !(v->flags & FR_F_WAIT)))
		return e;
	lo = k->first[v->obj];
	i = lo + (uint32_t)fr_bisect(k->first[v->obj + 1] - lo, x, k->list[lo + x] < e);
	for (uint32_t n = 0; i-- > lo && n < LOOK_BACK; n++) {
		const struct fr_mev *a = &m->ev[k->list[i]];

		if (a->thread == v->thread && !(a->flags & FR_F_WAIT) &&
		    (a->op == FR_OP_ACQUIRE || a->op == FR_OP_ACQUIRE_SHARED))
			return k->list[i];
	}
	return e;
}

/* Returns the object's name from the calls that led to the event; NULL = they do not name it.
   Cached, because the lookup of the symbol is slow. */
static const char *name_by_calls(const struct fr_describer *d, fr_ev e)
{
	const struct fr_mev *v = &d->m->ev[e];
	const struct fr_hook_stack *k = fr_hook_stacks_get(d->stacks, d->m, e);
	FR_CLEANUP(fr_freep) uint32_t *call = NULL;
	uint32_t n = k && k->nframes ? k->nframes - 1 : 0;
	uint64_t key = fr_hash_mix(fr_hash_mix(0, fr_op_class[v->op] + 1),
				   (uint64_t)v->obj << 32 | v->site),
		 *at;

	call = fr_xcalloc(n + 1, sizeof(*call));
	for (uint32_t i = 0; i < n; i++) {
		call[i] = k->frame[n - 1 - i].call;
		key = fr_hash_mix(key, call[i]);
	}
	at = fr_map_put(d->names, (key & INT64_MAX) | UINT64_C(1) << 62);
	if (!*at) {
		FR_CLEANUP(fr_freep) char *name = fr_model_sync_name(d->m, e, call, n);

		*at = (uintptr_t)fr_findings_str(d->f, name ? name : "");
	}
	return *(const char *)(uintptr_t)*at ? (const char *)(uintptr_t)*at : NULL;
}

static const char *sync_name(const struct fr_describer *d, fr_ev e)
{
	fr_ev by = fr_describe_namer(d->m, e);
	const char *name = name_by_calls(d, by);

	if (!name && by != e)
		name = name_by_calls(d, e);
	return name ? name : object_name(d, fr_op_class[d->m->ev[e].op], d->m->ev[e].obj);
}

/* For an imported trace: the file and its line. */
static bool imported(const struct fr_describer *d, fr_ev e, struct fr_position *ret)
{
	uint64_t line = fr_model_line(d->m, e);

	if (!line)
		return false;
	*ret = (struct fr_position){fr_findings_str(d->f, d->m->trace->run.imported), "",
				    line > UINT32_MAX ? 0 : (uint32_t)line, 0};
	return true;
}

void fr_describe_stack(const struct fr_describer *d, fr_ev e, struct fr_finding_event *ret)
{
	const struct fr_hook_stack *k = fr_hook_stacks_get(d->stacks, d->m, e);
	struct fr_position line;

	if (!d->m->trace)
		return;
	if (imported(d, e, &line)) {
		fr_vec_push(&ret->stack, line);
		return;
	}
	fr_describe_site(d, d->m->ev[e].site, ret);
	if (!k)
		return;
	for (uint32_t i = k->nframes; i-- > 1;)
		fr_describe_site(d, k->frame[i - 1].call, ret);
}

struct fr_position fr_describe_own_position(const struct fr_finding_event *e, size_t from)
{
	for (size_t i = from; i < e->stack.n; i++)
		if (!fr_position_of_system(&e->stack.v[i]))
			return e->stack.v[i];
	return from < e->stack.n ? e->stack.v[from]
				 : (struct fr_position){.file = "", .function = ""};
}

struct fr_position fr_describe_position(const struct fr_describer *d, fr_ev e)
{
	struct fr_finding_event all = {0};
	struct fr_position at;

	fr_describe_stack(d, e, &all);
	at = fr_describe_own_position(&all, 0);
	fr_vec_free(&all.stack);
	return at;
}

/* Returns the name of the variable at an access, or at another one of the same bytes: the kernel's
   read of a futex has none. NULL: none has one. */
static const char *access_name(const struct fr_describer *d, fr_ev e)
{
	const struct fr_mclass *k = &d->m->cls[FR_C_LOC];
	const struct fr_mev *v = &d->m->ev[e];
	uint32_t i = k->first[v->obj], end = fr_min(k->first[v->obj + 1], i + LOOK_BACK);
	struct fr_site_info s = fr_sites_get(d->m->trace->sites, v->site);

	for (; s.kind == FR_SITE_CALL && i < end; i++)
		if (d->m->ev[k->list[i]].mask == v->mask)
			s = fr_sites_get(d->m->trace->sites, d->m->ev[k->list[i]].site);
	return s.kind == FR_SITE_ACCESS && *s.name ? fr_findings_str(d->f, s.name) : NULL;
}

const char *fr_describe_name(const struct fr_describer *d, fr_ev e)
{
	const struct fr_mev *v = &d->m->ev[e];
	enum fr_class c = fr_op_class[v->op];
	const char *name = NULL;

	if (c == FR_C_THREAD)
		return v->obj < d->m->nthreads
			   ? fr_findings_printf(d->f, "thread %s", d->m->thread[v->obj].path)
			   : "";
	if (c == FR_C_LOC && d->m->trace && !fr_model_line(d->m, e))
		name = access_name(d, e);
	if (name)
		return name;
	if (c == FR_C_MARK)
		return "";
	if (c == FR_C_LOC || c == FR_C_HEAP)
		return object_name(d, c, v->obj);
	return sync_name(d, e);
}

/* Stores the bytes of one event, shifted down. Returns their number. */
static unsigned bytes_of(const struct fr_mev *v, uint64_t *ret)
{
	unsigned low = (unsigned)__builtin_ctz(v->mask | 0x100u);
	unsigned n = (unsigned)__builtin_popcount(v->mask);

	if (low > 7 || ((unsigned)v->mask >> low) != (1u << n) - 1)
		return 0;
	*ret = (v->value & fr_mask_bytes(v->mask)) >> (8 * low);
	return n;
}

bool fr_describe_value(const struct fr_model *m, fr_ev e, uint64_t *ret)
{
	unsigned op = m->ev[e].op, have = 0;
	fr_ev head = fr_head(m, e);
	uint64_t v = 0, end = 0;

	if (!fr_is_access(&m->ev[e]))
		return false;
	/* An access that crosses granules has a part for each, in order of address. */
	for (fr_ev i = head; i < m->n && (i == head || m->ev[i].flags & FR_F_PART); i++) {
		const struct fr_mev *p = &m->ev[i];
		uint64_t bytes = 0, at;
		unsigned n;

		if (p->op != op || p->flags & FR_F_SYNTH)
			continue;
		at = m->cls[FR_C_LOC].obj[p->obj].addr + (unsigned)__builtin_ctz(p->mask | 0x100u);
		n = bytes_of(p, &bytes);
		if (!n || p->flags & (FR_F_NOVALUE | FR_F_RANGE) || have + n > 8 ||
		    (have && at != end))
			return false;
		v |= bytes << (8 * have);
		have += n;
		end = at + n;
	}
	*ret = v;
	return have > 0;
}
