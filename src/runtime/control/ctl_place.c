/*
 * Follows a schedule by place, after the program left its hooks in an earlier execution.
 *
 * Meaning:   the events of the finding and its targets are the *milestones*. They must happen in
 *            their order, each at its place: its site, in its thread, and on the bytes of the
 *            milestones with the same number. The turns between them are advice. A turn ends at its
 *            hook while its thread is on the recorded path, and else at its place. A turn does not
 *            end before the milestones that belong to it have happened.
 * Waiting:   a thread that must wait, or waits in a loop, lets the threads of the next turns run,
 *            and then all others. It continues as soon as it can. So the number of times that a
 *            thread goes through a wait loop does not matter.
 * Too early: the hook of an access comes after the access. So a thread notices its milestone only
 *            when it has happened. If another milestone should have come first, the run ends, and
 *            the tool starts another one, in which the thread waits at the hook before (`hold`).
 * Result:    the turns that the threads took, by hook (frt_ctl->made). confirm/place_plan.c makes a
 *            schedule of them, and an exact execution of it decides. So nothing here can confirm.
 * Not found: if the next milestone cannot be reached, the threads run on freely to the end
 *            (`goes_on`).
 * Cost:      every thread calls frt_ctl_hook at each hook. Executions that follow hooks pay
 *            nothing.
 */
#include "ctl_turn.h"

/* Hooks that a thread may execute in one turn before others run: it may wait in a loop. */
#define PATIENCE 20000
#define YIELDS 2  /* likewise, calls that let other threads run */
#define ROUNDS 32 /* if all threads rest so often and none writes, all wait in loops */

#define WATCHED 4 /* locations that a thread read last */

static struct course {
	uint64_t turn;		 /* the thread's present turn; nturns: it has no more */
	uint64_t hooks;		 /* executed in this turn since it last rested */
	uint32_t ends;		 /* occurrences of the end of this turn */
	uint32_t matches, total; /* occurrences of the next milestone, in this turn and since the
				    last */
	uint32_t yields;
	bool off;	    /* off the recorded path */
	bool had_milestone; /* a milestone happened in this turn */
	bool rests;	    /* others run first */
	uint64_t watched[WATCHED];
	unsigned reads;
	struct fr_control_file_seen update; /* the last read-modify-write */
} courses[FR_POOL_MAX_THREADS];

static bool done[FR_CONTROL_FILE_MILESTONES]; /* milestones that have happened */
static uint64_t spent;			      /* hooks executed by place */
static unsigned rounds;			      /* times that all rested since one last wrote */
static uint64_t first;			      /* turn before which all are over */
static struct frt_thread *running;	      /* the thread that has the turn */
static struct fr_control_file_made latest;    /* its last hook */

static struct course *course(const struct frt_ctl_thread *c)
{
	frt_assert(c->known == UINT32_MAX || c->known < FR_POOL_MAX_THREADS);
	return c->known == UINT32_MAX ? NULL : &courses[c->known];
}

static uint64_t turn_after(uint32_t thread, uint64_t from)
{
	const struct fr_control_file_turn *turns = fr_control_file_turns(frt_ctl);

	while (from < frt_ctl->nturns && turns[from].thread != thread)
		from++;
	return from;
}

static void keep_read(uint32_t thread, const struct fr_control_file_seen *seen)
{
	if (fr_event_is(seen->kind) & FR_IS_READ)
		fr_control_file_reads(frt_ctl)[frt_ctl->nreads++ % FR_CONTROL_FILE_READS] =
		    (struct fr_control_file_read){.thread = thread,
						  .site = seen->site,
						  .hook = seen->hook,
						  .addr = seen->addr,
						  .value = seen->value};
}

/* Takes over the milestones that happened before, at their hooks. */
void frt_ctl_place_begin(void)
{
	const struct fr_control_file_seen *seen = fr_control_file_events(frt_ctl);

	frt_assert(frt_ctl->nmilestones && frt_ctl->before.n <= frt_ctl->nmilestones);
	first = frt_ctl->place_from;
	for (uint32_t i = 0; i < frt_ctl->nthreads; i++)
		courses[i].turn = turn_after(i, first);
	for (uint32_t i = 0; i < frt_ctl->before.n; i++) {
		done[i] = seen[frt_ctl->before.event[i].event].order;
		if (!done[i])
			continue;
		frt_ctl->milestone_seen[i] = seen[frt_ctl->before.event[i].event];
		keep_read(frt_ctl->milestone[i].thread, &frt_ctl->milestone_seen[i]);
		frt_ctl->milestones_seen++;
	}
}

