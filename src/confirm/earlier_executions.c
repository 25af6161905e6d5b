/* Results of earlier re-executions: see earlier_executions.h. */
#include "confirm/earlier_executions.h"
#include "base/assert.h"
#include "base/hash.h"
#include "confirm/control_file_build.h"
#include <string.h>

void fr_known_init(struct fr_known *k)
{
	*k = (struct fr_known){0};
	pthread_mutex_init(&k->lock, NULL);
}

void fr_known_free(struct fr_known *k)
{
	FR_VEC_FOREACH (d, &k->divergence) {
		free(d->thread);
		free(d->detail);
	}
	fr_vec_free(&k->harmless);
	fr_vec_free(&k->divergence);
	fr_vec_free(&k->failure);
}

/* ---- switches ---- */

static uint64_t add_turn(uint64_t h, const struct fr_schedule_file *s,
			 const struct fr_schedule_turn *t)
{
	fr_assert(t->thread < s->thread.n);
	return fr_hash_bytes(fr_hash_text(h, s->thread.v[t->thread]), &t->hook, sizeof(t->hook));
}

/* Makes the turns that lead to the end of the last target. */
static void make_turns(const struct fr_schedule_file *s, bool swapped, struct fr_schedule_file *ret)
{
	size_t turns = fr_control_file_turns_needed(s), n = s->target.n;

	FR_VEC_FOREACH (path, &s->thread)
		fr_schedule_file_thread(ret, *path);
	fr_assert(turns <= s->turn.n);
	for (size_t i = 0; i < turns; i++)
		fr_schedule_file_turn(ret, s->turn.v[i].thread, s->turn.v[i].hook);
	for (size_t i = 0; i < n; i++) {
		const struct fr_schedule_hook *t = &s->target.v[swapped ? n - 1 - i : i];

		fr_schedule_file_turn(ret, t->thread, t->hook);
	}
}

static uint64_t add_frees(uint64_t h, const struct fr_schedule_file *s,
			  const struct fr_schedule_hook *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fr_frees(v[i].kind))
			h = add_turn(h, s, &(struct fr_schedule_turn){v[i].thread, v[i].hook});
	return h;
}

/* Begins a hash with the settings that the need of a finding changes (format/control_file.h):
   keeps_all and sleeps. */
static uint64_t begin(const struct fr_schedule_file *s)
{
	uint8_t how[] = {s->needs == FR_NEEDS_TWICE, s->needs == FR_NEEDS_HANG};
	uint64_t h = fr_hash_bytes(FR_HASH_START, how, sizeof(how));

	h = add_frees(h, s, s->event.v, s->event.n);
	return add_frees(h, s, s->target.v, s->target.n);
}

static uint64_t switches_of(const struct fr_schedule_file *s, bool swapped, bool others)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file made = {0};
	uint8_t then = (uint8_t)(others ? 1 + (s->needs != FR_NEEDS_NO_HARM) : 0); /* gives_way */
	uint8_t sleeps = fr_control_file_sleeps_of(s, others ? FR_THEN_OTHERS : FR_THEN_GO_ON);
	uint64_t h = fr_hash_bytes(fr_hash_bytes(begin(s), &then, 1), &sleeps, 1);

	make_turns(s, swapped, &made);
	FR_VEC_FOREACH (t, &made.turn)
		h = add_turn(h, &made, t);
	FR_VEC_FOREACH (t, &s->target)
		if (fr_target_blocks(s->meeting, t->role))
			h = fr_hash_bytes(h, &t->hook, sizeof(t->hook));
	return h;
}

static bool has(const uint64_t *v, size_t n, uint64_t x)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == x)
			return true;
	return false;
}

bool fr_known_harmless(struct fr_known *k, const struct fr_schedule_file *s, bool swapped,
		       bool others)
{
	uint64_t x = switches_of(s, swapped, others);
	bool found;

	pthread_mutex_lock(&k->lock);
	found = has(k->harmless.v, k->harmless.n, x);
	pthread_mutex_unlock(&k->lock);
	return found;
}

void fr_known_add_failure(struct fr_known *k, uint64_t where)
{
	pthread_mutex_lock(&k->lock);
	fr_vec_push(&k->failure, where);
	pthread_mutex_unlock(&k->lock);
}

bool fr_known_fails(struct fr_known *k, uint64_t where)
{
	bool found;

	pthread_mutex_lock(&k->lock);
	found = has(k->failure.v, k->failure.n, where);
	pthread_mutex_unlock(&k->lock);
	return found;
}

