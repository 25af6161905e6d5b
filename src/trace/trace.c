/*
 * Opens a run folder: reads run.json, sites and memory, verifies the trace file, its blocks and its
 * end block, and finds out whether the trace is complete. salvage.c reads the pool.
 */
#include "trace/trace.h"
#include "base/assert.h"
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "format/trace_file.h"
#include "trace/salvage.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void fr_trace_free(struct fr_trace *t)
{
	if (!t)
		return;
	FR_VEC_FOREACH (th, &t->thread) {
		fr_vec_free(&th->block);
		fr_vec_free(&th->spins);
		free(th->path);
	}
	fr_vec_free(&t->thread);
	if (t->map)
		fr_io_unmap(t->map);
	free(t->map);
	free(t->raw);
	fr_codec_free(t->codec);
	free(t->why);
	free(t->dir);
	free(t->file);
	fr_sites_free(t->sites);
	fr_initial_free(t->initial);
	fr_run_clear(&t->run);
	free(t);
}

void fr_trace_freep(struct fr_trace **t)
{
	fr_trace_free(*t);
}

static struct fr_trace_thread *lookup(const struct fr_trace *t, uint32_t id, size_t *ret_at)
{
	size_t lo = fr_bisect(t->thread.n, i, t->thread.v[i].id < id);

	if (ret_at)
		*ret_at = lo;
	return lo < t->thread.n && t->thread.v[lo].id == id ? &t->thread.v[lo] : NULL;
}

const struct fr_trace_thread *fr_trace_thread(const struct fr_trace *t, uint32_t id)
{
	return lookup(t, id, NULL);
}

struct fr_trace_thread *fr_trace_add_thread(struct fr_trace *t, uint32_t id)
{
	size_t at;
	struct fr_trace_thread *th = lookup(t, id, &at);

	if (th)
		return th;
	fr_assert(id && id <= FR_POOL_MAX_THREADS);
	fr_assert(!at || t->thread.v[at - 1].id < id);
	fr_vec_reserve(&t->thread, 1);
	memmove(&t->thread.v[at + 1], &t->thread.v[at], (t->thread.n - at) * sizeof(*t->thread.v));
	t->thread.n++;
	t->thread.v[at] = (struct fr_trace_thread){.id = id};
	return &t->thread.v[at];
}

static int bad(const struct fr_trace *t, uint64_t at, const char *what, struct fr_err *reterr)
{
	return fr_err_say(reterr, -EBADMSG, "'%s' is damaged at offset %" PRIu64 ": %s", t->file,
			  at, what);
}

static int read_header(struct fr_trace *t, struct fr_err *reterr)
{
	struct fr_trace_header h;

	if (t->map->n < sizeof(h))
		return bad(t, t->map->n, "it ends within its header", reterr);
	memcpy(&h, t->map->p, sizeof(h));
	if (memcmp(h.magic, FR_TRACE_MAGIC, sizeof(h.magic)) != 0)
		return bad(t, 0, "not a trace of forerun", reterr);
	if (h.check != fr_crc32c(0, &h, offsetof(struct fr_trace_header, check)))
		return bad(t, 0, "the checksum of the header does not match", reterr);
	if (h.version < FR_TRACE_OLDEST || h.version > FR_TRACE_VERSION ||
	    h.event_size != sizeof(struct fr_event))
		return fr_err_say(reterr, -EPROTO,
				  "'%s' has version %u of the trace format; this forerun reads %u "
				  "to %u",
				  t->file, h.version, FR_TRACE_OLDEST, FR_TRACE_VERSION);
	if (memcmp(h.run_id, t->run.run_id, sizeof(h.run_id)) != 0)
		return fr_err_say(reterr, -EBADMSG,
				  "'%s' does not belong to '%s/run.json': their run ids differ",
				  t->file, t->dir);
	t->created_ns = h.created_ns;
	return 0;
}

static int add_events(struct fr_trace *t, const struct fr_trace_block *b, uint64_t at,
		      struct fr_err *reterr)
{
	struct fr_trace_thread *th;

	if (!b->thread || b->thread > FR_POOL_MAX_THREADS || b->slots > FR_CODEC_MAX_SLOTS ||
	    b->codec > 1)
		return bad(t, at, "an invalid block", reterr);
	th = fr_trace_add_thread(t, b->thread);
	if (b->seq != th->block.n)
		return bad(t, at, "a block is missing before this one", reterr);
	fr_vec_push(&th->block, (struct fr_event_block){.payload = t->map->p + at + sizeof(*b),
							.offset = at,
							.position = t->slots,
							.first_hook = b->first_hook,
							.slots = b->slots,
							.plain = b->plain,
							.length = b->length,
							.codec = b->codec});
	fr_assert(th->block.n == (size_t)b->seq + 1);
	th->slots += b->slots;
	t->slots += b->slots;
	return 0;
}

