/* Prints a finding: headline, accesses, steps, locks held, call stacks, commands to replay. */
#include "report/text.h"
#include "base/assert.h"
#include "model/region_kind.h"
#include "base/escape.h"
#include "base/term.h"
#include "report/escaped.h"
#include "findings/verdict.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Is it a lock that the thread waits for? A lock in freed memory is used like other memory. */
static bool is_lock(const struct fr_finding_event *e)
{
	return fr_op_class[e->access] == FR_C_LOCK && e->role != FR_ROLE_USE &&
	       e->role != FR_ROLE_EVENT;
}

/* Adds "bank.c:31:9 in withdraw()". */
static void position(struct fr_buf *b, const struct fr_position *p)
{
	if (!p->line)
		fr_buf_puts(b, "an unknown source line");
	else if (p->column)
		fr_buf_printf(b, "%s:%" PRIu32 ":%" PRIu32, p->file, p->line, p->column);
	else
		fr_buf_printf(b, "%s:%" PRIu32, p->file, p->line);
	if (*p->function)
		fr_buf_printf(b, " in %s()", p->function);
}

static const char *const region_text[] = {
    [FR_REGION_ANNOTATED] = "in one region that the program calls atomic",
    [FR_REGION_NAMED] = "in one call of a function named with --atomic",
    [FR_REGION_LOCK] = "in one lock region",
    [FR_REGION_OUTER] = "in one region of a lock that does not guard them",
    [FR_REGION_SPLIT] = "in two regions of one lock, one after the other",
    [FR_REGION_SET] = "in a set named with --atomic-set, with no lock around both",
    [FR_REGION_JOINED] = "used together by the other thread, with no lock around both",
    [FR_REGION_FIELDS] = "fields of one object, with no lock around both",
    [FR_REGION_NEAR] = "one access after the other, with no lock around both",
};

static const char *const shape_text[] = {[FR_SHAPE_NONE] = "",
#define FR_X(n, ops, accesses) [FR_SHAPE_##n] = accesses,
#define FR_P(n, number, ops, accesses) [FR_SHAPE_##n] = "problem " #number ", " accesses,
					 FR_SHAPES(FR_X, FR_P)
#undef FR_X
#undef FR_P
};

/* Prints why the accesses should be atomic, and the shape of the violation. */
static void region(const struct fr_text *t, const struct fr_finding *f)
{
	const char *why = region_text[f->region], *shape = shape_text[f->shape];

	fr_buf_printf(t->out, "   %s%s%s\n", why,
		      !*shape				     ? ""
		      : strlen(shape) + strlen(why) + 5 > 80 ? ":\n   "
							     : ": ",
		      shape);
}

/* Adds "1. data race on `x`". */
static void title(const struct fr_text *t, const struct fr_finding *f, struct fr_buf *out)
{
	char kind[128];

	snprintf(kind, sizeof(kind), "%s", f->kind);
	for (char *p = kind; *p && *p != ':'; p++) /* a name after ':' is the user's: keep it */
		if (*p == '-')
			*p = ' ';
	fr_buf_printf(out, "%" PRIu32 ". %s", t->number ? t->number : f->id, kind);
	if (*f->subject)
		fr_buf_printf(out, " on `%s`", f->subject);
}

/* Describes the harm in the recorded run; NULL: none. */
static const char *recorded_harm(enum fr_harm h)
{
	static const char *const text[] = {
	    [FR_HARM_EXIT] = "the recorded run ended in another way than expected",
	    [FR_HARM_SANITIZER] = "a sanitizer reported an error in the recorded run",
	    [FR_HARM_HANG] = "the recorded run hung",
	    [FR_HARM_ASSERT] = "the recorded run failed an assertion",
	    [FR_HARM_CRASH] = "the recorded run crashed",
	};

	return fr_harm_seen(h) ? text[h] : NULL;
}

static const char *harm_text(const struct fr_finding *f)
{
	if (fr_finding_harmed(f))
		return "but the program fails before that";
	return f->recorded ? recorded_harm(f->interleaving.v[0].harm)
			   : fr_harm_text(f->interleaving.v[0].harm);
}

static const char *verdict_text(const struct fr_interleaving *w)
{
	return w->verdict == FR_VERDICT_CONFIRMED && w->other_path ? "confirmed on another path"
								   : fr_verdict_name[w->verdict];
}

