/*
 * Causality: must-happen-before against paths in the graph of its rules, locks held and cuts
 * against a plain walk; the signals that serve waits; clocks of many threads; the sets of places.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include "causality/bits.h"
#include "causality/causality.h"
#include "causality/clock.h"
#include "script.h"
#include <stdio.h>

static uint64_t rnd_state;
static uint32_t rnd(uint32_t n)
{
	rnd_state = rnd_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(rnd_state >> 33) % n;
}

static void bit_sets_agree_with_arrays(void **state)
{
	static const uint32_t sizes[] = {1, 63, 64, 65, 4096, 5000, 300000, 20000000};

	(void)state;
	rnd_state = 1;
	for (size_t k = 0; k < fr_array_size(sizes); k++) {
		struct fr_bits b;
		uint32_t n = sizes[k], last = UINT32_MAX, members[64], nm = 0;

		fr_bits_init(&b, n);
		for (unsigned i = 0; i < 20; i++)
			fr_bits_set(&b, rnd(n));
		fr_bits_finish(&b);
		assert_int_equal(fr_bits_before(&b, 0, 0, 7), 7);
		for (uint32_t i = 0; i < n; i++) {
			if (n < 10000 || rnd(1000) == 0 || fr_bits_get(&b, i)) {
				assert_int_equal(fr_bits_before(&b, 0, i, UINT32_MAX), last);
				if (last != UINT32_MAX) {
					assert_int_equal(fr_bits_before(&b, last, i, 1u << 31),
							 last);
					assert_int_equal(fr_bits_before(&b, last + 1, i, 1u << 31),
							 1u << 31);
				}
			}
			if (fr_bits_get(&b, i)) {
				last = i;
				members[nm++] = i;
			}
		}
		assert_int_equal(fr_bits_before(&b, 0, n, UINT32_MAX), members[nm - 1]);
		fr_bits_free(&b);
	}
}

static void clocks_agree_with_arrays(void **state)
{
	static const uint32_t sizes[] = {1, 16, 17, 64, 300, 65535};

	(void)state;
	for (size_t k = 0; k < fr_array_size(sizes); k++) {
		uint32_t n = sizes[k], *plain[8];
		struct fr_clocks c;
		fr_clock clock[8] = {0};

		fr_clocks_init(&c, n);
		for (unsigned i = 0; i < 8; i++)
			plain[i] = fr_xcalloc(n, sizeof(uint32_t));
		for (unsigned round = 0; round < 200; round++) {
			uint32_t a = rnd(8), b = rnd(8), t = rnd(n), v = rnd(1000);

			if (rnd(3)) {
				clock[a] = fr_clock_raise(&c, clock[a], t, v);
				plain[a][t] = v > plain[a][t] ? v : plain[a][t];
			} else {
				clock[a] = fr_clock_join(&c, clock[a], clock[b]);
				for (uint32_t i = 0; i < n; i++)
					if (plain[b][i] > plain[a][i])
						plain[a][i] = plain[b][i];
				assert_int_equal(fr_clock_join(&c, clock[a], clock[b]), clock[a]);
			}
		}
		for (unsigned i = 0; i < 8; i++) {
			for (uint32_t t = 0; t < n; t++)
				assert_int_equal(fr_clock_get(&c, clock[i], t), plain[i][t]);
			free(plain[i]);
		}
		fr_clocks_free(&c);
	}
}

/* Random runs with everything that makes must-happen-before, and locks. */
#define T 4
#define MAX 120
struct run {
	struct fr_builder *b;
	uint32_t n;
	bool begun[T], done[T], joined[T];
	int owner[3];
	uint32_t readers[3][T];
	int barrier[T]; /* in which generation + 1, entered and not left */
	uint32_t gens, entered[MAX], once[2], once_by[2];
	bool waiting[T];
};

