/*
 * Verdict and harm of a re-execution.
 *
 * Verdict: confirmed if the targets met, whatever came later; a deadlock only if its threads stay
 *          blocked to the end. Refuted if the program left the schedule before. Unknown if its time
 *          was up, or if it waits for something outside, before that was clear.
 * Harm:    an effect that the recorded run did not have; the worst one counts. A refuted
 *          re-execution that crashed or hung before its targets met has harm too: nobody predicted
 *          it, but it happened.
 */
#include "confirm/judge.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/dir.h"
#include "base/hash.h"
#include "base/io.h"
#include "confirm/judge_deadlock.h"
#include "findings/run_failure.h"
#include "symbols/pcsite.h"
#include <inttypes.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void fr_judgement_clear(struct fr_judgement *j)
{
	free(j->detail);
	free(j->at.thread);
	free(j->at.file);
	free(j->at.function);
	j->detail = NULL;
	j->at = (struct fr_judged_position){0};
}

void fr_judge_free(struct fr_judge *j)
{
	fr_pcsites_free(j->pcs);
	fr_controls_free(&j->controls);
	*j = (struct fr_judge){0};
}

bool fr_judge_met(const struct fr_execution *r)
{
	const struct fr_control_file *c = r->file.c;
	uint32_t phase = c->phase;

	if (c->left_before_last || c->by_place)
		return false;
	if (phase == FR_PHASE_MET)
		return true;
	if (phase != FR_PHASE_HANG && phase != FR_PHASE_OUTSIDE && phase != FR_PHASE_ENDED)
		return false;
	/* It met, and has continued since. */
	for (uint32_t i = 0; i < c->ntargets; i++)
		if (!c->met[i].id)
			return false;
	return true;
}

bool fr_judge_at_brink(const struct fr_execution *r)
{
	const struct fr_control_file *c = r->file.c;

	return r->attached && (c->phase == FR_PHASE_MEET || fr_judge_met(r) ||
			       (c->phase == FR_PHASE_DIVERGED && c->turn >= c->nturns));
}

/* ---- output ---- */

struct fr_mapped fr_judge_text(int fd)
{
	struct fr_mapped m = {0};
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) < 0 || !st.st_size)
		return m;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p != MAP_FAILED)
		m = (struct fr_mapped){.p = p, .n = (size_t)st.st_size};
	return m;
}

static struct fr_mapped recorded(const struct fr_judge *j, const char *name)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", j->dir, name);
	FR_CLEANUP(fr_closep) int fd = fr_dir_open(path, NULL);

	return fr_judge_text(fd);
}

void fr_judge_init(struct fr_judge *j, const char *dir, const struct fr_run *run,
		   const struct fr_sites *sites)
{
	*j = (struct fr_judge){.dir = dir, .run = run, .sites = sites};
	j->pcs = fr_pcsites_new(run->modules.v, run->modules.n);
}

/* Finds a failed assertion on standard error, or in merged output, that the recorded run lacks. */
static char *new_assertion(const struct fr_judge *j, const struct fr_execution *r)
{
	struct fr_mapped now = fr_judge_text(r->err >= 0 ? r->err : r->out);
	struct fr_mapped then = recorded(j, r->err >= 0 ? "stderr" : "stdout");
	char *s = fr_output_assertion((const char *)now.p, now.n);
	char *old = fr_output_assertion((const char *)then.p, then.n);

	if (s && old)
		s = (free(s), NULL);
	free(old);
	fr_io_unmap(&now);
	fr_io_unmap(&then);
	return s;
}

