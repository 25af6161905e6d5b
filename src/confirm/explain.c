/*
 * Describes a re-execution in sentences. The event kinds, sites and thread numbers in the control
 * file are the program's: any number is possible.
 */
#include "confirm/judge.h"
#include "base/assert.h"
#include "findings/finding.h"
#include "symbols/symbol.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define WAITERS 6 /* waiting threads that are named */

static void value(struct fr_buf *out, uint64_t v)
{
	fr_buf_printf(out, v > UINT32_MAX ? "0x%" PRIx64 : "%" PRIu64, v);
}

/* Returns the object's name in the source. `stack` may be NULL. */
static char *named(const struct fr_judge *j, const struct fr_control_file_seen *s,
		   const struct fr_crash_stack *stack)
{
	uint32_t site[FR_CRASH_FRAMES + 1] = {s->site}, n = 1;

	for (uint32_t i = stack ? stack->n : 0; i-- > 1;)
		site[n++] = stack->call[i - 1];
	fr_assert(n <= fr_array_size(site));
	return fr_explain_object(j->sites, j->run->modules.v, j->run->modules.n, s->kind, s->addr,
				 site, n);
}

static void object(const struct fr_judge *j, const struct fr_control_file_seen *s,
		   const struct fr_crash_stack *stack, struct fr_buf *out)
{
	FR_CLEANUP(fr_freep) char *name = named(j, s, stack);

	if (!name)
		name = fr_symbol_data(j->run->modules.v, j->run->modules.n, s->addr);
	if (name)
		fr_buf_printf(out, "`%s`", name);
	else
		fr_buf_printf(out, "the object at 0x%" PRIx64, s->addr);
}

static const char *kind_name(unsigned kind)
{
	const char *s = fr_event_name(kind);

	return s ? s : "an unknown operation";
}

static const char *outcome_name(unsigned outcome)
{
	static const char *const name[] = {"succeeded",
					   "was refused",
					   "timed out",
					   "got the lock from a dead owner",
					   "would have blocked itself",
					   "was not allowed",
					   "was interrupted",
					   "was cancelled",
					   "returned PTHREAD_BARRIER_SERIAL_THREAD",
					   "failed"};

	return outcome < fr_array_size(name) ? name[outcome] : "did something else";
}

static const char *schedule_thread(const struct fr_execution *r, uint32_t thread)
{
	return thread < r->file.nthreads ? r->file.thread[thread] : "?";
}

/* Returns the name of the thread that was seen, or of the expected one. */
static const char *diverging_thread(const struct fr_execution *r,
				    const struct fr_control_file_diverged *d)
{
	if (d->why == FR_DIV_NO_THREAD && d->expected.thread < r->file.nthreads)
		return schedule_thread(r, d->expected.thread);
	if (fr_execution_thread(r, d->seen.id))
		return fr_execution_thread(r, d->seen.id);
	if (d->seen.thread < r->file.nthreads)
		return schedule_thread(r, d->seen.thread);
	return schedule_thread(r, d->expected.thread);
}

static void at(const struct fr_judge *j, uint32_t site, struct fr_buf *out)
{
	fr_buf_puts(out, " at ");
	fr_explain_position(j->sites, site, out);
}

static void other_operation(const struct fr_judge *j, const struct fr_control_file_diverged *d,
			    struct fr_buf *out)
{
	fr_buf_printf(out, "does %s", kind_name(d->seen.kind));
	at(j, d->seen.site, out);
	fr_buf_printf(out, ", expected: %s", kind_name(d->expected.kind));
	at(j, d->expected.site, out);
}

