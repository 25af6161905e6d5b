/* Threads that wait for ever at the targets: see judge_deadlock.h. */
#include "confirm/judge_deadlock.h"
#include "base/assert.h"

bool fr_judge_polls(const struct fr_control_file *c, uint32_t target)
{
	fr_assert(target < FR_CONTROL_FILE_TARGETS);
	return c->target[target].flags & FR_CTL_BLOCKS &&
	       fr_control_file_polls(&c->target[target], &c->met[target]);
}

uint32_t fr_judge_unblocked(const struct fr_control_file *c, uint8_t *ret_kind)
{
	fr_assert(c->ntargets <= FR_CONTROL_FILE_TARGETS);
	for (uint32_t i = 0; i < c->ntargets; i++) {
		uint32_t id = c->met[i].id;
		bool waits;

		if (!(c->target[i].flags & FR_CTL_BLOCKS))
			continue;
		*ret_kind = c->met[i].kind;
		if (!id)
			return UINT32_MAX;
		waits = fr_judge_polls(c, i) ? c->phase == FR_PHASE_HANG
					     : c->status[id - 1] == FR_CTL_BLOCKED;
		if (!waits || c->waits_for[id - 1] != c->met[i].addr)
			return id;
	}
	return 0;
}

bool fr_judge_may_be_freed(const struct fr_execution *r)
{
	const struct fr_control_file *c = r->file.c;
	bool over = c->phase == FR_PHASE_OUTSIDE || r->ended == FR_ENDED_LIMIT;

	return over && c->ntargets && c->target[0].flags & FR_CTL_BLOCKS &&
	       c->outside & (FR_OUTSIDE_CHILD | FR_OUTSIDE_SHARED | FR_OUTSIDE_THREADS);
}

bool fr_judge_hung(const struct fr_control_file *c)
{
	return (c->stalled || c->phase == FR_PHASE_HANG) && c->ntargets &&
	       c->target[0].flags & FR_CTL_BLOCKS;
}
