/*
 * Confirmation: see confirm.h. There is one task for each interleaving of each finding. One
 * interleaving may have several instances in a row: if one does no harm, the next is tried, and in
 * the end the best one is kept. The first interleaving of a finding is the one that the report
 * shows: the best proof comes first.
 *
 * If there are many races, those that do not interfere run together first (bundle.h), in the order
 * of the recorded run. In the other order, which is nearly always the harmful one, the first race
 * of the bundle runs alone. If it does no harm, the others run together in that order; otherwise
 * each runs alone. Bugs with one order of targets also run alone, unless they met in a harmless
 * bundle, and in its second run, in which other threads continue first.
 *
 * If the recorded run changed anything outside the program, re-executions run one after another.
 */
#include "confirm/confirm.h"
#include "confirm/cause_failure.h"
#include "confirm/cause_hang.h"
#include "confirm/needs_harm.h"
#include "base/assert.h"
#include "base/term.h"
#include "confirm/pointer_doubt.h"
#include <string.h>

struct fr_task {
	size_t finding, interleaving; /* indices into the findings as they were at the start */
	size_t instances;	      /* number of instances: `interleaving` and the next ones */
	size_t share;		      /* index of its first instance in fr_confirm.share */
	bool either;		      /* its targets happen in either order: a race */
	bool done;
	bool confirmed; /* an instance was confirmed */
	bool swapped;
	bool reversed;			  /* see fr_cause_find */
	uint64_t left[FR_EXECUTION_LEFT]; /* see fr_execution_how */
	struct fr_proof proof;
};

/* The bundles that contain an instance, by fr_bundle.reversed and fr_bundle.others. */
struct fr_share {
	struct fr_bundle_run *bundle[2][2]; /* NULL = none */
	size_t index[2][2];		    /* in the bundle */
	size_t members;			    /* of the first bundle */
	bool ordered;			    /* the bundle's bugs have one order of targets */
	bool swapped;			    /* the recorded order is not the schedule's */
	struct fr_bundle_run
	    *first; /* runs after this instance, if that did no harm; NULL = none */
};

/* `begun`: only of a bundle that runs when it is asked for: one that follows from races. */
struct fr_bundle_run {
	bool begun, over;
	size_t met; /* number of members that met, from the first on */
	enum { NOT_TRIED, HARMLESS, HARMFUL } first; /* see fr_share.first */
};

/* With fewer races a bundle does not pay: it is wasted if it does harm. In a longer run, the model
   takes longer than the bundle saves. */
#define RACES_MIN 4
#define EVENTS_MAX 1000000
#define MORE 32 /* tasks; a later race without harm tries no other instance and continuation */
#define WORK_MAX 30000000
#define SLOW_MAX 2 /* runs that time ended, of findings that need harm */

static void add_tasks(struct fr_confirm *c)
{
	size_t tried[FR_NEEDS_COUNT] = {0}; /* by need */
	FR_VEC(struct fr_task) v = {0};

	fr_assert(!c->task && !c->tasks);
	FR_VEC_FOREACH (x, &c->f->finding) {
		if (x->recorded || (c->only && x->id != c->only))
			continue; /* forerun has seen it in the recorded run */
		for (size_t i = 0, n; i < x->interleaving.n; i += n) {
			for (n = 1; i + n < x->interleaving.n &&
				    fr_interleaving_same(&x->interleaving.v[i],
							 &x->interleaving.v[i + n]);)
				n++;
			if (!x->interleaving.v[i].schedule)
				continue;
			if (x->needs && !c->only && tried[x->needs]++ >= FR_NEED_TRIES) {
				x->interleaving.v[i].detail = "not tried: others are more likely";
				continue;
			}
			fr_vec_push(&v, ((struct fr_task){.finding = (size_t)(x - c->f->finding.v),
							  .interleaving = i,
							  .instances = n}));
		}
	}
	c->task = v.v;
	c->tasks = v.n;
}