static void blocked(const struct fr_judge *j, const struct fr_execution *r,
		    const struct fr_control_file_diverged *d, struct fr_buf *out)
{
	fr_buf_puts(out, "has to wait for ");
	if (d->seen.kind == FR_EV_THREAD_JOIN)
		fr_buf_printf(out, "the end of thread %s",
			      fr_execution_thread_text(r, (uint32_t)d->seen.addr));
	else if (d->seen.kind == FR_EV_USER_ACQUIRE && fr_signal_number(d->seen.addr))
		fr_buf_printf(out, "signal %" PRIu64, d->seen.addr);
	else
		object(j, &d->seen, NULL, out);
	if (d->holder && d->seen.kind != FR_EV_THREAD_JOIN)
		fr_buf_printf(out, ", which thread %s holds,",
			      fr_execution_thread_text(r, d->holder));
	at(j, d->seen.site, out);
	fr_buf_puts(out, ", but the schedule expects it to continue");
}

/* The turns are over, and a thread's target is not pending. */
static void not_pending(const struct fr_judge *j, const struct fr_control_file_diverged *d,
			struct fr_buf *out)
{
	fr_buf_printf(out, "is %s its target, %s",
		      d->seen.hook >= d->expected.hook ? "past" : "not at",
		      kind_name(d->expected.kind));
	at(j, d->expected.site, out);
	fr_buf_printf(out, ": %" PRIu64 " of its hooks have happened, expected: %" PRIu64,
		      d->seen.hook, d->expected.hook - 1);
}

static void apart(const struct fr_judge *j, const struct fr_execution *r,
		  const struct fr_control_file_diverged *d, struct fr_buf *out)
{
	const struct fr_control_file_seen *other = &r->file.c->apart;

	fr_buf_printf(out, "does %s of ", kind_name(d->seen.kind));
	object(j, &d->seen, NULL, out);
	at(j, d->seen.site, out);
	fr_buf_printf(out, ", expected: the memory of thread %s, which does %s of ",
		      fr_execution_thread_text(r, other->id), kind_name(other->kind));
	object(j, other, NULL, out);
	at(j, other->site, out);
}

static void reused(const struct fr_judge *j, const struct fr_execution *r,
		   const struct fr_control_file_diverged *d, struct fr_buf *out)
{
	const struct fr_control_file_seen *other = &r->file.c->apart;

	fr_buf_printf(out, "does %s", kind_name(d->seen.kind));
	at(j, d->seen.site, out);
	fr_buf_printf(out, " in the stack of thread %s, which may have another variable there now",
		      fr_execution_thread_text(r, other->id));
}

static void how(const struct fr_judge *j, const struct fr_execution *r,
		const struct fr_control_file_diverged *d, struct fr_buf *out)
{
	static const char *const text[] = {
		"",
#define FR_X(n, s) s,
		FR_DIVERGENCES(FR_X)
#undef FR_X
	};

	switch (d->why) {
	case FR_DIV_KIND:
	case FR_DIV_SITE:
		other_operation(j, d, out);
		return;
	case FR_DIV_VALUE:
		fr_buf_puts(out, "reads ");
		value(out, d->seen.value);
		at(j, d->seen.site, out);
		fr_buf_puts(out, ", expected: ");
		value(out, d->expected.value);
		return;
	case FR_DIV_OUTCOME:
		fr_buf_printf(out, "%s", kind_name(d->seen.kind));
		at(j, d->seen.site, out);
		fr_buf_printf(out, " %s, expected: %s", outcome_name(d->seen.outcome),
			      outcome_name(d->expected.outcome));
		return;
	case FR_DIV_BLOCKED:
		blocked(j, r, d, out);
		return;
	case FR_DIV_NOT_BLOCKED:
		fr_buf_printf(out, "does %s", kind_name(d->seen.kind));
		at(j, d->seen.site, out);
		fr_buf_puts(out, " and continues, expected: it waits there for ever");
		return;
	case FR_DIV_NO_THREAD:
		fr_buf_puts(out, "must run, but does not exist yet");
		return;
	case FR_DIV_BRINK:
		not_pending(j, d, out);
		return;
	case FR_DIV_APART:
		apart(j, r, d, out);
		return;
	case FR_DIV_REUSED:
		reused(j, r, d, out);
		return;
	case FR_DIV_ORDER:
		fr_buf_printf(out, "%s %s", d->seen.order ? "was too late with" : "has not done",
			      kind_name(d->seen.kind));
		at(j, d->seen.site, out);
		return;
	case FR_DIV_THREAD_ENDED:
	case FR_DIV_PROGRAM_ENDED:
		fr_buf_printf(out, "must reach its hook %" PRIu64 ", but %s", d->expected.hook,
			      text[d->why]);
		return;
	default:
		fr_buf_printf(out, "%s: %s", kind_name(d->seen.kind),
			      d->why < FR_DIV_COUNT ? text[d->why]
						    : "the program left the schedule");
		if (d->seen.site)
			at(j, d->seen.site, out);
	}
}

