/*
 * The end of a recording: moves the events that are left in the pool to the trace, then writes the
 * rest of the folder. It removes the pool last, because a reader can use the folder with the pool
 * and without the rest. Only if the disk is full, it removes the pool first, to make room.
 */
#include "record/session.h"
#include "base/assert.h"
#include "base/debug.h"
#include "trace/initial.h"
#include "symbols/sites.h"
#include <inttypes.h>
#include <errno.h>
#include <string.h>

static bool asked_again(void *arg)
{
	struct fr_session *s = arg;
	unsigned before = s->signals;

	fr_session_read_signals(s);
	return s->signals > before;
}

/* Returns a sentence that says why the recording is incomplete, or NULL. */
static char *why_incomplete(struct fr_session *s, int stop_errno, int write_errno)
{
	if (!s->attached)
		return fr_xstrdup("no instrumented program attached to the recorder");
	if (write_errno)
		return fr_xasprintf("cannot write the trace: %s", strerror(write_errno));
	if (stop_errno)
		return fr_xasprintf("recording was stopped: %s", strerror(stop_errno));
	if (s->cut)
		return fr_xstrdup("the recorded process was still running");
	if (s->pool->damaged)
		return fr_xasprintf("%llu blocks of events were damaged by the program",
				    (unsigned long long)s->pool->damaged);
	return NULL;
}

/*
 * Moves the rest of the pool to the trace. On a full disk, the writer holds the encoded blocks in
 * memory while the pool is removed, which frees more space than the blocks need.
 */
static void finish_trace(struct fr_session *s)
{
	struct fr_pool *p = s->pool->p;
	int stop_errno = 0, r;

	if (s->cut)
		fr_pool_reader_stop(s->pool, 0);
	if (atomic_load(&p->state) == FR_POOL_STOPPED)
		stop_errno = atomic_load(&p->stop_errno);
	fr_pool_reader_finish(s->pool, s->writer);
	r = fr_writer_flush(s->writer);
	if (r < 0) {
		fr_pool_reader_remove(s->pool, !s->cut);
		if (!atomic_load(&s->write_errno))
			atomic_store(&s->write_errno, -r);
		if (fr_writer_flush(s->writer) < 0)
			fr_writer_discard(s->writer);
	}
	s->run.reason = why_incomplete(s, stop_errno, atomic_load(&s->write_errno));
	s->run.complete = !s->run.reason;
	if (!stop_errno)
		stop_errno = atomic_load(&s->write_errno);
	r = fr_writer_end(s->writer, fr_pool_threads(p), fr_pool_thread_count(p),
			  s->run.complete ? 0
			  : stop_errno	  ? stop_errno
					  : EIO);
	if (r < 0 && s->run.complete) {
		s->run.complete = false;
		s->run.reason = fr_xasprintf("cannot write the trace: %s", strerror(-r));
	}
	fr_assert(s->run.complete == !s->run.reason);
}

/* Writes the files besides the trace. */
static int finish_folder(struct fr_session *s, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *sites = fr_session_path(s, "sites");
	FR_CLEANUP(fr_freep) char *memory = fr_session_path(s, "memory");
	int64_t size;
	int r = fr_sites_write(sites, s->sites, reterr);

	if (r < 0)
		return r;
	size = fr_initial_write(memory, s->initial, reterr);
	if (size < 0)
		return (int)size;
	s->run.memory = (uint64_t)size;
	return fr_session_write_run(s, reterr);
}

int fr_session_finish(struct fr_session *s, struct fr_err *reterr)
{
	struct fr_writer_stats stats;
	int r;

	fr_assert(!s->sites && !s->initial && (s->run.exit >= 0 || s->run.signal));
	fr_keeper_stop(&s->keeper);
	atomic_store(&s->stop, true);
	fr_pool_reader_wake(s->pool);
	if (s->draining)
		pthread_join(s->drainer, NULL);
	fr_streams_finish(&s->streams, asked_again, s);
	s->attached = atomic_load(&s->pool->p->pid) != 0;
	fr_peer_file_finish(&s->peers);
	free(s->run.reason);
	finish_trace(s);
	fr_run_from_pool(&s->run, s->pool->p, s->exe ? s->exe : s->run.path);
	stats = fr_writer_stats(s->writer);
	fr_assert(stats.events <= stats.slots && stats.threads <= stats.blocks);
	s->run.threads = stats.threads;
	s->run.events = stats.events;
	s->run.slots = stats.slots;
	s->run.trace_bytes = stats.bytes;
	fr_debug(FR_DEBUG_RECORD, "%" PRIu64 " events of %" PRIu64 " threads in %" PRIu64 " bytes",
		 (uint64_t)stats.events, (uint64_t)stats.threads, (uint64_t)stats.bytes);
	s->sites = fr_sites_build(s->run.modules.v, s->run.modules.n, fr_writer_units(s->writer));
	s->initial =
	    fr_initial_build(s->run.modules.v, s->run.modules.n, fr_writer_units(s->writer));
	r = finish_folder(s, reterr);
	fr_pool_reader_remove(s->pool, !s->cut);
	if (r < 0) /* try again: removing the pool has freed space */
		r = finish_folder(s, reterr);
	return r;
}
