/* Schedules of one run, proved. */
#include "confirm/prove.h"
#include "confirm/modules.h"
#include "report/schedule_build.h"
#include "trace/model.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Once for all that refer to it. What is wrong with it is told where it is needed. */
static void read_whole(struct fr_prover *p)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/schedule", p->dir);

	p->has_whole = access(path, F_OK) == 0 && fr_sched_read(path, &p->whole, NULL) == 0;
}

int fr_prover_open(struct fr_prover *p, const char *dir, struct fr_err *reterr)
{
	int r;

	*p = (struct fr_prover){.dir = dir};
	pthread_mutex_init(&p->lock, NULL);
	r = fr_trace_open(dir, &p->trace, reterr);
	if (!r)
		r = fr_start_prepare(&p->start, dir, &p->trace->run, reterr);
	if (!r)
		r = fr_recall_load(p->trace, &p->recall, reterr);
	if (!r && p->recall.foreign)
		r = fr_err_say(
		    reterr, -ENOTSUP,
		    "parts of the program were built with -fsanitize=thread, which cannot be "
		    "made to follow a schedule: build them with 'forerun cc'");
	if (r < 0) {
		fr_prover_close(p);
		return r;
	}
	fr_judge_init(&p->judge, dir, &p->trace->run, p->trace->sites);
	fr_orphans_adopt();
	fr_keeper_start(&p->keeper);
	read_whole(p);
	return 0;
}

void fr_prover_close(struct fr_prover *p)
{
	fr_keeper_stop(&p->keeper);
	if (p->judge.pcs)
		fr_judge_free(&p->judge);
	fr_recall_free(&p->recall);
	fr_start_free(&p->start);
	fr_trace_free(p->trace);
	fr_sched_clear(&p->whole);
	p->trace = NULL;
}

int fr_prover_read(const struct fr_prover *p, const char *path, struct fr_sched *ret,
		   struct fr_err *reterr)
{
	FR_CLEANUP(fr_sched_clear) struct fr_sched s = {0};
	int r = fr_sched_read_with(path, p->has_whole ? &p->whole : NULL, &s, reterr);

	if (!r)
		r = fr_modules_of_schedule(&p->trace->run, &s, path, reterr);
	if (r < 0)
		return r;
	*ret = s;
	s = (struct fr_sched){0};
	return 0;
}

/* The processor with the fewest runs, + 1; 0: not known which there are. */
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
	if (cpu)
		p->on_cpu[cpu - 1]--;
	pthread_mutex_unlock(&p->lock);
}

static int run(struct fr_prover *p, const struct fr_sched *s, const struct fr_control_how *control,
	       const struct fr_replay_how *how, struct fr_replayed *ret, struct fr_err *reterr)
{
	struct fr_control_file file = {0};
	uint32_t cpu;
	int r = fr_control_build(s, &p->recall, control, &file, reterr);

	if (r < 0)
		return r;
	cpu = file.c->cpu = take_cpu(p);
	p->runs++;
	r = fr_replay(&p->start, &file, how, ret, reterr);
	give_cpu(p, cpu);
	return r;
}

int fr_prover_run(struct fr_prover *p, const struct fr_sched *s, bool swapped,
		  const struct fr_replay_how *how, struct fr_proof *ret, struct fr_err *reterr)
{
	struct fr_control_how control = {.swapped = swapped};
	struct fr_replayed seen;
	int r = run(p, s, &control, how, &seen, reterr);

	if (r < 0)
		return r;
	*ret = (struct fr_proof){
	    .ended = seen.ended, .exit = seen.exit, .signal = seen.signal, .seconds = seen.seconds};
	pthread_mutex_lock(&p->lock);
	fr_judge(&p->judge, &seen, how->limit, &ret->j);
	pthread_mutex_unlock(&p->lock);
	ret->meet = fr_judge_at_brink(&seen);
	if (how->seen && seen.attached)
		fr_say_seen(&p->judge, &seen, how->seen);
	fr_replayed_free(&seen);
	return 0;
}

