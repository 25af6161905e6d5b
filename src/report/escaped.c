/*
 * Copies a finding and escapes its texts. The text report uses only such copies, so that no part of
 * it can forget to escape a name. Texts that need no escape (nearly all) are not copied.
 */
#include "report/escaped.h"
#include "base/escape.h"
#include <string.h>

static const char *text(struct fr_findings *to, const char *s)
{
	FR_CLEANUP(fr_freep) char *safe = fr_escape(s);

	return !s || !strcmp(safe, s) ? s : fr_findings_str(to, safe);
}

static struct fr_position position(struct fr_findings *to, const struct fr_position *p)
{
	struct fr_position r = *p;

	r.file = text(to, p->file);
	r.function = text(to, p->function);
	return r;
}

static struct fr_finding_event event(struct fr_findings *to, const struct fr_finding_event *e)
{
	struct fr_finding_event r = *e;

	memset(&r.stack, 0, sizeof(r.stack));
	memset(&r.lock, 0, sizeof(r.lock));
	r.path = text(to, e->path);
	r.name = text(to, e->name);
	r.at = position(to, &e->at);
	FR_VEC_FOREACH (p, &e->stack)
		fr_vec_push(&r.stack, position(to, p));
	FR_VEC_FOREACH (l, &e->lock)
		fr_vec_push(&r.lock, ((struct fr_finding_lock){text(to, l->name), l->object,
							       l->shared, position(to, &l->at)}));
	return r;
}

static struct fr_interleaving interleaving(struct fr_findings *to, const struct fr_interleaving *w)
{
	struct fr_interleaving r = *w;

	memset(&r.event, 0, sizeof(r.event));
	memset(&r.witness, 0, sizeof(r.witness));
	r.detail = text(to, w->detail);
	r.end = text(to, w->end);
	r.schedule = text(to, w->schedule);
	FR_VEC_FOREACH (e, &w->event)
		fr_vec_push(&r.event, event(to, e));
	FR_VEC_FOREACH (e, &w->witness)
		fr_vec_push(&r.witness, event(to, e));
	return r;
}

const struct fr_finding *fr_finding_escaped(const struct fr_finding *x, struct fr_findings *to)
{
	struct fr_finding r = *x;

	memset(&r.interleaving, 0, sizeof(r.interleaving));
	memset(&r.relaxed, 0, sizeof(r.relaxed));
	memset(&r.reads, 0, sizeof(r.reads));
	memset(&r.found, 0, sizeof(r.found));
	r.kind = text(to, x->kind);
	r.subject = text(to, x->subject);
	r.allocated = position(to, &x->allocated);
	FR_VEC_FOREACH (w, &x->interleaving)
		fr_vec_push(&r.interleaving, interleaving(to, w));
	FR_VEC_FOREACH (e, &x->relaxed)
		fr_vec_push(&r.relaxed, event(to, e));
	FR_VEC_FOREACH (e, &x->reads)
		fr_vec_push(&r.reads, ((struct fr_finding_read){
					  text(to, e->name), text(to, e->path),
					  position(to, &e->at), e->matters, text(to, e->why)}));
	fr_vec_push(&to->finding, r);
	return &to->finding.v[to->finding.n - 1];
}
