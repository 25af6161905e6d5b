/*
 * Asks the oracle about all candidates, shows progress, and keeps the findings whatever happens: an
 * interrupt, the end of time, the end of memory.
 *
 * The calling thread saves at short intervals. When a worker has no memory left, it is suspended,
 * and the others stop. When all have come to rest, the calling thread frees the reserve, and has it
 * to itself: it saves the findings so far, as it does at each interval.
 */
#include "base/assert.h"
#include "base/term.h"
#include "base/debug.h"
#include "base/message.h"
#include "base/interrupt.h"
#include "predict/predict.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PATIENCE 10 /* seconds that the workers have to stop */

/* ---- memory ---- */

/* Returns the bytes that saving takes, with some margin: measured. */
static size_t needed(const struct fr_work *w)
{
	return (16u << 20) + w->actors * 3072 + fr_min((uint64_t)w->steps, (uint64_t)w->m->n) * 128;
}

/* Makes the reserve large enough for the findings. False: it is not. */
static bool grow_reserve(struct fr_predict_saver *k)
{
	size_t n = needed(k->w);
	void *more;

	fr_assert(!k->reserve == !k->reserved);
	if (k->reserved >= n)
		return true;
	more = realloc(k->reserve, n + n / 2);
	if (!more)
		return false;
	k->reserve = more;
	k->reserved = n + n / 2;
	return true;
}

/* Stops the workers and frees what saving does not need. False: that was done before. */
static bool make_room(struct fr_predict_saver *k)
{
	fr_assert(pthread_equal(pthread_self(), k->thread));
	if (!k->reserve)
		return false;
	k->w->exhausted = k->w->stop = true;
	if (fr_crew_wait(&k->w->crew, PATIENCE * 1000))
		fr_work_forget(k->w);
	free(fr_steal(k->reserve));
	k->reserved = 0;
	return true;
}

/* Suspends a worker that has no memory. */
static bool on_exhaustion(void *arg)
{
	struct fr_predict_saver *k = arg;

	if (!pthread_equal(pthread_self(), k->thread)) {
		k->w->exhausted = k->w->stop = true;
		fr_crew_suspend();
	}
	if (make_room(k))
		return true;
	fr_say("out of memory: '%s' has only %" PRIu32 " of %" PRIu32 " findings", k->dir, k->saved,
	       (uint32_t)k->w->found);
	return false;
}

/* Z3 is C++: its `new` calls this handler when there is no memory. */
extern void (*set_new_handler(void (*f)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");
/* Called for an uncaught exception: Z3 throws one if it gets no thread for its timer. */
extern void (*set_terminate(void (*f)(void)))(void) __asm__("_ZSt13set_terminatePFvvE");

static void watch_memory(struct fr_predict_saver *k)
{
	if (!grow_reserve(k))
		fr_mem_exhausted(); /* nothing was found yet */
	k->thread = pthread_self();
	fr_mem_on_exhaustion(on_exhaustion, k);
	set_new_handler(fr_mem_exhausted);
	set_terminate(fr_mem_exhausted);
}

/* ---- asking ---- */

static void show_progress(struct fr_progress *p, const struct fr_work *w)
{
	double spent = fr_work_seconds(w), left = w->total > 0 ? w->total - spent : 1e9;
	size_t done = w->crew.done;
	char what[128];

	if (done && spent / (double)done * (double)(w->jobs - done) < left)
		left = spent / (double)done * (double)(w->jobs - done);
	snprintf(what, sizeof(what), "%" PRIu32 " found, about %.0f s left; candidates checked",
		 (uint32_t)w->found, left < 0 ? 0 : left);
	fr_progress_step(p, what, done, w->jobs);
}

static void save_so_far(struct fr_predict_saver *k)
{
	struct fr_err err;

	/* An error would occur again at the end, and is reported then. */
	fr_predict_save(k, false, "it is still running, or was killed", NULL, &err);
}

/* Shows progress and saves until the work is over or must end early. */
static void wait_for_workers(struct fr_work *w, struct fr_predict_saver *k)
{
	struct fr_progress progress = {0};
	double next_save;

	show_progress(&progress, w); /* appears after a second, before the first save */
	next_save = fr_work_seconds(w) + 1;
	while (!fr_crew_wait(&w->crew, 50) && !fr_interrupted && !w->exhausted) {
		double at = fr_work_seconds(w);

		show_progress(&progress, w);
		w->exhausted |= !grow_reserve(k);
		if (w->found != k->saved && at > next_save && !w->exhausted) {
			save_so_far(k);
			next_save = at + 1 + 9 * (fr_work_seconds(w) - at);
		}
	}
	fr_progress_end(&progress);
}

const char *fr_ask_all(struct fr_work *w, struct fr_predict_saver *k)
{
	fr_interrupt_catch();
	watch_memory(k);
	if (!fr_work_start(w))
		w->exhausted = true;
	wait_for_workers(w, k);
	if (w->exhausted) {
		make_room(k);
		return "out of memory";
	}
	if (fr_interrupted) {
		w->stop = true;
		return "interrupted";
	}
	fr_crew_join(&w->crew);
	fr_debug(FR_DEBUG_PREDICT, "%zu bugs asked, %" PRIu32 " found, %.3f s", w->jobs,
		 (uint32_t)w->found, fr_work_seconds(w));
	for (size_t i = 0; i < w->ngroups; i++)
		if (w->group[i].state == FR_JOB_UNTRIED)
			return "the time limit for all candidates was reached";
	return NULL;
}

int fr_ask_save(struct fr_predict_saver *k, const char *reason, struct fr_findings *ret,
		struct fr_err *reterr)
{
	const bool stop = k->w->stop, exhausted = k->w->exhausted;
	int r;

	fr_assert(pthread_equal(pthread_self(), k->thread));
	/* Without memory, keep the numbers: sorting would replace what is saved already. */
	r = fr_predict_save(k, !exhausted && grow_reserve(k), reason, ret, reterr);
	/* If only this save needed the reserve, nothing is missing. */
	k->w->stop = stop;
	k->w->exhausted = exhausted;
	return r;
}
