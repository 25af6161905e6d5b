/*
 * The work itself: generates the candidates, puts those of one bug into a job, and asks the oracle
 * in worker threads (predict_ask.c drives them). Each thread has its own oracle and takes the next
 * job in the order of the run. The answers do not depend on the number of threads, unless time runs
 * out.
 *
 * The instances of one job are spread over the run, and a checker takes long to go back. So a
 * thread checks the schedules of the sync tier, which answers fast, for many jobs at once and in
 * the order of their cuts. A job has no result before that: an interrupt loses at most the last
 * second. In short runs, where going back costs nothing, each job has its result at once.
 */
#include "predict/predict.h"
#include "base/assert.h"
#include "base/debug.h"
#include "causality/slice.h"
#include "findings/run_failure.h"
#include "predict/inert_orders.h"
#include <inttypes.h>
#include <string.h>

double fr_work_seconds(const struct fr_work *w)
{
	return fr_now_s() - w->start;
}

static fr_ev last_target(const struct fr_job *j)
{
	const struct fr_candidate *c = &j->group->group->instance.v[0]->what;
	fr_ev last = 0;

	fr_assert(c->npending && c->npending <= FR_TARGETS);
	for (uint32_t i = 0; i < c->npending; i++)
		last = fr_max(last, c->pending[i]);
	return last;
}

static bool is_near(const struct fr_job *j)
{
	return fr_region_is_near(j->group->group->region);
}

/* Neighbourhoods come last: if time runs out, they are the ones that stay untried. */
static int by_last_target(const void *pa, const void *pb)
{
	const struct fr_job *a = pa, *b = pb;
	fr_ev x = last_target(a), y = last_target(b);

	if (is_near(a) != is_near(b))
		return is_near(a) ? 1 : -1;
	if (x != y)
		return x < y ? -1 : 1;
	return (a->group->group->key > b->group->group->key) -
	       (a->group->group->key < b->group->group->key);
}

static uint64_t bug_of(const struct fr_asked *g)
{
	return g->group->bug ? g->group->bug : g->group->key;
}