/* ---- the recorded run ---- */

/* A read whose value is in the trace. */
static bool has_value(const struct fr_event *e)
{
	unsigned kind = fr_event_kind(e), aux = fr_event_aux(e);

	if (kind == FR_EV_READ)
		return !(aux & (FR_ACC_NOVALUE | FR_ACC_LATE)) && FR_ACC_SIZE(aux) <= 8;
	return (kind == FR_EV_ATOMIC_LOAD || kind == FR_EV_ATOMIC_RMW ||
		kind == FR_EV_ATOMIC_CAS) &&
	       FR_ACC_SIZE(aux) <= 8;
}

static bool is_landmark(unsigned kind)
{
	char class = fr_event_class(kind);

	return class == 's' || kind == FR_EV_USER_ACQUIRE || kind == FR_EV_USER_RELEASE ||
	       (class == 't' && kind != FR_EV_SIGNAL_BEGIN && kind != FR_EV_SIGNAL_END);
}

/*
 * What one thread of the recorded run is to come by: its landmarks, and of each of its turns the
 * last read. ends: the hooks at which its turns end.
 */
static int add_expected(const struct fr_trace *t, const struct fr_trace_thread *th, uint32_t thread,
			const uint64_t *ends, size_t n, struct fr_sched *s, uint64_t *ret_last,
			struct fr_err *reterr)
{
	struct fr_sched_hook read = {0};
	struct fr_iter it;
	struct fr_rec rec;
	size_t at = 0;
	int got;

	fr_iter_open(&it, t, th);
	while ((got = fr_iter_next(&it, &rec, reterr)) > 0) {
		unsigned kind = fr_event_kind(rec.e);
		struct fr_sched_hook h = {
		    .thread = thread, .hook = rec.idx, .kind = (uint8_t)kind, .site = rec.e->site};

		for (; at < n && ends[at] < rec.idx; at++) {
			if (read.hook)
				fr_vec_push(&s->expect, read);
			read.hook = 0;
		}
		if (has_value(rec.e)) {
			read = h;
			read.known = true;
			read.value = rec.e->value;
		} else if (is_landmark(kind)) {
			fr_vec_push(&s->expect, h);
			*ret_last = rec.idx;
		}
	}
	fr_iter_close(&it);
	if (read.hook && at < n)
		fr_vec_push(&s->expect, read);
	return got;
}

/*
 * What the recorded run is to come by: every operation on locks and threads, at its place, and at
 * every switch the value that was read last. Counts of hooks alone would take another way through
 * the program for the same one. Operations that order nothing may come behind a thread's last turn:
 * it gets one more, the main thread last, who may end the program.
 */
static int add_landmarks(const struct fr_trace *t, struct fr_sched *s, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) uint64_t *ends = fr_xcalloc(s->turn.n + 1, sizeof(*ends));
	FR_CLEANUP(fr_freep) uint64_t *last = fr_xcalloc(t->thread.n + 1, sizeof(*last));
	size_t turns = s->turn.n;

	for (size_t i = 0; i < t->thread.n; i++) {
		uint32_t thread = fr_sched_thread(s, t->thread.v[i].path);
		size_t n = 0;
		int r;

		for (size_t k = 0; k < turns; k++)
			if (s->turn.v[k].thread == thread)
				ends[n++] = s->turn.v[k].hook;
		r = add_expected(t, &t->thread.v[i], thread, ends, n, s, &last[i], reterr);
		if (r < 0)
			return r;
		last[i] = !n || last[i] > ends[n - 1] ? last[i] : 0;
	}
	for (size_t i = t->thread.n; i-- > 0;)
		if (last[i])
			fr_sched_turn(s, fr_sched_thread(s, t->thread.v[i].path), last[i]);
	return 0;
}