static fr_ev put(struct run *r, uint32_t t, enum fr_op op, uint32_t obj, unsigned flags)
{
	r->n++;
	return fr_builder_add(r->b,
			      &(struct fr_mev){.thread = (uint16_t)t,
					       .op = (uint8_t)op,
					       .obj = obj,
					       .mask = op <= FR_OP_WRITE ? 0xff : 0,
					       .flags = flags & 0x3ff},
			      r->n);
}

static bool holds(const struct run *r, uint32_t t)
{
	for (int l = 0; l < 3; l++)
		if (r->owner[l] == (int)t || r->readers[l][t])
			return true;
	return false;
}

static void random_barrier(struct run *r, uint32_t t)
{
	uint32_t g = r->gens - 1;

	if (r->barrier[t]) {
		if (r->entered[r->barrier[t] - 1] == 2) {
			put(r, t, FR_OP_BARRIER_LEAVE, (uint32_t)r->barrier[t] - 1, 0);
			r->barrier[t] = 0;
		}
		return;
	}
	if (!r->gens || r->entered[g] == 2) {
		fr_builder_obj(r->b, FR_C_BARRIER, (struct fr_mobj){.count = 2, .aux = r->gens});
		g = r->gens++;
	}
	put(r, t, FR_OP_BARRIER_ENTER, g, 0);
	r->entered[g]++;
	r->barrier[t] = (int)g + 1;
}

static void random_lock(struct run *r, uint32_t t)
{
	uint32_t l = rnd(3);
	bool read = false;

	for (uint32_t i = 0; i < T; i++)
		read |= r->readers[l][i] > 0;
	if (r->owner[l] == (int)t) {
		put(r, t, FR_OP_RELEASE, l, 0);
		r->owner[l] = -1;
	} else if (r->readers[l][t] && rnd(2)) {
		put(r, t, FR_OP_RELEASE_SHARED, l, 0);
		r->readers[l][t]--;
	} else if (r->owner[l] >= 0) {
		put(r, t, FR_OP_ACQUIRE_FAILED, l, 0);
	} else if (!read && rnd(2)) {
		put(r, t, FR_OP_ACQUIRE, l, 0);
		r->owner[l] = (int)t;
	} else {
		put(r, t, FR_OP_ACQUIRE_SHARED, l, 0);
		r->readers[l][t]++;
	}
}

static void random_once(struct run *r, uint32_t t)
{
	uint32_t o = rnd(2);

	if (r->once[o] == 2) {
		put(r, t, FR_OP_ONCE_DONE, o, 0);
	} else if (!r->once[o]) {
		put(r, t, FR_OP_ONCE_BEGIN, o, 0);
		r->once[o] = 1;
		r->once_by[o] = t;
	} else if (r->once_by[o] == t) {
		put(r, t, FR_OP_ONCE_END, o, 0);
		r->once[o] = 2;
	}
}

static void random_step(struct run *r)
{
	uint32_t t = rnd(T), u = rnd(T);

	if (!r->begun[t] || r->done[t])
		return;
	if (r->barrier[t]) {
		random_barrier(r, t);
		return;
	}
	switch (rnd(9)) {
	case 0:
		if (!r->begun[u]) {
			put(r, t, FR_OP_CREATE, u, 0);
			r->begun[u] = true;
		}
		break;
	case 1:
		if (r->done[u] && !r->joined[u]) {
			put(r, t, FR_OP_JOIN, u, 0);
			r->joined[u] = true;
		}
		break;
	case 2:
		if (t && rnd(4) == 0 && !holds(r, t)) {
			put(r, t, FR_OP_EXIT, t, 0);
			r->done[t] = true;
		}
		break;
	case 3:
		random_barrier(r, t);
		break;
	case 4:
		put(r, t, rnd(2) ? FR_OP_ACQUIRE_ALL : FR_OP_RELEASE_ALL, rnd(2), 0);
		break;
	case 5:
		random_once(r, t);
		break;
	case 6:
	case 7:
		random_lock(r, t);
		break;
	default:
		put(r, t, rnd(2) ? FR_OP_READ : FR_OP_WRITE, rnd(2), 0);
		break;
	}
}