static char *new_report(const struct fr_judge *j, const struct fr_execution *r)
{
	struct fr_mapped now = fr_judge_text(r->err >= 0 ? r->err : r->out);
	struct fr_mapped then = recorded(j, r->err >= 0 ? "stderr" : "stdout");
	char *s = fr_output_sanitizer((const char *)now.p, now.n, (const char *)then.p, then.n);

	for (size_t i = 0; s && i < j->controls.run.n; i++) {
		const struct fr_control_run *x = &j->controls.run.v[i];
		struct fr_mapped same = fr_judge_text(x->err >= 0 ? x->err : x->out);

		free(s);
		s = fr_output_sanitizer((const char *)now.p, now.n, (const char *)same.p, same.n);
		fr_io_unmap(&same);
	}
	fr_io_unmap(&now);
	fr_io_unmap(&then);
	return s;
}

static bool is_terminal(const struct fr_run_stream *s)
{
	return s->kind == FR_STREAM_TTY;
}

/* Returns a text in the form in which it is compared. Whether and when a terminal echoes input
   depends on whether the program or the user was faster, so the echo is left out. */
static struct fr_output_text cleaned(const struct fr_judge *j, const struct fr_mapped *m,
				     size_t typed)
{
	FR_CLEANUP(fr_freep) char *silent = NULL;
	struct fr_output_text t = {(const char *)m->p, m->n};

	if (is_terminal(&j->run->stream[FR_STDOUT]) && is_terminal(&j->run->stream[FR_STDIN])) {
		struct fr_mapped keys = recorded(j, "stdin");

		silent = fr_output_without_echo(t.s, t.n, (const char *)keys.p,
						fr_min(keys.n, typed), &t.n);
		t.s = silent;
		fr_io_unmap(&keys);
	}
	t.s = fr_output_without_addresses(t.s, t.n, &t.n);
	return t;
}

/* Is the difference one that also occurs between the recorded text and those of controls? Controls
   with other inputs count only if the re-execution had other inputs too. */
static bool varies(const struct fr_judge *j, const struct fr_execution *r,
		   const struct fr_mapped *then, const struct fr_mapped *now)
{
	size_t n = 0;
	struct fr_output_text *ref = fr_xcalloc(j->controls.run.n + 1, sizeof(*ref)),
			      this = cleaned(j, now, r->typed);
	uint64_t line;
	bool yes = false;

	ref[n++] = cleaned(j, then, SIZE_MAX);
	FR_VEC_FOREACH (c, &j->controls.run) {
		struct fr_mapped m;

		if (c->other && !r->file.c->made_up)
			continue;
		m = fr_judge_text(c->out);
		ref[n++] = cleaned(j, &m, c->typed);
		fr_io_unmap(&m);
	}
	fr_assert(n <= j->controls.run.n + 1);
	for (size_t i = 0; i < n && !yes; i++)
		yes = fr_output_compare(ref[i].s, ref[i].n, this.s, this.n, &line) != FR_DIFFERENT;
	yes = yes || (n > 1 && fr_output_varies(ref, n, &this));
	for (size_t i = 0; i < n; i++)
		free((char *)ref[i].s);
	free((char *)this.s);
	free(ref);
	return yes;
}

static enum fr_differ compare_output(const struct fr_judge *j, const struct fr_execution *r,
				     uint64_t *ret_line)
{
	const struct fr_run_stream *s = &j->run->stream[FR_STDOUT];
	enum fr_differ d = FR_SAME;
	struct fr_mapped now, then;

	if (s->kind == FR_STREAM_NOT_KNOWN || !s->kept || s->kind == FR_STREAM_CLOSED)
		return FR_SAME;
	now = fr_judge_text(r->out);
	then = recorded(j, "stdout");
	d = fr_output_compare((const char *)then.p, then.n, (const char *)now.p, now.n, ret_line);
	if (d == FR_DIFFERENT && varies(j, r, &then, &now))
		d = j->controls.run.n ? FR_VARIES : FR_SAME;
	fr_io_unmap(&now);
	fr_io_unmap(&then);
	return d;
}

/* ---- harm ---- */