int fr_prover_recorded(struct fr_prover *p, const struct fr_replay_how *how, struct fr_proof *ret,
		       struct fr_err *reterr)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = NULL;
	FR_CLEANUP(fr_order_free) struct fr_order o = {0};
	int r = fr_model_load(p->dir, &m, reterr);

	if (r < 0)
		return r;
	o.m = m;
	fr_order_whole(&o);
	r = add_landmarks(p->trace, &o.whole, reterr);
	return r < 0 ? r : fr_prover_run(p, &o.whole, false, how, ret, reterr);
}

static bool better(const struct fr_proof *a, const struct fr_proof *b)
{
	if (a->j.ruling != b->j.ruling)
		return a->j.ruling > b->j.ruling;
	return a->j.ruling == FR_RULED_CONFIRMED && a->j.harm > b->j.harm;
}

int fr_prover_both(struct fr_prover *p, const struct fr_sched *s, const struct fr_replay_how *how,
		   struct fr_proof *ret, bool *ret_swapped, struct fr_err *reterr)
{
	struct fr_proof a, b;
	int r = fr_prover_run(p, s, false, how, &a, reterr);

	if (r < 0)
		return r;
	*ret_swapped = false;
	if (strcmp(s->kind, "data-race") == 0 && s->target.n == 2 && a.meet &&
	    a.ended != FR_ENDED_STOP && fr_prover_run(p, s, true, how, &b, NULL) == 0) {
		*ret_swapped = better(&b, &a);
		free(*ret_swapped ? a.j.detail : b.j.detail);
		a = *ret_swapped ? b : a;
	}
	*ret = a;
	return 0;
}

/*
 * Members of which the run says all that it can. If it did harm, nobody knows whose it is; and a
 * program that comes to harm in the recorded order may do so with each of them.
 */
static size_t settled(const struct fr_bundle *b, const struct fr_replayed *seen,
		      const struct fr_judgement *j)
{
	if (!seen->attached)
		return 0;
	if (j->ruling != FR_RULED_CONFIRMED)
		return seen->control.c->phase == FR_PHASE_DIVERGED ? seen->control.c->stops_met : 0;
	return j->harm == FR_HARM_NONE && seen->ended == FR_ENDED_ITSELF ? b->member.n : 0;
}

int fr_prover_bundle(struct fr_prover *p, const struct fr_bundle *b,
		     const struct fr_replay_how *how, size_t *ret_met, struct fr_err *reterr)
{
	struct fr_control_how control = {.stop = b->stop.v, .nstops = b->stop.n};
	struct fr_judgement j = {0};
	struct fr_replayed seen;
	int r = run(p, &b->s, &control, how, &seen, reterr);

	if (r < 0)
		return r;
	pthread_mutex_lock(&p->lock);
	fr_judge(&p->judge, &seen, how->limit, &j);
	pthread_mutex_unlock(&p->lock);
	*ret_met = settled(b, &seen, &j);
	free(j.detail);
	fr_replayed_free(&seen);
	return 0;
}

int fr_prover_member(struct fr_prover *p, const struct fr_sched *s, bool recorded_swapped,
		     const struct fr_replay_how *how, bool (*met)(void *), void *arg,
		     struct fr_proof *ret, bool *ret_swapped, struct fr_err *reterr)
{
	struct fr_proof a, b = {.j.ruling = FR_RULED_CONFIRMED, .ended = FR_ENDED_ITSELF};
	bool bundled, second;
	int r = fr_prover_run(p, s, !recorded_swapped, how, &a, reterr);

	if (r < 0)
		return r;
	*ret_swapped = a.j.ruling == FR_RULED_CONFIRMED && !recorded_swapped;
	*ret = a;
	/* What cannot be replayed alone does not count. */
	if (a.ended == FR_ENDED_STOP || !a.meet)
		return 0;
	bundled = met(arg);
	if (!bundled && fr_prover_run(p, s, recorded_swapped, how, &b, NULL) < 0)
		return 0;
	second = better(&b, &a) || (!bundled && !better(&a, &b) && !recorded_swapped);
	*ret_swapped = second == recorded_swapped;
	*ret = second ? b : a;
	free(second ? a.j.detail : b.j.detail);
	return 0;
}