/* Compares the counts in the end block with the blocks before it: none may be missing. */
static int check_end(struct fr_trace *t, const struct fr_trace_block *b, uint64_t at,
		     uint64_t blocks, struct fr_err *reterr)
{
	const uint8_t *p = t->map->p + at + sizeof(*b);
	struct fr_trace_end end;
	size_t with_blocks = 0;

	if (b->length < sizeof(end))
		return bad(t, at, "the end block is too short", reterr);
	memcpy(&end, p, sizeof(end));
	if (end.threads > FR_POOL_MAX_THREADS ||
	    b->length != sizeof(end) + end.threads * sizeof(struct fr_trace_end_thread))
		return bad(t, at, "the end block is invalid", reterr);
	if (end.slots != t->slots || end.blocks != blocks)
		return bad(t, at, "blocks are missing before the end", reterr);
	for (uint32_t i = 0; i < end.threads; i++) {
		struct fr_trace_end_thread e;
		struct fr_trace_thread *th;

		memcpy(&e, p + sizeof(end) + i * sizeof(e), sizeof(e));
		if (!e.id || e.id > FR_POOL_MAX_THREADS)
			continue; /* an unused slot */
		th = fr_trace_add_thread(t, e.id);
		if (th->block.n != e.blocks || th->slots != e.slots)
			return bad(t, at, "blocks of a thread are missing", reterr);
		with_blocks += th->block.n;
		th->parent = e.parent;
		th->nth = e.nth;
		th->hooks = e.hooks;
	}
	if (with_blocks != blocks)
		return bad(t, at, "the end block lacks a thread", reterr);
	t->complete = !end.stop_errno;
	return 0;
}

/*
 * Reads all blocks. *ret_end: the end block is present. A block that the end of the file truncates
 * is an error, unless the pool may have it (`pool`): then *ret_torn identifies it.
 */
static int read_blocks(struct fr_trace *t, bool pool, bool *ret_end, struct fr_torn *ret_torn,
		       struct fr_err *reterr)
{
	uint64_t at = sizeof(struct fr_trace_header), blocks = 0, left;
	struct fr_trace_block b;
	int r;

	for (; at < t->map->n; at += sizeof(b) + b.length) {
		left = t->map->n - at;
		if (left >= sizeof(b)) {
			memcpy(&b, t->map->p + at, sizeof(b));
			if (b.magic != FR_TRACE_BLOCK_MAGIC ||
			    b.check != fr_crc32c(0, &b, offsetof(struct fr_trace_block, check)))
				return bad(t, at, "the checksum of a block's header does not match",
					   reterr);
		}
		if (left < sizeof(b) || b.length > left - sizeof(b)) {
			*ret_torn = (struct fr_torn){.offset = at};
			if (left >= sizeof(b) && b.type == FR_TRACE_BLOCK_EVENTS) {
				ret_torn->thread = b.thread;
				ret_torn->seq = b.seq;
			}
			if (pool)
				return 0;
			return bad(t, at, "the file ends within a block", reterr);
		}
		if (b.payload_check != fr_crc32c(0, t->map->p + at + sizeof(b), b.length))
			return bad(t, at, "the checksum of a block does not match", reterr);
		if (b.type == FR_TRACE_BLOCK_END) {
			*ret_end = true;
			if (at + sizeof(b) + b.length != t->map->n)
				return bad(t, at + sizeof(b) + b.length,
					   "unexpected data after the end block", reterr);
			return check_end(t, &b, at, blocks, reterr);
		}
		if (b.type != FR_TRACE_BLOCK_EVENTS)
			return bad(t, at, "a block of an unknown type", reterr);
		r = add_events(t, &b, at, reterr);
		if (r < 0)
			return r;
		blocks++;
	}
	return 0;
}

