/*
 * Completes a trace whose recorder was killed: adds the blocks of the pool file that are not in the
 * trace file, the blocking calls in which threads were, modules and counters. While the recorder
 * lives, which its lock on the pool shows, the pool is left alone: the trace is then the part
 * written so far.
 */
#include "trace/salvage.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "trace/pool_reader.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static bool recorder_lives(const char *pool)
{
	FR_CLEANUP(fr_closep) int fd = fr_dir_open(pool, NULL);

	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

static int add_leftovers(struct fr_trace *t, const char *name, const struct fr_pool *p,
			 const fr_leftover_vec *left, struct fr_err *reterr)
{
	uint32_t threads = fr_pool_thread_count(p);
	size_t total = threads, at = 0; /* one more slot for each thread: PENDING */

	FR_VEC_FOREACH (l, left)
		total += l->used;
	t->raw = fr_xmalloc(total * sizeof(*t->raw));
	FR_VEC_FOREACH (l, left) {
		const struct fr_block *b = fr_pool_block((struct fr_pool *)p, l->block);
		uint64_t offset = FR_POOL_BLOCKS_OFF + (uint64_t)l->block * FR_BLOCK_SIZE;
		struct fr_trace_thread *th;

		if (!l->thread || l->thread > FR_POOL_MAX_THREADS)
			return fr_err_say(reterr, -EBADMSG, "'%s' is damaged at offset %" PRIu64,
					  name, offset);
		th = fr_trace_add_thread(t, l->thread);
		if (l->seq < th->block.n)
			continue; /* written to the trace, but not freed */
		if (l->seq > th->block.n)
			return fr_err_say(
			    reterr, -EBADMSG,
			    "'%s' at offset %" PRIu64
			    ": block %u of thread %u exists, but block %zu is missing",
			    name, offset, l->seq, l->thread, th->block.n);
		fr_assert(at + l->used <= total);
		memcpy(t->raw + at, b->slot, l->used * sizeof(*t->raw));
		fr_vec_push(&th->block, (struct fr_event_block){.raw = t->raw + at,
								.offset = offset,
								.first_hook = l->first_hook,
								.slots = l->used});
		th->slots += l->used;
		t->slots += l->used;
		at += l->used;
		t->salvaged = true;
	}
	for (uint32_t i = 0; i < threads; i++) {
		const struct fr_pool_thread *pt = &fr_pool_threads((struct fr_pool *)p)[i];
		struct fr_trace_thread *th;

		if (!pt->id || pt->id > FR_POOL_MAX_THREADS)
			continue;
		th = fr_trace_add_thread(t, pt->id);
		th->parent = pt->parent;
		th->nth = pt->nth;
		th->hooks = pt->hook;
		fr_assert(at < total);
		if (!fr_pool_pending(pt, &t->raw[at]))
			continue;
		fr_vec_push(&th->block, (struct fr_event_block){.raw = &t->raw[at++],
								.first_hook = pt->hook,
								.slots = 1});
		th->slots++;
		t->slots++;
	}
	return 0;
}

/* Checks that the torn block of the trace file is in the pool. */
static int check_torn(const struct fr_trace *t, const char *pool, const struct fr_torn *torn,
		      struct fr_err *reterr)
{
	const struct fr_trace_thread *th = fr_trace_thread(t, torn->thread);

	if (!torn->offset || (torn->thread ? th && th->block.n > torn->seq : t->salvaged))
		return 0;
	return fr_err_say(reterr, -EBADMSG,
			  "'%s' is damaged at offset %" PRIu64
			  ": the file ends within a block, which is not in '%s' either",
			  t->file, torn->offset, pool);
}

int fr_trace_salvage(struct fr_trace *t, const char *pool, const struct fr_torn *torn, bool end,
		     struct fr_err *reterr)
{
	fr_leftover_vec left = {0};
	const struct fr_pool *p;
	struct fr_mapped m;
	int r;

	if (recorder_lives(pool)) {
		free(t->run.reason);
		t->run.reason = fr_xstrdup("the recording has not ended");
		return 0;
	}
	r = fr_dir_map(pool, &m, reterr);
	if (r < 0)
		return r;
	p = (const struct fr_pool *)m.p;
	if (m.n < FR_POOL_BLOCKS_OFF || p->magic != FR_POOL_MAGIC) {
		fr_io_unmap(&m);
		return fr_err_say(reterr, -EBADMSG, "'%s' is damaged at offset %zu", pool,
				  m.n < FR_POOL_BLOCKS_OFF ? m.n : (size_t)0);
	}
	if (p->version != FR_POOL_VERSION) {
		r = fr_err_say(reterr, -EPROTO, "'%s' has version %u; this forerun reads %u", pool,
			       p->version, FR_POOL_VERSION);
		fr_io_unmap(&m);
		return r;
	}
	if (!end) {
		fr_pool_leftovers(p, m.n, &left);
		r = add_leftovers(t, pool, p, &left, reterr);
		if (r >= 0)
			r = check_torn(t, pool, torn, reterr);
	}
	if (r >= 0)
		fr_run_from_pool(&t->run, p, t->run.path);
	fr_vec_free(&left);
	fr_io_unmap(&m);
	return r;
}

int fr_trace_salvage_sites(struct fr_trace *t, struct fr_err *reterr)
{
	struct fr_units units = {0};

	FR_VEC_FOREACH (th, &t->thread) {
		struct fr_iter it;
		struct fr_rec rec;
		int r;

		fr_iter_open(&it, t, th);
		while ((r = fr_iter_next(&it, &rec, reterr)) > 0)
			fr_units_scan(&units, rec.e, rec.n);
		fr_iter_close(&it);
		if (r < 0) {
			fr_units_clear(&units);
			return r;
		}
	}
	t->sites = fr_sites_build(t->run.modules.v, t->run.modules.n, &units);
	t->initial = fr_initial_build(t->run.modules.v, t->run.modules.n, &units);
	fr_units_clear(&units);
	return 0;
}