/* Prints title, verdict and harm on one line, or on two or three if that is too wide. */
static void headline(const struct fr_text *t, const struct fr_finding *f)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf line = {0}; /* without colours */
	const char *verdict = verdict_text(&f->interleaving.v[0]);
	const char *harm = harm_text(f);
	unsigned at;

	title(t, f, &line);
	fr_buf_printf(t->out, "%s%s%s", fr_term_seq(t->colour, FR_BOLD), line.s,
		      fr_term_seq(t->colour, FR_PLAIN_TEXT));
	at = fr_text_width(line.s, line.n) + 3;
	if (at + strlen(verdict) + !!harm > 80)
		at = 3;
	fr_buf_printf(t->out, at > 3 ? " — %s%s%s" : "\n   %s%s%s", fr_term_seq(t->colour, FR_RED),
		      verdict, fr_term_seq(t->colour, FR_PLAIN_TEXT));
	at += (unsigned)strlen(verdict) + 2;
	if (harm)
		fr_buf_printf(t->out, at + strlen(harm) > 80 ? ",\n   %s" : ", %s", harm);
	fr_buf_puts(t->out, "\n");
	if (f->region)
		region(t, f);
	if (f->allocated.line) {
		fr_buf_puts(t->out, "   in memory allocated at ");
		position(t->out, &f->allocated);
		fr_buf_puts(t->out, "\n");
	}
}

/* Appends to the current line, or to a new one if it would become too wide. */
static void piece(const struct fr_text *t, const struct fr_buf *b)
{
	const char *start = t->out->n ? memrchr(t->out->s, '\n', t->out->n) : NULL;
	size_t from = start ? (size_t)(start - t->out->s) + 1 : 0;
	unsigned column = fr_text_width(t->out->s + from, t->out->n - from);

	fr_assert(from <= t->out->n && b->s);
	fr_buf_puts(t->out, column + 1 + fr_text_width(b->s, b->n) > 80 ? "\n      " : " ");
	fr_buf_add(t->out, b->s, b->n);
}

/* Returns whether one object has two names, or two objects have one. */
static bool confused(const struct fr_finding_lock *a, const char *name, uint32_t object)
{
	return object && a->object && (a->object == object) != !strcmp(a->name, name);
}

/* Returns whether the lock's name alone does not identify it in this interleaving. */
static bool ambiguous(const struct fr_interleaving *w, const struct fr_finding_lock *l)
{
	FR_VEC_FOREACH (e, &w->event) {
		if (is_lock(e) && confused(l, e->name, e->object))
			return true;
		FR_VEC_FOREACH (k, &e->lock)
			if (confused(l, k->name, k->object))
				return true;
	}
	return false;
}

/* Prints "holds `a` since x.c:3 in f()". */
static void about_lock(const struct fr_text *t, const struct fr_interleaving *w, const char *what,
		       const struct fr_finding_lock *l, const char *where)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	fr_buf_printf(&b, "%s `%s`%s", what, l->name, l->shared ? " shared" : "");
	if (ambiguous(w, l))
		fr_buf_printf(&b, " (lock %" PRIu32 ")", l->object);
	piece(t, &b);
	b.n = 0;
	fr_buf_printf(&b, "%s ", where);
	position(&b, &l->at);
	piece(t, &b);
	fr_buf_puts(t->out, "\n");
}

/* Prints "holds `a` since x.c:3 in f()" for each lock, outermost first. */
static void holds(const struct fr_text *t, const struct fr_interleaving *w,
		  const struct fr_finding_event *e)
{
	bool any = false;

	FR_VEC_FOREACH (l, &e->lock) {
		if (any)
			fr_buf_puts(t->out, "     ");
		about_lock(t, w, any ? "and" : "holds", l, "since");
		any = true;
	}
	if (!any)
		fr_buf_puts(t->out, " holds no lock\n");
}

/* Prints a call stack. Skips frames in system headers, but counts them. */
static void stack(const struct fr_text *t, const struct fr_finding_event *e)
{
	for (size_t i = 0; i < e->stack.n; i++) {
		if (fr_position_of_system(&e->stack.v[i]))
			continue;
		fr_buf_printf(t->out, "%s      #%zu ", fr_term_seq(t->colour, FR_DIM), i);
		position(t->out, &e->stack.v[i]);
		fr_buf_printf(t->out, "%s\n", fr_term_seq(t->colour, FR_PLAIN_TEXT));
	}
}

