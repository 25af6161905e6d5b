/*
 * The prover: see prove.h. It runs a schedule, judges the result, and runs controls (controls.h) as
 * far as the result depends on them.
 *
 * Invariant: `control_lock` is held while a control runs, except for the last one, which runs when
 * no other thread does. `lock` is held while the judge works.
 */
#include "confirm/prove.h"
#include "findings/run_failure.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/dir.h"
#include "base/hash.h"
#include "confirm/modules.h"
#include "confirm/needs_harm.h"
#include "confirm/recorded_schedule.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Reads the whole schedule once for all that refer to it. Those report its errors. */
static void read_whole(struct fr_prover *p)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/schedule", p->dir);

	p->has_whole =
	    fr_dir_stat(path, NULL) == 0 && fr_schedule_file_read(path, &p->whole, NULL) == 0;
}

static void note_failure(struct fr_prover *p)
{
	FR_CLEANUP(fr_freep) char *report = NULL;

	p->judge.failure = fr_max(fr_run_failure(p->trace, &report), FR_HARM_NONE);
	p->serial.good_exit = fr_run_good_exit(&p->trace->run);
}

/* Loads the model first if loading may leave spin reads out of the trace: all readers of the trace
   must count the same hooks. */
static void leave_out_spin_reads(struct fr_prover *p)
{
	const struct fr_sites *sites = p->trace->sites;
	struct fr_err err;

	for (uint32_t i = 1; sites && i <= fr_sites_count(sites); i++)
		if (fr_sites_get(sites, i).access & FR_SITE_WAITS) {
			fr_prover_model(p, &err); /* without it, nothing is left out */
			return;
		}
}

int fr_prover_open(struct fr_prover *p, const char *dir, fr_prover_ask *ask, bool trust, bool box,
		   struct fr_err *reterr)
{
	int r;

	*p = (struct fr_prover){.dir = dir, .model = p->model};
	pthread_mutex_init(&p->lock, NULL);
	pthread_mutex_init(&p->control_lock, NULL);
	pthread_mutex_init(&p->loading, NULL);
	fr_serial_init(&p->serial);
	fr_known_init(&p->known);
	if (p->model)
		p->trace = p->model->trace;
	r = p->trace ? 0 : fr_trace_open(dir, &p->trace, reterr);
	if (!r)
		r = ask(dir, trust, &p->trace->run, &p->token, reterr);
	if (!r)
		r = fr_launch_prepare(&p->start, dir, &p->trace->run, reterr);
	if (!r)
		leave_out_spin_reads(p);
	if (!r)
		r = fr_recorded_load(p->trace, &p->recorded, reterr);
	if (!r && p->recorded.foreign)
		r = fr_err_say(reterr, -ENOTSUP,
			       "parts of the program were built with -fsanitize=thread and cannot "
			       "follow a schedule: build them with 'forerun-cc'");
	if (r < 0)
		return r; /* the model stays: the caller's analysis refers to it */
	fr_world_open(&p->world, dir, p->trace, &p->recorded, box);
	p->start.box = p->world.boxed ? &p->world.box : NULL;
	p->start.ghosts = p->world.has_ghosts ? &p->world.ghosts : NULL;
	fr_judge_init(&p->judge, dir, &p->trace->run, p->trace->sites);
	note_failure(p);
	p->judge.handlers = p->recorded.handlers;
	fr_orphans_adopt();
	fr_reaper_start(&p->reaper);
	read_whole(p);
	return 0;
}

void fr_prover_close(struct fr_prover *p)
{
	fr_reaper_stop(&p->reaper);
	if (p->judge.pcs)
		fr_judge_free(&p->judge);
	fr_serial_free(&p->serial);
	fr_world_close(&p->world);
	fr_recorded_free(&p->recorded);
	fr_launch_free(&p->start);
	if (p->model)
		fr_model_free(p->model);
	else
		fr_trace_free(p->trace);
	fr_schedule_file_clear(&p->whole);
	free(p->token);
	fr_schedule_file_clear(&p->recorded_schedule);
	fr_known_free(&p->known);
	p->model = NULL;
	p->trace = NULL;
	p->token = NULL;
}