/* Lets the threads that rest run again. */
static bool wake_all(void)
{
	bool any = false;

	for (uint32_t i = 0; i < frt_ctl->nthreads; i++) {
		any |= courses[i].rests;
		courses[i].rests = false;
	}
	return any;
}

/* ---- the end of the run by place ---- */

/* Adds a turn that ended at the running thread's present hook. */
static void make_turn(void)
{
	if (!running || !running->hook || frt_ctl->nmade >= FR_CONTROL_FILE_MADE)
		return;
	if (latest.id != running->id || latest.hook != running->hook) /* a hook before this stage */
		latest = (struct fr_control_file_made){.id = running->id, .hook = running->hook};
	fr_control_file_made(frt_ctl)[frt_ctl->nmade++] = latest;
}

static void over(enum fr_control_file_placed how)
{
	make_turn();
	atomic_store(&frt_ctl->placed, how);
	if (how == FR_PLACED_ALL || (how == FR_PLACED_EARLY && !frt_ctl->goes_on))
		frt_ctl_placed();
	frt_ctl_go_on();
}

/* ---- milestones ---- */

/* The thread's next milestone, nmilestones: it has none. */
static uint32_t next_milestone(uint32_t thread)
{
	uint32_t k = 0;

	while (k < frt_ctl->nmilestones && (done[k] || frt_ctl->milestone[k].thread != thread))
		k++;
	return k;
}

/* The first milestone that has not happened. */
static uint32_t first_milestone(void)
{
	uint32_t k = 0;

	while (k < frt_ctl->nmilestones && done[k])
		k++;
	return k;
}

/* May the milestone happen now? The rule is that of fr_control_file_out_of_order. */
static bool is_due(uint32_t k)
{
	const struct fr_control_file_before *w = &frt_ctl->before;

	for (uint32_t i = 0; i < k; i++)
		if (!done[i] && (k >= w->n || fr_control_file_is_ordered(w, i, k)))
			return false;
	return true;
}

static bool same_place(const struct fr_control_file_place *p,
		       const struct fr_control_file_seen *seen)
{
	return p->kind && p->kind == seen->kind && p->site == seen->site &&
	       (!p->addr || p->addr >> 3 == seen->addr >> 3);
}

/* Is this the milestone, apart from its count? An earlier milestone of the same memory says which
   bytes. */
static bool is_milestone(uint32_t k, const struct fr_control_file_seen *seen)
{
	const struct fr_control_file_milestone *milestone = &frt_ctl->milestone[k];

	if (milestone->place.kind != seen->kind || milestone->place.site != seen->site)
		return false;
	for (uint32_t i = 0; milestone->memory && i < frt_ctl->nmilestones; i++)
		if (done[i] && frt_ctl->milestone[i].memory == milestone->memory)
			return frt_ctl_meet(&frt_ctl->milestone_seen[i], seen);
	return same_place(&milestone->place, seen);
}

/* Did the thread come again to a milestone that happens once, before its next milestone k? Then k
   belongs to other work. */
static bool begins_anew(const struct frt_ctl_thread *c, uint32_t k,
			const struct fr_control_file_seen *seen)
{
	for (uint32_t i = 0; i < frt_ctl->nmilestones && k < frt_ctl->nmilestones; i++) {
		const struct fr_control_file_milestone *milestone = &frt_ctl->milestone[i];

		if (done[i] && milestone->thread == c->known && milestone->once &&
		    milestone->place.kind == seen->kind && milestone->place.site == seen->site &&
		    milestone->memory && frt_ctl_meet(&frt_ctl->milestone_seen[i], seen))
			return true;
	}
	return false;
}

/* At this hook, the thread is not where the recorded run was. */
static void leave_path(struct frt_ctl_thread *c, uint64_t hook)
{
	struct fr_control_file_thread *k = &fr_control_file_threads(frt_ctl)[c->known];

	frt_assert(c->known < frt_ctl->nthreads);
	course(c)->off = true;
	c->next = UINT32_MAX; /* it has no more expectations */
	if (!k->left)
		k->left = hook;
	if (!frt_ctl->first_left)
		frt_ctl->first_left = c->known + 1;
}

