/*
 * Makes run folders of any size for the benchmark of prediction. It simulates a random program, so
 * that the run is feasible and every read returns the last written value, and writes the events of
 * each thread into the trace as a recorder would do.
 *
 * The threads have sections under one to three locks (mostly in order), with accesses to the 16
 * variables of the lock. Threads share a few variables without a lock, and only read some. The
 * variables of a lock are one block of memory. For one lock of 64, a thread frees the block and
 * allocates it again now and then: the numbers of pairs of places with a use after free and with a
 * race are about the same. The values are addresses, and sometimes null. The place of an access in
 * the source follows from variable, access and thread, so that places come again as in a loop.
 *
 * Without locks, it makes the worst case: all accesses use one variable, from 16 places for each
 * kind, in and out of the sections of one lock.
 */
#include "bench_predict.h"
#include "base/mem.h"
#include "format/pool.h"
#include "trace/run_info.h"
#include "symbols/sites.h"
#include "trace/writer.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 3
#define OF_LOCK 16  /* variables of a lock */
#define OPEN 64	    /* variables without a lock */
#define CONSTANT 64 /* variables that are only read */
#define STAMP_EVERY 256
#define PLACES 16 /* of the only variable, without locks */
#define NULL_EVERY 16	 /* one value in this number is null */
#define REPLACED 64	 /* threads replace the block of one lock in this number, */
#define REPLACE_EVERY 64 /* in one section in this number */

#define LOCKS_AT UINT64_C(0x10000000)
#define VARS_AT UINT64_C(0x20000000)
#define POINTERS_AT UINT64_C(0x7f0000000000)

struct thread {
	struct fr_event *slot;
	uint32_t n, seq, depth, since;
	uint64_t hook, first_hook;
	uint32_t held[DEPTH];
};

struct gen {
	struct fr_writer *w;
	struct thread *t;
	uint32_t threads, locks;
	bool one; /* variable */
	uint64_t *value;
	uint32_t *owner; /* thread + 1 */
	uint64_t stamp, random, events;
};

static uint64_t rnd(struct gen *g)
{
	g->random ^= g->random << 13;
	g->random ^= g->random >> 7;
	g->random ^= g->random << 17;
	return g->random;
}

static void flush(struct gen *g, uint32_t t)
{
	struct thread *x = &g->t[t];

	if (x->n && fr_writer_add(g->w, t + 1, x->seq++, x->first_hook, x->slot, x->n) < 0)
		abort();
	if (fr_writer_flush(g->w) < 0) {
		fprintf(stderr, "cannot write the trace\n");
		exit(1);
	}
	x->n = 0;
	x->first_hook = x->hook;
}

static void put(struct gen *g, uint32_t t, uint64_t w0, uint64_t value, uint32_t site)
{
	struct thread *x = &g->t[t];

	x->slot[x->n++] = (struct fr_event){w0, value, site, (uint32_t)x->hook};
}

/* A hook: an event, with room for its EXT slots. */
static void hook(struct gen *g, uint32_t t, unsigned kind, uint64_t addr, uint64_t value,
		 unsigned aux, uint32_t site)
{
	struct thread *x = &g->t[t];

	if (x->n + 4 > FR_BLOCK_SLOTS)
		flush(g, t);
	x->hook++;
	put(g, t, fr_w0(addr, kind, aux), value, site);
	g->events++;
}

static void sync_hook(struct gen *g, uint32_t t, unsigned kind, uint64_t addr, uint32_t site)
{
	hook(g, t, kind, addr, ++g->stamp, FR_SYNC(FR_OK, FR_PLAIN, FR_NORMAL), site);
	g->t[t].since = 0;
}

/* Returns the value of the variable after a number of writes: an address or null. */
static uint64_t content(uint64_t writes)
{
	return writes % NULL_EVERY ? POINTERS_AT + 16 * writes : 0;
}