const struct fr_model *fr_prover_model(struct fr_prover *p, struct fr_err *reterr)
{
	pthread_mutex_lock(&p->loading);
	if (!p->model)
		fr_model_load_trace(p->trace, &p->model, reterr);
	pthread_mutex_unlock(&p->loading);
	return p->model;
}

int fr_prover_read(const struct fr_prover *p, const char *path, struct fr_schedule_file *ret,
		   struct fr_err *reterr)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	int r = fr_schedule_file_read_with(path, p->has_whole ? &p->whole : NULL, &s, reterr);

	if (!r)
		r = fr_modules_of_schedule(&p->trace->run, &s, path, reterr);
	if (r < 0)
		return r;
	*ret = s;
	s = (struct fr_schedule_file){0};
	return 0;
}

/* Returns the number of turns with which both schedules begin. */
static size_t common_turns(const struct fr_schedule_file *a, const struct fr_schedule_file *b)
{
	size_t n = 0;

	while (n < a->turn.n && n < b->turn.n && a->turn.v[n].hook == b->turn.v[n].hook &&
	       !strcmp(a->thread.v[a->turn.v[n].thread], b->thread.v[b->turn.v[n].thread]))
		n++;
	return n;
}

int fr_prover_write(const struct fr_prover *p, const char *path, struct fr_schedule_file *s,
		    struct fr_err *reterr)
{
	size_t n = p->has_whole ? common_turns(s, &p->whole) : 0;
	struct fr_schedule_file rest = *s;

	if (n > FR_SCHEDULE_INLINE) {
		rest.prefix = n;
		rest.turn.v += n;
		rest.turn.n -= n;
	}
	return fr_schedule_file_write(path, &rest, reterr);
}

/* Returns the processor with the fewest re-executions, + 1; 0 = unknown. */
static uint32_t take_cpu(struct fr_prover *p)
{
	uint32_t best = CPU_SETSIZE;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return 0;
	pthread_mutex_lock(&p->lock);
	for (uint32_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set) && (best == CPU_SETSIZE || p->on_cpu[i] < p->on_cpu[best]))
			best = i;
	if (best < CPU_SETSIZE)
		p->on_cpu[best]++;
	pthread_mutex_unlock(&p->lock);
	return best < CPU_SETSIZE ? best + 1 : 0;
}

static void give_cpu(struct fr_prover *p, uint32_t cpu)
{
	pthread_mutex_lock(&p->lock);
	fr_assert(!cpu || p->on_cpu[cpu - 1]);
	if (cpu)
		p->on_cpu[cpu - 1]--;
	pthread_mutex_unlock(&p->lock);
}

int fr_prover_execute(struct fr_prover *p, const struct fr_schedule_file *s,
		      const struct fr_control_file_how *file_how,
		      const struct fr_execution_how *how, struct fr_execution *ret,
		      struct fr_err *reterr)
{
	struct fr_control_file_handle file = {0};
	uint32_t cpu;
	int r = fr_control_file_build(s, &p->recorded, file_how, &file, reterr);

	if (r < 0)
		return r;
	fr_control_file_add_world(file.c, &p->trace->run, p->patience);
	fr_debug(FR_DEBUG_CONFIRM, "runs %s%s%s%s%s", s->kind, file_how->swapped ? ", swapped" : "",
		 file_how->then == FR_THEN_OTHERS ? ", others first" : "",
		 file_how->runs_first ? ", serial" : "", file_how->by_place ? ", by place" : "");
	cpu = file.c->cpu = take_cpu(p);
	r = fr_execution_run(&p->start, &file, how, ret, reterr);
	give_cpu(p, cpu);
	return r;
}

/* ---- controls ---- */

