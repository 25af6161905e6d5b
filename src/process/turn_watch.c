/* See turn_watch.h. Trusts nothing that the program wrote into the shared files. */
#include "process/turn_watch.h"
#include "base/assert.h"
#include "process/task.h"
#include "trace/pool_reader.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SAMPLES 3

/* Does a child process of the thread, or a child of such a process, compute? It may end the
   thread's wait, however long that takes: a sanitizer waits for a symbolizer. */
static bool child_computes(pid_t pid, uint32_t tid, unsigned depth)
{
	char text[FR_TASK_TEXT];
	size_t at = 0;
	pid_t child;

	fr_task_file(pid, tid, "children", text);
	while ((child = fr_task_child(text, &at))) {
		char state = fr_task_state(child, (uint32_t)child);

		if (state == 'R' || state == 'D' ||
		    (depth && child_computes(child, (uint32_t)child, depth - 1)))
			return true;
	}
	return false;
}

/* Lets a parked thread take over the turn of thread `id`, which waits outside. */
static void deputise(struct fr_turn_watch *w, uint32_t id)
{
	uint32_t n = fr_pool_thread_count(w->pool);

	fr_assert(id && n <= FR_POOL_MAX_THREADS);
	atomic_store(&w->c->away, id);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t status = atomic_load(&w->c->status[i]), parked = atomic_load(&w->c->go[i]);

		if (i + 1 == id || (status != FR_CTL_READY && status != FR_CTL_BLOCKED) ||
		    parked == FR_GO_ON ||
		    !atomic_compare_exchange_strong(&w->c->go[i], &parked, FR_GO_DEPUTY))
			continue;
		syscall(SYS_futex, &w->c->go[i], FUTEX_WAKE, 1, NULL, NULL, 0);
		return;
	}
}

/* Has the thread only just received the turn, or does it wait for a thread that it has created?
   Then it only needs a processor. */
static bool begins(const struct fr_turn_watch *w, uint32_t id)
{
	uint32_t n = fr_pool_thread_count(w->pool);

	fr_assert(id && id <= FR_POOL_MAX_THREADS);
	for (uint32_t i = 0; i < n; i++)
		if (atomic_load(&w->c->status[i]) == FR_CTL_CREATED)
			return true;
	return atomic_load(&w->c->go[id - 1]) != 0;
}

/* Has the thread with the turn made progress since the last sample, or could it? */
static bool moves(struct fr_turn_watch *w, uint32_t id)
{
	const struct fr_pool_thread *t = id ? &fr_pool_threads(w->pool)[id - 1] : NULL;
	uint64_t switches = atomic_load(&w->c->switches), hook = t ? t->hook : 0;
	uint64_t beats = atomic_load(&w->c->beats);
	bool same;

	fr_assert(id <= FR_POOL_MAX_THREADS);
	same = id == w->current && hook == w->hook && switches == w->switches && beats == w->beats;

	w->current = id;
	w->hook = hook;
	w->switches = switches;
	w->beats = beats;
	/* a thread that waits for a free block waits for the recorder */
	return !same || atomic_load(&w->pool->want) || atomic_load(&w->c->asks_ghost) ||
	       (t && (begins(w, id) || !fr_task_asleep(atomic_load(&w->pool->pid), t->os_tid)));
}

/* Does a thread that has the turn, or lost it, have a child that computes? */
static bool away_for_child(const struct fr_turn_watch *w)
{
	pid_t pid = atomic_load(&w->pool->pid);
	uint32_t n = fr_pool_thread_count(w->pool), current = atomic_load(&w->c->current);

	for (uint32_t i = 0; i < n; i++)
		if ((i + 1 == current || atomic_load(&w->c->status[i]) == FR_CTL_AWAY) &&
		    child_computes(pid, fr_pool_threads(w->pool)[i].os_tid, 2))
			return true;
	return false;
}

uint64_t fr_turn_watch_check(struct fr_turn_watch *w, uint64_t now)
{
	uint32_t id = atomic_load(&w->c->current), phase = atomic_load(&w->c->phase);

	fr_assert(w->since <= w->sampled && w->sampled <= now);
	if (phase == FR_PHASE_NEW || phase >= FR_PHASE_DIVERGED ||
	    now - w->sampled < FR_TURN_SAMPLE_MS * UINT64_C(1000000))
		return 0;
	w->sampled = now;
	if (id > fr_pool_thread_count(w->pool))
		return 0;
	if (moves(w, id)) {
		w->since = now;
		w->samples = 0;
		return 0;
	}
	if (++w->samples == SAMPLES && id)
		deputise(w, id);
	if (away_for_child(w))
		w->since = now;
	return now - w->since;
}