/* Reads the schedules of a task's instances. Clears those whose targets never happen, and those
   that are to do harm: a bundle cannot contain them. Returns the number of the others. */
static size_t read_task(struct fr_confirm *c, const struct fr_task *t, struct fr_schedule_file *s)
{
	const struct fr_finding *x = &c->f->finding.v[t->finding];
	size_t n = 0;

	for (size_t i = 0; i < t->instances; i++) {
		const char *name = x->interleaving.v[t->interleaving + i].schedule;
		FR_CLEANUP(fr_freep) char *path = NULL;

		if (!name)
			continue;
		path = fr_xasprintf("%s/%s", c->prover->dir, name);
		if (fr_prover_read(c->prover, path, &s[i], NULL) < 0)
			continue;
		if (fr_meeting_blocks(s[i].meeting) || !s[i].target.n || s[i].needs)
			fr_schedule_file_clear(&s[i]);
		else
			n++;
	}
	return n;
}

/* Chooses the race that runs before each reversed bundle: its first member that is the first
   instance of a task. Such tasks come first. */
static void choose_first(struct fr_confirm *c)
{
	size_t *best = fr_xcalloc(c->bundles.bundle.n + 1, sizeof(*best)); /* task + 1 */
	size_t n = 0;

	for (size_t i = 0; i < c->tasks; i++) {
		const struct fr_share *x = &c->share[c->task[i].share];
		size_t b = (size_t)(x->bundle[1][0] - c->bundle);

		if (x->bundle[1][0] &&
		    (!best[b] || x->index[1][0] < c->share[c->task[best[b] - 1].share].index[1][0]))
			best[b] = i + 1;
	}
	for (size_t b = 0; b < c->bundles.bundle.n; b++) {
		c->bundle[b].first = HARMFUL;
		if (!best[b])
			continue;
		c->bundle[b].first = NOT_TRIED;
		c->share[c->task[best[b] - 1].share].first = &c->bundle[b];
	}
	for (size_t i = 0; i < c->tasks; i++)
		if (c->share[c->task[i].share].first) {
			struct fr_task t = c->task[i];

			memmove(c->task + n + 1, c->task + n, (i - n) * sizeof(t));
			c->task[n++] = t;
		}
	free(best);
}

/* Makes bundles of the schedules that could be read and that no automaton judges, and links each
   instance with its bundles. */
static void make_bundles(struct fr_confirm *c, const struct fr_schedule_file *s, size_t all,
			 size_t can)
{
	const struct fr_schedule_file **list = fr_xcalloc(can, sizeof(*list));
	const struct fr_model *m = fr_prover_model(c->prover, NULL);
	size_t *which = fr_xcalloc(can, sizeof(*which)), n = 0;

	for (size_t i = 0; i < all; i++)
		if (s[i].kind && !fr_prover_watches(c->prover, &s[i])) {
			which[n] = i;
			list[n++] = &s[i];
		}
	fr_assert(n <= can);
	if (m)
		fr_bundle_make(m, list, n, RACES_MIN, WORK_MAX, &c->bundles);
	c->bundle = fr_xcalloc(c->bundles.bundle.n + 1, sizeof(*c->bundle));
	for (size_t b = 0; b < c->bundles.bundle.n; b++) {
		const struct fr_bundle *from = &c->bundles.bundle.v[b];

		for (size_t i = 0; i < from->member.n; i++) {
			struct fr_share *x = &c->share[which[from->member.v[i].sched]];

			fr_assert(!x->bundle[from->reversed][from->others]); /* in at most one */
			x->bundle[from->reversed][from->others] = &c->bundle[b];
			x->index[from->reversed][from->others] = i;
			if (from->base != b)
				continue;
			x->members = from->member.n;
			x->ordered = from->ordered;
			x->swapped = from->member.v[i].swapped;
		}
	}
	choose_first(c);
	free(which);
	free(list);
}