/* Makes the recorded schedule once. `control_lock` is held. */
static int make_recorded_schedule(struct fr_prover *p, struct fr_err *reterr)
{
	const struct fr_model *m;
	int r;

	if (p->has_recorded_schedule)
		return 0;
	m = fr_prover_model(p, reterr);
	r = m ? fr_recorded_schedule(m, &p->recorded_schedule, reterr) : -EBADMSG;
	if (r < 0)
		return r;
	p->has_recorded_schedule = true;
	pthread_mutex_lock(&p->lock);
	p->judge.unexplained = m->count[FR_MC_reads_unexplained];
	pthread_mutex_unlock(&p->lock);
	return 0;
}

/* Is this another end than the recorded run's? Other output alone is not: it may vary. */
static bool other_end(const struct fr_judgement *j)
{
	return j->verdict != FR_VERDICT_CONFIRMED || j->harm > FR_HARM_OUTPUT;
}

/* Re-executes the recorded schedule and adds the result to the controls. `control_lock` is held.
   ret: the judgement, compared with earlier controls; the caller frees its detail. */
static int control(struct fr_prover *p, const struct fr_execution_how *how, bool other,
		   struct fr_judgement *ret)
{
	struct fr_control_file_how as = {.other = other};
	struct fr_controls *controls = &p->judge.controls;
	struct fr_execution_how plain = {.limit = how->limit, .stop = how->stop};
	struct fr_execution seen;
	bool whole, differs;
	int r = make_recorded_schedule(p, NULL);

	if (!r)
		r = fr_prover_execute(p, &p->recorded_schedule, &as, &plain, &seen, NULL);
	controls->other |= other;
	if (r < 0)
		return r;
	pthread_mutex_lock(&p->lock);
	fr_judge(&p->judge, &seen, how->limit, ret);
	whole = ret->verdict == FR_VERDICT_CONFIRMED && seen.ended == FR_ENDED_ITSELF;
	differs = other_end(ret) || fr_judge_outside(&seen);
	if (seen.ended == FR_ENDED_STOP)
		r = -EINTR;
	else if (!other && !controls->reason && differs)
		controls->reason = fr_xstrdup(ret->detail ? ret->detail : "it ended differently");
	controls->inputs |= !other && seen.file.c->inputs_differ;
	controls->same |= !r && !other && !differs && !seen.file.c->inputs_differ;
	/* With other inputs the program may take another path. Then the control proves nothing. */
	if (!r && (!other || whole))
		fr_controls_add(controls, &seen, other);
	pthread_mutex_unlock(&p->lock);
	fr_execution_free(&seen);
	if (r < 0)
		free(ret->detail);
	return r;
}

static bool failed(const struct fr_judgement *j)
{
	return j->verdict == FR_VERDICT_REFUTED || fr_harm_seen(j->harm) || j->outside;
}

/* Could a control show that this is no failure? One with other inputs can, if the re-execution had
   other inputs itself. */
static bool in_question(const struct fr_controls *controls, const struct fr_execution *seen,
			const struct fr_judgement *j, bool *ret_other)
{
	*ret_other = controls->exact && !controls->other;
	return failed(j) &&
	       (!controls->exact || (!controls->other && seen->file.c->made_up &&
				     (j->harm == FR_HARM_EXIT || j->harm == FR_HARM_OUTPUT)));
}

static void judge(struct fr_prover *p, const struct fr_execution *seen, double limit,
		  struct fr_judgement *ret)
{
	fr_judgement_clear(ret);
	pthread_mutex_lock(&p->lock);
	fr_judge(&p->judge, seen, limit, ret);
	pthread_mutex_unlock(&p->lock);
}

/* If the recorded run cannot be repeated, nothing is refuted. */
static void not_refuted(const struct fr_controls *controls, struct fr_judgement *j)
{
	char *was = j->detail;

	if (j->verdict != FR_VERDICT_REFUTED || !controls->reason)
		return;
	j->verdict = FR_VERDICT_UNKNOWN;
	j->harm = FR_HARM_NONE;
	j->end = 0; /* that text is replaced */
	j->detail =
	    fr_xasprintf("the program does not repeat the recorded run: %s", controls->reason);
	free(was);
}