static bool milestones_done(uint32_t thread, uint64_t turn)
{
	uint32_t k = next_milestone(thread);

	return k == frt_ctl->nmilestones || frt_ctl->milestone[k].turn > turn;
}

static void next_turn(struct course *p, uint32_t thread)
{
	p->turn = turn_after(thread, p->turn + 1);
	p->hooks = 0;
	p->ends = p->matches = p->yields = 0;
	p->had_milestone = false;
	wake_all();
}

/* Does the turn end here, because its milestones have happened? On the recorded path it ends at its
   hook. Elsewhere its end may be far away, or nowhere. */
static bool ends_at_milestone(const struct frt_ctl_thread *c)
{
	const struct course *p = course(c);

	return frt_ctl->by_place != FR_BY_PLACE_TURNS && p->off && p->had_milestone &&
	       milestones_done(c->known, p->turn);
}

/* The thread's next milestone happens now. */
static void reach(struct frt_ctl_thread *c, uint32_t k, const struct fr_control_file_seen *seen)
{
	struct course *p = course(c);

	frt_assert(k < frt_ctl->nmilestones && !done[k] &&
		   frt_ctl->milestone[k].thread == c->known);
	if (!is_due(k)) {
		frt_ctl->early = *seen;
		over(FR_PLACED_EARLY);
		return;
	}
	if (seen->hook != frt_ctl->milestone[k].hook)
		leave_path(c, seen->hook);
	frt_ctl->milestone_seen[k] = *seen;
	done[k] = true;
	c->keeps = seen->kind == FR_EV_FREE;
	c->t->synced = c->t->depth; /* from here on, the frames that stay */
	p->matches = p->total = 0;
	p->had_milestone = true;
	wake_all();
	frt_assert(frt_ctl->milestones_seen < frt_ctl->nmilestones);
	if (++frt_ctl->milestones_seen == frt_ctl->nmilestones)
		over(FR_PLACED_ALL);
	else if (ends_at_milestone(c))
		next_turn(p, c->known);
}

static void check_milestones(struct frt_ctl_thread *c, const struct fr_control_file_seen *seen)
{
	uint32_t k = next_milestone(c->known);
	const struct fr_control_file_milestone *milestone = &frt_ctl->milestone[k];
	struct course *p = course(c);

	/* Both milestones may be at one place. */
	if (begins_anew(c, k, seen) && !is_milestone(k, seen)) {
		over(FR_PLACED_REGION);
		return;
	}
	if (k < frt_ctl->nmilestones && milestone->blocks && seen->outcome == FR_BUSY)
		frt_ctl_place_blocks(c->t, seen); /* an attempt of a waiting loop */
	if (k == frt_ctl->nmilestones || milestone->blocks)
		return;
	if (is_milestone(k, seen) && c->t->synced < milestone->frames) { /* another call of the
									    function */
		over(FR_PLACED_REGION);
		return;
	}
	if (!is_milestone(k, seen)) {
		if (seen->hook == milestone->hook)
			leave_path(c, seen->hook);
		return;
	}
	p->matches++;
	p->total++;
	if ((!p->off && seen->hook == milestone->hook) || (p->off && is_due(k)) ||
	    (p->turn >= milestone->turn ? p->matches >= milestone->place.count
					: p->total >= milestone->total))
		reach(c, k, seen);
}

/* ---- turns ---- */

/* Compares the hook with the thread's expectation. */
static void look_at_path(struct frt_ctl_thread *c, const struct fr_control_file_seen *seen)
{
	if (frt_ctl_on_path(c, seen))
		return;
	leave_path(c, seen->hook);
	if (ends_at_milestone(c))
		next_turn(course(c), c->known);
}

static void look_at_turn(struct frt_ctl_thread *c, const struct fr_control_file_seen *seen)
{
	const struct fr_control_file_place *place;
	struct course *p = course(c);

	if (p->turn >= frt_ctl->nturns)
		return;
	frt_assert(p->turn >= frt_ctl->place_from);
	place = &fr_control_file_places(frt_ctl)[p->turn - frt_ctl->place_from];
	p->ends += same_place(place, seen);
	if (p->off ? p->ends >= place->count && place->kind
		   : seen->hook >= fr_control_file_turns(frt_ctl)[p->turn].hook) {
		if (milestones_done(c->known, p->turn))
			next_turn(p, c->known);
	}
}