static void add_bundles(struct fr_confirm *c)
{
	struct fr_schedule_file *s;
	size_t all = 0, can = 0;

	for (size_t i = 0; i < c->tasks; i++) {
		c->task[i].share = all;
		all += c->task[i].instances;
	}
	c->share = fr_xcalloc(all + 1, sizeof(*c->share));
	if (c->alone || c->tasks < RACES_MIN || c->f->events > EVENTS_MAX)
		return;
	s = fr_xcalloc(all, sizeof(*s));
	for (size_t i = 0; i < c->tasks; i++)
		can += read_task(c, &c->task[i], &s[c->task[i].share]);
	if (can >= RACES_MIN)
		make_bundles(c, s, all, can);
	for (size_t i = 0; i < all; i++)
		fr_schedule_file_clear(&s[i]);
	free(s);
}

/* Sets the result of an interleaving. The lock is held. */
static void set(struct fr_findings *f, struct fr_interleaving *w, enum fr_verdict verdict,
		enum fr_harm harm, const char *detail, bool swapped)
{
	fr_assert(verdict != FR_VERDICT_CONFIRMED || harm != FR_HARM_NOT_KNOWN);
	fr_assert(verdict != FR_VERDICT_PREDICTED || !fr_harm_seen(harm));
	w->verdict = verdict;
	w->harm = harm;
	w->detail = fr_findings_str(f, detail);
	w->where = w->where_named = 0;
	w->never_woken = false;
	if (w->swapped != swapped)
		fr_interleaving_swap(w);
}

/* Stores the values that the re-execution saw. */
static void set_values(struct fr_interleaving *w, const struct fr_proof *p)
{
	fr_assert(p->nsaw <= fr_array_size(p->saw));
	for (size_t i = 0; i < p->nsaw && i < w->event.n; i++) {
		struct fr_finding_event *e = &w->event.v[i];

		e->seen = p->saw[i].known && p->saw[i].hook == e->hook;
		if (!e->seen)
			continue;
		e->known = true;
		e->value = p->saw[i].value;
		FR_VEC_FOREACH (s, &w->witness)
			if (s->role && s->hook == e->hook && s->thread == e->thread) {
				s->seen = s->known = true;
				s->value = e->value;
			}
	}
}

/* The events happened on another path, or with another schedule: stores their hooks. The other
   steps of the witness did not happen in that way. */
static void set_path(struct fr_interleaving *w, const struct fr_proof *p)
{
	size_t n = 0;

	w->other_path = !p->again;
	w->again = p->again;
	for (size_t i = 0; i < w->witness.n; i++) {
		struct fr_finding_event s = w->witness.v[i];

		for (size_t k = 0; s.role && k < p->nsaw && k < w->event.n; k++)
			if (s.thread == w->event.v[k].thread && s.hook == w->event.v[k].hook) {
				s.hook = p->saw[k].hook;
				break;
			}
		if (s.role)
			w->witness.v[n++] = s;
		else
			fr_finding_event_free(&s);
	}
	w->left_out += w->witness.n - n;
	w->witness.n = n;
	for (size_t i = 0; i < p->nsaw && i < w->event.n; i++)
		w->event.v[i].hook = p->saw[i].hook;
}

struct confirm_question {
	struct fr_confirm *c;
	const struct fr_share *x;
};

static size_t number_met(struct fr_confirm *c, size_t bundle);

/* Does the bundle run only when it is asked for? */
static bool waits_for_question(const struct fr_bundle *b)
{
	return b->reversed || (b->others && !b->ordered);
}

/* Can the bundle be useful? Waits for the executions that tell. */
static bool is_useful(struct fr_confirm *c, size_t i)
{
	const struct fr_bundle *b = &c->bundles.bundle.v[i];
	bool harmless;

	if (b->base != i && !number_met(c, b->base))
		return false;
	if (!b->reversed || b->others)
		return true;
	pthread_mutex_lock(&c->lock);
	while (c->bundle[i].first == NOT_TRIED)
		pthread_cond_wait(&c->bundled, &c->lock);
	harmless = c->bundle[i].first == HARMLESS;
	pthread_mutex_unlock(&c->lock);
	return harmless;
}