/* Did the recorded run fail, while this one reaches its end? */
static bool ends_well(const struct fr_judge *j, const struct fr_execution *r)
{
	return j->failure && r->attached && r->ended == FR_ENDED_ITSELF && !r->signal &&
	       r->exit == fr_run_good_exit(j->run);
}

static bool ends_as_recorded(const struct fr_judge *j, const struct fr_execution *r)
{
	return r->ended == FR_ENDED_ITSELF && r->exit == j->run->exit &&
	       r->signal == j->run->signal;
}

/* It is no harm: the recorded schedule shows it too. */
static enum fr_harm of_control(struct fr_buf *out)
{
	fr_buf_puts(out,
		    "; a control, which re-executes the recorded schedule, ends in the same way");
	return FR_HARM_NONE;
}

static void explain_crash(const struct fr_judge *j, const struct fr_execution *r,
			  struct fr_buf *out)
{
	const struct fr_crash *c = &r->file.c->crash;

	fr_explain_crash(&(struct fr_explainer){j->sites, j->pcs}, r->signal, c,
			 fr_execution_thread_text(r, c->stack.id), out);
}

static enum fr_harm killed(struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	const struct fr_crash *c = &r->file.c->crash;
	FR_CLEANUP(fr_freep) char *said = NULL;

	if (r->signal == SIGABRT) {
		said = *c->assertion ? fr_xstrdup(c->assertion) : new_assertion(j, r);
		if (said) {
			fr_buf_puts(out, said);
			return fr_controls_assertion(&j->controls, said) ? of_control(out)
									 : FR_HARM_ASSERT;
		}
	}
	explain_crash(j, r, out);
	return fr_controls_signal(&j->controls, r->signal) ? of_control(out) : FR_HARM_CRASH;
}

/* It is no harm by itself: the recorded run ends in the same way. */
static enum fr_harm failed_as_recorded(struct fr_judge *j, const struct fr_execution *r,
				       struct fr_buf *out)
{
	const char *assertion = r->file.c->crash.assertion;

	if (*assertion)
		fr_buf_puts(out, assertion);
	else if (fr_signal_of_crash(r->signal))
		explain_crash(j, r, out);
	else
		fr_buf_puts(out, "the program fails");
	fr_buf_puts(out, ", as in the recorded run");
	return FR_HARM_NONE;
}

static enum fr_harm other_end(const struct fr_judge *j, const struct fr_execution *r,
			      struct fr_buf *out)
{
	if (r->signal)
		fr_buf_printf(out, "signal %d (%s) ended the program", r->signal,
			      strsignal(r->signal));
	else if (j->run->signal)
		fr_buf_printf(out, "exit status %d, but signal %d ended the recorded run", r->exit,
			      j->run->signal);
	else
		fr_buf_printf(out, "exit status %d, but %d in the recorded run", r->exit,
			      j->run->exit);
	if (fr_controls_exit(&j->controls, r->file.c->made_up, r->exit, r->signal, j->run->exit,
			     j->run->signal))
		return of_control(out);
	return FR_HARM_EXIT;
}

/* Does the program hang as the recorded run did? Without forerun, a timer ends it. */
static bool hangs_as_recorded(const struct fr_judge *j, const struct fr_execution *r)
{
	const struct fr_control_file *c = r->file.c;

	return j->run->hang && (c->phase == FR_PHASE_HANG ||
				(c->stalled && r->signal && !fr_signal_of_crash(r->signal)));
}

static enum fr_harm harm_of(struct fr_judge *j, const struct fr_execution *r, double limit,
			    struct fr_buf *out)
{
	FR_CLEANUP(fr_freep) char *report = new_report(j, r);
	uint64_t line = 0;