/* Prints "waits for thread 0.1 at x.c:3 in f()", for an object that is no lock. */
static void about_end(const struct fr_text *t, const struct fr_finding_event *e)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	if (e->role == FR_ROLE_WAITS) {
		fr_buf_printf(t->out, "      waits for `%s`", e->name);
		fr_buf_puts(&b, "at ");
		position(&b, &e->at);
		piece(t, &b);
	} else {
		fr_buf_puts(t->out, e->role == FR_ROLE_FAILS	 ? "      fails at "
				    : e->role == FR_ROLE_SIGNALS ? "      signals at "
								 : "      was last seen at ");
		position(t->out, &e->at);
	}
	fr_buf_puts(t->out, "\n");
}

static void event_head(const struct fr_text *t, const struct fr_interleaving *w,
		       const struct fr_finding_event *e, bool failure)
{
	size_t frames = 0;

	fr_buf_puts(t->out, "   ");
	fr_text_thread(t, e, t->out);
	if (*fr_text_thread_name(e))
		fr_buf_printf(t->out, " %s", fr_text_thread_name(e));
	if (!t->imported)
		fr_buf_printf(t->out, " (thread %s)", e->path);
	holds(t, w, e);
	if (is_lock(e)) {
		struct fr_finding_lock l = {e->name, e->object, e->access == FR_OP_ACQUIRE_SHARED,
					    e->at};

		fr_buf_puts(t->out, "     ");
		about_lock(t, w, "waits for", &l, "at");
	} else if (failure || e->role == FR_ROLE_WAITS) {
		about_end(t, e);
	}
	FR_VEC_FOREACH (p, &e->stack)
		frames += !fr_position_of_system(p);
	if (frames > 1) /* a single position was printed already */
		stack(t, e);
}

/* Prints "x.c:3 in f() reads; x.c:5 in f() writes next; y.c:7 in g() writes in between". Returns
   false if the events are not of this form. */
static bool comes_between(const struct fr_text *t, const struct fr_interleaving *w)
{
	const struct fr_finding_event *v = w->event.v;
	static const unsigned order[] = {0, 2, 1};

	if (w->event.n != 3 || v[0].role != FR_ROLE_LOCAL_FIRST)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		const struct fr_finding_event *e = &v[order[i]];

		fr_buf_puts(t->out, i ? ";\n   " : "   ");
		position(t->out, &e->at);
		fr_buf_printf(t->out, " %s%ss%s", e->atomic ? "atomically " : "",
			      fr_op_name[e->access],
			      i == 1   ? " next"
			      : i == 2 ? " in between"
				       : "");
	}
	fr_buf_puts(t->out, "\n");
	return true;
}

/* Returns the words after "reads" or "writes" of an event of this role; "" if there are none. */
static const char *role_text(const struct fr_interleaving *w, enum fr_role r)
{
	switch (r) {
	case FR_ROLE_READER:
		return w->event.v[0].role == FR_ROLE_WRITER ? " that value" : " the initial value";
	case FR_ROLE_TOO_LATE:
		return " too late";
	default:
		return "";
	}
}

/* Adds "reads", "posts" and the like. */
static void verb(struct fr_buf *b, enum fr_op op)
{
	switch (op) {
	case FR_OP_RELEASE_ALL:
		fr_buf_puts(b, "gives something");
		break;
	case FR_OP_ACQUIRE_ALL:
		fr_buf_puts(b, "takes something");
		break;
	case FR_OP_SEM_POST:
		fr_buf_puts(b, "posts");
		break;
	case FR_OP_SEM_WAIT:
	case FR_OP_SEM_FAILED:
		fr_buf_puts(b, "takes a unit");
		break;
	default:
		fr_buf_printf(b, "%ss", fr_op_name[op]);
	}
}

/* Prints the accesses that meet. event_head prints waits. */
static void meets(const struct fr_text *t, const struct fr_interleaving *w)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	bool first = true;

	if (comes_between(t, w))
		return;
	FR_VEC_FOREACH (e, &w->event) {
		if (is_lock(e) || e->role == FR_ROLE_WAITS)
			continue;
		b.n = 0;
		position(&b, &e->at);
		fr_buf_puts(&b, e->atomic ? " atomically " : " ");
		verb(&b, e->access);
		fr_buf_puts(&b, role_text(w, e->role));
		fr_buf_printf(t->out, "%s%s", first ? "   " : ";\n   ", b.s);
		first = false;
	}
	if (!first)
		fr_buf_puts(t->out, "\n");
}

/* Prints a sentence in lines of 80 columns. */
static void sentence(const struct fr_text *t, const char *s)
{
	while (*s) {
		size_t n = strcspn(s, " "), col = 3;

		fr_buf_puts(t->out, "   ");
		while (*s && (col == 3 || col + 1 + fr_text_width(s, n) < 80)) {
			fr_buf_printf(t->out, "%s%.*s", col > 3 ? " " : "", (int)n, s);
			col += fr_text_width(s, n) + (col > 3);
			s += n;
			s += strspn(s, " ");
			n = strcspn(s, " ");
		}
		fr_buf_puts(t->out, "\n");
	}
}