static struct fr_model *random_run(void)
{
	struct run r = {.b = fr_builder_new(), .owner = {-1, -1, -1}};
	struct fr_model *m;
	struct fr_err err;

	for (uint32_t t = 0; t < T; t++)
		fr_builder_thread(r.b, "t", t);
	for (int i = 0; i < 3; i++)
		fr_builder_obj(r.b, FR_C_LOCK, (struct fr_mobj){.aux = FR_LOCK_RW});
	for (int i = 0; i < 2; i++) {
		fr_builder_obj(r.b, FR_C_LOC, (struct fr_mobj){0});
		fr_builder_obj(r.b, FR_C_FLAG, (struct fr_mobj){0});
		fr_builder_obj(r.b, FR_C_ONCE, (struct fr_mobj){0});
	}
	r.begun[0] = true;
	for (unsigned i = 0; i < 2 * MAX && r.n < MAX - 2; i++)
		random_step(&r);
	m = fr_builder_finish(r.b);
	if (fr_model_validate(m, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	return m;
}

/* Every rule as an edge, then all paths. */
static void closure(const struct fr_model *m, bool path[MAX][MAX])
{
	for (uint32_t b = 0; b < m->n; b++) {
		const struct fr_mev *y = &m->ev[b];

		for (uint32_t a = 0; a < m->n; a++) {
			const struct fr_mev *x = &m->ev[a];
			bool edge = false;

			if (a < b) {
				edge |= x->thread == y->thread;
				edge |= x->op == FR_OP_CREATE && x->obj == y->thread;
				edge |= y->op == FR_OP_JOIN && y->obj == x->thread;
				edge |= x->op == FR_OP_BARRIER_ENTER &&
					y->op == FR_OP_BARRIER_LEAVE && x->obj == y->obj;
				edge |= x->op == FR_OP_BARRIER_ENTER &&
					y->op == FR_OP_BARRIER_ENTER && x->obj + 1 == y->obj;
				edge |= x->op == FR_OP_ONCE_END && y->op == FR_OP_ONCE_DONE &&
					x->obj == y->obj;
				edge |= x->op == FR_OP_RELEASE_ALL && y->op == FR_OP_ACQUIRE_ALL &&
					x->obj == y->obj;
			}
			path[a][b] = edge;
		}
	}
	for (uint32_t k = 0; k < m->n; k++)
		for (uint32_t a = 0; a < m->n; a++)
			for (uint32_t b = 0; path[a][k] && b < m->n; b++)
				path[a][b] |= path[k][b];
}

static void check_held(const struct fr_model *m, const struct fr_causality *c, fr_ev e)
{
	struct fr_held got[MAX];
	uint32_t n = fr_locks_held(c, e, got, MAX), k = 0;

	for (fr_ev a = 0; a < e; a++) {
		bool shared = m->ev[a].op == FR_OP_ACQUIRE_SHARED;
		fr_ev release;

		if (m->ev[a].thread != m->ev[e].thread || (m->ev[a].op != FR_OP_ACQUIRE && !shared))
			continue;
		release = fr_release_of(c, a);
		if (release < e)
			continue;
		assert_true(k < n);
		assert_int_equal(got[k].acquire, a);
		assert_int_equal(got[k].lock, m->ev[a].obj);
		assert_int_equal(got[k].shared, shared);
		k++;
	}
	assert_int_equal(k, n);
}

static void check_cuts(const struct fr_model *m, const struct fr_causality *c)
{
	int held = 0;
	fr_ev last = 0, before = 0;

	for (fr_ev e = 0; e <= m->n; e++) {
		if (!held && e) {
			before = last;
			last = e;
		}
		assert_int_equal(fr_cut_before(c, e, 0), last);
		assert_int_equal(fr_cut_before(c, e, 1), before);
		if (e < m->n) {
			unsigned op = m->ev[e].op;

			held += (op == FR_OP_ACQUIRE || op == FR_OP_ACQUIRE_SHARED) -
				(op == FR_OP_RELEASE || op == FR_OP_RELEASE_SHARED);
		}
	}
}

/* A release is the one at which as many of that kind were begun as ended since. */
static void check_releases(const struct fr_model *m, const struct fr_causality *c)
{
	fr_ev open[T * 3 * 2][MAX];
	uint32_t n[T * 3 * 2] = {0};
	bool ended[MAX] = {false};

	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];
		bool shared = v->op == FR_OP_ACQUIRE_SHARED || v->op == FR_OP_RELEASE_SHARED;
		uint32_t k = (v->thread * 3u + v->obj) * 2 + shared;

		if (v->op == FR_OP_ACQUIRE || v->op == FR_OP_ACQUIRE_SHARED) {
			open[k][n[k]++] = e;
		} else if (v->op == FR_OP_RELEASE || v->op == FR_OP_RELEASE_SHARED) {
			ended[open[k][--n[k]]] = true;
			assert_int_equal(fr_release_of(c, open[k][n[k]]), e);
		}
	}
	for (fr_ev e = 0; e < m->n; e++)
		if ((m->ev[e].op == FR_OP_ACQUIRE || m->ev[e].op == FR_OP_ACQUIRE_SHARED) &&
		    !ended[e])
			assert_int_equal(fr_release_of(c, e), FR_NO_EV);
}