void fr_prover_judge(struct fr_prover *p, const struct fr_execution *seen,
		     const struct fr_execution_how *how, struct fr_judgement *ret)
{
	struct fr_controls *controls = &p->judge.controls;
	struct fr_judgement c = {0};
	bool other, fresh = false;

	*ret = (struct fr_judgement){0};
	judge(p, seen, how->limit, ret);
	if (!how->control || !failed(ret) || seen->ended == FR_ENDED_STOP)
		return;
	pthread_mutex_lock(&p->control_lock);
	judge(p, seen, how->limit, ret); /* a control may have ended since */
	while (in_question(controls, seen, ret, &other) && control(p, how, other, &c) == 0) {
		fresh |= !other;
		free(c.detail);
		judge(p, seen, how->limit, ret);
	}
	controls->unlike++;
	if (!fresh && p->recorded.shared && !(controls->unlike & (controls->unlike - 1)) &&
	    failed(ret) && control(p, how, false, &c) == 0) {
		fresh = true;
		free(c.detail);
		judge(p, seen, how->limit, ret);
	}
	controls->checked = fresh ? controls->unlike : controls->checked;
	fr_assert(controls->checked <= controls->unlike);
	not_refuted(controls, ret);
	pthread_mutex_unlock(&p->control_lock);
}

/* ---- serial controls ---- */

struct serial {
	struct fr_prover *p;
	const struct fr_execution_how *how;
};

static int execute_serial(void *arg, const struct fr_schedule_file *s,
			  const struct fr_serial_rest *rest, struct fr_execution *ret)
{
	const struct serial *x = arg;
	struct fr_execution_how plain = {.limit = x->how->limit, .stop = x->how->stop};
	struct fr_control_file_how file_how = {.runs_first = rest->runs_first + 1,
					       .then = rest->then};

	return fr_prover_execute(x->p, s, &file_how, &plain, ret, NULL);
}

/* Output that the program may intend is no harm, and neither are output and exit status that a
   serial order of the two regions also shows. */
static void excuse_serial(struct fr_prover *p, const struct fr_schedule_file *s,
			  const struct fr_execution *seen, const struct fr_execution_how *how,
			  struct fr_judgement *j)
{
	const struct fr_model *m;
	char *was = j->detail;
	const char *why;

	if (!how->control || j->verdict != FR_VERDICT_CONFIRMED || seen->ended != FR_ENDED_ITSELF ||
	    (j->harm != FR_HARM_OUTPUT && j->harm != FR_HARM_EXIT) ||
	    s->meeting != FR_MEETING_REGIONS)
		return;
	m = fr_prover_model(p, NULL);
	if (j->harm == FR_HARM_OUTPUT && fr_serial_intends(&p->serial, m, p->dir, s))
		why = "no update is lost, and the program may intend that order";
	else if (fr_serial_shows(&p->serial, m, p->dir, s, how->others, seen, execute_serial,
				 &(struct serial){p, how}))
		why = "a serial order of the two regions shows the same";
	else
		return;
	fr_assert(was);
	j->harm = FR_HARM_NONE;
	j->detail = fr_xasprintf("%s; %s", was, why);
	free(was);
}

/* ---- the cause of a failing recorded run ---- */

bool fr_prover_fails_again(struct fr_prover *p, const struct fr_execution_how *how)
{
	struct fr_controls *controls = &p->judge.controls;
	struct fr_judgement c = {0};
	bool again;

	pthread_mutex_lock(&p->control_lock);
	if (!controls->exact && control(p, how, false, &c) == 0)
		free(c.detail);
	again = controls->exact && !controls->reason;
	pthread_mutex_unlock(&p->control_lock);
	return again;
}

void fr_prover_blame(const struct fr_prover *p, enum fr_good_order good, bool other_path,
		     struct fr_proof *proof)
{
	char *was = proof->j.detail;