/* Names the events of the recorded run that cannot be repeated: their time is not recorded. */
static void excuses(const struct fr_judge *j, const struct fr_control_file_diverged *d,
		    struct fr_buf *out)
{
	FR_VEC_FOREACH (u, &j->run->unmodelled)
		if (!strcmp(u->name, "pthread_setcanceltype"))
			fr_buf_printf(out,
				      "; threads of the program can be cancelled at any "
				      "instruction (pthread_setcanceltype, calls: %" PRIu64
				      "), and the recording does not say where that happened",
				      u->calls);
	if (j->handlers)
		fr_buf_printf(out,
			      "; signals came from outside (handlers that ran: %" PRIu64
			      "), and the recording does not say between which instructions",
			      j->handlers);
	if (j->unexplained && d->why == FR_DIV_VALUE)
		fr_buf_printf(
		    out,
		    "; threads of the recorded run raced (reads of a value that no recorded "
		    "write stored: %" PRIu64 ")",
		    j->unexplained);
}

/* Prints a name that the program wrote: it may contain anything. */
static void name(struct fr_buf *out, const char *s)
{
	for (size_t i = 0; s[i]; i++)
		fr_buf_printf(out, (unsigned char)s[i] < ' ' || s[i] == 127 ? "\\x%02x" : "%c",
			      (unsigned char)s[i]);
}

void fr_explain_world(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	static const char *const kind[] = {
#define FR_X(n, s) s,
		FR_NAME_KINDS(FR_X)
#undef FR_X
	};
	const struct fr_control_file_world *o = &r->file.c->world;
	const char *how = "it has changed";

	if (o->lost) {
		fr_buf_puts(out, "the program uses more names of files and other objects than "
				 "forerun can track, so forerun cannot tell whether they are as "
				 "they were when the run was recorded");
		return;
	}
	if (o->kind == FR_WORLD_SIGNAL) {
		fr_buf_printf(out,
			      "thread %s gets a signal that a child sent in the recorded run, but "
			      "the child has not sent it",
			      fr_execution_thread_text(r, o->seen.id));
		return;
	}
	if (o->kind == FR_WORLD_PEER) {
		fr_buf_printf(
		    out,
		    "forerun could not play the part of a client or server of the recorded "
		    "run (%s)",
		    strerror(o->error));
		return;
	}
	if (!o->then)
		how = o->error ? strerror(o->error) : "the recorded run did not use it";
	else if (o->now & FR_NAME_THERE && o->then & FR_NAME_ABSENT)
		how = "it did not exist then";
	else if (o->now & FR_NAME_ABSENT)
		how = "it no longer exists";
	fr_buf_printf(out,
		      "a %s is not as it was when the run was recorded (%s), first in thread %s",
		      o->kind < FR_NAME_KIND_COUNT ? kind[o->kind] : "name", how,
		      fr_execution_thread_text(r, o->seen.id));
	if (o->seen.site)
		at(j, o->seen.site, out);
	if (*o->name) {
		fr_buf_puts(out, ": '");
		name(out, o->name);
		fr_buf_puts(out, "'");
	}
}