static void together(struct fr_confirm *c, size_t i)
{
	struct fr_execution_how how = {.limit = c->limit, .stop = c->stop, .control = true};
	const struct fr_bundle *b = &c->bundles.bundle.v[i];
	bool useful = is_useful(c, i);
	size_t n = 0;

	if (useful)
		fr_prover_bundle(c->prover, b, &how, &n, NULL);
	pthread_mutex_lock(&c->lock);
	fr_assert(!c->bundle[i].over);
	c->bundle[i].over = true;
	c->bundle[i].met = n;
	c->shared += waits_for_question(b) ? 0 : n; /* others count when they are used */
	c->together += useful;
	pthread_cond_broadcast(&c->bundled);
	pthread_mutex_unlock(&c->lock);
}

/* Returns the number of members that met in a bundle. Runs the bundle, or waits for its end. */
static size_t number_met(struct fr_confirm *c, size_t i)
{
	struct fr_bundle_run *b = &c->bundle[i];
	bool mine;
	size_t n;

	pthread_mutex_lock(&c->lock);
	mine = waits_for_question(&c->bundles.bundle.v[i]) && !b->begun;
	b->begun |= mine;
	pthread_mutex_unlock(&c->lock);
	if (mine)
		together(c, i);
	pthread_mutex_lock(&c->lock);
	while (!b->over)
		pthread_cond_wait(&c->bundled, &c->lock);
	n = b->met;
	pthread_mutex_unlock(&c->lock);
	return n;
}

/* Did the targets of the instance meet in this one of its bundles? */
static bool met_in(struct fr_confirm *c, const struct fr_share *x, bool reversed, bool others)
{
	const struct fr_bundle_run *b = x->bundle[reversed][others];

	return b && x->index[reversed][others] < number_met(c, (size_t)(b - c->bundle));
}

/* Did the targets meet in each bundle of the recorded order? */
static bool met(void *arg)
{
	const struct confirm_question *q = arg;

	return met_in(q->c, q->x, false, false) &&
	       (!q->x->ordered || met_in(q->c, q->x, false, true));
}

/* May this race try more than both orders of its first instance? */
static bool has_more(const struct fr_confirm *c, const struct fr_task *t)
{
	return t < c->task + MORE;
}

/* Do bundles show all that the instance would show alone? */
static bool met_everywhere(struct fr_confirm *c, const struct fr_task *t, const struct fr_share *x)
{
	struct confirm_question q = {.c = c, .x = x};

	if (x->ordered)
		return met(&q);
	if (!x->bundle[1][0] || x->first || c->prover->judge.failure ||
	    c->f->finding.v[t->finding].tier >= FR_TIER_RELAXED)
		return false;
	return met(&q) && met_in(c, x, true, false) &&
	       (!has_more(c, t) || (met_in(c, x, false, true) && met_in(c, x, true, true)));
}

/* Stores whether the race that is tried alone before its reversed bundle was harmless. */
static void note_first(struct fr_confirm *c, struct fr_bundle_run *b, bool harmless)
{
	pthread_mutex_lock(&c->lock);
	if (b->first == NOT_TRIED)
		b->first = harmless ? HARMLESS : HARMFUL;
	pthread_cond_broadcast(&c->bundled);
	pthread_mutex_unlock(&c->lock);
}

/* A race that did no harm in both orders: runs them again, with other threads continuing first. */
static void try_others(struct fr_confirm *c, const struct fr_task *t, const struct fr_share *x,
		       const struct fr_schedule_file *s, const struct fr_execution_how *how,
		       struct fr_proof *proof, bool *swapped)
{
	bool known[2] = {false, false};