	fr_assert(p->judge.failure && proof->j.fails && was && good);
	proof->j.harm = p->judge.failure;
	proof->j.detail =
	    fr_xasprintf("%s; %s, the program %sends well", was,
			 good == FR_GOOD_SWAPPED ? "in the other order of the two accesses"
						 : "if nothing comes between the accesses",
			 other_path ? "takes another path and " : "");
	proof->good = good;
	free(was);
}

/* Blames an atomicity or atomic-set violation if a serial order of its regions ends well. */
static void blame_regions(struct fr_prover *p, const struct fr_schedule_file *s,
			  const struct fr_execution_how *how, struct fr_proof *proof)
{
	bool other_path;
	unsigned first;

	if (how->control && proof->j.fails && s->meeting == FR_MEETING_REGIONS &&
	    fr_prover_fails_again(p, how) &&
	    fr_serial_ends_well(&p->serial, fr_prover_model(p, NULL), p->dir, s, how->others,
				execute_serial, &(struct serial){p, how}, &first, &other_path))
		fr_prover_blame(p, first ? FR_GOOD_SECOND_FIRST : FR_GOOD_FIRST_FIRST, other_path,
				proof);
}

/* Blames a race if one order fails and the other ends well. */
static void blame_order(struct fr_prover *p, const struct fr_execution_how *how, struct fr_proof *a,
			struct fr_proof *b)
{
	struct fr_proof *bad = a->j.fails ? a : b, *good = bad == a ? b : a;

	if (how->control && bad->j.fails && good->j.well && fr_prover_fails_again(p, how))
		fr_prover_blame(p, FR_GOOD_SWAPPED, false, bad);
}

bool fr_prover_last_control(struct fr_prover *p, const struct fr_execution_how *how,
			    struct fr_judgement *ret)
{
	struct fr_controls *controls = &p->judge.controls;
	bool had = controls->reason, news;

	fr_assert(controls->checked <= controls->unlike);
	if (controls->unlike == controls->checked || control(p, how, false, ret) < 0)
		return false;
	controls->checked = controls->unlike;
	news = failed(ret) || (!had && controls->reason);
	if (!news)
		free(ret->detail);
	return news;
}

/* ---- re-executions ---- */

static struct fr_value_seen saw(const struct fr_control_file_seen *s)
{
	unsigned how = fr_event_is(s->kind) & (FR_IS_READ | FR_IS_WRITE | FR_IS_RANGE);
	bool one = how == FR_IS_READ || how == FR_IS_WRITE;

	return (struct fr_value_seen){
	    .hook = s->hook, .known = one && s->size && s->size <= 8, .value = s->value};
}

static void look_at_events(const struct fr_execution *r, struct fr_proof *ret)
{
	struct fr_control_file *c = r->file.c;

	for (uint32_t i = 0; i < c->before.n; i++)
		ret->saw[ret->nsaw++] = saw(&fr_control_file_events(c)[c->before.event[i].event]);
	for (uint32_t i = 0; i < c->ntargets; i++)
		ret->saw[ret->nsaw++] = saw(&c->met[i]);
	fr_assert(ret->nsaw <= fr_array_size(ret->saw));
}

void fr_proof_clear(struct fr_proof *p)
{
	if (p->path)
		fr_schedule_file_clear(p->path);
	if (p->failing)
		fr_schedule_file_clear(p->failing);
	free(p->path);
	free(p->failing);
	fr_judgement_clear(&p->failure);
	fr_judgement_clear(&p->j);
	p->path = p->failing = NULL;
}

/* Returns a number that is equal for two divergences if the same thread took the same other step;
   0: the program did not leave the schedule. */
static uint64_t divergence_of(const struct fr_execution *r)
{
	const struct fr_control_file_diverged *d = &r->file.c->diverged;
	uint64_t x[] = {d->why, d->seen.id, d->seen.site, d->expected.thread, d->expected.site};
	uint64_t hash = fr_hash_bytes(FR_HASH_START, x, sizeof(x));

	return r->attached && r->file.c->phase == FR_PHASE_DIVERGED ? hash | 1 : 0;
}