void fr_explain_outside(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	const struct fr_control_file_seen *s = &r->file.c->input_seen;

	if (fr_judge_outside(r)) {
		fr_buf_puts(out, "; ");
		fr_explain_world(j, r, out);
		return;
	}
	if (!r->file.c->inputs_differ)
		return;
	fr_buf_printf(out,
		      "; the program got another input from outside than in the recorded run, ");
	fr_buf_printf(out, "first in thread %s", fr_execution_thread_text(r, s->id));
	if (s->site)
		at(j, s->site, out);
}

void fr_explain_divergence(const struct fr_judge *j, const struct fr_execution *r,
			   struct fr_buf *out)
{
	const struct fr_control_file *c = r->file.c;

	fr_buf_printf(out, "thread %s ", diverging_thread(r, &c->diverged));
	how(j, r, &c->diverged, out);
	if (!c->departs)
		excuses(j, &c->diverged, out);
	fr_explain_outside(j, r, out);
}

/* Returns the next expectation with a site in the turn, NULL = none. */
static const struct fr_control_file_expect *expected(const struct fr_execution *r,
						     const struct fr_control_file_turn *t)
{
	struct fr_control_file *c = r->file.c;
	const struct fr_control_file_expect *x = fr_control_file_expects(c);
	uint64_t done = fr_execution_hooks(r, schedule_thread(r, t->thread));

	for (uint64_t i = 0; i < c->nexpect; i++)
		if (x[i].thread == t->thread && x[i].hook > done && x[i].hook <= t->hook &&
		    x[i].site && !(x[i].flags & (FR_CTL_ANYSITE | FR_CTL_SIGNAL)))
			return &x[i];
	return NULL;
}

void fr_explain_due(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	struct fr_control_file *c = r->file.c;
	const struct fr_control_file_expect *x;
	const struct fr_control_file_turn *t;

	if (c->turn == c->nturns)
		return;
	t = &fr_control_file_turns(c)[c->turn];
	fr_buf_printf(out, ": thread %s had yet to reach ", schedule_thread(r, t->thread));
	x = expected(r, t);
	if (x) {
		fr_buf_puts(out, kind_name(x->kind));
		at(j, x->site, out);
	} else {
		fr_buf_printf(out, "its hook %" PRIu64, t->hook);
	}
}

static void target(const struct fr_judge *j, const struct fr_execution *r,
		   const struct fr_control_file_seen *s, struct fr_buf *out)
{
	fr_buf_printf(out, "thread %s, hook %" PRIu64 ": %s of ",
		      fr_execution_thread_text(r, s->id), s->hook, kind_name(s->kind));
	object(j, s, NULL, out);
	if (s->size && !fr_frees(s->kind)) { /* an access */
		fr_buf_puts(out, " = ");
		value(out, s->value);
	}
	at(j, s->site, out);
	fr_buf_puts(out, "\n");
}

void fr_explain_seen(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	const struct fr_control_file *c = r->file.c;

	for (uint32_t i = 0; i < c->ntargets; i++)
		if (c->met[i].hook)
			target(j, r, &c->met[i], out);
	fr_buf_printf(out, "%" PRIu64 " turns, %" PRIu64 " switches; hooks", (uint64_t)c->turn,
		      (uint64_t)c->switches);
	for (uint32_t i = 0; i < r->hooks.n; i++)
		fr_buf_printf(out, "%s thread %s: %" PRIu64, i ? "," : " of",
			      fr_execution_thread_text(r, i + 1), r->hooks.v[i]);
	fr_buf_puts(out, "\n");
}