	if (report) {
		fr_buf_puts(out, report);
		return FR_HARM_SANITIZER;
	}
	if (fr_signal_of_crash(r->signal) && r->signal != j->run->signal)
		return killed(j, r, out);
	if (hangs_as_recorded(j, r)) {
		fr_explain_hang(j, r, out);
		fr_buf_puts(out, ", as in the recorded run");
		return FR_HARM_NONE;
	}
	if (r->file.c->phase == FR_PHASE_HANG) {
		fr_explain_hang(j, r, out);
		return fr_controls_hang(&j->controls) ? of_control(out) : FR_HARM_HANG;
	}
	if (r->file.c->phase == FR_PHASE_OUTSIDE) {
		fr_explain_waits(r, out);
		return FR_HARM_UNKNOWN;
	}
	if (r->ended == FR_ENDED_LIMIT) {
		fr_buf_printf(out, "forerun stopped the program after %g seconds", limit);
		return FR_HARM_UNKNOWN;
	}
	if (r->ended != FR_ENDED_ITSELF) {
		fr_buf_puts(out, r->ended == FR_ENDED_FLOOD
				     ? "forerun stopped the program because it wrote too much"
				     : "forerun stopped the program");
		return FR_HARM_UNKNOWN;
	}
	if (j->failure && ends_as_recorded(j, r))
		return failed_as_recorded(j, r, out);
	if (ends_well(j, r)) {
		fr_buf_puts(out, "the program ends well, unlike the recorded run");
		return FR_HARM_NONE;
	}
	if (r->signal != j->run->signal || r->exit != j->run->exit)
		return other_end(j, r, out);
	switch (compare_output(j, r, &line)) {
	case FR_DIFFERENT:
		fr_buf_printf(out, "standard output differs from line %llu on",
			      (unsigned long long)line);
		return FR_HARM_OUTPUT;
	case FR_OTHER_ORDER:
		fr_buf_puts(out, "the same lines of output in another order");
		return FR_HARM_NONE;
	case FR_OTHER_ADDRESSES:
		fr_buf_puts(out, "the same lines of output except for addresses");
		return FR_HARM_NONE;
	case FR_VARIES:
		fr_buf_puts(out, "the same output except for lines that vary from run to run");
		return FR_HARM_NONE;
	default:
		return FR_HARM_NONE;
	}
}

/* Is the harm more than another exit status or output? */
static bool bad_end(enum fr_harm h)
{
	return h == FR_HARM_CRASH || h == FR_HARM_ASSERT || h == FR_HARM_SANITIZER ||
	       h == FR_HARM_HANG;
}

/* The line of the program in which a thread waits, or repeats a loop. */
static uint64_t waits_at(const struct fr_judge *j, const struct fr_control_file_waiter *w)
{
	uint32_t site = fr_explain_own_site(j->sites, w->seen.site, &w->stack);
	struct fr_site_info s = fr_sites_get(j->sites, site);

	if (!s.known)
		return fr_hash_bytes(FR_HASH_START, &w->seen.site, sizeof(w->seen.site));
	return fr_hash_bytes(fr_hash_text(FR_HASH_START, s.file), &s.line, sizeof(s.line));
}

/* Where the program hangs: in which lines threads wait, in any order. A join waits for them. */
static uint64_t where_hang(const struct fr_judge *j, const struct fr_control_file *c)
{
	bool joins = true;
	uint64_t h = 0;

	for (uint32_t i = 0; i < c->nwaiters; i++)
		joins &= c->waiter[i].seen.kind == FR_EV_THREAD_JOIN;
	for (uint32_t i = 0; i < c->nwaiters; i++) {
		uint64_t at = waits_at(j, &c->waiter[i]);
		bool counts = joins || c->waiter[i].seen.kind != FR_EV_THREAD_JOIN;

		for (uint32_t k = 0; k < i && counts; k++)
			counts = waits_at(j, &c->waiter[k]) != at;
		h += counts ? at : 0;
	}
	return h;
}