/* Adds the threads of the events. */
static uint64_t left_of(const struct fr_schedule_file *s, uint64_t left_at)
{
	uint64_t hash = left_at;

	FR_VEC_FOREACH (h, &s->event)
		hash = fr_hash_text(hash, s->thread.v[h->thread]);
	FR_VEC_FOREACH (h, &s->target)
		hash = fr_hash_text(hash, s->thread.v[h->thread]);
	return left_at ? hash | 1 : 0;
}

/* Says where the program left the schedule, if it did. */
static struct fr_proof_left left_at(const struct fr_schedule_file *s, const struct fr_execution *r)
{
	const struct fr_control_file_diverged *d = &r->file.c->diverged;
	struct fr_proof_left at = {.thread = UINT32_MAX};
	const char *path;

	if (!r->attached || r->file.c->phase != FR_PHASE_DIVERGED)
		return at;
	path = fr_execution_thread(r, d->seen.id);
	for (uint32_t i = 0; path && i < s->thread.n; i++)
		if (!strcmp(s->thread.v[i], path))
			at.thread = i;
	at.hook = d->seen.hook;
	at.turn = d->turn;
	return at;
}

int fr_prover_exact(struct fr_prover *p, const struct fr_schedule_file *s,
		    const struct fr_schedule_file *serial, bool swapped,
		    const struct fr_execution_how *how, struct fr_proof *ret, struct fr_err *reterr)
{
	struct fr_control_file_how file_how = {
	    .swapped = swapped, .then = how->others ? FR_THEN_OTHERS : FR_THEN_GO_ON};
	FR_CLEANUP(fr_event_folder_remove) struct fr_event_folder folder = {0};
	struct fr_execution_how with_events = *how;
	struct fr_execution seen;
	int r;

	p->runs++;
	if (fr_prover_watches(p, s))
		fr_event_folder_make(&folder);
	with_events.events = folder.trace;
	r = fr_prover_execute(p, s, &file_how, &with_events, &seen, reterr);
	if (r < 0)
		return r;
	*ret = (struct fr_proof){.others = how->others,
				 .left = left_of(s, divergence_of(&seen)),
				 .at = left_at(s, &seen),
				 .ended = seen.ended,
				 .exit = seen.exit,
				 .signal = seen.signal,
				 .seconds = seen.seconds};
	fr_prover_judge(p, &seen, how, &ret->j);
	/* A result must not be reused if executions can see each other's changes, or if the
	   recorded run failed. */
	if (!p->judge.failure && !p->recorded.shared)
		fr_known_note(&p->known, s, swapped, how->others, &seen, &ret->j,
			      divergence_of(&seen));
	excuse_serial(p, serial, &seen, how, &ret->j);
	fr_need_excuse(s->needs, p->judge.failure, p->judge.sites, &seen, &ret->j);
	blame_regions(p, serial, how, ret);
	fr_prover_watch(p, s, &seen, &folder, ret);
	ret->meet = fr_judge_at_brink(&seen);
	if (ret->j.verdict == FR_VERDICT_CONFIRMED)
		look_at_events(&seen, ret);
	if (how->seen && seen.attached)
		fr_explain_seen(&p->judge, &seen, how->seen);
	fr_execution_free(&seen);
	return 0;
}

/* Is the result of the execution known, as far as it counts? */
static bool is_known(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		     const struct fr_execution_how *how, struct fr_proof *ret)
{
	struct fr_known_left left;

	if (how->only_harm && fr_known_harmless(&p->known, s, swapped, how->others)) {
		*ret =
		    (struct fr_proof){.j = {.verdict = FR_VERDICT_CONFIRMED, .harm = FR_HARM_NONE},
				      .others = how->others,
				      .meet = true};
		ret->j.detail = fr_xstrdup("the threads have run in this order without harm");
		return true;
	}
	if (!how->control || !fr_known_diverges(&p->known, s, &left))
		return false;
	*ret = (struct fr_proof){
	    .j = {.verdict = FR_VERDICT_REFUTED, .harm = FR_HARM_NONE, .detail = left.detail},
	    .others = how->others,
	    .left = left_of(s, left.left_at),
	    .at = {.thread = s->turn.v[left.turn].thread, .hook = left.hook, .turn = left.turn},
	    .ended = FR_ENDED_PHASE};
	return true;
}

