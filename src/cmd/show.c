/* Findings on standard output: see show.h. */
#include "cmd/show.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "record/folder.h"
#include "report/text.h"
#include "findings/verdict.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const fr_show_formats[] = {"text", "json", NULL};
const char *const fr_fail_on_words[] = {"predicted", "confirmed", "never", NULL};

static bool is(const struct fr_finding *x, enum fr_verdict verdict)
{
	return x->interleaving.v[0].verdict == verdict;
}

/* Was it only a guess of the relaxed or hybrid tier, and refuted? */
static bool guessed_wrong(const struct fr_finding *x)
{
	return is(x, FR_VERDICT_REFUTED) && x->tier >= FR_TIER_RELAXED;
}

#define NAMED 4 /* runs named for a finding; further ones are counted */

static char *found_in(const struct fr_ranked *v)
{
	struct fr_buf b = {0};

	fr_assert(v->found.n && v->found.n <= v->runs);
	fr_buf_printf(&b, "in %zu of %zu runs: ", v->found.n, v->runs);
	for (size_t i = 0; i < v->found.n && i < NAMED; i++)
		fr_buf_printf(&b, "%s%s", i ? ", " : "", v->found.v[i]);
	if (v->found.n > NAMED)
		fr_buf_printf(&b, " and %zu more", v->found.n - NAMED);
	return b.s;
}

static void count_hidden(struct fr_hidden *h, const struct fr_ranked *v)
{
	bool untried = is(v->x, FR_VERDICT_PREDICTED);

	fr_assert(v->hides != FR_HIDES_NOT);
	if (v->hides == FR_HIDES_LISTED)
		return;
	if (v->hides == FR_HIDES_HARMLESS) {
		h->harmless++;
		h->left += untried;
		return;
	}
	if (untried && !h->untried)
		h->untried = v->x->interleaving.v[0].detail;
	if (v->hides == FR_HIDES_FOLDED) {
		h->folded++;
		h->endless += v->x->interleaving.v[0].harm == FR_HARM_UNKNOWN;
	} else {
		h->unproved += !guessed_wrong(v->x);
	}
}

static uint32_t number_of(const struct fr_ranked *v, size_t i)
{
	return v[i].runs ? (uint32_t)i + 1 : v[i].x->id;
}

/* Names the findings that are listed under item i; NULL: none is. */
static char *also(const struct fr_ranked *v, size_t n, size_t i)
{
	struct fr_buf b = {0};

	for (size_t k = 0; k < n; k++)
		if (fr_finding_under(v[k].x, v[i].x))
			fr_buf_printf(&b, "%s %" PRIu32,
				      b.n ? "," : "the accesses race, with the same end: finding",
				      number_of(v, k));
	if (b.n)
		fr_buf_puts(&b, " (--all shows it)");
	return b.s;
}

struct fr_hidden fr_show_items(struct fr_ranked *v, size_t n, bool all, struct fr_buf *out)
{
	struct fr_hidden hidden = {0};

	fr_ranked_sort(v, n);
	for (size_t i = 0; i < n; i++) {
		FR_CLEANUP(fr_freep) char *found = v[i].runs ? found_in(&v[i]) : NULL;
		FR_CLEANUP(fr_freep) char *listed = all ? NULL : also(v, n, i);
		struct fr_text t = {.out = out,
				    .dir = v[i].dir,
				    .colour = fr_term_colour(stdout),
				    .imported = v[i].imported,
				    .all = all};

		fr_assert(v[i].x && v[i].dir);
		t.number = v[i].runs ? number_of(v, i) : 0;
		t.found = found;
		t.also = listed;
		if (all || v[i].hides == FR_HIDES_NOT)
			fr_text_finding(&t, v[i].x);
		else
			count_hidden(&hidden, &v[i]);
	}
	return hidden;
}

