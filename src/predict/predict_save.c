/*
 * Writes the findings into the run folder: N/schedule, N/schedule.2, ... for each finding, then
 * findings.json, all or nothing.
 *
 * Invariant: findings.json never names a schedule that does not exist. During the work, findings
 * are numbered in the order of discovery, so that each schedule is written once. At the end they
 * are numbered worst first, and findings.json is removed only while the folders of the schedules
 * get their final names.
 */
#include "predict/predict.h"
#include "base/assert.h"
#include "base/fr_config.h"
#include "causality/slice.h"
#include "findings/renumber.h"
#include "predict/explain_reads.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the summary ---- */

static void count_jobs(struct fr_findings *f, const struct fr_work *w)
{
	static const char *const reason_name[] = {
#define FR_X(n, s) #n,
		FR_REASONS(FR_X)
#undef FR_X
	};
	uint64_t why[fr_array_size(reason_name)] = {0};
	struct fr_summary *s = &f->summary;

	s->candidates = w->ngroups;
	s->excluded = w->excluded;
	for (size_t i = 0; i < w->jobs; i++) {
		const struct fr_job *j = &w->job[i];

		if (j->state == FR_JOB_UNTRIED) { /* a thread may be working on it */
			s->untried += j->ngroups;
			continue;
		}
		for (uint32_t k = 0; k < j->ngroups; k++) {
			const struct fr_asked *g = &j->group[k];

			s->untried += g->state == FR_JOB_UNTRIED;
			s->predicted += g->state == FR_JOB_PREDICTED;
			s->infeasible += g->state == FR_JOB_INFEASIBLE;
			s->undecided += g->state == FR_JOB_UNDECIDED;
			if (g->state == FR_JOB_UNDECIDED)
				why[g->reason]++;
		}
		s->instances += j->asked;
		s->solver_s += j->solver_s;
	}
	fr_assert(s->untried + s->predicted + s->infeasible + s->undecided == s->candidates);
	for (size_t i = 0; i < fr_array_size(why); i++)
		if (why[i])
			fr_count_add(f, &s->why, reason_name[i], fr_reason_text[i], why[i]);
}

/* The work so far. A thread that still works is not in it. */
static void count_work(struct fr_predict_stats *s, struct fr_work *w)
{
	struct fr_oracle_stats o;

	pthread_mutex_lock(&w->stats_lock);
	o = w->stats;
	pthread_mutex_unlock(&w->stats_lock);
	s->known = true;
	s->read_s = w->run->read_s;
	s->causality_s = w->run->causality_s;
	s->generate_s = w->generate_s;
	s->ask_s = fr_work_seconds(w);
	s->pruned = !w->opt.whole;
	s->events = w->m->n;
	s->solver_calls = o.solver_calls;
	s->segments = o.segments;
	s->segment_mean = o.segments ? (double)o.segment_sum / (double)o.segments : 0;
	s->segment_max = o.segment_max;
	s->enlarged = o.enlarged;
	s->lattice = (struct fr_lattice_stats){.known = w->walks.walks > 0,
					       .walks = w->walks.walks,
					       .complete = w->walks.complete,
					       .found = w->walks.found,
					       .cuts = w->walks.cuts,
					       .levels = w->walks.levels,
					       .widest = w->walks.widest,
					       .time_s = w->walks.seconds};
	if (w->run->slice) {
		struct fr_slice_stats x;

		fr_slice_stats_get(w->run->slice, &x);
		s->slicing = (struct fr_slicing_stats){.known = true,
						       .prepare_s = w->run->slice_s,
						       .mask_s = x.mask_s,
						       .sites = x.sites,
						       .free_sites = x.free_sites,
						       .reads = x.reads,
						       .free_reads = x.free_reads,
						       .masks = x.masks,
						       .asked = x.asked};
	}
	for (unsigned i = 0; i < FR_TIER_COUNT; i++)
		if (o.tier[i].asked)
			fr_vec_push(&s->tier,
				    ((struct fr_tier_stats){(enum fr_tier)i, o.tier[i].asked,
							    o.tier[i].yes, o.tier[i].seconds}));
}