/* Has no other instance left its schedule there? Notes it. */
static bool is_new(uint64_t *left, uint64_t here)
{
	for (unsigned i = 0; left && here && i < FR_EXECUTION_LEFT; i++) {
		if (left[i] == here)
			return false;
		if (!left[i]) {
			left[i] = here;
			break;
		}
	}
	return true;
}

int fr_prover_run(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		  const struct fr_execution_how *how, struct fr_proof *ret, struct fr_err *reterr)
{
	int r = 0;

	if (!is_known(p, s, swapped, how, ret))
		r = fr_prover_exact(p, s, s, swapped, how, ret, reterr);
	if (!r && ret->left && ret->j.verdict == FR_VERDICT_REFUTED)
		fr_prover_again(p, s, swapped, how, ret);
	if (!r && how->by_place && ret->j.verdict == FR_VERDICT_REFUTED &&
	    is_new(how->left, ret->left))
		fr_prover_place(p, s, swapped, how, ret);
	return r;
}

int fr_prover_recorded(struct fr_prover *p, const struct fr_execution_how *how,
		       struct fr_proof *ret, struct fr_err *reterr)
{
	int r;

	pthread_mutex_lock(&p->control_lock);
	r = make_recorded_schedule(p, reterr);
	pthread_mutex_unlock(&p->control_lock);
	return r < 0 ? r : fr_prover_run(p, &p->recorded_schedule, false, how, ret, reterr);
}

static bool better(const struct fr_proof *a, const struct fr_proof *b)
{
	return a->j.verdict != b->j.verdict ? a->j.verdict > b->j.verdict : a->j.harm > b->j.harm;
}

/* Leaves the better one in `a`. True: it was `b`. */
static bool take_better(struct fr_proof *a, struct fr_proof *b)
{
	bool second = better(b, a);

	if (second && !b->path) { /* b ran with the schedule of a */
		b->path = fr_steal(a->path);
		b->again = a->again;
	}
	if (second && !b->failing) {
		b->failing = fr_steal(a->failing);
		b->failure = a->failure;
		a->failure = (struct fr_judgement){0};
	}
	fr_proof_clear(second ? a : b);
	*a = second ? *b : *a;
	return second;
}

/* May other threads, if they continue first, show harm, or violate a property at the end? */
static bool no_harm_yet(const struct fr_proof *a)
{
	return a->kept || (a->j.verdict == FR_VERDICT_CONFIRMED && !fr_harm_seen(a->j.harm));
}

int fr_prover_both(struct fr_prover *p, const struct fr_schedule_file *s,
		   const struct fr_execution_how *how, struct fr_proof *ret, bool *ret_swapped,
		   struct fr_err *reterr)
{
	bool either = s->meeting == FR_MEETING_EITHER_ORDER && s->target.n == 2;
	struct fr_execution_how second = *how;
	struct fr_proof a, b;
	int r = fr_prover_run(p, s, false, how, &a, reterr);

	if (r < 0)
		return r;
	*ret_swapped = false;
	second.others = !either;
	second.only_harm = !a.kept; /* it is better only if it does more harm */
	if (a.ended == FR_ENDED_STOP || s->meeting == FR_MEETING_CYCLE)
		;
	else if (either && a.meet &&
		 fr_prover_run(p, a.path ? a.path : s, true, &second, &b, NULL) == 0) {
		blame_order(p, how, &a, &b);
		*ret_swapped = take_better(&a, &b);
	} else if (!either && no_harm_yet(&a) &&
		   fr_prover_run(p, a.path ? a.path : s, false, &second, &b, NULL) == 0)
		take_better(&a, &b);
	*ret = a;
	return 0;
}

