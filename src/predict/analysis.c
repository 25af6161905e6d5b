/* Model, causality and slice of a run: see analysis.h. */
#include "predict/analysis.h"
#include "base/assert.h"
#include "base/term.h"
#include "causality/slice_load.h"

int fr_analysis_load(struct fr_analysis *a, const char *dir, struct fr_load_progress *progress,
		     struct fr_err *reterr)
{
	double begin = fr_now_s();
	int r = fr_model_load_watched(dir, progress, &a->m, reterr);

	if (r < 0)
		return r;
	a->read_s = fr_now_s() - begin;
	return 0;
}

void fr_analysis_causality(struct fr_analysis *a, const struct fr_model *m)
{
	double begin = fr_now_s();

	fr_assert(m && (!a->m || a->m == m));
	if (a->c)
		return;
	a->c = fr_causality_new(m);
	a->causality_s = fr_now_s() - begin;
}

void fr_analysis_slice(struct fr_analysis *a, const struct fr_model *m, const struct fr_pure *pure)
{
	double begin = fr_now_s();
	struct fr_slice_graph *g;

	fr_assert(a->c);
	if (a->slice || !m->trace)
		return;
	g = fr_slice_load(m->trace->sites, pure);
	a->slice = g ? fr_slice_new(m, a->c, g) : NULL;
	a->slice_s = fr_now_s() - begin;
}

static const struct fr_mask *mask_of(void *slice, const struct fr_candidate *what)
{
	return fr_slice_mask(slice, what);
}

void fr_analysis_give_masks(const struct fr_analysis *a, struct fr_oracle_opt *ret)
{
	ret->mask = a->slice ? mask_of : NULL;
	ret->mask_ctx = a->slice;
}

void fr_analysis_free(struct fr_analysis *a)
{
	fr_slice_free(a->slice);
	fr_causality_free(a->c);
	fr_model_free(a->m);
	*a = (struct fr_analysis){0};
}