static void must_happen_before_agrees_with_paths(void **state)
{
	static bool path[MAX][MAX];
	unsigned ordered = 0;

	(void)state;
	rnd_state = 42;
	for (unsigned round = 0; round < 300; round++) {
		struct fr_model *m = random_run();
		struct fr_causality *c = fr_causality_new(m);

		closure(m, path);
		for (fr_ev b = 0; b < m->n; b++) {
			fr_ev last[T] = {FR_NO_EV, FR_NO_EV, FR_NO_EV, FR_NO_EV};

			for (fr_ev a = 0; a < m->n; a++) {
				assert_int_equal(fr_mhb(c, a, b), path[a][b]);
				if (path[a][b])
					last[m->ev[a].thread] = a;
				ordered += path[a][b] && m->ev[a].thread != m->ev[b].thread;
			}
			for (uint32_t t = 0; t < T; t++)
				assert_int_equal(fr_mhb_last(c, b, t), last[t]);
			check_held(m, c, b);
			if (m->ev[b].op == FR_OP_READ) {
				fr_ev w[8], w2[8];

				fr_model_writers(m, b, w);
				assert_int_equal(fr_writers_since(c, b, 0, w2), w[0] != FR_NO_EV);
				if (w[0] != FR_NO_EV)
					assert_int_equal(w[0], w2[0]);
			}
		}
		check_cuts(m, c);
		check_releases(m, c);
		fr_causality_free(c);
		fr_model_free(m);
	}
	assert_true(ordered > 10000);
}

static void finds_the_write_of_each_byte(void **state)
{
	struct fr_model *m = fr_script("0 w x /0x0f\n"
				       "1 w x /0x03\n"
				       "0 w x /0xf0\n"
				       "1 r x /0x3c\n"
				       "0 r x /0xff\n"
				       "0 r x /0x02\n");
	struct fr_causality *c = fr_causality_new(m);
	fr_ev w[8];

	(void)state;
	assert_int_equal(fr_writers_since(c, 3, 0, w), 2);
	assert_int_equal(w[0], 2);
	assert_int_equal(w[1], 0);
	assert_int_equal(fr_writers_since(c, 4, 0, w), 3);
	assert_int_equal(fr_writers_since(c, 4, 1, w), 2);
	assert_int_equal(w[1], 1);
	assert_int_equal(fr_writers_since(c, 5, 0, w), 1);
	assert_int_equal(w[0], 1);
	assert_int_equal(fr_writers_since(c, 5, 2, w), 0);
	fr_causality_free(c);
	fr_model_free(m);
}