static void count_missing(struct fr_findings *f, const struct fr_work *w)
{
	struct fr_summary *s = &f->summary;
	const struct fr_model *m = w->m;
	const struct fr_trace *t = m->trace;

	if (w->cut_off)
		fr_count_add(f, &s->missing, "candidates_cut_off",
			     "searches for candidates that a limit stopped", w->cut_off);
	if (w->left_out)
		fr_count_add(f, &s->missing, "candidates_left_out",
			     "orders of accesses that are too unlikely to do harm to be tried",
			     w->left_out);
	FR_VEC_FOREACH (g, &w->groups)
		FR_VEC_FOREACH (name, &g->unmatched)
			fr_count_add(f, &s->missing, "atomic_set_unmatched",
				     fr_findings_printf(
					 f, "--atomic-set: shared locations named '%s'", *name),
				     0);
	if (w->rejected)
		fr_count_add(f, &s->missing, "schedules_rejected",
			     "schedules that the checker rejected (please report this)",
			     w->rejected);
	for (int i = 0; i < FR_MC_COUNT; i++)
		if (m->count[i])
			fr_count_add(f, &s->missing, fr_model_counter_name[i],
				     fr_model_counter_text[i], m->count[i]);
	for (int i = 0; t && i < FR_RTC_COUNT; i++)
		if (t->run.counters[i] && fr_rt_counter_loss[i] & FR_LOSS_REPORTED)
			fr_count_add(f, &s->missing, fr_rt_counter_name[i], fr_rt_counter_text[i],
				     t->run.counters[i]);
	for (size_t i = 0; t && i < t->run.unmodelled.n; i++)
		fr_count_add(f, &s->missing, "unmodelled",
			     fr_findings_printf(f, "calls of %s(), which forerun does not model",
						t->run.unmodelled.v[i].name),
			     t->run.unmodelled.v[i].calls);
	if (t && t->why)
		fr_count_add(
		    f, &s->missing, "incomplete",
		    fr_findings_printf(f, "the trace is incomplete: %s; threads in it", t->why),
		    t->thread.n);
}

/* Stores the user's names as options of forerun run, valid in any folder. */
static void describe_names(struct fr_findings *f, const struct fr_predict_args *a)
{
	for (size_t i = 0; i < a->atomic.n; i++)
		fr_vec_push(&f->named, fr_findings_printf(f, "--atomic=%s", a->atomic.v[i]));
	for (size_t i = 0; i < a->atomic_set.n; i++)
		fr_vec_push(&f->named,
			    fr_findings_printf(f, "--atomic-set=%s", a->atomic_set.v[i]));
	for (size_t i = 0; i < a->patterns.n; i++) {
		FR_CLEANUP(fr_freep) char *real = realpath(a->patterns.v[i], NULL);

		fr_vec_push(&f->named,
			    fr_findings_printf(f, "--pattern=%s", real ? real : a->patterns.v[i]));
	}
	for (size_t i = 0; i < a->specs.n; i++) {
		FR_CLEANUP(fr_freep) char *real = realpath(a->specs.v[i], NULL);

		fr_vec_push(&f->named,
			    fr_findings_printf(f, "--spec=%s", real ? real : a->specs.v[i]));
	}
}

static void describe_run(struct fr_findings *f, const struct fr_predict_saver *k)
{
	const struct fr_work *w = k->w;
	const struct fr_trace *t = w->m->trace;

	f->version = FR_VERSION;
	f->program = "";
	f->exit = -1;
	f->threads = w->m->nthreads;
	f->events = w->m->n;
	f->predict_s = fr_now_s() - w->began;
	if (!t)
		return;
	f->program = fr_findings_str(f, t->run.program);
	FR_VEC_FOREACH (a, &t->run.args)
		fr_vec_push(&f->args, fr_findings_str(f, *a));
	describe_names(f, k->args);
	f->exit = t->run.exit;
	f->signal = t->run.signal;
	f->threads = t->run.threads;
	f->events = t->run.events;
	f->record_s = t->run.record_s;
	f->imported = t->run.imported;
}

/* ---- schedules ---- */

static void name_schedules(struct fr_findings *f)
{
	FR_VEC_FOREACH (x, &f->finding)
		for (size_t i = 0; !x->unscheduled && i < x->interleaving.n; i++)
			fr_interleaving_name(f, &x->interleaving.v[i], x->id, (uint32_t)i + 1);
}

/* Returns the number that a job's finding has until the end. */
static uint32_t early_number(const struct fr_predict_saver *k, const struct fr_job *j)
{
	return j->nth + (k->failure.harm != FR_HARM_NOT_KNOWN);
}

static int write_schedules(struct fr_predict_saver *k, uint32_t number,
			   const struct fr_predicted *p, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *folder = fr_xasprintf("%s/%" PRIu32, k->dir, number);
	int r = fr_dir_mkdir(folder, reterr);

	fr_assert(number);
	for (size_t i = 0; i < p->interleaving.n && r >= 0; i++) {
		FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
		FR_CLEANUP(fr_freep) char *name = fr_schedule_name(number, (uint32_t)i + 1);
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", k->dir, name);

		fr_schedule_build(&k->order, p->generator, &p->interleaving.v[i], &s);
		r = fr_schedule_file_write(path, &s, reterr);
	}
	return r < 0 ? r : 0;
}