/* See fr_judgement.where. text: the program's message about it, or a description. */
static uint64_t where(const struct fr_judge *j, const struct fr_execution *r, enum fr_harm harm,
		      const char *text, size_t ntext)
{
	const struct fr_control_file *c = r->file.c;
	const struct fr_crash *crash = &c->crash;
	uint64_t h = 0;

	if (harm == FR_HARM_HANG)
		h = where_hang(j, c);
	else if (harm == FR_HARM_CRASH)
		h = fr_hash_bytes(fr_hash_bytes(FR_HASH_START, &crash->pc, 8), crash->stack.func,
				  crash->stack.n * sizeof(*crash->stack.func));
	else if (harm == FR_HARM_ASSERT && *crash->assertion)
		h = fr_hash_text(FR_HASH_START, crash->assertion);
	else
		h = fr_hash_bytes(FR_HASH_START, text, ntext);
	return bad_end(harm) ? fr_judge_number(h) : 0;
}

/* In which functions threads wait, in any order. */
static uint64_t hang_named(const struct fr_judge *j, const struct fr_control_file *c)
{
	uint64_t h = 0;

	for (uint32_t i = 0; i < c->nwaiters; i++) {
		const struct fr_control_file_waiter *w = &c->waiter[i];
		struct fr_site_info s =
		    fr_sites_get(j->sites, fr_explain_own_site(j->sites, w->seen.site, &w->stack));
		uint64_t at = fr_hash_bytes(FR_HASH_START, &w->seen.kind, sizeof(w->seen.kind));

		if (!s.known)
			return 0;
		h += fr_hash_text(at, s.function);
	}
	return h;
}

/* Lines and addresses change when a program is built again. */
static uint64_t hash_without_digits(const char *s, size_t n)
{
	uint64_t h = FR_HASH_START;

	for (size_t i = 0; i < n; i++)
		if (s[i] < '0' || s[i] > '9')
			h = fr_hash_bytes(h, &s[i], 1);
	return h;
}

/* See fr_judgement.where_named. */
static uint64_t where_named(const struct fr_judge *j, const struct fr_execution *r,
			    enum fr_harm harm, const char *text, size_t ntext)
{
	const struct fr_crash *crash = &r->file.c->crash;
	uint64_t h = 0;

	if (harm == FR_HARM_HANG) {
		h = hang_named(j, r->file.c);
	} else if (harm == FR_HARM_CRASH) {
		uint32_t n = fr_min(crash->stack.n, (uint32_t)FR_CRASH_FRAMES);
		struct fr_site_info s = {0};

		if (n)
			s = fr_sites_get(j->sites, crash->stack.func[n - 1]);
		h = s.known ? fr_hash_text(FR_HASH_START ^ (uint32_t)r->signal, s.name) : 0;
	} else if (harm == FR_HARM_ASSERT && *crash->assertion) {
		h = hash_without_digits(crash->assertion, strlen(crash->assertion));
	} else {
		h = hash_without_digits(text, ntext);
	}
	return h && bad_end(harm) ? fr_judge_number(h) : 0;
}

uint64_t fr_judge_where(struct fr_judge *j, const struct fr_execution *r, double limit)
{
	struct fr_buf text = {0};
	enum fr_harm harm = harm_of(j, r, limit, &text);
	uint64_t at = where(j, r, harm, text.s, text.n);

	fr_buf_free(&text);
	return at;
}

/* ---- verdict ---- */

/* The program followed its schedule and ended before the schedule did. */
static enum fr_harm ended_before(struct fr_judge *j, const struct fr_execution *r, double limit,
				 size_t *ret_end, struct fr_buf *out)
{
	enum fr_harm harm = harm_of(j, r, limit, out);

	if (!bad_end(harm)) {
		harm = FR_HARM_NONE;
		out->n = 0;
		if (r->signal)
			explain_crash(j, r, out);
		else
			fr_buf_printf(out, "the program ended with status %d", r->exit);
	}
	*ret_end = out->n;
	fr_buf_puts(out, " before the end of the schedule");
	fr_explain_due(j, r, out);
	fr_explain_outside(j, r, out);
	return harm;
}