static void finds_the_signal_of_each_wait(void **state)
{
	/* Thread 1 waits first, thread 2 later and returns first; the first signal is before 2. */
	struct fr_model *m = fr_script("1 acq m; 1 rel m; 1 begin c\n" /* 0 1 2 */
				       "0 sig c\n"		       /* 3 */
				       "2 acq m; 2 rel m; 2 begin c\n" /* 4 5 6 */
				       "0 sig c\n"		       /* 7 */
				       "2 wait c; 2 acq m; 2 rel m\n"  /* 8 */
				       "1 wait c; 1 acq m; 1 rel m\n"  /* 11 */
				       "1 acq m; 1 rel m; 1 begin c\n" /* 14 15 16 */
				       "0 bcast c\n"		       /* 17 */
				       "0 sig c\n"		       /* 18 */
				       "1 wait c; 1 acq m; 1 rel m\n"  /* 19 */
				       "1 acq m; 1 rel m; 1 begin c\n" /* 22 */
				       "1 wait c timeout\n");	       /* 25 */
	struct fr_causality *c = fr_causality_new(m);

	(void)state;
	assert_int_equal(fr_signal_of(c, 8), 7);
	assert_int_equal(fr_signal_of(c, 11), 3);
	assert_int_equal(fr_signal_of(c, 19), 17);
	assert_int_equal(fr_signal_of(c, 25), FR_NO_EV);
	fr_causality_free(c);
	fr_model_free(m);
}

/* Long enough for several marks. */
static void finds_the_post_of_each_wait(void **state)
{
	struct fr_builder *b = fr_builder_new();
	fr_ev *post = fr_xmalloc(10000 * sizeof(*post)), *wait = fr_xmalloc(10000 * sizeof(*wait));
	uint32_t posts = 0, waits = 0;
	struct fr_causality *c;
	struct fr_model *m;

	(void)state;
	fr_builder_thread(b, "0", 0);
	fr_builder_obj(b, FR_C_SEM, (struct fr_mobj){.count = 1});
	fr_builder_obj(b, FR_C_SEM, (struct fr_mobj){.count = 3});
	fr_builder_obj(b, FR_C_SEM, (struct fr_mobj){0});
	rnd_state = 3;
	for (unsigned i = 0; i < 5000; i++) {
		uint32_t count = 3 + posts - waits;
		struct fr_mev e = {.op = FR_OP_SEM_POST, .obj = 1};
		fr_ev at;

		if (rnd(2))
			e.op = count ? FR_OP_SEM_WAIT : FR_OP_SEM_FAILED;
		at = fr_builder_add(b, &e, i);
		if (e.op == FR_OP_SEM_WAIT)
			wait[waits++] = at;
		else if (e.op == FR_OP_SEM_POST)
			post[posts++] = at;
	}
	m = fr_builder_finish(b);
	c = fr_causality_new(m);
	assert_true(waits > 1000);
	for (uint32_t i = 0; i < waits; i++)
		assert_int_equal(fr_post_of(c, wait[i]), i < 3 ? FR_NO_EV : post[i - 3]);
	fr_causality_free(c);
	fr_model_free(m);
	free(post);
	free(wait);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bit_sets_agree_with_arrays),
	    cmocka_unit_test(clocks_agree_with_arrays),
	    cmocka_unit_test(must_happen_before_agrees_with_paths),
	    cmocka_unit_test(finds_the_write_of_each_byte),
	    cmocka_unit_test(finds_the_signal_of_each_wait),
	    cmocka_unit_test(finds_the_post_of_each_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