static void access_one(struct gen *g, uint32_t t, uint32_t var, bool write)
{
	struct thread *x = &g->t[t];
	uint32_t site = g->one ? write * PLACES + (uint32_t)(rnd(g) >> 20) % PLACES
			       : (var % 4096) * 8 + write * 4 + t % 4;

	if (write)
		g->value[var]++;
	hook(g, t, write ? FR_EV_WRITE : FR_EV_READ, VARS_AT + 8 * (uint64_t)var,
	     content(g->value[var]), 3, 1000 + site);
	if (++x->since < STAMP_EVERY)
		return;
	x->since = 0;
	put(g, t, fr_w0(g->stamp, FR_EV_STAMP, 0), g->events, 0);
}

static void give_up(struct gen *g, uint32_t t)
{
	struct thread *x = &g->t[t];
	uint32_t l = x->held[--x->depth];

	g->owner[l] = 0;
	sync_hook(g, t, FR_EV_MUTEX_UNLOCK, LOCKS_AT + 64 * (uint64_t)l, 200 + l % 100);
}

static void life_hook(struct gen *g, uint32_t t, unsigned kind, uint64_t addr, uint32_t site)
{
	hook(g, t, kind, addr, ++g->stamp, FR_MEM_CALLOC, site);
	put(g, t, fr_w0(8 * OF_LOCK, FR_EV_EXT, 0), 0, 0);
	g->t[t].since = 0;
}

/* Frees the block of a lock that the thread holds, and allocates it again at the same address. */
static void replace(struct gen *g, uint32_t t, uint32_t lock)
{
	uint32_t var = OPEN + CONSTANT + lock * OF_LOCK;
	uint64_t at = VARS_AT + 8 * (uint64_t)var;

	life_hook(g, t, FR_EV_FREE, at, 300 + lock % 100);
	life_hook(g, t, FR_EV_ALLOC, at, 400 + lock % 100);
	for (uint32_t i = 0; i < OF_LOCK; i++)
		g->value[var + i] = 0;
}

static bool take(struct gen *g, uint32_t t)
{
	struct thread *x = &g->t[t];
	uint32_t l = (uint32_t)(rnd(g) >> 20) % g->locks;

	if (x->depth == DEPTH || g->owner[l])
		return false;
	/* Mostly in order, which makes a few cycles, not thousands. */
	if (x->depth && l < x->held[x->depth - 1] && rnd(g) % 4096)
		return false;
	g->owner[l] = t + 1;
	x->held[x->depth++] = l;
	sync_hook(g, t, FR_EV_MUTEX_LOCK, LOCKS_AT + 64 * (uint64_t)l, 100 + l % 100);
	if (!g->one && l % REPLACED == 0 && (rnd(g) >> 20) % REPLACE_EVERY == 0)
		replace(g, t, l);
	return true;
}

static void step(struct gen *g, uint32_t t)
{
	struct thread *x = &g->t[t];
	uint64_t r = rnd(g);
	uint32_t what = (uint32_t)r % 100, var = (uint32_t)(r >> 32);
	bool write = (r >> 16) % 100 < 30;

	if (what < 9 && take(g, t))
		return;
	if (x->depth && what < 18) {
		give_up(g, t);
		return;
	}
	if (g->one)
		access_one(g, t, 0, write);
	else if (x->depth)
		access_one(g, t, OPEN + CONSTANT + x->held[x->depth - 1] * OF_LOCK + var % OF_LOCK,
			   write);
	else if (what < 22)
		access_one(g, t, var % OPEN, write);
	else
		access_one(g, t, OPEN + var % CONSTANT, false);
}

static void start_threads(struct gen *g)
{
	for (uint32_t v = 0; v < (g->one ? 1 : OPEN + CONSTANT); v++)
		access_one(g, 0, v, true);
	for (uint32_t t = 1; t < g->threads; t++) {
		sync_hook(g, 0, FR_EV_THREAD_CREATE, t + 1, 1);
		sync_hook(g, t, FR_EV_THREAD_START, 1, 0);
		put(g, t, fr_w0(t, FR_EV_EXT, 0), 0, 0);
		put(g, t, fr_w0(0, FR_EV_EXT, 0), 0, 0);
	}
}