void fr_prover_others(struct fr_prover *p, const struct fr_schedule_file *s,
		      const struct fr_execution_how *how, const bool known[2], struct fr_proof *ret,
		      bool *ret_swapped)
{
	struct fr_execution_how others = *how;
	struct fr_proof b;

	others.others = true;
	others.by_place = false;
	others.only_harm = true;
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		if (known[swapped])
			continue;
		if (ret->ended == FR_ENDED_STOP || ret->j.verdict != FR_VERDICT_CONFIRMED ||
		    ret->j.harm != FR_HARM_NONE ||
		    fr_prover_run(p, ret->path ? ret->path : s, swapped, &others, &b, NULL) < 0)
			return;
		if (take_better(ret, &b))
			*ret_swapped = swapped;
	}
}

/* Returns the number of members that the re-execution settles. If it did harm, the guilty member is
   unknown; and a program that comes to harm in the recorded order may do so with each of them. */
static size_t settled(const struct fr_bundle *b, const struct fr_execution *seen,
		      const struct fr_judgement *j)
{
	if (!seen->attached)
		return 0;
	/* The harm of a bug may come after the point where the program left the schedule. */
	if (j->verdict != FR_VERDICT_CONFIRMED && (b->ordered || b->reversed))
		return 0;
	if (j->verdict != FR_VERDICT_CONFIRMED)
		return seen->file.c->phase == FR_PHASE_DIVERGED || seen->file.c->left_before_last
			   ? seen->file.c->stops_met
			   : 0;
	return j->harm == FR_HARM_NONE && seen->ended == FR_ENDED_ITSELF ? b->member.n : 0;
}

int fr_prover_bundle(struct fr_prover *p, const struct fr_bundle *b,
		     const struct fr_execution_how *how, size_t *ret_met, struct fr_err *reterr)
{
	struct fr_control_file_how file_how = {.stop = b->stop.v,
					       .nstops = b->stop.n,
					       .then = b->others ? FR_THEN_OTHERS : FR_THEN_GO_ON};
	struct fr_judgement j = {0};
	struct fr_execution seen;
	int r;

	fr_assert(b->member.n == b->stop.n + 1 && b->s.target.n && b->s.target.n <= 2);
	p->runs++;
	r = fr_prover_execute(p, &b->s, &file_how, how, &seen, reterr);

	if (r < 0)
		return r;
	fr_prover_judge(p, &seen, how, &j);
	*ret_met = settled(b, &seen, &j);
	free(j.detail);
	fr_execution_free(&seen);
	return 0;
}

int fr_prover_member(struct fr_prover *p, const struct fr_schedule_file *s, bool recorded_swapped,
		     const struct fr_execution_how *how, bool (*met)(void *), void *arg,
		     struct fr_proof *ret, bool *ret_swapped, struct fr_err *reterr)
{
	struct fr_proof a, b = {.j.verdict = FR_VERDICT_CONFIRMED, .ended = FR_ENDED_ITSELF};
	bool bundled, second;
	int r = fr_prover_run(p, s, !recorded_swapped, how, &a, reterr);

	if (r < 0)
		return r;
	*ret_swapped = a.j.verdict == FR_VERDICT_CONFIRMED && !recorded_swapped;
	*ret = a;
	/* A result that cannot be replayed alone does not count. */
	if (a.ended == FR_ENDED_STOP || !a.meet)
		return 0;
	/* A failing order must run alone, to be blamed. */
	bundled = met(arg) && !a.j.well;
	if (!bundled && fr_prover_run(p, s, recorded_swapped, how, &b, NULL) < 0)
		return 0;
	blame_order(p, how, &a, &b);
	second = better(&b, &a) || (!bundled && !better(&a, &b) && !recorded_swapped);
	*ret_swapped = second == recorded_swapped;
	*ret = second ? b : a;
	fr_proof_clear(second ? &a : &b);
	return 0;
}