	if (proof->ended == FR_ENDED_STOP || proof->j.verdict != FR_VERDICT_CONFIRMED ||
	    proof->j.harm != FR_HARM_NONE || !has_more(c, t))
		return;
	if (!x->ordered && met_in(c, x, false, true)) {
		known[x->swapped] = true;
		c->shared++;
	}
	fr_prover_others(c->prover, s, how, known, proof, swapped);
}

/* Runs one instance; w is its interleaving, of which only constant parts are read. */
static int try(struct fr_confirm *c, struct fr_task *t, const struct fr_interleaving *w,
	       const struct fr_share *x, const char *path, struct fr_err *err)
{
	struct confirm_question q = {.c = c, .x = x};
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	struct fr_execution_how how = {.limit = c->limit,
				       .stop = c->stop,
				       .control = true,
				       .only_harm = t->confirmed,
				       .by_place = !c->exact,
				       .left = t->left};
	int r = fr_prover_read(c->prover, path, &s, err);

	if (!r)
		r = fr_schedule_file_of_bug(&s, c->f->finding.v[t->finding].kind,
					    fr_interleaving_events(w), path, err);
	if (r < 0)
		return r;
	how.only_harm |= s.needs != FR_NEEDS_NO_HARM;
	/* Most guesses that need harm are orders that the program does not allow. */
	how.by_place &= !s.needs || s.needs == FR_NEEDS_TWICE || s.needs == FR_NEEDS_NULL ||
			c->f->finding.v[t->finding].tier < FR_TIER_RELAXED;
	t->swapped = false;
	t->either = s.meeting == FR_MEETING_EITHER_ORDER;
	if (met_everywhere(c, t, x)) {
		if (!x->ordered) {
			c->shared += has_more(c, t) ? 3 : 1;
			t->swapped = !x->swapped;
		}
		t->proof = (struct fr_proof){
		    .j = {.verdict = FR_VERDICT_CONFIRMED,
			  .detail = fr_xasprintf("seen in one execution with %zu other%s",
						 x->members - 1, fr_plural(x->members - 1))},
		    .meet = true};
		return 0;
	}
	if (!x->bundle[0][0] || x->ordered)
		r = fr_prover_both(c->prover, &s, &how, &t->proof, &t->swapped, err);
	else
		r = fr_prover_member(c->prover, &s, x->swapped, &how, met, &q, &t->proof,
				     &t->swapped, err);
	t->reversed = !r && fr_cause_find(c->prover, &s, w, &how, &t->proof);
	if (!r && !c->exact && !how.by_place && t->proof.left)
		fr_proof_leave_open(&t->proof, "does not search that path for a guess");
	if (!r && t->either)
		try_others(c, t, x, &s, &how, &t->proof, &t->swapped);
	return r;
}

/* Is a finding that needs harm left out, because too many runs of such findings took too long? */
static bool leaves_out(struct fr_confirm *c, const struct fr_task *t, size_t i)
{
	bool out;

	pthread_mutex_lock(&c->lock);
	out = c->f->finding.v[t->finding].needs && !c->only && c->slow >= SLOW_MAX;
	if (out)
		c->f->finding.v[t->finding].interleaving.v[i].detail =
		    "not tried: the re-executions of others take too long";
	pthread_mutex_unlock(&c->lock);
	return out;
}

/* Did time end the run? Other instances would take as long. The lock is held. */
static bool took_long(struct fr_confirm *c, const struct fr_task *t)
{
	bool slow = t->proof.ended == FR_ENDED_LIMIT || t->proof.ended == FR_ENDED_SPIN;

	c->slow += slow && c->f->finding.v[t->finding].needs;
	return slow;
}

