/*
 * Feedback to the relaxed tier. A schedule of that tier lets a few reads return other values than
 * recorded. If the program leaves the schedule, one of these reads mattered. It must return its
 * recorded value from then on, and predict/ask_again.c looks for another schedule.
 *
 * The guilty read is most likely the last one of the thread that left. Others are tried if no
 * schedule exists with that one fixed: first those of the thread, then those of other threads, the
 * latest first.
 *
 * A branch may depend on several reads (`if (version == seen)`). Then the program needs other
 * values for all of them, but the tier lets as few reads differ as possible. So if no schedule
 * exists with a suspect fixed, an earlier read of the thread must come before the write that it
 * saw.
 *
 * Executions: one for each other schedule, ROUNDS at most.
 */
#include "confirm/prove.h"
#include "base/assert.h"
#include "base/debug.h"
#include <string.h>

#define ROUNDS 3
#define SUSPECTS 3 /* reads to try in each round */
#define EARLIER 4  /* earlier reads to try in each round */

struct round {
	fr_ev fixed[ROUNDS];	  /* reads that return their recorded values */
	uint32_t n;		  /* of them */
	uint32_t tries;		  /* rounds so far */
	struct fr_candidate what; /* with the reads that must not */
};

/* Returns the number of hooks that a thread had executed when the program left the schedule. */
static uint64_t executed(const struct fr_schedule_file *s, uint32_t thread,
			 const struct fr_proof_left *at)
{
	uint64_t hook = 0;

	if (thread == at->thread)
		return at->hook ? at->hook - 1 : 0;
	for (size_t i = 0; i < s->turn.n && i < at->turn; i++)
		if (s->turn.v[i].thread == thread)
			hook = s->turn.v[i].hook;
	return hook;
}

/* Lists the reads that may have sent the program elsewhere, the likeliest first. */
static uint32_t suspects(const struct fr_model *m, const struct fr_schedule_file *s,
			 const struct fr_proof_left *at, fr_ev ret[SUSPECTS])
{
	uint32_t n = 0;

	for (unsigned own = 2; own-- > 0;)
		for (size_t i = s->differs.n; i-- > 0 && n < SUSPECTS;) {
			fr_ev e = s->differs.v[i];
			uint32_t thread = 0;

			if (e >= m->n)
				continue;
			while (thread < s->thread.n &&
			       strcmp(s->thread.v[thread], m->thread[m->ev[e].thread].path) != 0)
				thread++;
			if ((thread == at->thread) == (own == 1) && thread < s->thread.n &&
			    fr_model_hook(m, e) <= executed(s, thread, at))
				ret[n++] = e;
		}
	return n;
}

/* Fixes one more read, with which there is another schedule. */
static bool fix(const struct fr_prover_again *again, const struct fr_model *m,
		const struct fr_schedule_file *s, const struct fr_proof_left *at, struct round *r,
		struct fr_schedule_file *ret)
{
	fr_ev suspect[SUSPECTS];
	uint32_t n = suspects(m, s, at, suspect);

	fr_assert(r->n < ROUNDS);
	for (uint32_t i = 0; i < n; i++) {
		r->fixed[r->n] = suspect[i];
		if (!again->ask(again->arg, m, s, r->fixed, r->n + 1, ret))
			continue;
		r->n++;
		return true;
	}
	return false;
}

/* Returns the write of another thread that the read saw in the recorded run; FR_NO_EV: none. */
static fr_ev source(const struct fr_model *m, fr_ev read)
{
	const struct fr_mclass *k = &m->cls[FR_C_LOC];
	uint32_t obj = m->ev[read].obj;
	fr_ev found = FR_NO_EV;

	for (uint32_t i = k->first[obj]; i < k->first[obj + 1] && k->list[i] < read; i++)
		if (m->ev[k->list[i]].op == FR_OP_WRITE &&
		    m->ev[k->list[i]].mask & m->ev[read].mask)
			found = k->list[i];
	return found != FR_NO_EV && m->ev[found].thread != m->ev[read].thread ? found : FR_NO_EV;
}

static bool differs(const struct fr_schedule_file *s, fr_ev read)
{
	FR_VEC_FOREACH (e, &s->differs)
		if (*e == read)
			return true;
	return false;
}

/* Makes an earlier read of the thread differ, with which there is another schedule. */
static bool vary(const struct fr_prover_again *again, const struct fr_model *m,
		 const struct fr_schedule_file *s, const struct fr_proof_left *at, struct round *r,
		 struct fr_schedule_file *ret)
{
	uint32_t thread =
	    at->thread < s->thread.n ? fr_model_thread(m, s->thread.v[at->thread]) : UINT32_MAX;
	const struct fr_mthread *t = thread != UINT32_MAX ? &m->thread[thread] : NULL;
	struct fr_schedule_file asked = *s;
	uint32_t tried = 0;

	if (!t || !s->differs.n || r->what.nedges == FR_EDGES)
		return false;
	asked.what = r->what;
	asked.what.nedges++;
	for (uint32_t i = fr_hooks_find((struct fr_hooks *)&t->hooks, 0, t->n, at->hook);
	     i-- > 0 && tried < EARLIER;) {
		fr_ev read = t->ev[i], write;

		if (m->ev[read].op != FR_OP_READ || differs(s, read) ||
		    (write = source(m, read)) == FR_NO_EV)
			continue;
		tried++;
		asked.what.edge[r->what.nedges].before = fr_head(m, read);
		asked.what.edge[r->what.nedges].after = fr_head(m, write);
		if (!again->ask(again->arg, m, &asked, r->fixed, r->n, ret))
			continue;
		r->what = asked.what;
		return true;
	}
	return false;
}

static void free_schedule(struct fr_schedule_file *s)
{
	if (s)
		fr_schedule_file_clear(s);
	free(s);
}

void fr_prover_again(struct fr_prover *p, const struct fr_schedule_file *s, bool swapped,
		     const struct fr_execution_how *how, struct fr_proof *ret)
{
	struct fr_schedule_file *last = NULL;
	const struct fr_model *m;
	struct fr_proof_left at = ret->at;
	struct round r = {.what = s->what};

	if (!p->again.ask || !s->what.npending || !(m = fr_prover_model(p, NULL)))
		return;
	while (r.tries++ < ROUNDS && !(how->stop && *how->stop)) {
		struct fr_schedule_file *next = fr_xcalloc(1, sizeof(*next));
		struct fr_proof proof = {0};
		bool over;

		if (!fix(&p->again, m, last ? last : s, &at, &r, next) &&
		    !vary(&p->again, m, last ? last : s, &at, &r, next)) {
			free(next);
			break;
		}
		free_schedule(last);
		last = next;
		over = fr_prover_exact(p, next, next, swapped, how, &proof, NULL) < 0;
		fr_debug(FR_DEBUG_CONFIRM, "asked again, round %u: %s", r.tries,
			 over ? "not executed" : fr_verdict_name[proof.j.verdict]);
		if (!over && proof.j.verdict == FR_VERDICT_CONFIRMED) {
			fr_proof_clear(ret);
			*ret = proof;
			ret->path = fr_steal(last);
			ret->again = r.tries;
			break;
		}
		at = proof.at;
		over |= !proof.left || proof.ended == FR_ENDED_STOP;
		fr_proof_clear(&proof);
		if (over)
			break;
	}
	free_schedule(last);
}