void fr_show_hidden(struct fr_hidden h, struct fr_buf *out)
{
	if (h.folded > h.endless)
		fr_buf_printf(out,
			      "%zu harmless finding%s about neighbouring accesses: "
			      "--all shows %s\n",
			      h.folded - h.endless, fr_plural(h.folded - h.endless),
			      h.folded - h.endless == 1 ? "it" : "them");
	if (h.endless)
		fr_buf_printf(
		    out,
		    "%zu finding%s about neighbouring accesses, after which forerun did not "
		    "see the program's end: --all shows %s\n",
		    h.endless, fr_plural(h.endless), h.endless == 1 ? "it" : "them");
	if (h.left)
		fr_buf_printf(out,
			      "%zu order%s of accesses that may do harm %s not tried: --all shows "
			      "%s\n",
			      h.left, fr_plural(h.left), h.left == 1 ? "was" : "were",
			      h.left == 1 ? "it" : "them");
	if (h.unproved)
		fr_buf_printf(out, "%zu finding%s that %s not confirmed: --all shows %s\n",
			      h.unproved, fr_plural(h.unproved), h.unproved == 1 ? "is" : "are",
			      h.unproved == 1 ? "it" : "them");
	if (h.untried) {
		fr_escape_printf(out, "not tried: %s", h.untried);
		fr_buf_puts(out, "\n");
	}
}

static void text(const struct fr_show *s, const struct fr_findings *f, struct fr_buf *out)
{
	struct fr_text t = {
	    .out = out, .dir = s->dir, .colour = fr_term_colour(stdout), .all = s->all};
	FR_CLEANUP(fr_freep) struct fr_ranked *v = fr_xcalloc(f->finding.n + 1, sizeof(*v));
	struct fr_hidden hidden;

	for (size_t i = 0; i < f->finding.n; i++)
		v[i] = (struct fr_ranked){
		    .dir = s->dir, .x = &f->finding.v[i], .imported = f->imported};
	hidden = fr_show_items(v, f->finding.n, s->all, out);
	fr_assert(hidden.folded + hidden.unproved + hidden.harmless <= f->finding.n);
	if (hidden.harmless == f->finding.n)
		fr_buf_puts(out, "no bug was found\n");
	fr_text_summary(&t, f);
	fr_show_hidden(hidden, out);
	if (s->stats)
		fr_text_stats(out, f);
}

int fr_show_findings(const struct fr_show *s, const struct fr_findings *f)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	int r;

	fr_assert(s->dir && f->version);
	fflush(stdout);
	if (s->format.chosen == FR_SHOW_JSON) {
		r = fr_findings_json(f, s->all, STDOUT_FILENO, &b);
	} else {
		text(s, f, &b);
		r = fr_io_write_all(STDOUT_FILENO, b.s, b.n, NULL);
	}
	if (r < 0 && r != -EPIPE) {
		fr_say("cannot write the output: %s", strerror(-r));
		return FR_EXIT_FAILED;
	}
	return FR_EXIT_OK;
}

bool fr_show_fails(const struct fr_show *s, const struct fr_findings *f)
{
	bool fail = false;

	fr_assert(s->fail_on.chosen <= FR_FAIL_ON_NEVER);
	FR_VEC_FOREACH (x, &f->finding)
		fail |= (is(x, FR_VERDICT_CONFIRMED) && !fr_finding_folded(x) &&
			 s->fail_on.chosen != FR_FAIL_ON_NEVER) ||
			(is(x, FR_VERDICT_PREDICTED) && !fr_finding_folded(x) &&
			 (s->predictions || !fr_finding_lacks_harm(x)) &&
			 s->fail_on.chosen == FR_FAIL_ON_PREDICTED);
	return fail;
}

int fr_show_folder(const char *given, char **ret)
{
	FR_CLEANUP(fr_freep) char *dir = given ? fr_folder_plain(given) : NULL;
	struct fr_err err;
	struct stat st;

	if (!dir && fr_folder_newest(&dir, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_USAGE;
	}
	if (stat(dir, &st) < 0 || !S_ISDIR(st.st_mode)) {
		fr_say("no run folder '%s': create one with 'forerun record'", dir);
		return FR_EXIT_USAGE;
	}
	fr_assert(dir[0]);
	*ret = fr_steal(dir);
	return FR_EXIT_OK;
}
