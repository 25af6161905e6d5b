/* Explains findings and infeasible candidates by the reads that matter: see explain_reads.h. */
#include "predict/explain_reads.h"
#include "base/assert.h"
#include "causality/slice_explain.h"
#include <inttypes.h>

#define JOBS 200    /* infeasible ones that are explained */
#define SECONDS 0.2 /* for each of them */

static const char *const use_text[FR_USES] = {
    [FR_USE_OTHER] = "is used",
    [FR_USE_ADDRESS] = "is an address",
    [FR_USE_STORED] = "is stored",
    [FR_USE_ARGUMENT] = "is an argument of unknown code",
    [FR_USE_RETURNED] = "is returned to unknown code",
};

/* " at FILE:LINE", or "". */
static const char *at_site(struct fr_describer *d, uint32_t site)
{
	struct fr_site_info i;

	if (site == FR_SLICE_NOWHERE || !d->m->trace)
		return "";
	i = fr_sites_get(d->m->trace->sites, site);
	return i.known ? fr_findings_printf(d->f, " at %s:%" PRIu32, i.file, i.line) : "";
}

static const char *reason_text(struct fr_describer *d, const struct fr_slice *s, uint32_t site)
{
	struct fr_slice_reason r = fr_slice_explain(s, site);
	const char *at = at_site(d, r.site), *via = "";

	if (r.through != FR_SLICE_NOWHERE && r.through != r.site)
		via = fr_findings_printf(d->f, ", through the access%s", at_site(d, r.through));
	switch (r.why) {
	case FR_SLICE_WHY_FREE:
		return "it matters to this candidate: it decides about its events, or about a "
		       "value "
		       "that a read on the way must find";
	case FR_SLICE_WHY_NO_CODE:
		return "forerun does not know how this code uses it";
	case FR_SLICE_WHY_BRANCH:
		return fr_findings_printf(d->f, "its value decides the branch%s%s", at, via);
	case FR_SLICE_WHY_CALL:
		return fr_findings_printf(d->f, "its value decides a call of %s(), unknown code%s",
					  r.function, via);
	case FR_SLICE_WHY_PASSED:
		return fr_findings_printf(d->f, "unknown code, %s(), gets it%s", r.function, via);
	case FR_SLICE_WHY_MEMORY:
		return fr_findings_printf(
		    d->f, "its value gets into memory that forerun does not follow%s", at);
	default:
		return fr_findings_printf(d->f, "its value %s%s%s", use_text[r.use], at, via);
	}
}

static struct fr_finding_read describe_read(struct fr_describer *d, fr_ev e, bool matters,
					    const char *why)
{
	return (struct fr_finding_read){
	    .name = fr_describe_name(d, e),
	    .path = fr_findings_str(d->f, d->m->thread[d->m->ev[e].thread].path),
	    .at = fr_describe_position(d, e),
	    .matters = matters,
	    .why = why};
}

void fr_explain_finding(struct fr_describer *d, const struct fr_slice *s,
			const struct fr_predicted *p, struct fr_finding *f)
{
	const struct fr_decision *v = &p->interleaving.v[0].decision;
	struct fr_map seen = {0}; /* thread << 32 | site << 1 | matters */

	FR_VEC_FOREACH (head, &v->schedule.step)
		for (fr_ev e = *head; e == *head || (e < d->m->n && d->m->ev[e].flags & FR_F_PART);
		     e++) {
			const struct fr_mev *x = &d->m->ev[e];
			bool matters = fr_mask_read(v->mask, e);
			uint64_t *at;

			if (x->op != FR_OP_READ)
				continue;
			at = fr_map_put(&seen, (uint64_t)x->thread << 32 | (uint64_t)x->site << 1 |
						   matters);
			if (*at)
				continue;
			*at = 1;
			fr_vec_push(&f->reads,
				    describe_read(d, e, matters,
						  matters ? reason_text(d, s, x->site)
							  : "it may return anything: its value "
							    "decides nothing on the way"));
		}
	fr_map_free(&seen);
}

/* The reads that an infeasible candidate needs to differ. */
static void explain_job(struct fr_describer *d, const struct fr_work *w, struct fr_oracle *o,
			const struct fr_job *j, struct fr_findings *f)
{
	const struct fr_instance *in = j->group->group->instance.v[0];
	struct fr_obstacle x = {.kind = fr_findings_str(f, j->p.generator->name)};
	struct fr_decision v;

	for (uint32_t i = 0; i < fr_min(in->nactors, 2u); i++)
		x.event[i] = fr_describe_position(d, in->actor[i].ev);
	fr_oracle_ask_relaxed(o, &in->what, NULL, 0, &v);
	for (uint32_t i = 0; v.answer == FR_FEASIBLE && i < v.reads_relaxed; i++)
		fr_vec_push(&x.reads, describe_read(d, v.relaxed[i], true,
						    reason_text(d, w->run->slice,
								w->m->ev[v.relaxed[i]].site)));
	fr_decision_free(&v);
	if (x.reads.n)
		fr_vec_push(&f->summary.obstacle, x);
}

void fr_explain_infeasible(struct fr_describer *d, const struct fr_work *w, struct fr_findings *f)
{
	struct fr_oracle_opt opt = w->opt;
	struct fr_oracle *o;
	unsigned n = 0;

	opt.deadline = 0;
	opt.per_candidate = SECONDS;
	opt.relax = fr_max(opt.relax, 1u);
	o = fr_oracle_new(w->m, w->c, &opt);
	for (size_t i = 0; i < w->jobs && n < JOBS; i++)
		if (w->job[i].state == FR_JOB_INFEASIBLE || w->job[i].state == FR_JOB_UNDECIDED) {
			fr_assert(w->job[i].ngroups && w->job[i].group->group->instance.n);
			explain_job(d, w, o, &w->job[i], f);
			n++;
		}
	fr_oracle_free(o);
}