/* ---- divergences ---- */

/* Does the divergence depend only on the schedule's expectation at the hook? */
static bool by_expectation(enum fr_divergence why)
{
	return why == FR_DIV_KIND || why == FR_DIV_SITE || why == FR_DIV_VALUE;
}

static const struct fr_schedule_hook *expectation(const struct fr_schedule_file *s, uint32_t thread,
						  uint64_t hook)
{
	FR_VEC_FOREACH (h, &s->expect)
		if (h->thread == thread && h->hook == hook)
			return h;
	return NULL;
}

static uint64_t hash_turns(const struct fr_schedule_file *s, size_t n)
{
	uint64_t h = begin(s);

	for (size_t i = 0; i < n; i++)
		h = add_turn(h, s, &s->turn.v[i]);
	return h;
}

static void note_divergence(struct fr_known *k, const struct fr_schedule_file *s,
			    const struct fr_execution *seen, const struct fr_judgement *j,
			    uint64_t left_at)
{
	const struct fr_control_file_diverged *d = &seen->file.c->diverged;
	const struct fr_schedule_turn *t;
	const struct fr_schedule_hook *e;

	if (seen->file.c->turn >= fr_control_file_turns_needed(s) || s->leave.n)
		return;
	t = &s->turn.v[seen->file.c->turn];
	e = expectation(s, t->thread, d->expected.hook);
	if (!by_expectation(d->why) || !e || d->expected.thread >= seen->file.nthreads ||
	    strcmp(seen->file.thread[d->expected.thread], s->thread.v[t->thread]) != 0)
		return;
	fr_vec_push(&k->divergence,
		    ((struct fr_known_divergence){.before = hash_turns(s, seen->file.c->turn),
						  .end = t->hook,
						  .thread = fr_xstrdup(s->thread.v[t->thread]),
						  .why = d->why,
						  .expected = *e,
						  .left_at = left_at,
						  .detail = fr_xstrdup(j->detail)}));
}

/* Does the schedule expect the same in this turn? */
static bool expects(const struct fr_schedule_file *s, const struct fr_schedule_turn *t,
		    const struct fr_known_divergence *d)
{
	const struct fr_schedule_hook *e;

	if (t->hook < d->expected.hook || strcmp(s->thread.v[t->thread], d->thread) != 0)
		return false;
	e = expectation(s, t->thread, d->expected.hook);
	return e && e->kind == d->expected.kind && e->site == d->expected.site &&
	       (d->why != FR_DIV_VALUE ||
		(e->known && d->expected.known && e->value == d->expected.value));
}

bool fr_known_diverges(struct fr_known *k, const struct fr_schedule_file *s,
		       struct fr_known_left *ret)
{
	size_t turns = fr_control_file_turns_needed(s);
	uint64_t h = hash_turns(s, 0);
	bool found = false;

	pthread_mutex_lock(&k->lock);
	for (size_t i = 0; i < turns && !found && !s->leave.n; i++) {
		FR_VEC_FOREACH (d, &k->divergence)
			if (!found && d->before == h && expects(s, &s->turn.v[i], d)) {
				found = true;
				*ret = (struct fr_known_left){.detail = fr_xstrdup(d->detail),
							      .left_at = d->left_at,
							      .turn = i,
							      .hook = d->expected.hook};
			}
		h = add_turn(h, s, &s->turn.v[i]);
	}
	pthread_mutex_unlock(&k->lock);
	return found;
}

void fr_known_note(struct fr_known *k, const struct fr_schedule_file *s, bool swapped, bool others,
		   const struct fr_execution *seen, const struct fr_judgement *j, uint64_t left_at)
{
	const struct fr_control_file *c = seen->file.c;

	if (!seen->attached || j->harm != FR_HARM_NONE)
		return;
	pthread_mutex_lock(&k->lock);
	if (j->verdict == FR_VERDICT_CONFIRMED && seen->ended == FR_ENDED_ITSELF) {
		fr_vec_push(&k->harmless, switches_of(s, swapped, others));
		/* No other thread could continue first. With gives_way, one may continue later. */
		if (!others && !c->choice && !s->needs)
			fr_vec_push(&k->harmless, switches_of(s, swapped, true));
	}
	if (j->verdict == FR_VERDICT_REFUTED && c->phase == FR_PHASE_DIVERGED)
		note_divergence(k, s, seen, j, left_at);
	pthread_mutex_unlock(&k->lock);
}