static void rest(struct course *p)
{
	p->rests = true;
	p->hooks = 0;
}

/* Could another thread wait in a loop for this? Not for an update that repeats: it may be part of
   such a loop itself. */
static bool changes(struct course *p, const struct fr_control_file_seen *seen)
{
	unsigned is = fr_event_is(seen->kind);
	struct fr_control_file_seen was = p->update;

	if ((is & (FR_IS_READ | FR_IS_WRITE)) != (FR_IS_READ | FR_IS_WRITE))
		return is & FR_IS_WRITE ||
		       (is & FR_IS_STAMPED && !(is & (FR_IS_ACQUIRE | FR_IS_RELEASE)));
	p->update = *seen;
	return was.site != seen->site || was.addr != seen->addr || was.value != seen->value;
}

/* Lets the threads continue that read this location last: they may wait in a loop for it. */
static void wake_readers(const struct fr_control_file_seen *seen)
{
	for (uint32_t i = 0; i < frt_ctl->nthreads; i++)
		for (unsigned k = 0; courses[i].rests && k < WATCHED; k++)
			if (courses[i].watched[k] == seen->addr >> 3)
				courses[i].rests = false;
}

void frt_ctl_place_hook(struct frt_thread *t, const struct fr_control_file_seen *seen)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	struct course *p = course(c);

	frt_assert(frt_ctl_by_place());
	running = t;
	latest = (struct fr_control_file_made){
	    .id = t->id, .site = seen->site, .hook = seen->hook, .kind = seen->kind};
	if (!p) /* a thread that the schedule does not have */
		return;
	if (changes(p, seen)) {
		rounds = 0;
		wake_readers(seen);
	}
	if (fr_event_is(seen->kind) & FR_IS_READ)
		p->watched[p->reads++ % WATCHED] = seen->addr >> 3;
	keep_read(c->known, seen);
	look_at_path(c, seen);
	check_milestones(c, seen);
	if (!frt_ctl_by_place())
		return;
	look_at_turn(c, seen);
	if (++p->hooks >= PATIENCE)
		rest(p);
	if (++spent > frt_ctl->bound)
		over(FR_PLACED_BOUND);
}

bool frt_ctl_place_yields(struct frt_thread *t)
{
	struct course *p = course(frt_ctl_thread(t));

	if (!p || ++p->yields < YIELDS)
		return false;
	rest(p);
	return true;
}

void frt_ctl_place_blocks(struct frt_thread *t, const struct fr_control_file_seen *seen)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	uint32_t k = c->known == UINT32_MAX ? frt_ctl->nmilestones : next_milestone(c->known);

	frt_assert(frt_ctl_by_place());
	if (k < frt_ctl->nmilestones && frt_ctl->milestone[k].blocks &&
	    same_place(&frt_ctl->milestone[k].place, seen))
		reach(c, k, seen);
}

void frt_ctl_place_faulted(struct frt_thread *t, struct fr_control_file_seen *seen)
{
	struct frt_ctl_thread *c = frt_ctl_thread(t);
	uint32_t k = c->known == UINT32_MAX ? frt_ctl->nmilestones : next_milestone(c->known);
	const struct fr_control_file_milestone *milestone = &frt_ctl->milestone[k];

	for (uint32_t i = 0; k + 1 == frt_ctl->nmilestones && milestone->memory && i < k; i++)
		if (done[i] && frt_ctl->milestone[i].memory == milestone->memory &&
		    fr_frees(frt_ctl->milestone[i].place.kind) &&
		    frt_ctl_meet(&frt_ctl->milestone_seen[i], seen)) {
			seen->kind = milestone->place.kind;
			seen->site = milestone->place.site;
			running = t;
			latest = (struct fr_control_file_made){.id = t->id,
							       .site = seen->site,
							       .hook = seen->hook,
							       .kind = seen->kind};
			reach(c, k, seen);
			return;
		}
}

/* ---- choosing ---- */

/* Does the thread wait for milestones of other threads? After the target of a race it always does:
   its next steps must not lead the other thread to its target. */
