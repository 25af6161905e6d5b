/*
 * Asks the oracle about all candidates, shows progress, and keeps the findings whatever happens: an
 * interrupt, the end of time, the end of memory.
 *
 * When memory runs out in a thread, that thread forks. The child has the findings so far, and the
 * reserve to itself. It saves and prints as at the normal end. No other thread can take the
 * reserve, and none has to be stopped in the middle of something. If the memory does not even
 * suffice for all findings, another child tries half of them.
 */
#include "base/term.h"
#include "base/debug.h"
#include "base/message.h"
#include "base/interrupt.h"
#include "oracle/solve.h"
#include "predict/predict.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE 10 /* seconds to wait for another thread that saves */

/* ---- saving ---- */

static pthread_mutex_t saving = PTHREAD_MUTEX_INITIALIZER;
static struct fr_keeper *keep;
static const char *reason = "out of memory";

/* Returns the bytes that saving takes, with some margin: measured. */
static size_t needed(const struct fr_work *w)
{
	return (16u << 20) + w->actors * 3072 + fr_min((uint64_t)w->steps, (uint64_t)w->m->n) * 128;
}

static void free_reserve(struct fr_keeper *k)
{
	free(k->reserve);
	k->reserve = NULL;
	k->reserved = 0;
}

/* Makes the reserve large enough for the findings. False: it is not. */
static bool grow_reserve(struct fr_keeper *k)
{
	size_t n = needed(k->w), had = k->reserved;
	bool enough = true;

	if (had >= n)
		return true;
	pthread_mutex_lock(&saving);
	free_reserve(k);
	k->reserved = n + n / 2;
	k->reserve = malloc(k->reserved);
	if (!k->reserve) {
		enough = false;
		k->reserve = malloc(had);
		k->reserved = k->reserve ? had : 0;
	}
	pthread_mutex_unlock(&saving);
	return enough;
}

struct save {
	struct fr_keeper *k;
	bool final;
	const char *reason;
	struct fr_findings *ret;
	struct fr_err *err;
	int r;
};

static void save(void *arg)
{
	struct save *s = arg;

	s->r = fr_keeper_save(s->k, s->final, s->reason, s->ret, s->err);
}

/* Saves. False: there is no memory for it. */
static bool try_to_save(struct save *s)
{
	bool done;

	pthread_mutex_lock(&saving);
	done = fr_mem_try(save, s);
	if (!done)
		fr_keeper_forget(s->k);
	/* After the final save the lock stays held: nothing may save again. */
	if (!done || !s->final)
		pthread_mutex_unlock(&saving);
	return done;
}

int fr_ask_save(struct fr_keeper *k, const char *why, struct fr_findings *ret,
		struct fr_err *reterr)
{
	struct save s = {.k = k, .final = true, .reason = why, .ret = ret, .err = reterr};

	/* Without a reserve, a child would have no more memory than this process. */
	if (!grow_reserve(k) || !try_to_save(&s)) {
		reason = why ? why : reason;
		fr_mem_exhausted();
	}
	return s.r;
}

static void save_so_far(struct fr_keeper *k)
{
	struct fr_err err;
	/* An error would occur again at the end, and is reported then. */
	struct save s = {.k = k, .reason = "it still went on, or was killed", .err = &err};

	if (!try_to_save(&s))
		fr_mem_exhausted();
}

/* ---- out of memory ---- */

/* Saves and prints up to `most` findings. False: there is no memory for them. child: this process
   has nothing else to do. */
static bool save_and_print(struct fr_keeper *k, uint32_t most, bool child)
{
	struct fr_findings f = {0};
	struct fr_err err;
	struct save s = {.k = k, .final = true, .reason = reason, .ret = &f, .err = &err};

	free_reserve(k);
	k->most = most;
	if (child)
		fr_work_forget(k->w);
	if (!fr_mem_try(save, &s))
		return false;
	if (s.r < 0)
		fr_say("%s", err.msg);
	else
		fr_say("out of memory: the findings so far (%zu) are saved in '%s'", f.finding.n,
		       k->dir);
	k->print(k->dir, &f);
	return true;
}

static void no_memory(void)
{
	struct timespec until;
	int status;
	pid_t child;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE;
	/* After the final save there is nothing to do. */
	if (pthread_mutex_timedlock(&saving, &until) != 0)
		return;
	/* Such a solver may itself have run out of memory while it holds its locks. */
	if (keep->w->opt.solver && keep->w->opt.solver->no_fork) {
		save_and_print(keep, keep->w->found + 1, false);
		return;
	}
	for (uint32_t most = keep->w->found + 1; most; most /= 2) {
		child = fork();
		if (child == 0)
			_exit(!save_and_print(keep, most, true));
		while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
			return;
	}
	fr_say("out of memory while saving the findings");
}

/* The solvers are C++: their `new` calls this handler when there is no memory. */
extern void (*set_new_handler(void (*f)(void)))(void) __asm__("_ZSt15set_new_handlerPFvvE");
/* Called for an uncaught exception: Z3 throws one if it gets no thread for its timer. */
extern void (*set_terminate(void (*f)(void)))(void) __asm__("_ZSt13set_terminatePFvvE");

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

const char *fr_ask_all(struct fr_work *w, struct fr_keeper *k)
{
	struct fr_progress progress = {0};
	double next_save = 1;

	fr_interrupt_catch();
	keep = k;
	grow_reserve(k);
	fr_mem_on_exhaustion(no_memory);
	set_new_handler(fr_mem_exhausted);
	set_terminate(fr_mem_exhausted);
	fr_work_start(w);
	while (!fr_crew_wait(&w->crew, 50) && !fr_interrupted) {
		double at = fr_work_seconds(w);

		show_progress(&progress, w);
		if (!grow_reserve(k))
			fr_mem_exhausted();
		if (w->found != k->kept && at > next_save) {
			save_so_far(k);
			next_save = at + 1 + 9 * (fr_work_seconds(w) - at);
		}
	}
	fr_progress_end(&progress);
	set_new_handler(NULL);
	if (fr_interrupted) {
		w->stop = true;
		return "it was interrupted";
	}
	fr_crew_join(&w->crew);
	fr_debug(FR_DEBUG_PREDICT, "%zu bugs asked, %" PRIu32 " found, %.3f s", w->jobs,
		 (uint32_t)w->found, fr_work_seconds(w));
	for (size_t i = 0; i < w->ngroups; i++)
		if (w->group[i].state == FR_JOB_UNTRIED)
			return "the time for all candidates was up";
	return w->no_memory ? "out of memory before all candidates were found" : NULL;
}