/* A thread did not wait at a futex, because the word had changed since the thread read it. In
   another order the thread reads the new value, and waits. */
#define READS_NEW_VALUE "; it may wait if it reads the new value of the futex first"

static bool at_futex(unsigned kind)
{
	return kind == FR_EV_FUTEX_WAIT || kind == FR_EV_FUTEX_BEGIN;
}

static bool read_too_early(const struct fr_control_file *c)
{
	return c->phase == FR_PHASE_DIVERGED && c->diverged.why == FR_DIV_NOT_BLOCKED &&
	       at_futex(c->diverged.seen.kind);
}

static enum fr_verdict not_met(struct fr_judge *j, const struct fr_execution *r, double limit,
			       enum fr_harm *ret_harm, size_t *ret_end, struct fr_buf *out)
{
	const struct fr_control_file *c = r->file.c;

	if (!r->attached && r->ended == FR_ENDED_ITSELF) {
		fr_buf_puts(out, "the program did not load the schedule: it ended too early, or "
				 "was built without forerun's runtime");
		return FR_VERDICT_PREDICTED;
	}
	if (c->phase == FR_PHASE_DIVERGED && c->diverged.why == FR_DIV_OUTSIDE) {
		fr_buf_printf(out, "thread %s waits for something outside the program",
			      fr_execution_thread_text(r, c->diverged.seen.id));
		return FR_VERDICT_UNKNOWN;
	}
	if (c->phase == FR_PHASE_DIVERGED || c->left_before_last) {
		fr_explain_divergence(j, r, out);
		if (!read_too_early(c))
			return c->diverged.why == FR_DIV_REUSED ? FR_VERDICT_UNKNOWN
								: FR_VERDICT_REFUTED;
		fr_buf_puts(out, READS_NEW_VALUE);
		return FR_VERDICT_UNKNOWN;
	}
	switch (r->ended) {
	case FR_ENDED_OUTSIDE:
		fr_buf_printf(out, "thread %s waits for something outside the program",
			      fr_execution_thread_text(r, r->outside));
		return FR_VERDICT_UNKNOWN;
	case FR_ENDED_SPIN:
		fr_buf_printf(out,
			      "thread %s does not reach the end of its turn: it may wait in a loop "
			      "for another thread",
			      fr_execution_thread_text(r, r->outside));
		return FR_VERDICT_UNKNOWN;
	case FR_ENDED_LIMIT:
		fr_buf_printf(
		    out, "the program did not reach the end of the schedule in %g seconds", limit);
		return FR_VERDICT_UNKNOWN;
	case FR_ENDED_FLOOD:
		fr_buf_puts(out, "the program wrote too much before the end of the schedule");
		return FR_VERDICT_UNKNOWN;
	case FR_ENDED_STOP:
		fr_buf_puts(out, "interrupted");
		return FR_VERDICT_UNKNOWN;
	default:
		break;
	}
	*ret_harm = ended_before(j, r, limit, ret_end, out);
	return FR_VERDICT_REFUTED;
}

/* Did a thread crash other than the one whose access is last? */
static bool crashed_elsewhere(const struct fr_control_file *c)
{
	const struct fr_control_file_seen *seen =
	    fr_control_file_events((struct fr_control_file *)c);

	for (uint32_t i = 0; i < c->before.n; i++) {
		const struct fr_control_file_seen *e = &seen[c->before.event[i].event];

		if (e->thread == c->target[0].thread && e->id == c->crash.stack.id)
			return false; /* its own read made it crash: a bug of its own */
	}
	return true;
}

/* Did the program come to harm on the way to the last access? Between the other accesses and this
   one, a thread had to do something, such as leave its lock region, and did not survive it. It
   followed the schedule, and the harm is a consequence. */
static bool harmed_before(struct fr_judge *j, const struct fr_execution *r, double limit,
			  enum fr_harm *ret, struct fr_buf *out)
{
	enum fr_harm harm;