/* Runs an instance and stores the result. True: another instance might do more harm. */
static bool run_instance(struct fr_confirm *c, struct fr_task *t, size_t i)
{
	FR_CLEANUP(fr_freep) char *path = NULL;
	struct fr_interleaving *w;
	struct fr_err err;
	bool again, harmless = false;
	int r;

	fr_assert(i >= t->interleaving && i < t->interleaving + t->instances);
	pthread_mutex_lock(&c->lock);
	w = &c->f->finding.v[t->finding].interleaving.v[i];
	path = fr_xasprintf("%s/%s", c->prover->dir, w->schedule);
	pthread_mutex_unlock(&c->lock);
	r = try(c, t, w, &c->share[t->share + i - t->interleaving], path, &err);
	if (!r && t->proof.path)
		r = fr_prover_write(c->prover, path, t->proof.path, &err);
	pthread_mutex_lock(&c->lock);
	if (r < 0) {
		set(c->f, w, FR_VERDICT_PREDICTED, FR_HARM_NOT_KNOWN, err.msg, false);
		if (!c->errors++)
			c->err = err;
	} else if (t->proof.ended != FR_ENDED_STOP) {
		const struct fr_judgement *j = &t->proof.j;

		set(c->f, w, j->verdict,
		    j->verdict == FR_VERDICT_CONFIRMED || j->harm ? j->harm : FR_HARM_NOT_KNOWN,
		    j->detail, t->swapped);
		w->end = j->end ? fr_findings_printf(c->f, "%.*s", (int)j->end, j->detail) : NULL;
		w->where = j->where;
		w->where_named = j->where_named;
		w->never_woken = j->verdict == FR_VERDICT_CONFIRMED && j->never_woken;
		w->others_first = t->proof.others;
		w->good = t->proof.good;
		if (t->reversed)
			fr_cause_reverse(w);
		else if (t->proof.path)
			set_path(w, &t->proof);
		if (t->proof.again)
			c->prover->again.describe(c->prover->again.arg, c->prover->model,
						  t->proof.path, c->f,
						  &c->f->finding.v[t->finding]);
		fr_confirm_keep(c, &t->proof, c->f->finding.v[t->finding].tier);
		set_values(w, &t->proof);
		t->done = true;
	}
	if (c->share[t->share].first && i == t->interleaving)
		harmless = !r && t->proof.j.verdict == FR_VERDICT_CONFIRMED &&
			   t->proof.j.harm == FR_HARM_NONE && t->proof.ended == FR_ENDED_ITSELF;
	/* Another instance in which a read must see the same is not tried. */
	again = !r && t->proof.ended != FR_ENDED_STOP && !took_long(c, t) && !t->proof.clear &&
		(t->proof.j.verdict != FR_VERDICT_CONFIRMED || !fr_harm_seen(t->proof.j.harm));
	pthread_mutex_unlock(&c->lock);
	if (harmless)
		note_first(c, c->share[t->share].first, true);
	if (!r)
		fr_proof_clear(&t->proof);
	return again;
}

static void one(struct fr_confirm *c, struct fr_task *t)
{
	for (size_t i = 0; i < t->instances && !*c->stop && !leaves_out(c, t, t->interleaving + i);
	     i++) {
		bool again = run_instance(c, t, t->interleaving + i);

		t->confirmed |= t->done && t->proof.j.verdict == FR_VERDICT_CONFIRMED;
		if (!again || (t->either && !has_more(c, t)))
			break;
	}
	c->confirmed += t->confirmed;
	if (c->share[t->share].first)
		note_first(c, c->share[t->share].first, false);
}

static void work(void *arg)
{
	struct fr_confirm *c = arg;
	size_t i;

	while (!*c->stop && fr_crew_take(&c->crew, &i)) {
		fr_assert(i < c->bundles.bundle.n + c->tasks);
		if (i >= c->bundles.bundle.n)
			one(c, &c->task[i - c->bundles.bundle.n]);
		else if (!waits_for_question(&c->bundles.bundle.v[i]))
			together(c, i);
		c->crew.done++;
	}
}