static bool same_position(const struct fr_position *a, const struct fr_position *b)
{
	return a->line == b->line && !strcmp(a->file, b->file) && !strcmp(a->function, b->function);
}

/* Returns whether an earlier event of the thread has the same callers and holds the same locks. */
static bool printed_before(const struct fr_interleaving *w, const struct fr_finding_event *e)
{
	fr_assert(e >= w->event.v && e < w->event.v + w->event.n);
	for (const struct fr_finding_event *k = w->event.v; k < e; k++) {
		bool same = k->thread == e->thread && k->lock.n == e->lock.n &&
			    k->stack.n == e->stack.n && !is_lock(e);

		for (size_t i = 0; same && i < e->lock.n; i++)
			same = !strcmp(k->lock.v[i].name, e->lock.v[i].name) &&
			       same_position(&k->lock.v[i].at, &e->lock.v[i].at);
		for (size_t i = 1; same && i < e->stack.n; i++)
			same = same_position(&k->stack.v[i], &e->stack.v[i]);
		if (same)
			return true;
	}
	return false;
}

static void interleaving(const struct fr_text *t, const struct fr_finding *f,
			 const struct fr_interleaving *w)
{
	if (fr_finding_recorded_failure(f) && w->detail)
		sentence(t, w->detail);
	if (!f->recorded || w->schedule) {
		meets(t, w);
		fr_text_steps(t, w);
	}
	FR_VEC_FOREACH (e, &w->event)
		if (!printed_before(w, e))
			event_head(t, w, e, f->recorded);
	if (f->explained_by)
		fr_buf_printf(t->out, "   explained by finding %" PRIu32 "\n", f->explained_by);
	if (!fr_finding_recorded_failure(f) && w->detail)
		sentence(t, w->detail);
	if (w->good)
		fr_text_orders(t, w);
}

/* Prints the command that replays a confirmed or harmful interleaving, else the schedule's name. */
static void replay_hint(const struct fr_text *t, const struct fr_finding *f,
			const struct fr_interleaving *w)
{
	if (f->recorded && !w->schedule)
		fr_buf_printf(t->out, "   replay: forerun replay %s/%" PRIu32 "\n", t->dir, f->id);
	if (!w->schedule)
		return;
	if (w->verdict != FR_VERDICT_CONFIRMED && !fr_harm_seen(w->harm))
		fr_buf_printf(t->out, "   schedule: %s/%s\n", t->dir, w->schedule);
	else if (w->nth == 1)
		fr_buf_printf(t->out,
			      "   replay: forerun replay %s/%" PRIu32 "        debug: … --gdb\n",
			      t->dir, f->id);
	else
		fr_buf_printf(t->out, "   replay: forerun replay %s/%s\n", t->dir, w->schedule);
}

/* Returns the number of interleavings with the verdict of the first one. */
static size_t reached(const struct fr_finding *f)
{
	size_t n = 0;

	FR_VEC_FOREACH (w, &f->interleaving)
		n += w->verdict == f->interleaving.v[0].verdict;
	return n;
}

/* --explain: the reads that matter first. */
static void explained(const struct fr_text *t, const struct fr_finding *f)
{
	for (int matters = 1; matters >= 0; matters--)
		FR_VEC_FOREACH (r, &f->reads)
			if (r->matters == matters)
				fr_buf_printf(t->out,
					      "   read of %s at %s:%u in thread %s %s: %s\n",
					      r->name, r->at.file, r->at.line, r->path,
					      matters ? "matters" : "does not matter", r->why);
}