	if (!r->attached || r->file.c->stops_met < r->file.c->nstops ||
	    !fr_control_file_all_but_last(r->file.c))
		return false;
	if (!r->file.c->left_before_last &&
	    (!fr_signal_of_crash(r->signal) || !crashed_elsewhere(r->file.c)))
		return false;
	harm = harm_of(j, r, limit, out);
	if (!bad_end(harm)) {
		out->n = 0;
		return false;
	}
	fr_buf_puts(out, "; this happened before the last access");
	*ret = harm;
	return true;
}

/* ---- the targets met ---- */

/* A cycle of waits is a deadlock only if nothing ends it. */
static enum fr_verdict met(struct fr_judge *j, const struct fr_execution *r, double limit,
			   enum fr_harm *ret_harm, struct fr_buf *out)
{
	uint8_t kind = FR_EV_NONE;
	uint32_t id = fr_judge_unblocked(r->file.c, &kind);

	if (id && r->ended == FR_ENDED_LIMIT && fr_judge_polls(r->file.c, 0)) {
		*ret_harm = harm_of(j, r, limit, out);
		return FR_VERDICT_UNKNOWN;
	}
	if (id) {
		struct fr_buf harm = {0};

		*ret_harm = harm_of(j, r, limit, &harm);
		fr_buf_printf(out, "thread %s does not stay blocked",
			      fr_execution_thread_text(r, id));
		if (bad_end(*ret_harm))
			fr_buf_printf(out, "; %s", harm.s ? harm.s : "");
		else
			*ret_harm = FR_HARM_NONE;
		fr_buf_free(&harm);
		if (!at_futex(kind) || fr_harm_seen(*ret_harm))
			return FR_VERDICT_REFUTED;
		fr_buf_puts(out, READS_NEW_VALUE);
		return FR_VERDICT_UNKNOWN;
	}
	if (fr_judge_may_be_freed(r)) {
		fr_explain_waits(r, out);
		return FR_VERDICT_UNKNOWN;
	}
	*ret_harm = harm_of(j, r, limit, out);
	/* A deadlock counts although the recorded run hung. A missed wake-up does not: perhaps no
	   order ends the thread's wait. cause_hang.c looks for an order without it. */
	if (!fr_harm_seen(*ret_harm) && fr_judge_hung(r->file.c) &&
	    !(j->run->hang && r->file.c->sleeps == FR_SLEEPS_IN_WAIT)) {
		out->n = 0;
		fr_explain_hang(j, r, out);
		*ret_harm = FR_HARM_HANG;
	}
	return FR_VERDICT_CONFIRMED;
}

/* ---- the world outside ---- */

bool fr_judge_outside(const struct fr_execution *r)
{
	return r->file.c->world.n != 0;
}

/* Is this a re-execution of the recorded schedule? */
static bool is_control(const struct fr_execution *r)
{
	return !r->file.c->departs;
}

/* The world outside has changed. Then the result neither confirms nor refutes, unless everything
   that matters had happened before and did no harm. */
static void excuse(const struct fr_judge *j, const struct fr_execution *r, struct fr_judgement *ret,
		   struct fr_buf *b)
{
	bool before = r->file.c->world.phase < FR_PHASE_MET;

	if (ret->verdict == FR_VERDICT_PREDICTED || r->ended == FR_ENDED_STOP)
		return;
	if (is_control(r) || (ret->verdict == FR_VERDICT_CONFIRMED && !before && !ret->harm &&
			      ends_as_recorded(j, r))) {
		fr_buf_puts(b, b->n ? "; " : "");
		fr_explain_world(j, r, b);
		return;
	}
	b->n = 0;
	fr_explain_world(j, r, b);
	if (fr_harm_seen(ret->harm))
		fr_buf_printf(b, "; %s, perhaps for that reason", fr_harm_text(ret->harm));
	ret->verdict = FR_VERDICT_UNKNOWN;
	ret->harm = FR_HARM_NONE;
	ret->outside = true;
	ret->end = 0; /* that text was replaced */
}