void fr_explain_read(const struct fr_judge *j, const struct fr_execution *r,
		     const struct fr_control_file_read *read, uint64_t recorded, struct fr_buf *out)
{
	struct fr_control_file_seen seen = {
	    .addr = read->addr, .site = read->site, .kind = FR_EV_READ};
	struct fr_site_info s = fr_sites_get(j->sites, read->site);

	fr_buf_printf(out, "thread %s reads ", schedule_thread(r, read->thread));
	value(out, read->value);
	fr_buf_puts(out, " from ");
	if (s.known && *s.name)
		fr_buf_printf(out, "`%s`", s.name);
	else
		object(j, &seen, NULL, out);
	if (s.known && s.line)
		fr_buf_printf(out, " at %s:%" PRIu32 ":%" PRIu32 " in %s()", s.file, s.line,
			      s.column, s.function);
	fr_buf_puts(out, ", but ");
	value(out, recorded);
	fr_buf_puts(out, " in the recorded run");
}

/* ---- failures ---- */

/* Returns the innermost call outside system headers, 0 = none. */
static uint32_t own_call(const struct fr_judge *j, const struct fr_crash_stack *stack)
{
	for (uint32_t i = stack->n; i-- > 0;)
		if (stack->call[i] && !fr_explain_of_system(j->sites, stack->call[i]))
			return stack->call[i];
	return 0;
}

/* Returns a waiting thread; one that waits for the end of another only if all do. */
static const struct fr_control_file_waiter *first_waiter(const struct fr_control_file *c)
{
	for (uint32_t i = 0; i < c->nwaiters; i++)
		if (c->waiter[i].seen.kind != FR_EV_THREAD_JOIN)
			return &c->waiter[i];
	return &c->waiter[0];
}

bool fr_explain_failure(struct fr_judge *j, const struct fr_execution *r,
			struct fr_judged_position *ret)
{
	const struct fr_control_file *c = r->file.c;
	bool hang = c->phase == FR_PHASE_HANG && c->nwaiters;
	const struct fr_control_file_waiter *w = first_waiter(c);
	const struct fr_crash_stack *stack = hang ? &w->stack : &c->crash.stack;
	struct fr_pcsite p = {.how = FR_PCSITE_NOTHING};
	struct fr_site_info s = {0};
	uint32_t site = own_call(j, stack);

	if (hang && w->seen.site && !fr_explain_of_system(j->sites, w->seen.site))
		site = w->seen.site;
	if (!hang && c->crash.pc)
		fr_pcsite_resolve(j->pcs, c->crash.pc, &p);
	if (fr_explain_in_frame(&(struct fr_explainer){j->sites, j->pcs}, &p, stack))
		*ret = (struct fr_judged_position){.file = fr_xstrdup(p.file),
						   .function = fr_xstrdup(p.function),
						   .line = p.line,
						   .column = p.column};
	else if (site && (s = fr_sites_get(j->sites, site)).known)
		*ret = (struct fr_judged_position){.file = fr_xstrdup(s.file),
						   .function = fr_xstrdup(s.function),
						   .line = s.line,
						   .column = s.column};
	else
		return false;
	ret->thread =
	    fr_xstrdup(fr_execution_thread_text(r, hang ? w->seen.id : c->crash.stack.id));
	return true;
}

/* ---- waits for something outside ---- */

void fr_explain_waits(const struct fr_execution *r, struct fr_buf *out)
{
	static const char *const text[] = {
#define FR_X(n, s) s,
		FR_OUTSIDES(FR_X)
#undef FR_X
	};
	const struct fr_control_file *c = r->file.c;
	const char *sep = "";

	fr_buf_printf(out, "no thread could run, but something outside may still wake one: ");
	for (unsigned i = 0; i < FR_OUTSIDE_COUNT; i++)
		if (c->outside >> i & 1) {
			fr_buf_printf(out, "%s%s", sep, text[i]);
			sep = ", ";
		}
}

/* ---- hangs ---- */

