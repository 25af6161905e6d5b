/*
 * Compares the outside world that a controlled program finds with that of the recorded run.
 * outside_name.h describes the state of a name. The first difference is kept for the tool, with the
 * name and the call site.
 *
 * A name that the recorded run did not use cannot be compared. If a call on it fails for a reason
 * outside of the program, forerun assumes that the world differs, and so blames no interleaving.
 */
#include "ctl_input.h"
#include "ctl_state.h"
#include "runtime/core/outside_name.h"
#include <errno.h>
#include <stdatomic.h>

static const struct fr_control_file_name *recorded(uint64_t hash)
{
	const struct fr_control_file_name *v = fr_control_file_names(frt_ctl);
	uint64_t lo = 0, hi = frt_ctl->nnames;

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (v[mid].name < hash)
			lo = mid + 1;
		else
			hi = mid;
	}
	frt_assert(lo == hi && (!lo || v[lo - 1].name < hash));
	return lo < frt_ctl->nnames && v[lo].name == hash ? &v[lo] : NULL;
}

/* Resources of the machine that the program alone does not exhaust. */
static bool exhausted(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EROFS || error == ENFILE;
}

static bool from_outside(int error)
{
	return error == EEXIST || error == ENOENT || error == EADDRINUSE ||
	       error == EADDRNOTAVAIL || error == ECONNREFUSED || error == ENOTEMPTY;
}

/* Returns the description of a difference if this one is the first, else NULL. */
static struct fr_control_file_world *first(struct frt_thread *t, unsigned kind)
{
	struct fr_control_file_world *o = &frt_ctl->world;

	if (atomic_fetch_add(&o->n, 1))
		return NULL;
	o->phase = atomic_load(&frt_ctl->phase);
	o->kind = kind;
	if (!t)
		return o;
	o->seen = (struct fr_control_file_seen){.thread = frt_ctl_thread(t)->known,
						.id = t->id,
						.hook = t->hook,
						.site = frt_call_site(t)};
	return o;
}

void frt_ctl_signal_missing(struct frt_thread *t)
{
	first(t, FR_WORLD_SIGNAL);
}

void frt_ctl_peer_missing(struct frt_thread *t, int error)
{
	struct fr_control_file_world *o = first(t, FR_WORLD_PEER);

	if (o)
		o->error = error;
}

static void differs(struct frt_thread *t, const struct frt_name *n, unsigned then, unsigned now,
		    int error)
{
	struct fr_control_file_world *o = first(t, n->kind);
	size_t k = 0;

	if (!o)
		return;
	o->then = then;
	o->now = now;
	o->error = error;
	for (; n->text && k < n->length && k < FR_CONTROL_FILE_NAME - 1; k++)
		o->name[k] = n->text[k];
	o->name[k] = 0;
}

void frt_ctl_name_lost(struct frt_thread *t, const struct frt_name *n)
{
	struct fr_control_file_world *o = &frt_ctl->world;

	if (!atomic_load(&o->n))
		o->lost = 1;
	differs(t, n, 0, 0, 0);
}

void frt_ctl_name(struct frt_thread *t, const struct frt_name *n, unsigned flags, uint32_t size,
		  uint32_t content, int error)
{
	const struct fr_control_file_name *r = recorded(n->hash);
	unsigned common = r ? r->flags & flags : 0;

	if (exhausted(error)) {
		differs(t, n, 0, 0, error);
		return;
	}
	if (!r) {
		if (from_outside(error) && flags & (FR_NAME_THERE | FR_NAME_ABSENT))
			differs(t, n, 0, flags, error);
		return;
	}
	if ((flags & FR_NAME_THERE && r->flags & FR_NAME_ABSENT) ||
	    (flags & FR_NAME_ABSENT && r->flags & FR_NAME_THERE) ||
	    (common & FR_NAME_SIZE && r->size != size) ||
	    (common & FR_NAME_CONTENT && r->content != content))
		differs(t, n, r->flags, flags, error);
}