/* Does the schedule lead to harm, and to nothing else? */
static bool leads_to_harm(const struct fr_execution *r)
{
	const struct fr_control_file *c = r->file.c;

	return r->attached && c->departs && !c->ntargets && !c->nstops;
}

static enum fr_verdict harmed(struct fr_judge *j, const struct fr_execution *r, double limit,
			      enum fr_harm *ret_harm, struct fr_buf *out)
{
	enum fr_harm harm =
	    r->file.c->phase == FR_PHASE_DIVERGED ? FR_HARM_NONE : harm_of(j, r, limit, out);

	if (bad_end(harm)) {
		*ret_harm = harm;
		return FR_VERDICT_CONFIRMED;
	}
	out->n = 0;
	if (r->file.c->phase == FR_PHASE_DIVERGED)
		fr_explain_divergence(j, r, out);
	else
		fr_buf_puts(out, "the program did not fail");
	return FR_VERDICT_REFUTED;
}

void fr_judge(struct fr_judge *j, const struct fr_execution *r, double limit,
	      struct fr_judgement *ret)
{
	struct fr_buf b = {0};

	*ret = (struct fr_judgement){0};
	if (leads_to_harm(r)) {
		ret->verdict = harmed(j, r, limit, &ret->harm, &b);
	} else if (r->attached && fr_judge_met(r)) {
		ret->verdict = met(j, r, limit, &ret->harm, &b);
	} else if (harmed_before(j, r, limit, &ret->harm, &b)) {
		ret->verdict = FR_VERDICT_CONFIRMED;
	} else {
		ret->verdict = not_met(j, r, limit, &ret->harm, &ret->end, &b);
	}
	if (fr_judge_outside(r) && (ret->verdict != FR_VERDICT_REFUTED || !is_control(r)))
		excuse(j, r, ret, &b);
	if (ret->verdict == FR_VERDICT_CONFIRMED && j->failure && ret->harm == FR_HARM_NONE) {
		ret->well = ends_well(j, r);
		ret->fails = !ret->well && (ends_as_recorded(j, r) || hangs_as_recorded(j, r));
	}
	ret->where = where(j, r, ret->harm, b.s, ret->end ? ret->end : b.n);
	ret->where_named = where_named(j, r, ret->harm, b.s, ret->end ? ret->end : b.n);
	if (leads_to_harm(r) && ret->verdict == FR_VERDICT_CONFIRMED &&
	    !fr_explain_failure(j, r, &ret->at))
		ret->at = (struct fr_judged_position){0};
	fr_assert(ret->harm >= FR_HARM_NONE);
	fr_assert(ret->verdict != FR_VERDICT_PREDICTED || ret->harm == FR_HARM_NONE);
	fr_assert(ret->verdict == FR_VERDICT_CONFIRMED || b.n); /* the reason */
	fr_assert(!ret->end || ret->verdict == FR_VERDICT_REFUTED);
	fr_assert(ret->end <= b.n);
	fr_assert(!ret->outside || ret->verdict == FR_VERDICT_UNKNOWN);
	ret->detail = b.s;
	if (r->file.c->phase == FR_PHASE_DIVERGED)
		fr_debug(FR_DEBUG_CONFIRM, "diverged at hook %" PRIu64 ", expected %" PRIu64,
			 r->file.c->diverged.seen.hook, r->file.c->diverged.expected.hook);
	fr_debug(FR_DEBUG_CONFIRM, "%s, exit %d, signal %d: %s, harm %s%s%s",
		 is_control(r) ? "control" : "execution", r->exit, r->signal,
		 fr_verdict_name[ret->verdict], fr_harm_name(ret->harm), b.n ? ": " : "",
		 b.n ? b.s : "");
}