static void finding(const struct fr_text *t, const struct fr_finding *f)
{
	size_t others = reached(f) - 1;

	fr_assert(f->interleaving.n && others < f->interleaving.n);
	headline(t, f);
	if (fr_finding_later_failure(f)) {
		sentence(t, "in a run that had left the schedule of another finding");
		if (f->interleaving.v[0].detail)
			sentence(t, f->interleaving.v[0].detail);
	} else {
		interleaving(t, f, &f->interleaving.v[0]);
	}
	if (t->also)
		sentence(t, t->also);
	replay_hint(t, f, &f->interleaving.v[0]);
	if (others && !t->all)
		fr_buf_printf(t->out,
			      "   %zu interleavings reach this bug; all are listed with 'forerun "
			      "report --all'\n",
			      reached(f));
	for (size_t i = 1; t->all && i < f->interleaving.n; i++) {
		const struct fr_interleaving *w = &f->interleaving.v[i];

		fr_buf_printf(t->out, "   interleaving %zu — %s", i + 1, verdict_text(w));
		if (w->verdict == FR_VERDICT_CONFIRMED && fr_harm_text(w->harm))
			fr_buf_printf(t->out, ", %s", fr_harm_text(w->harm));
		fr_buf_puts(t->out, "\n");
		interleaving(t, f, w);
		replay_hint(t, f, w);
	}
	if (t->found)
		sentence(t, t->found);
	if (fr_finding_recorded_failure(f)) {
		fr_buf_puts(t->out, "\n");
		return;
	}
	fr_assert(f->tier < FR_TIER_COUNT);
	fr_buf_printf(t->out, "   tier: %s", fr_tier_name[f->tier]);
	if (f->solver_s >= 0.0005)
		fr_buf_printf(t->out, ", solver %.3f s", f->solver_s);
	if (f->reads_relaxed)
		fr_buf_printf(t->out, ", %" PRIu32 " read%s differ%s", f->reads_relaxed,
			      fr_plural(f->reads_relaxed), f->reads_relaxed == 1 ? "s" : "");
	fr_buf_puts(t->out, f->relaxed.n ? ":\n" : "\n");
	FR_VEC_FOREACH (x, &f->relaxed)
		fr_buf_printf(t->out, "      %s at %s:%u\n", x->name, x->at.file, x->at.line);
	explained(t, f);
	fr_buf_puts(t->out, "\n");
}

void fr_text_finding(const struct fr_text *t, const struct fr_finding *f)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings copies = {0};
	FR_CLEANUP(fr_freep) char *dir = fr_escape(t->dir), *found = fr_escape(t->found);
	struct fr_text safe = *t;

	fr_assert(t->out && t->dir);
	safe.dir = dir;
	safe.found = found;
	finding(&safe, fr_finding_escaped(f, &copies));
}

/* The reads that kept a candidate from being feasible. */
static void obstacle(const struct fr_text *t, const struct fr_obstacle *o)
{
	fr_escape_printf(t->out, "infeasible: %s", o->kind);
	for (unsigned i = 0; i < 2 && o->event[i].line; i++)
		fr_escape_printf(t->out, "%s%s:%u", i ? " and " : " at ", o->event[i].file,
				 o->event[i].line);
	fr_buf_puts(t->out, "\n");
	FR_VEC_FOREACH (r, &o->reads) {
		fr_escape_printf(t->out, "   in the way: %s at %s:%u in thread %s: %s", r->name,
				 r->at.file, r->at.line, r->path, r->why);
		fr_buf_puts(t->out, "\n");
	}
}

void fr_text_summary(const struct fr_text *t, const struct fr_findings *f)
{
	const struct fr_summary *s = &f->summary;
	char a[32], b[32];

	fr_buf_printf(t->out, "%s event%s of %s thread%s: ", fr_term_number(f->events, a),
		      fr_plural(f->events), fr_term_number(f->threads, b), fr_plural(f->threads));
	fr_buf_printf(t->out, "%s candidate%s", fr_term_number(s->candidates, a),
		      fr_plural(s->candidates));
	fr_buf_printf(t->out, ", %s predicted", fr_term_number(s->predicted, a));
	fr_buf_printf(t->out, ", %s infeasible", fr_term_number(s->infeasible, a));
	fr_buf_printf(t->out, ", %s undecided", fr_term_number(s->undecided, a));
	if (s->untried)
		fr_buf_printf(t->out, ", %s not tried", fr_term_number(s->untried, a));
	fr_buf_puts(t->out, "\n");
	FR_VEC_FOREACH (c, &s->why) {
		fr_escape_printf(t->out, "undecided: %s (%s)", c->text, fr_term_number(c->n, a));
		fr_buf_puts(t->out, "\n");
	}
	FR_VEC_FOREACH (o, &s->obstacle)
		obstacle(t, o);
	if (!s->complete) {
		fr_escape_printf(t->out, "not finished: %s; the findings so far are saved",
				 s->reason ? s->reason : "the prediction was stopped");
		fr_buf_puts(t->out, "\n");
	}
	FR_VEC_FOREACH (c, &s->missing) {
		fr_escape_printf(t->out, "%s: %s", c->text, fr_term_number(c->n, a));
		fr_buf_puts(t->out, "\n");
	}
}
