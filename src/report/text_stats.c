/* Prints the work of prediction: see text.h. One line for the steps, the segments, and each
   tier. */
#include "report/text.h"
#include "base/assert.h"
#include "base/term.h"

void fr_text_stats(struct fr_buf *out, const struct fr_findings *f)
{
	const struct fr_predict_stats *s = &f->summary.stats;
	char a[32], b[32];

	if (!s->known)
		return;
	fr_buf_printf(out,
		      "steps: reading %.3f s, causality %.3f s, candidates %.3f s, oracle %.3f s\n",
		      s->read_s, s->causality_s, s->generate_s, s->ask_s);
	fr_buf_printf(out, "candidates: %s", fr_term_number(f->summary.candidates, a));
	fr_buf_printf(out, ", instances asked: %s", fr_term_number(f->summary.instances, a));
	fr_buf_printf(out, ", solver calls: %s\n", fr_term_number(s->solver_calls, a));
	if (s->segments) {
		fr_assert(s->segment_max && s->segment_mean <= (double)s->segment_max);
		fr_buf_printf(out, "segments: %s", fr_term_number(s->segments, a));
		fr_buf_printf(out, "; events: mean %.0f, max %s of %s (%.1f times fewer)%s",
			      s->segment_mean, fr_term_number(s->segment_max, a),
			      fr_term_number(s->events, b), (double)s->events / s->segment_mean,
			      s->pruned ? "" : ", not pruned");
		fr_buf_printf(out, "; enlarged: %s\n", fr_term_number(s->enlarged, a));
	}
	if (s->slicing.known) {
		const struct fr_slicing_stats *x = &s->slicing;

		fr_buf_printf(out, "slicing: %s", fr_term_number(x->free_reads, a));
		fr_buf_printf(out, " of %s reads may not matter", fr_term_number(x->reads, a));
		fr_buf_printf(out, ", at %s", fr_term_number(x->free_sites, a));
		fr_buf_printf(out, " of %s sites", fr_term_number(x->sites, a));
		fr_buf_printf(out, "; masks: %s", fr_term_number(x->masks, a));
		fr_buf_printf(out, " for %s candidates; %.3f s, masks %.3f s\n",
			      fr_term_number(x->asked, a), x->prepare_s, x->mask_s);
	}
	if (s->lattice.known) {
		const struct fr_lattice_stats *x = &s->lattice;

		fr_buf_printf(out, "lattice: %s walks", fr_term_number(x->walks, a));
		fr_buf_printf(out, ", %s complete", fr_term_number(x->complete, a));
		fr_buf_printf(out, ", %s with a violation; ", fr_term_number(x->found, a));
		fr_buf_printf(out, "%s cuts", fr_term_number(x->cuts, a));
		fr_buf_printf(out, " in %s levels", fr_term_number(x->levels, a));
		fr_buf_printf(out, ", the widest %s; %.3f s\n", fr_term_number(x->widest, a),
			      x->time_s);
	}
	FR_VEC_FOREACH (t, &s->tier) {
		const char *name = t->tier == FR_TIER_NONE ? "refuter" : fr_tier_name[t->tier];

		fr_buf_printf(out, "tier %-8s asked %s", name, fr_term_number(t->asked, a));
		fr_buf_printf(out, ", %s %s, %.3f s\n",
			      t->tier == FR_TIER_NONE ? "excluded" : "feasible",
			      fr_term_number(t->yes, a), t->seconds);
	}
}