static bool held(const struct frt_ctl_thread *c)
{
	uint64_t hold =
	    c->known == UINT32_MAX ? 0 : fr_control_file_threads(frt_ctl)[c->known].hold;
	uint32_t k;

	for (uint32_t i = 0; i < frt_ctl->nmilestones; i++)
		if (done[i] && frt_ctl->milestone[i].stays &&
		    frt_ctl->milestone[i].thread == c->known)
			return true;
	if (!hold || c->t->hook < hold)
		return false;
	k = next_milestone(c->known);
	return k < frt_ctl->nmilestones && !is_due(k);
}

static bool able(const struct frt_ctl_thread *c)
{
	return c && c->t && frt_ctl_can_run(c) && !held(c) && !(course(c) && course(c)->rests);
}

static struct frt_ctl_thread *of_turns(void)
{
	const struct fr_control_file_turn *turns = fr_control_file_turns(frt_ctl);

	frt_assert(first >= frt_ctl->place_from);
	for (uint64_t i = first; i < frt_ctl->nturns; i++) {
		struct frt_ctl_thread *c = frt_ctl_of_schedule(turns[i].thread);
		struct course *p = &courses[turns[i].thread];

		if (c && frt_ctl_status(c) == FR_CTL_OVER)
			p->turn = frt_ctl->nturns;
		/* Off the path, the thread runs to its target when that is due. */
		if (p->turn == i && p->off &&
		    !fr_control_file_places(frt_ctl)[i - frt_ctl->place_from].kind)
			p->turn = turn_after(turns[i].thread, i + 1);
		if (p->turn != i) {
			first += i == first;
			continue;
		}
		if (able(c))
			return c;
	}
	return NULL;
}

static struct frt_ctl_thread *of_others(void)
{
	struct frt_ctl_thread *c =
	    frt_ctl_of_schedule(frt_ctl->milestone[first_milestone()].thread);

	if (able(c))
		return c;
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (able(&frt_ctl_threads[i]))
			return &frt_ctl_threads[i];
	return NULL;
}

/* Lets all other threads run before the one that has the last milestone. */
static struct frt_ctl_thread *not_last(void)
{
	uint32_t last = frt_ctl->nmilestones - 1;

	if (frt_ctl->by_place != FR_BY_PLACE_OTHERS || first_milestone() != last)
		return NULL;
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].known != frt_ctl->milestone[last].thread &&
		    able(&frt_ctl_threads[i]))
			return &frt_ctl_threads[i];
	return NULL;
}

static struct frt_ctl_thread *any(void)
{
	struct frt_ctl_thread *c = not_last();

	if (!c)
		c = of_turns();
	if (!c)
		c = of_others();
	return c;
}

/* Can the next milestone not happen any more? */
static bool hopeless(void)
{
	const struct frt_ctl_thread *c =
	    frt_ctl_of_schedule(frt_ctl->milestone[first_milestone()].thread);

	frt_assert(first_milestone() < frt_ctl->nmilestones); /* after the last milestone the
								 process ends */
	return c && frt_ctl_status(c) == FR_CTL_OVER;
}

static bool one_is_away(void)
{
	for (uint32_t i = 0, n = frt_ctl_count(); i < n; i++)
		if (frt_ctl_threads[i].t && frt_ctl_status(&frt_ctl_threads[i]) == FR_CTL_AWAY)
			return true;
	return false;
}

/* Does the thread that runs have the first turn that is not over? Then it continues. */
static bool continues(const struct frt_ctl_thread *c)
{
	return c->t == running && c->known != UINT32_MAX && courses[c->known].turn == first &&
	       first < frt_ctl->nturns && able(c);
}

struct frt_ctl_thread *frt_ctl_place_choose(struct frt_thread *self)
{
	struct frt_ctl_thread *c = self ? frt_ctl_thread(self) : NULL;

	if (!running)
		running = self;
	if (hopeless()) {
		over(FR_PLACED_STUCK);
		return NULL;
	}
	if (!c || !continues(c)) {
		c = any();
		if (!c && rounds++ < ROUNDS && wake_all())
			c = any();
		if (!c)
			c = frt_ctl_expire_next();
	}
	if (!c && one_is_away())
		return NULL;
	if (!c) {
		over(FR_PLACED_STUCK);
		return NULL;
	}
	if (c->t != running) {
		make_turn();
		running = c->t;
	}
	frt_assert(frt_ctl_status(c) != FR_CTL_OVER && frt_ctl_status(c) != FR_CTL_AWAY);
	c->t->limit = c->t->hook + 1;
	return c;
}
