/*
 * Places, names and values of events.
 *
 * A place inside a header of the system (std::mutex::lock, std::vector) says nothing to the reader:
 * the nearest caller in other files stands for it. The call stack keeps all of them.
 */
#include "report/describe.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A site and what it was inlined into, innermost first. */
static void add_site(const struct fr_describer *d, uint32_t site, struct fr_find_event *ret)
{
	struct fr_site_info s = fr_sites_get(d->m->trace->sites, site);

	if (!site || !s.known)
		return;
	fr_vec_push(&ret->stack,
		    ((struct fr_place){fr_findings_str(d->f, s.file),
				       fr_findings_str(d->f, s.function), s.line, s.column}));
	for (uint32_t i = 0; i < s.nframes; i++) {
		const struct fr_site_frame *f = &s.frames[i];

		fr_vec_push(&ret->stack,
			    ((struct fr_place){fr_findings_str(d->f, s.strings + f->file),
					       fr_findings_str(d->f, s.strings + f->function),
					       f->line, f->column}));
	}
}

/* Of the C++ runtime, which comes with the solvers. */
extern char *__cxa_demangle(const char *name, char *buf, size_t *n, int *status);

/* As the reader knows it. A lock that has no name but where its memory comes from is not the only
   one from there: it has a number. */
static const char *readable(const struct fr_describer *d, const char *name, uint32_t obj)
{
	const char *in = strstr(name, " in block allocated at ");

	if (!strncmp(name, "_Z", 2)) {
		FR_CLEANUP(fr_freep) char *plain = __cxa_demangle(name, NULL, NULL, NULL);

		if (plain)
			return fr_findings_str(d->f, plain);
	}
	if (in)
		return fr_findings_printf(d->f, "%.*s %" PRIu32 " (%s)", (int)(in - name), name,
					  obj + 1, in + strlen(" in block allocated at "));
	return fr_findings_str(d->f, name);
}

static const char *object_name(const struct fr_describer *d, enum fr_class c, uint32_t obj)
{
	uint64_t *at = fr_map_put(d->names, (uint64_t)c << 32 | obj);

	if (!*at) {
		FR_CLEANUP(fr_freep) char *name = fr_model_obj_name(d->m, c, obj);

		*at = (uintptr_t)readable(d, name, obj);
	}
	return (const char *)(uintptr_t)*at;
}

/* Of an imported trace: the file and the line there. */
static bool imported(const struct fr_describer *d, fr_ev e, struct fr_place *ret)
{
	uint64_t line = fr_model_line(d->m, e);

	if (!line)
		return false;
	*ret = (struct fr_place){fr_findings_str(d->f, d->m->trace->run.imported), "",
				 line > UINT32_MAX ? 0 : (uint32_t)line, 0};
	return true;
}

void fr_describe_stack(const struct fr_describer *d, fr_ev e, struct fr_find_event *ret)
{
	const struct fr_look *k = fr_looks_get(d->looks, d->m, e);
	struct fr_place line;

	if (!d->m->trace)
		return;
	if (imported(d, e, &line)) {
		fr_vec_push(&ret->stack, line);
		return;
	}
	add_site(d, d->m->ev[e].site, ret);
	if (!k)
		return;
	for (uint32_t i = k->nframes; i-- > 1;)
		add_site(d, k->frame[i - 1].call, ret);
}

struct fr_place fr_describe_place(const struct fr_describer *d, fr_ev e)
{
	struct fr_find_event all = {0};
	struct fr_place at = {.file = "", .function = ""};

	fr_describe_stack(d, e, &all);
	if (all.stack.n)
		at = all.stack.v[0];
	FR_VEC_FOREACH (p, &all.stack)
		if (!fr_place_of_system(p)) {
			at = *p;
			break;
		}
	fr_vec_free(&all.stack);
	return at;
}

const char *fr_describe_name(const struct fr_describer *d, fr_ev e)
{
	const struct fr_mev *v = &d->m->ev[e];
	enum fr_class c = fr_op_class[v->op];

	if (c == FR_C_THREAD)
		return v->obj < d->m->nthreads
			   ? fr_findings_printf(d->f, "thread %s", d->m->thread[v->obj].path)
			   : "";
	if (c == FR_C_LOC && d->m->trace && !fr_model_line(d->m, e)) {
		struct fr_site_info s = fr_sites_get(d->m->trace->sites, v->site);

		if (s.kind == FR_SITE_ACCESS && *s.name)
			return fr_findings_str(d->f, s.name);
	}
	if (c == FR_C_MARK)
		return "";
	return object_name(d, c, v->obj);
}

/* The bytes of one event, moved down; their number. */
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