void fr_confirm_start(struct fr_confirm *c)
{
	fr_assert(c->prover && c->f && c->stop);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->bundled, NULL);
	add_tasks(c);
	add_bundles(c);
	c->crew.total = c->bundles.bundle.n + c->tasks;
	/* Re-executions that change the same things outside would see each other's changes. */
	if (fr_world_serial(&c->prover->world, &c->prover->recorded))
		c->jobs = 1;
	if (!fr_crew_start(&c->crew, c->jobs ? c->jobs : 1, work, c))
		work(c);
}

/* Returns the next interleaving that was tried, NULL = none. */
static struct fr_interleaving *next_tried(const struct fr_confirm *c, size_t *task, size_t *i)
{
	for (; *task < c->tasks; ++*task, *i = 0) {
		const struct fr_task *t = &c->task[*task];

		fr_assert(t->interleaving + t->instances <=
			  c->f->finding.v[t->finding].interleaving.n);
		if (t->done && *i < t->instances)
			return &c->f->finding.v[t->finding]
				    .interleaving.v[t->interleaving + (*i)++];
	}
	return NULL;
}

/* Does the last control show the same? Effects that vary between controls are no harm. */
static bool shown_by(const struct fr_judgement *control, const struct fr_interleaving *w)
{
	enum fr_harm h = w->harm;

	if (w->verdict == FR_VERDICT_REFUTED)
		return control->verdict != FR_VERDICT_CONFIRMED || fr_harm_seen(control->harm);
	if (w->verdict != FR_VERDICT_CONFIRMED || !fr_harm_seen(h))
		return false;
	return h == control->harm ||
	       ((h == FR_HARM_OUTPUT || h == FR_HARM_EXIT) &&
		(control->harm == FR_HARM_OUTPUT || control->harm == FR_HARM_EXIT));
}

/* Runs the recorded schedule once more after re-executions that did harm or left their schedule. No
   finding is blamed for its effects. */
static void last_control(struct fr_confirm *c)
{
	struct fr_execution_how how = {.limit = c->limit, .stop = c->stop};
	FR_CLEANUP(fr_freep) char *reason = NULL;
	struct fr_judgement j = {0};
	struct fr_interleaving *w;
	size_t task = 0, i = 0;

	if (*c->stop || !fr_prover_last_control(c->prover, &how, &j))
		return;
	reason = fr_xasprintf("the program does not repeat the recorded run: %s",
			      j.detail ? j.detail : "");
	while ((w = next_tried(c, &task, &i)))
		if (shown_by(&j, w))
			set(c->f, w, FR_VERDICT_UNKNOWN, FR_HARM_NOT_KNOWN, reason, false);
	free(j.detail);
}

/* Returns the difference if no control repeated the recorded run and other processes may be the
   cause; otherwise NULL. Each re-execution notices files that are not as they were
   (FR_NAME_KINDS). */
static const char *world_differs(const struct fr_prover *p)
{
	const struct fr_controls *controls = &p->judge.controls;

	if (controls->same || !p->recorded.child.n)
		return NULL;
	return controls->reason	  ? controls->reason
	       : controls->inputs ? "it gets another input from outside"
				  : NULL;
}

/* If the world differs, it may have done the harm: no finding is blamed for it. */
static void blame_nothing(struct fr_confirm *c)
{
	const char *reason = world_differs(c->prover);
	size_t task = 0, i = 0;
	struct fr_interleaving *w;

	while (reason && (w = next_tried(c, &task, &i)))
		if (w->verdict == FR_VERDICT_CONFIRMED && fr_harm_seen(w->harm)) {
			bool needs = c->f->finding.v[c->task[task].finding].needs;
			FR_CLEANUP(fr_freep)
			char *detail = fr_xasprintf(
			    "%s, perhaps because it does not repeat the recorded run: %s",
			    fr_harm_text(w->harm), reason);

			set(c->f, w, needs ? FR_VERDICT_UNKNOWN : FR_VERDICT_CONFIRMED,
			    needs ? FR_HARM_NOT_KNOWN : FR_HARM_UNKNOWN, detail, w->swapped);
		}
}