/* Is it a folder of schedules, or was it when a process was killed that renamed it? */
static bool is_of_finding(const char *name)
{
	size_t n = strspn(name, "0123456789");

	return n && *name != '0' && (!name[n] || !strcmp(name + n, FR_RENUMBER_SUFFIX));
}

/* Removes the schedules of one finding. Other files in its folder stay. */
static void remove_schedules(const char *path)
{
	int fd = fr_dir_list(path);
	DIR *h = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *d;

	while (h && (d = readdir(h)))
		if (!strncmp(d->d_name, "schedule", 8))
			unlinkat(dirfd(h), d->d_name, 0);
	if (h)
		closedir(h);
	else
		fr_closep(&fd);
	fr_dir_rmdir(path);
}

/* Removes the findings and schedules of an earlier prediction. */
static int remove_old(const char *dir, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *findings = fr_xasprintf("%s/findings.json", dir);
	FR_CLEANUP(fr_freep) char *order = fr_xasprintf("%s/schedule", dir);
	int r = fr_dir_unlink(findings), fd = r < 0 && r != -ENOENT ? -1 : fr_dir_list(dir);
	DIR *h = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (r < 0 && r != -ENOENT)
		return fr_err_set(reterr, r, "cannot replace '%s'", findings);
	while (h && (e = readdir(h))) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", dir, e->d_name);

		if (is_of_finding(e->d_name))
			remove_schedules(path);
	}
	fr_dir_unlink(order);
	if (h)
		closedir(h);
	else
		fr_closep(&fd);
	return 0;
}

/* ---- saving ---- */

/* Lists the jobs with findings. At the end they are in the order in which they were asked, which
   does not depend on the number of threads. Before, they are in the order of discovery; a job that
   has a number but has not set its state yet ends the list, and is saved the next time. A job that
   was found since the call began is not in the list. */
static size_t found_jobs(const struct fr_work *w, bool final, const struct fr_job ***ret)
{
	uint32_t n = w->found, k = 0;
	const struct fr_job **v = fr_xcalloc(n, sizeof(*v));

	for (size_t i = 0; i < w->jobs && k < n; i++)
		if (w->job[i].state == FR_JOB_PREDICTED && w->job[i].nth <= n) {
			uint32_t at = final ? k++ : w->job[i].nth - 1;

			fr_assert(at < n && !v[at]);
			v[at] = &w->job[i];
		}
	for (k = 0; k < n && v[k];)
		k++;
	*ret = v;
	return k;
}

/* Gives the folders the numbers of the findings, when all have the early numbers. Numbers without a
   folder that forerun made change places too: such a folder may hold files of the user. */
static int renumber(const struct fr_predict_saver *k, const struct fr_job *const *job,
		    const struct fr_findings *f, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/findings.json", k->dir);
	uint32_t n = fr_max(k->w->found + 1, (uint32_t)f->finding.n), next = 1;
	FR_CLEANUP(fr_freep) uint32_t *to = fr_xcalloc(n + 1, sizeof(*to));
	FR_CLEANUP(fr_freep) bool *taken = fr_xcalloc(n + 1, sizeof(*taken));
	int r;

	FR_VEC_FOREACH (x, &f->finding)
		if (!x->unscheduled) {
			to[early_number(k, job[x - f->finding.v])] = x->id;
			taken[x->id] = true;
		}
	for (uint32_t i = 1; i <= n; i++) {
		while (taken[next] && next < n)
			next++;
		if (!to[i]) {
			to[i] = next;
			taken[next] = true;
		}
	}
	r = fr_dir_unlink(path);
	if (r < 0)
		return fr_err_set(reterr, r, "cannot replace '%s'", path);
	return fr_findings_move(k->dir, to, n, reterr);
}

/* Writes everything. job: by finding; NULL if it has no schedule. */
static int write_all(struct fr_predict_saver *k, bool final, const struct fr_job *const *job,
		     const struct fr_findings *f, struct fr_err *reterr)
{
	FR_CLEANUP(fr_dir_drop) struct fr_dir_new new = {.fd = -1, .from = -1};
	bool first = !k->saved;
	/* First make sure that the new file fits: remove nothing before. */
	int r = fr_findings_write(k->dir, f, &new, reterr);

	if (!r && first)
		r = remove_old(k->dir, reterr);
	FR_VEC_FOREACH (x, &f->finding) {
		const struct fr_job *j = job[x - f->finding.v];

		if (r < 0)
			return r;
		if (x->unscheduled || j->nth <= k->saved)
			continue;
		fr_assert(x->interleaving.n == j->p.interleaving.n);
		r = write_schedules(k, first ? x->id : early_number(k, j), &j->p, reterr);
	}
	if (!r && k->order.used) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/schedule", k->dir);

		r = fr_schedule_file_write(path, &k->order.whole, reterr);
	}
	if (!r && final && !first)
		r = renumber(k, job, f, reterr);
	return r < 0 ? r : fr_findings_publish(k->dir, &new, reterr);
}