static void waits_for(const struct fr_judge *j, const struct fr_execution *r,
		      const struct fr_control_file_waiter *w, struct fr_buf *out)
{
	fr_buf_printf(out, "thread %s waits ", fr_execution_thread_text(r, w->seen.id));
	switch (w->seen.kind) {
	case FR_EV_THREAD_JOIN:
		fr_buf_printf(out, "for the end of thread %s",
			      fr_execution_thread_text(r, (uint32_t)w->seen.addr));
		break;
	case FR_EV_USER_ACQUIRE:
		fr_buf_printf(out, "for signal %" PRIu64, w->seen.addr);
		break;
	case FR_EV_FUTEX_WAIT:
		fr_buf_puts(out, "for a wake-up of ");
		object(j, &w->seen, &w->stack, out);
		break;
	case FR_EV_INPUT:
		fr_buf_printf(out, "for descriptor %" PRIu64, w->seen.addr);
		break;
	case FR_EV_COND_WAIT:
		fr_buf_puts(out, "for a signal of ");
		object(j, &w->seen, &w->stack, out);
		break;
	case FR_EV_BARRIER_ENTER:
	case FR_EV_BARRIER_LEAVE:
		fr_buf_puts(out, "for others at the barrier ");
		object(j, &w->seen, &w->stack, out);
		break;
	case FR_EV_SEM_WAIT:
		fr_buf_puts(out, "for a post of ");
		object(j, &w->seen, &w->stack, out);
		break;
	default:
		fr_buf_puts(out, "for ");
		object(j, &w->seen, &w->stack, out);
	}
	at(j, fr_explain_own_site(j->sites, w->seen.site, &w->stack), out);
	if (w->holder && w->seen.kind != FR_EV_THREAD_JOIN)
		fr_buf_printf(out, ", which thread %s holds",
			      fr_execution_thread_text(r, w->holder));
}

/* A thread repeats a loop. */
static void polls(const struct fr_judge *j, const struct fr_execution *r,
		  const struct fr_control_file_waiter *w, struct fr_buf *out)
{
	struct fr_site_info s = fr_sites_get(j->sites, w->seen.site);

	fr_buf_printf(out, "thread %s ", fr_execution_thread_text(r, w->seen.id));
	if (fr_event_class(w->seen.kind) == 'a') {
		fr_buf_puts(out, "polls ");
		if (s.known && s.name && *s.name)
			fr_buf_printf(out, "`%s`", s.name);
		else
			object(j, &w->seen, &w->stack, out);
		at(j, fr_explain_own_site(j->sites, w->seen.site, &w->stack), out);
		fr_buf_puts(out, ", which no thread will change");
		return;
	}
	fr_buf_puts(out, "repeats a loop");
	if (w->seen.kind && w->seen.outcome) {
		fr_buf_puts(out, " that tries ");
		object(j, &w->seen, &w->stack, out);
	}
	at(j, fr_explain_own_site(j->sites, w->seen.site, &w->stack), out);
	if (w->holder)
		fr_buf_printf(out, ", which thread %s holds",
			      fr_execution_thread_text(r, w->holder));
	else
		fr_buf_puts(out, ", and nothing will end it");
}

/* Ranks loops and waits for a lock first, and joins last: the former cause the others. */
static unsigned rank_of(const struct fr_control_file_waiter *w)
{
	if (w->polls)
		return 0;
	return w->seen.kind == FR_EV_THREAD_JOIN ? 2 : w->holder ? 0 : 1;
}

void fr_explain_hang(const struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	const struct fr_control_file *c = r->file.c;
	uint32_t n = c->nwaiters, said = 0;

	for (unsigned rank = 0; rank < 3; rank++)
		for (uint32_t i = 0; i < n && said < WAITERS; i++) {
			if (rank_of(&c->waiter[i]) != rank)
				continue;
			fr_buf_puts(out, said++ ? "; " : "");
			(c->waiter[i].polls ? polls : waits_for)(j, r, &c->waiter[i], out);
		}
	fr_assert(said <= n);
	if (!n)
		fr_buf_puts(out, "no thread can continue");
	else if (n > said)
		fr_buf_printf(out, "; and %" PRIu32 " more", n - said);
}
