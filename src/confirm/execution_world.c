/* The world of the re-executions: see execution_world.h. */
#include "confirm/execution_world.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/dir.h"
#include "trace/kept_files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Outer folders come before their contents. */
static int by_length(const void *pa, const void *pb)
{
	const struct fr_box_fix *a = pa, *b = pb;
	size_t na = strlen(a->path), nb = strlen(b->path);

	return na != nb ? na < nb ? -1 : 1 : strcmp(a->path, b->path);
}

static char *read_target(int fd)
{
	struct fr_mapped m;
	char *s = NULL;

	if (fr_io_map_fd(fd, "a kept link", &m, NULL) < 0)
		return NULL;
	if (m.n && !memchr(m.p, 0, m.n))
		s = fr_xstrndup((const char *)m.p, m.n);
	fr_io_unmap(&m);
	return s;
}

static int add_fix(struct fr_world *w, const char *dir, const struct fr_kept_file *f,
		   struct fr_err *reterr)
{
	struct fr_box_fix x = {.mode = f->mode, .mtime = f->mtime, .content = -1};

	if (!fr_kept_whole(f))
		return fr_err_say(reterr, -ENODATA,
				  "'%s' was not kept: it is a device or too large", f->path);
	if (f->copy) {
		FR_CLEANUP(fr_freep) char *copy = fr_kept_copy(dir, f->copy);

		x.content = fr_dir_open(copy, reterr);
		if (x.content < 0)
			return x.content;
	}
	if (S_ISLNK(f->mode)) {
		x.target = read_target(x.content);
		fr_closep(&x.content);
		if (!x.target)
			return fr_err_say(reterr, -EBADMSG, "the copy of '%s' is damaged", f->path);
	}
	x.path = fr_xstrdup(f->path);
	fr_vec_push(&w->box.fix, x);
	return 0;
}

static int add_fixes(struct fr_world *w, const char *dir, struct fr_err *reterr)
{
	FR_CLEANUP(fr_kept_free) struct fr_kept_files kept = {0};
	int r = fr_kept_read(dir, &kept, reterr);

	for (size_t i = 0; i < kept.file.n && !r; i++)
		r = add_fix(w, dir, &kept.file.v[i], reterr);
	if (w->box.fix.n)
		qsort(w->box.fix.v, w->box.fix.n, sizeof(*w->box.fix.v), by_length);
	return r;
}

/* Can objects of this kind be private to a box? Only if all of them are the program's own. */
static bool all_own(const struct fr_recorded *r, unsigned first, unsigned second)
{
	bool any = false;

	FR_VEC_FOREACH (n, &r->name) {
		if (n->kind != first && n->kind != second)
			continue;
		if (!(n->flags & FR_NAME_ABSENT))
			return false;
		any = true;
	}
	return any;
}

/* Can ghosts play the peers of the run? Then the network is private to the box. */
static void open_ghosts(struct fr_world *w, const char *dir, const struct fr_trace *t)
{
	fr_ghosts_open(&w->ghosts, dir, t, &w->no_ghosts);
	w->has_ghosts = fr_ghosts_any(&w->ghosts) && !w->no_ghosts;
}

void fr_world_open(struct fr_world *w, const char *dir, const struct fr_trace *t,
		   const struct fr_recorded *r, bool wanted)
{
	struct fr_err err = {0};
	int e;

	*w = (struct fr_world){.ghosts.peers.fd = -1};
	if (wanted)
		open_ghosts(w, dir, t);
	if (!r->shared && !w->has_ghosts)
		return;
	w->box.network = w->has_ghosts || all_own(r, FR_NAME_ADDRESS, FR_NAME_ADDRESS);
	if (w->has_ghosts) {
		fr_ghost_addresses all = {0};

		fr_ghosts_addresses(&w->ghosts, &all);
		FR_VEC_FOREACH (a, &all)
			fr_vec_push(&w->box.address, *a);
		fr_vec_free(&all);
	}
	w->box.objects = all_own(r, FR_NAME_QUEUE, FR_NAME_SYSV);
	e = wanted ? add_fixes(w, dir, &err) : fr_err_say(&err, -ECANCELED, "--no-box");
	if (!e)
		e = fr_box_prepare(&w->box, dir, &err);
	w->boxed = !e;
	w->has_ghosts = w->has_ghosts && w->boxed;
	if (e) {
		w->reason = fr_xstrdup(err.msg);
		fr_box_free(&w->box);
	}
	fr_debug(FR_DEBUG_CONFIRM, "box: %s%s%s", w->boxed ? "yes" : w->reason,
		 w->box.network ? ", network" : "", w->box.objects ? ", objects" : "");
}

void fr_world_close(struct fr_world *w)
{
	if (w->boxed)
		fr_box_free(&w->box);
	fr_ghosts_close(&w->ghosts);
	free(w->reason);
	free(w->no_ghosts);
	*w = (struct fr_world){0};
}

bool fr_world_serial(const struct fr_world *w, const struct fr_recorded *r)
{
	if (!r->shared)
		return false;
	if (!w->boxed)
		return true;
	FR_VEC_FOREACH (n, &r->name) {
		if (!(n->flags & FR_NAME_CHANGED))
			continue;
		if (n->kind == FR_NAME_ADDRESS && !w->box.network)
			return true;
		if ((n->kind == FR_NAME_QUEUE || n->kind == FR_NAME_SYSV) && !w->box.objects)
			return true;
	}
	return false;
}