/* Puts the jobs into the order of the findings. Until now, `seen` held the index of each job. */
static const struct fr_job **match(struct fr_findings *f, const struct fr_job *const *job)
{
	const struct fr_job **v = fr_xcalloc(f->finding.n, sizeof(*v));

	FR_VEC_FOREACH (x, &f->finding) {
		if (x->unscheduled)
			continue;
		fr_assert(x->seen < f->finding.n);
		v[x - f->finding.v] = job[x->seen];
		x->seen = job[x->seen]->p.seen;
	}
	return v;
}

/* Looks once whether the recorded run failed. */
static int look_at_end(struct fr_predict_saver *k, struct fr_err *reterr)
{
	int r = k->looked ? 0 : fr_failure_open(k->w->m, &k->failure, reterr);

	k->looked = !r;
	return r;
}

/* Describes all findings: the failure first, then the jobs, then bugs that only the end of the run
   shows. */
static void describe_all(struct fr_predict_saver *k, struct fr_describer *d, bool final,
			 const struct fr_job *const *job, size_t n)
{
	bool deadlock = false;
	size_t signals = 0;
	uint32_t id = 0;

	if (k->failure.harm != FR_HARM_NOT_KNOWN)
		fr_failure_describe(&k->failure, d)->id = ++id;
	for (size_t i = 0; i < n; i++) {
		struct fr_finding *x = fr_describe(d, &job[i]->p);

		x->id = ++id;
		x->seen = i;
		if (k->args->explain)
			fr_explain_finding(d, k->w->run->slice, &job[i]->p, x);
		deadlock |= x->recorded;
	}
	if (final && k->args->explain)
		fr_explain_infeasible(d, k->w, d->f);
	if (final && k->failure.harm == FR_HARM_HANG && !deadlock) {
		struct fr_finding *x = fr_failure_deadlock(&k->failure, d);

		if (x)
			x->id = ++id;
	}
	for (struct fr_finding *x; final && (x = fr_failure_wakeup(&k->failure, d, &signals));)
		x->id = ++id;
}

/* A bug that happened in the recorded run explains its failure. */
static void explain(struct fr_findings *f)
{
	uint32_t by = 0;

	FR_VEC_FOREACH (x, &f->finding)
		if (!by && x->recorded && !fr_finding_recorded_failure(x) &&
		    x->interleaving.v[0].verdict == FR_VERDICT_CONFIRMED)
			by = x->id;
	FR_VEC_FOREACH (x, &f->finding)
		if (fr_finding_recorded_failure(x))
			x->explained_by = by;
}

int fr_predict_save(struct fr_predict_saver *k, bool final, const char *reason,
		    struct fr_findings *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	FR_CLEANUP(fr_freep) const struct fr_job **job = NULL, **in_order = NULL;
	FR_CLEANUP(fr_map_free) struct fr_map names = {0};
	struct fr_describer d = {
	    .m = k->w->m, .c = k->w->c, .stacks = &k->stacks, .f = &f, .names = &names};
	size_t n = found_jobs(k->w, final, &job);
	int r = look_at_end(k, reterr);

	if (r < 0)
		return r;
	fr_assert(n >= k->saved);
	k->order.m = k->w->m;
	describe_run(&f, k);
	count_jobs(&f, k->w);
	if (final)
		count_work(&f.summary.stats, k->w);
	count_missing(&f, k->w);
	f.summary.complete = !reason;
	f.summary.reason = fr_findings_str(&f, reason);
	for (size_t i = 0; i < n; i++)
		fr_describe_want(&d, &job[i]->p);
	fr_failure_want(&k->failure, &d);
	r = fr_hook_stacks_pass(&k->stacks, k->w->m, reterr);
	if (r < 0)
		return r;
	describe_all(k, &d, final, job, n);
	fr_assert(f.finding.n >= n);
	if (final)
		fr_findings_sort(&f);
	explain(&f);
	in_order = match(&f, job);
	name_schedules(&f);
	pthread_mutex_lock(&k->saving);
	r = write_all(k, final, in_order, &f, reterr);
	if (!r)
		k->saved = (uint32_t)n;
	pthread_mutex_unlock(&k->saving);
	if (ret) {
		*ret = f;
		f = (struct fr_findings){0};
	}
	return r;
}

void fr_predict_saver_free(struct fr_predict_saver *k)
{
	fr_hook_stacks_free(&k->stacks);
	fr_failure_free(&k->failure);
	fr_recorded_turns_free(&k->order);
}