/* Without an end block, a thread's parent is in its first events. */
static int find_parents(struct fr_trace *t, struct fr_err *reterr)
{
	FR_VEC_FOREACH (th, &t->thread) {
		struct fr_iter it;
		struct fr_rec rec;
		int r, tries = 0;

		if (th->parent || th->id == 1)
			continue;
		fr_iter_open(&it, t, th);
		while ((r = fr_iter_next(&it, &rec, reterr)) > 0 && tries++ < 64)
			if (fr_event_kind(rec.e) == FR_EV_THREAD_START) {
				th->parent = (uint32_t)fr_event_addr(rec.e);
				th->nth = rec.n > 1 ? (uint32_t)fr_event_addr(&rec.e[1]) : 0;
				break;
			}
		fr_iter_close(&it);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Names the threads. A parent has a lower id than its children, so one pass by id is enough. */
static void name_threads(struct fr_trace *t)
{
	FR_VEC_FOREACH (th, &t->thread) {
		const struct fr_trace_thread *parent =
		    th->parent < th->id ? fr_trace_thread(t, th->parent) : NULL;

		fr_assert(!th->path);
		if (!th->parent && th->id == 1)
			th->path = fr_xstrdup("0");
		else if (parent && parent->path && th->nth)
			th->path = fr_xasprintf("%s.%u", parent->path, th->nth);
		else
			th->path = fr_xasprintf("?%u", th->id);
	}
}

static uint64_t threads_with_events(const struct fr_trace *t)
{
	uint64_t n = 0;

	FR_VEC_FOREACH (th, &t->thread)
		n += th->block.n > 0;
	return n;
}

/* Counts events by decoding all blocks. Only needed if run.json has no counts. */
static int count_events(struct fr_trace *t, struct fr_err *reterr)
{
	uint64_t events = 0;

	FR_VEC_FOREACH (th, &t->thread) {
		struct fr_iter it;
		struct fr_rec rec;
		int r;

		fr_iter_open(&it, t, th);
		while ((r = fr_iter_next(&it, &rec, reterr)) > 0)
			events += fr_event_class(fr_event_kind(rec.e)) != 'x';
		fr_iter_close(&it);
		if (r < 0)
			return r;
	}
	t->run.events = events;
	t->run.threads = threads_with_events(t);
	t->run.slots = t->slots;
	return 0;
}

/* Sets `why` of an incomplete trace: the reason, and the number of usable events. */
static int explain(struct fr_trace *t, bool end, bool final, struct fr_err *reterr)
{
	const char *what = t->run.reason ? t->run.reason : "the reason is unknown";
	FR_CLEANUP(fr_freep) char *cut = NULL;
	int r;

	if (t->complete && final)
		return 0;
	t->complete = false;
	if (!end || !final) {
		r = count_events(t, reterr);
		if (r < 0)
			return r;
	}
	if (!end && t->run.complete) {
		cut = fr_xasprintf("'%s' ends at offset %zu, before its end block", t->file,
				   t->map->n);
		what = cut;
	}
	t->why = fr_xasprintf("%s; %" PRIu64 " event%s of %" PRIu64 " thread%s %s usable", what,
			      t->run.events, t->run.events == 1 ? "" : "s", t->run.threads,
			      t->run.threads == 1 ? "" : "s", t->run.events == 1 ? "is" : "are");
	return 0;
}

static int check_against_run(const struct fr_trace *t, struct fr_err *reterr)
{
	uint64_t threads = threads_with_events(t);

	if (t->run.slots != t->slots || t->run.threads != threads || t->run.complete != t->complete)
		return fr_err_say(reterr, -EBADMSG,
				  "'%s' does not match '%s/run.json': %" PRIu64 " slots of %" PRIu64
				  " threads, not %" PRIu64 " of %" PRIu64,
				  t->file, t->dir, t->slots, threads, t->run.slots, t->run.threads);
	return 0;
}

static int read_all(struct fr_trace *t, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *run = fr_xasprintf("%s/run.json", t->dir);
	FR_CLEANUP(fr_freep) char *sites = fr_xasprintf("%s/sites", t->dir);
	FR_CLEANUP(fr_freep) char *memory = fr_xasprintf("%s/memory", t->dir);
	FR_CLEANUP(fr_freep) char *pool = fr_xasprintf("%s/pool", t->dir);
	struct fr_torn torn = {0};
	bool end = false, has_pool, final;
	int r = fr_run_read(run, &t->run, reterr);

	if (r < 0)
		return r;
	/* The recorder writes run.json when it starts and again at the very end. */
	final = t->run.exit >= 0 || t->run.signal;
	has_pool = !final && fr_dir_stat(pool, NULL) == 0;
	r = fr_dir_map(t->file, t->map, reterr);
	if (r >= 0)
		r = read_header(t, reterr);
	if (r >= 0)
		r = read_blocks(t, has_pool, &end, &torn, reterr);
	if (r >= 0 && has_pool)
		r = fr_trace_salvage(t, pool, &torn, end, reterr);
	if (r >= 0 && !end)
		r = find_parents(t, reterr);
	if (r < 0)
		return r;
	t->bytes = t->map->n;
	name_threads(t);
	if (end && final) {
		r = check_against_run(t, reterr);
		if (r < 0)
			return r;
	}
	if (final || fr_dir_stat(sites, NULL) == 0)
		r = fr_sites_read(sites, &t->sites, reterr);
	else
		r = fr_trace_salvage_sites(t, reterr);
	if (r >= 0 && t->run.memory)
		r = fr_initial_read(memory, &t->initial, reterr);
	return r < 0 ? r : explain(t, end, final, reterr);
}

int fr_trace_open(const char *dir, struct fr_trace **ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_trace_freep) struct fr_trace *t = fr_xcalloc(1, sizeof(*t));
	int r;

	t->dir = fr_xstrdup(dir);
	t->file = fr_xasprintf("%s/trace", dir);
	t->map = fr_xcalloc(1, sizeof(*t->map));
	t->codec = fr_codec_new();
	r = read_all(t, reterr);
	if (r < 0)
		return r;
	*ret = fr_steal(t);
	return 0;
}