static void end_threads(struct gen *g)
{
	for (uint32_t t = 0; t < g->threads; t++)
		while (g->t[t].depth)
			give_up(g, t);
	for (uint32_t t = 1; t < g->threads; t++) {
		sync_hook(g, t, FR_EV_THREAD_EXIT, 0, 0);
		sync_hook(g, 0, FR_EV_THREAD_JOIN, t + 1, 2);
	}
	sync_hook(g, 0, FR_EV_THREAD_EXIT, 0, 0);
}

static void simulate(struct gen *g, uint64_t events)
{
	start_threads(g);
	while (g->events + 3 * g->threads < events) {
		uint64_t r = rnd(g);
		uint32_t t = (uint32_t)(r >> 32) % g->threads;

		for (unsigned k = 1 + (unsigned)(r % 16); k--;)
			step(g, t);
	}
	end_threads(g);
}

/* ---- the folder ---- */

static void write_run(const char *dir, const struct gen *g, const uint8_t id[16])
{
	struct fr_writer_stats st = fr_writer_stats(g->w);
	char *path = fr_xasprintf("%s/run.json", dir);
	struct fr_run run = {.version = fr_xstrdup("0.1.0"),
			     .program = fr_xstrdup("generated"),
			     .path = fr_xstrdup("generated"),
			     .cwd = fr_xstrdup("/"),
			     .options = fr_xstrdup(""),
			     .started = fr_xstrdup("2026-01-01T00:00:00Z"),
			     .complete = true,
			     .threads = st.threads,
			     .events = st.events,
			     .slots = st.slots,
			     .trace_bytes = st.bytes};

	memcpy(run.run_id, id, 16);
	for (int i = 0; i < 3; i++)
		run.stream[i] = (struct fr_run_stream){.kind = FR_STREAM_NULL, .kept = true};
	if (fr_run_write(path, &run, NULL) < 0)
		exit(1);
	fr_run_clear(&run);
	free(path);
}

static void write_sites(const char *dir)
{
	struct fr_units units = {0};
	char *path = fr_xasprintf("%s/sites", dir);
	struct fr_sites *s = fr_sites_build(NULL, 0, &units);

	if (fr_sites_write(path, s, NULL) < 0)
		exit(1);
	fr_sites_free(s);
	free(path);
}

void bench_generate(const char *dir, uint64_t events, uint32_t threads, uint32_t locks,
		    uint64_t seed)
{
	static const uint8_t id[16] = "bench of predict";
	struct fr_pool_thread *end = fr_xcalloc(threads, sizeof(*end));
	struct gen g = {
	    .threads = threads, .locks = locks ? locks : 1, .one = !locks, .random = seed | 1};
	char *path = fr_xasprintf("%s/trace", dir);
	struct fr_err err;

	if (fr_writer_create(path, id, &g.w, &err) < 0) {
		fprintf(stderr, "%s\n", err.msg);
		exit(1);
	}
	g.t = fr_xcalloc(threads, sizeof(*g.t));
	g.value = fr_xcalloc(OPEN + CONSTANT + (size_t)g.locks * OF_LOCK, sizeof(*g.value));
	g.owner = fr_xcalloc(g.locks, sizeof(*g.owner));
	for (uint32_t t = 0; t < threads; t++)
		g.t[t].slot = fr_xcalloc(FR_BLOCK_SLOTS, sizeof(struct fr_event));
	simulate(&g, events);
	for (uint32_t t = 0; t < threads; t++) {
		flush(&g, t);
		end[t] = (struct fr_pool_thread){
		    .id = t + 1, .parent = t ? 1 : 0, .nth = t, .hook = g.t[t].hook};
		free(g.t[t].slot);
	}
	if (fr_writer_end(g.w, end, threads, 0) < 0)
		exit(1);
	write_run(dir, &g, id);
	write_sites(dir);
	fr_writer_free(g.w);
	free(g.t);
	free(g.value);
	free(g.owner);
	free(end);
	free(path);
}