/* Sorts groups of one bug together, each in the generator's order. */
static int by_bug(const void *pa, const void *pb)
{
	const struct fr_asked *a = pa, *b = pb;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (bug_of(a) != bug_of(b))
		return bug_of(a) < bug_of(b) ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

/* Did the instance happen in the recorded run, as far as the order of its events shows? */
static bool happened(const struct fr_instance *in)
{
	for (uint32_t i = 1; i < in->nactors; i++)
		if (in->actor[i].ev <= in->actor[i - 1].ev)
			return false;
	return in->nactors > 1;
}

/* Is x rather the cause of the recorded failure than y? */
static bool is_nearer_failure(const struct fr_instance *x, const struct fr_instance *y)
{
	if (!happened(x) || !happened(y))
		return happened(x) && !happened(y);
	return x->actor[x->nactors - 1].ev > y->actor[y->nactors - 1].ev;
}

/* Puts the instances that may be the cause of the recorded failure first, the last one of the run
   at the beginning. The others keep their order. */
static void failing_first(struct fr_group *g)
{
	for (size_t i = 1; i < g->instance.n; i++) {
		struct fr_instance *in = g->instance.v[i];
		size_t k = i;

		for (; k && is_nearer_failure(in, g->instance.v[k - 1]); k--)
			g->instance.v[k] = g->instance.v[k - 1];
		g->instance.v[k] = in;
	}
}

static void generate(struct fr_work *w, const struct fr_generator *kind)
{
	struct fr_groups g = {0};

	kind->generate(kind, w->m, w->c, &w->what, &g);
	if (w->failed)
		FR_VEC_FOREACH (x, &g.group)
			failing_first(x);
	if (kind->needs == FR_NEEDS_FAILURE)
		fr_inert_leave_out(w, &g);
	fr_debug(FR_DEBUG_GENERATE,
		 "%s: %zu groups, %" PRIu64 " instances excluded, %" PRIu64 " searches cut off",
		 kind->name, g.group.n, g.excluded, g.cut_off);
	fr_vec_push(&w->groups, g);
	w->excluded += g.excluded;
	w->cut_off += g.cut_off;
	w->left_out += g.left_out;
	w->walks.walks += g.walks.walks;
	w->walks.complete += g.walks.complete;
	w->walks.found += g.walks.found;
	w->walks.cuts += g.walks.cuts;
	w->walks.levels += g.walks.levels;
	w->walks.widest = fr_max(w->walks.widest, g.walks.widest);
	w->walks.seconds += g.walks.seconds;
}

void fr_work_prepare(struct fr_work *w, struct fr_analysis *run, bool any_tier,
		     const struct fr_pure *pure)
{
	bool again = run->m->trace && !run->m->trace->run.imported;

	fr_analysis_causality(run, run->m);
	w->run = run;
	w->m = run->m;
	w->c = run->c;
	w->guess = any_tier && again;
	if (run->m->trace) {
		FR_CLEANUP(fr_freep) char *report = NULL;

		w->failed = fr_run_failure(run->m->trace, &report) != FR_HARM_NOT_KNOWN;
	}
	if ((w->opt.tier >= FR_TIER_SLICED || w->guess) && again)
		fr_analysis_slice(run, run->m, pure);
}

static void make_jobs(struct fr_work *w)
{
	size_t n = 0;

	FR_VEC_FOREACH (x, &w->groups)
		n += x->group.n;
	w->group = fr_xcalloc(n, sizeof(*w->group));
	w->job = fr_xcalloc(n, sizeof(*w->job));
	for (size_t i = 0; i < w->groups.n; i++)
		FR_VEC_FOREACH (g, &w->groups.v[i].group)
			if (g->instance.n)
				w->group[w->ngroups++] =
				    (struct fr_asked){.group = g, .kind = (uint32_t)i};
	if (w->ngroups)
		qsort(w->group, w->ngroups, sizeof(*w->group), by_bug);
	for (size_t i = 0; i < w->ngroups; i++) {
		struct fr_asked *g = &w->group[i];

		if (!i || g->kind != g[-1].kind || bug_of(g) != bug_of(&g[-1]))
			w->job[w->jobs++] =
			    (struct fr_job){.p = {.generator = w->kind[g->kind]}, .group = g};
		w->job[w->jobs - 1].ngroups++;
		w->job[w->jobs - 1].p.seen += g->group->instances_seen;
	}
	fr_assert(w->jobs <= w->ngroups && w->ngroups <= n);
}

void fr_work_generate(struct fr_work *w, const struct fr_generator *const *kinds)
{
	double begin = fr_now_s();

	w->kind = kinds;
	w->what.slice = w->opt.tier >= FR_TIER_SLICED ? w->run->slice : NULL;
	w->what.no_walks = w->opt.tier < FR_TIER_PRECISE;
	w->what.walk_s = w->opt.per_candidate;
	w->what.walks_s = w->total / 10;
	for (size_t i = 0; kinds[i]; i++)
		generate(w, kinds[i]);
	make_jobs(w);
	if (w->jobs)
		qsort(w->job, w->jobs, sizeof(*w->job), by_last_target);
	w->generate_s = fr_now_s() - begin;
}

/* Is there time left? */
static bool has_time(const struct fr_work *w)
{
	return !w->stop && (!w->opt.deadline || fr_now_s() < w->opt.deadline);
}

#define FEW 200 /* groups */

/* Returns the number of feasible instances of a group to keep. The harm of an instance depends on
   the other events at the time. So forerun tries a few, unless there are many groups, and they are
   races or only neighbourhood suggests that the accesses should be atomic. */
static uint32_t wanted(const struct fr_work *w, const struct fr_job *j, const struct fr_group *g)
{
	bool race = j->p.generator->meeting == FR_MEETING_EITHER_ORDER;

	if (w->all)
		return UINT32_MAX;
	if (j->p.generator->needs == FR_NEEDS_HANG)
		return 3;
	if (!j->p.generator->guess && !race)
		return 1;
	return w->ngroups < FEW || (!race && !fr_region_is_near(g->region)) ? 3 : 1;
}

/* Asks for a second guess: the first may keep, or leave out, the wrong events. */
static bool try_again(struct fr_oracle *o, struct fr_job *j, const struct fr_group *g, uint32_t i,
		      bool lean, const struct fr_schedule *other)
{
	struct fr_decision v;

	fr_oracle_ask_hybrid(o, &g->instance.v[i]->what, lean, &v);
	if (v.answer == FR_FEASIBLE &&
	    (v.schedule.cut != other->cut || v.schedule.step.n != other->step.n)) {
		fr_vec_push(&j->p.interleaving, ((struct fr_feasible){g, g->instance.v[i], v}));
		return true;
	}
	fr_decision_free(&v);
	return false;
}

/* The last tier that may be asked. */
static enum fr_tier last_tier(const struct fr_work *w, const struct fr_job *j)
{
	return w->guess && j->p.generator->guess ? FR_TIER_HYBRID : w->opt.tier;
}

/* May the harm of a value that is read too early or too late need other events, which the shortest
   schedule leaves for later? Then the guess that includes them is tried, too. */
static bool needs_others(const struct fr_work *w, const struct fr_job *j, const struct fr_group *g)
{
	enum fr_needs needs = fr_group_needs(j->p.generator, g);

	return !w->all && w->ngroups < FEW && last_tier(w, j) == FR_TIER_HYBRID &&
	       (needs == FR_NEEDS_FAILURE || needs == FR_NEEDS_BRANCH);
}

/* Asks about an instance. The tiers that guess cannot tell whether the rest of the run is
   possible. */
static void ask_instance(struct fr_oracle *o, const struct fr_instance *in, struct fr_decision *ret)
{
	if (in->found)
		fr_oracle_take(o, &in->what, in->mask, &in->schedule, ret);
	else
		fr_oracle_ask(o, &in->what, ret);
	if (ret->answer != FR_FEASIBLE || in->found || !in->to_end ||
	    fr_oracle_completes(o, &in->what, ret))
		return;
	fr_decision_free(ret);
	*ret = (struct fr_decision){
	    .answer = FR_UNKNOWN, .reason = FR_WHY_END, .solver_s = ret->solver_s};
}

/* Asks about the instances of a group. False: there was no time for any of them. */
static bool try_group(struct fr_work *w, struct fr_oracle *o, struct fr_job *j, struct fr_asked *g)
{
	const struct fr_group *from = g->group;
	uint32_t i, all = wanted(w, j, from), more = all, relax = w->opt.relax;

	fr_assert(more && from->instance.n && g->state == FR_JOB_UNTRIED);
	for (i = 0; i < from->instance.n && has_time(w); i++) {
		struct fr_decision v = {0};

		fr_oracle_set_relax(o, relax);
		ask_instance(o, from->instance.v[i], &v);
		j->asked++;
		j->solver_s += v.solver_s;
		if (v.answer == FR_FEASIBLE) {
			fr_vec_push(&j->p.interleaving,
				    ((struct fr_feasible){from, from->instance.v[i], v}));
			g->state = FR_JOB_PREDICTED;
			more--;
			if (from->instance.v[i]->found || from->instance.v[i]->to_end) {
				if (!more)
					break;
				continue;
			}
			if (v.tier == FR_TIER_RELAXED && last_tier(w, j) == FR_TIER_HYBRID) {
				if (try_again(o, j, from, i, false, &v.schedule) && more)
					more--;
				/* The search takes long; the next instances are guessed. */
				relax = w->all ? relax : 0;
			}
			if (more && v.tier == FR_TIER_HYBRID &&
			    try_again(o, j, from, i, true, &v.schedule))
				more--;
			if (more && more == all - 1 && needs_others(w, j, from) &&
			    v.tier < FR_TIER_RELAXED &&
			    try_again(o, j, from, i, false, &v.schedule))
				more--;
			if (!more)
				break;
			continue;
		}
		if (v.answer == FR_UNKNOWN && g->state == FR_JOB_UNTRIED) {
			g->state = FR_JOB_UNDECIDED;
			g->reason = v.reason;
		}
		fr_decision_free(&v);
	}
	if (g->state != FR_JOB_UNTRIED)
		return true;
	if (i < from->instance.n && !i)
		return false;
	g->state = i < from->instance.n ? FR_JOB_UNDECIDED : FR_JOB_INFEASIBLE;
	g->reason = FR_WHY_TOTAL;
	return true;
}

static void try(struct fr_work *w, struct fr_oracle *o, struct fr_job *j)
{
	fr_oracle_set_tier(o, last_tier(w, j));
	for (uint32_t i = 0; i < j->ngroups && try_group(w, o, j, &j->group[i]); i++)
		;
}

/* ---- results ---- */

#define TOGETHER 256   /* jobs whose schedules are checked together, */
#define TOGETHER_S 1.0 /* or as many as a thread asks about in this time, */
#define SHORT 65536    /* or one, in a run with at most this many events */

struct unchecked {
	const struct fr_candidate *what;
	struct fr_decision *decision;
};

static int by_cut(const void *pa, const void *pb)
{
	const struct unchecked *a = pa, *b = pb;
	fr_ev x = a->decision->schedule.cut, y = b->decision->schedule.cut;

	return (x > y) - (x < y);
}

/* Drops the interleavings that the checker rejected. */
static void drop_rejected(struct fr_job *j)
{
	size_t n = 0;

	FR_VEC_FOREACH (r, &j->p.interleaving)
		if (r->decision.answer == FR_FEASIBLE)
			j->p.interleaving.v[n++] = *r;
	if (n == j->p.interleaving.n)
		return;
	j->p.interleaving.n = n;
	for (uint32_t i = 0; i < j->ngroups; i++) {
		bool left = false;

		FR_VEC_FOREACH (r, &j->p.interleaving)
			left |= r->group == j->group[i].group;
		if (j->group[i].state == FR_JOB_PREDICTED && !left) {
			j->group[i].state = FR_JOB_UNDECIDED;
			j->group[i].reason = FR_WHY_REJECTED;
		}
	}
}

/* Sets the result of a job, which other threads may read from then on. */
static void finish(struct fr_work *w, struct fr_job *j)
{
	enum fr_job_state state = FR_JOB_UNTRIED;

	drop_rejected(j);
	for (uint32_t i = 0; i < j->ngroups; i++) {
		enum fr_job_state s = j->group[i].state;

		if (state == FR_JOB_UNTRIED || s == FR_JOB_PREDICTED ||
		    (s == FR_JOB_UNDECIDED && state == FR_JOB_INFEASIBLE))
			state = s;
	}
	fr_assert((state == FR_JOB_PREDICTED) == (j->p.interleaving.n > 0));
	if (state == FR_JOB_PREDICTED)
		j->nth = atomic_fetch_add(&w->found, 1) + 1;
	j->state = state;
}

static void finish_all(struct fr_work *w, struct fr_oracle *o, struct fr_job *const *job, size_t n)
{
	FR_VEC(struct unchecked) x = {0};

	for (size_t i = 0; i < n; i++)
		FR_VEC_FOREACH (r, &job[i]->p.interleaving)
			if (r->decision.tier == FR_TIER_SYNC)
				fr_vec_push(&x,
					    ((struct unchecked){&r->instance->what, &r->decision}));
	if (x.n)
		qsort(x.v, x.n, sizeof(*x.v), by_cut);
	FR_VEC_FOREACH (u, &x)
		if (!fr_oracle_accepts(o, u->what, &u->decision->schedule))
			u->decision->answer = FR_UNKNOWN;
	fr_vec_free(&x);
	for (size_t i = 0; i < n; i++)
		finish(w, job[i]);
}

static void work(void *arg)
{
	struct fr_work *w = arg;
	struct fr_oracle_opt opt = w->opt;
	struct fr_oracle *o;
	struct fr_job *job[TOGETHER];
	double since = fr_now_s();
	size_t i, n = 0, most = w->m->n <= SHORT ? 1 : TOGETHER;

	opt.later = true;
	o = fr_oracle_new(w->m, w->c, &opt);
	while (has_time(w) && fr_crew_take(&w->crew, &i)) {
		fr_assert(i < w->jobs && w->job[i].state == FR_JOB_UNTRIED);
		try(w, o, &w->job[i]);
		job[n++] = &w->job[i];
		w->crew.done++;
		if (n < most && fr_now_s() - since < TOGETHER_S)
			continue;
		finish_all(w, o, job, n);
		since = fr_now_s();
		n = 0;
	}
	finish_all(w, o, job, n);
	w->rejected += fr_oracle_rejected(o);
	pthread_mutex_lock(&w->stats_lock);
	fr_oracle_stats_add(o, &w->stats);
	pthread_mutex_unlock(&w->stats_lock);
	fr_oracle_free(o);
}

bool fr_work_start(struct fr_work *w)
{
	w->start = fr_now_s();
	fr_analysis_give_masks(w->run, &w->opt);
	pthread_mutex_init(&w->stats_lock, NULL);
	if (w->total > 0)
		w->opt.deadline = w->start + w->total;
	w->crew.total = w->jobs;
	return fr_crew_start(&w->crew, w->threads, work, w);
}

void fr_work_free(struct fr_work *w)
{
	for (size_t i = 0; i < w->jobs; i++) {
		FR_VEC_FOREACH (r, &w->job[i].p.interleaving)
			fr_decision_free(&r->decision);
		fr_vec_free(&w->job[i].p.interleaving);
	}
	FR_VEC_FOREACH (g, &w->groups)
		fr_groups_free(g);
	fr_vec_free(&w->groups);
	free(w->job);
	free(w->group);
	*w = (struct fr_work){0};
}