/* Stores the number of controls, and their problems, in the findings. */
static void note_controls(struct fr_confirm *c)
{
	const struct fr_controls *controls = &c->prover->judge.controls;

	c->f->control_runs = controls->run.n + c->prover->serial.runs;
	c->f->control_reason = fr_findings_str(c->f, controls->reason);
	c->f->boxed = c->prover->world.boxed;
	c->f->serial = fr_world_serial(&c->prover->world, &c->prover->recorded);
}

static bool better(const struct fr_interleaving *a, const struct fr_interleaving *b)
{
	return a->verdict != b->verdict ? a->verdict > b->verdict : a->harm > b->harm;
}

/* Keeps the best instance of each interleaving. */
static void leave_best(struct fr_finding *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->interleaving.n; i++) {
		struct fr_interleaving w = x->interleaving.v[i];

		if (!n || !fr_interleaving_same(&x->interleaving.v[n - 1], &w)) {
			x->interleaving.v[n++] = w;
			continue;
		}
		if (better(&w, &x->interleaving.v[n - 1])) {
			struct fr_interleaving t = x->interleaving.v[n - 1];

			x->interleaving.v[n - 1] = w;
			w = t;
		}
		fr_interleaving_free(&w);
	}
	x->interleaving.n = n;
}

/* Puts the best proof first, and among equal proofs the worst harm. */
static void best_first(struct fr_finding *x)
{
	leave_best(x);
	for (size_t i = 1; i < x->interleaving.n; i++) {
		if (better(&x->interleaving.v[i], &x->interleaving.v[0])) {
			struct fr_interleaving t = x->interleaving.v[0];

			x->interleaving.v[0] = x->interleaving.v[i];
			x->interleaving.v[i] = t;
		}
		fr_assert_slow(!better(&x->interleaving.v[i], &x->interleaving.v[0]));
	}
}

/* Names the first finding that made the recorded run fail; rather one that users see than one that
   another finding explains. */
static void explain_failure(struct fr_findings *f)
{
	const struct fr_finding *cause = NULL;

	FR_VEC_FOREACH (x, &f->finding)
		if (!fr_finding_recorded_failure(x) && x->interleaving.v[0].good &&
		    (!cause || (cause->explained_by && !x->explained_by)))
			cause = x;
	FR_VEC_FOREACH (x, &f->finding)
		if (fr_finding_recorded_failure(x) && cause)
			x->explained_by = cause->id;
}

static void explain_hang(struct fr_confirm *c)
{
	struct fr_execution_how how = {.limit = c->limit, .stop = c->stop, .control = true};

	if (!*c->stop)
		fr_cause_hang(c->prover, c->f, c->only, &how);
}

void fr_confirm_finish(struct fr_confirm *c)
{
	fr_crew_join(&c->crew);
	fr_assert(c->crew.done <= c->crew.total);
	last_control(c);
	blame_nothing(c);
	explain_hang(c);
	note_controls(c);
	if (c->prover->model)
		fr_doubt_refuted(c->f, c->prover->model);
	FR_VEC_FOREACH (x, &c->f->finding)
		best_first(x);
	fr_need_name(c->f);
	fr_need_explain(c->f);
	fr_confirm_add_failures(c);
	explain_failure(c->f);
	free(c->task);
	free(c->bundle);
	free(c->share);
	fr_bundle_list_free(&c->bundles);
	c->task = NULL;
	c->bundle = NULL;
	c->share = NULL;
	c->tasks = 0;
}

void fr_confirm_none(struct fr_findings *f, const char *reason)
{
	FR_VEC_FOREACH (x, &f->finding)
		for (struct fr_interleaving *w = x->interleaving.v;
		     !x->recorded && w < x->interleaving.v + x->interleaving.n; w++)
			set(f, w, FR_VERDICT_PREDICTED, FR_HARM_NOT_KNOWN, reason, false);
}
