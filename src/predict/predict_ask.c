/*
 * Drives the worker threads that ask the oracle: shows progress, saves findings as they are found,
 * and ends the work when it is over, when the time is up, or when the user interrupts.
 *
 * A save describes and writes all findings. The pauses between saves are long enough that saving
 * takes at most a tenth of the time. If memory runs out, the folder has the findings of the last
 * save.
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

/* Any thread calls this. Waits for a save that another thread has begun. */
static void say_missing(void *arg)
{
	struct fr_predict_saver *k = arg;

	if (!pthread_equal(pthread_self(), k->thread))
		pthread_mutex_lock(&k->saving);
	fr_say("out of memory: '%s' has only %" PRIu32 " of %" PRIu32
	       " findings, and %zu of %zu bugs "
	       "were not decided; fewer --kinds, or --jobs 1, need less memory",
	       k->dir, k->saved, (uint32_t)k->w->found, k->w->jobs - k->w->crew.done, k->w->jobs);
}

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
	fr_predict_save(k, false, "it is still running, was killed, or ran out of memory", NULL,
			&err);
}

/* Shows progress and saves until the work is over or must end early. */
static void wait_for_workers(struct fr_work *w, struct fr_predict_saver *k)
{
	struct fr_progress progress = {0};
	/* The first save reads the trace once more. */
	double next_save = fr_work_seconds(w) + fr_min(w->run->read_s, 1.0);

	show_progress(&progress, w); /* appears after a second */
	while (!fr_crew_wait(&w->crew, 50) && !fr_interrupted) {
		double at = fr_work_seconds(w);

		show_progress(&progress, w);
		if (w->found != k->saved && at > next_save) {
			save_so_far(k);
			next_save = fr_work_seconds(w) + 9 * (fr_work_seconds(w) - at);
		}
	}
	fr_progress_end(&progress);
}

const char *fr_ask_all(struct fr_work *w, struct fr_predict_saver *k)
{
	fr_interrupt_catch();
	k->thread = pthread_self();
	pthread_mutex_init(&k->saving, NULL);
	fr_mem_on_exhaustion(say_missing, k);
	if (!fr_work_start(w))
		fr_mem_exhausted();
	wait_for_workers(w, k);
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
