/* Loading recorded runs: what becomes of each kind of event, and the recorded order. */
#include "oracle/check.h"
#include "runs.h"
#include "trace/model.h"
#include <errno.h>

#define X UINT64_C(0x5000)
#define Y UINT64_C(0x5008)
#define L UINT64_C(0x6000)
#define M UINT64_C(0x6040)
#define C UINT64_C(0x7000)

/* All of the recorded order is feasible, says the checker that knows nothing of the loader. */
static void check_feasible(const struct fr_model *m)
{
	const struct fr_candidate none = {0};
	struct fr_schedule all = {.cut = m->n};
	struct fr_checker *c = fr_checker_new(m);
	struct fr_err err = {0};

	if (fr_checker_check(c, &all, &none, &err) < 0)
		fail_msg("%s", err.msg);
	fr_checker_free(c);
}

/* The events as text: "0 acquire, 1 read 5, ..."; + is a part, ~ put in, ! timed out. */
static const char *text(const struct fr_model *m)
{
	static struct fr_buf b;

	b.n = 0;
	fr_buf_puts(&b, "");
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *x = &m->ev[e];

		if (x->op == FR_OP_CREATE || x->op == FR_OP_START || x->op == FR_OP_EXIT ||
		    x->op == FR_OP_JOIN)
			continue;
		fr_buf_printf(&b, "%s%s%u %s%s%s", b.n ? ", " : "", x->flags & FR_F_PART ? "+" : "",
			      x->thread, x->flags & FR_F_SYNTH ? "~" : "",
			      x->flags & FR_F_TIMEOUT ? "!" : "", fr_op_name[x->op]);
		if (fr_is_access(x) && !(x->flags & FR_F_NOVALUE))
			fr_buf_printf(&b, " %llu",
				      (unsigned long long)x->value >> (8 * __builtin_ctz(x->mask)));
	}
	return b.s;
}

static void expect(struct run *r, const char *want)
{
	struct fr_model *m = run_load(r);

	check_feasible(m);
	assert_string_equal(text(m), want);
	fr_model_free(m);
}

static void lock(struct run *r, uint32_t t, uint64_t addr)
{
	run_sync(r, t, FR_EV_MUTEX_LOCK, addr, 0);
}

static void unlock(struct run *r, uint32_t t, uint64_t addr)
{
	run_sync(r, t, FR_EV_MUTEX_UNLOCK, addr, 0);
}

static void test_private(void **state)
{
	struct run r = {0};

	(void)state;
	run_write(&r, 1, X, 8, 1); /* before the other is there: still shared */
	run_fork(&r, 1, 2);
	run_read(&r, 2, X, 8, 1);
	run_write(&r, 2, Y, 8, 7); /* its own */
	run_read(&r, 2, Y, 8, 7);
	run_read(&r, 1, 0x9000, 8, 3); /* nobody writes it */
	run_read(&r, 2, 0x9000, 8, 3);
	expect(&r, "0 write 1, 1 read 1");
}

static void test_values_order(void **state)
{
	struct run r = {0};

	(void)state;
	/* Thread 1's stamp comes first, yet its write of the flag was seen late. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 4, 0);
	lock(&r, 1, L);
	run_read(&r, 2, X, 4, 0);
	run_read(&r, 2, X, 4, 0);
	run_read(&r, 2, X, 4, 1);
	run_write(&r, 1, X, 4, 1);
	unlock(&r, 1, L);
	lock(&r, 2, M);
	unlock(&r, 2, M);
	expect(&r, "0 write 0, 0 acquire, 1 read 0, 1 read 0, 0 write 1, 0 release, 1 read 1, "
		   "1 acquire, 1 release");
	/* A write that is ahead of a thread whose stamp comes later is taken when it is seen. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 4, 0);
	lock(&r, 1, L);
	run_write(&r, 2, X, 4, 5);
	run_read(&r, 1, X, 4, 5);
	unlock(&r, 1, L);
	lock(&r, 2, M);
	expect(&r, "0 write 0, 0 acquire, 1 write 5, 0 read 5, 0 release, 1 acquire");
	/* What was there before all writes. */
	run_fork(&r, 1, 2);
	run_read(&r, 2, X, 4, 9);
	run_write(&r, 1, X, 4, 5);
	lock(&r, 1, L);
	lock(&r, 2, M);
	expect(&r, "1 read 9, 0 write 5, 0 acquire, 1 acquire");
}

/* A thread that spins writes no stamps: what it sees at last lies many stamps of others ahead. */
static void test_spin(void **state)
{
	struct fr_model *m;

	(void)state;
	for (unsigned spins = 1; spins < 5000; spins = spins * 3 + 1) {
		struct run r = {0};

		run_fork(&r, 1, 2);
		run_put(&r, 1, FR_EV_ATOMIC_STORE, X, 2, 0);
		for (unsigned i = 0; i < 50; i++) {
			lock(&r, 1, L);
			run_write(&r, 1, Y, 4, i);
			unlock(&r, 1, L);
		}
		run_put(&r, 1, FR_EV_ATOMIC_STORE, X, 2, 1);
		for (unsigned i = 0; i < spins; i++)
			run_put(&r, 2, FR_EV_ATOMIC_LOAD, X, 2, 0);
		run_put(&r, 2, FR_EV_ATOMIC_LOAD, X, 2, 1);
		run_read(&r, 2, Y, 4, 49);
		for (unsigned i = 0; i < 600; i++)
			run_put(&r, 2, FR_EV_ATOMIC_LOAD, X, 2, 1);
		lock(&r, 1, L);
		unlock(&r, 1, L);
		lock(&r, 2, L);
		run_write(&r, 2, Y, 4, 77);
		unlock(&r, 2, L);
		lock(&r, 1, L);
		run_read(&r, 1, Y, 4, 77);
		unlock(&r, 1, L);
		m = run_load(&r);
		check_feasible(m);
		assert_int_equal(m->count[FR_MC_reads_unexplained], 0);
		assert_int_equal(m->count[FR_MC_locks_unbalanced], 0);
		fr_model_free(m);
	}
}

static void test_unexplained(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 4, 1);
	lock(&r, 1, L);
	unlock(&r, 1, L);
	lock(&r, 2, L);
	run_read(&r, 2, X, 4, 0x107);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(
	    text(m), "0 write 1, 0 acquire, 0 release, 1 acquire, 1 ~write 263, +1 read 263");
	assert_int_equal(m->count[FR_MC_reads_unexplained], 1);
	assert_int_equal(m->ev[m->n - 2].mask, 0x03); /* the bytes that differ */
	fr_model_free(m);
}

static void test_shapes(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	for (uint32_t t = 1; t <= 2; t++) {
		lock(&r, t, L);
		run_write(&r, t, X + 6, 4, 0x44332211);	      /* across granules */
		run_put(&r, t, FR_EV_WRITE, X + 0x10, 4, 99); /* 16 bytes */
		run_put(&r, t, FR_EV_RANGE_WRITE, X + 0x21, 0, 0);
		run_ext(&r, t, 1, 0, 9);
		run_put(&r, t, FR_EV_RANGE_READ, X + 0x40, 0, 0);
		run_ext(&r, t, 3, 16, 2); /* three elements of two bytes, 16 apart */
		run_put(&r, t, FR_EV_RANGE_WRITE, X + 0x40, 0, 0);
		run_ext(&r, t, 1, 0, 8 * 5);
		unlock(&r, t, L);
	}
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(text(m),
			    "0 acquire, 0 write 8721, +0 write 17459, 0 write, 0 write, "
			    "+0 write, 0 read, +0 read, +0 read, 0 write, +0 write, +0 write, "
			    "+0 write, +0 write, 0 release, "
			    "1 acquire, 1 write 8721, +1 write 17459, 1 write, 1 write, "
			    "+1 write, 1 read, +1 read, +1 read, 1 write, +1 write, +1 write, "
			    "+1 write, +1 write, 1 release");
	for (fr_ev e = 0; e < m->n; e++)
		if (m->ev[e].op == FR_OP_WRITE &&
		    m->cls[FR_C_LOC].obj[m->ev[e].obj].addr == X + 0x20) {
			assert_int_equal(m->ev[e].mask, 0xfe);
			assert_true(m->ev[e].flags & FR_F_RANGE);
		}
	fr_model_free(m);
}

static void range(struct run *r, uint32_t t, unsigned kind, uint64_t addr, uint64_t size)
{
	run_put(r, t, kind, addr, 0, 0);
	run_ext(r, t, 1, 0, (uint32_t)size);
}

/* One part for each stretch that nothing divides. */
static void test_ranges(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	/* Overlapping in the middle. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 1 << 20);
	range(&r, 2, FR_EV_RANGE_READ, X + (1 << 19), 1 << 20);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(text(m), "0 write, 1 read");
	assert_int_equal(m->cls[FR_C_LOC].obj[0].addr, X + (1 << 19));
	fr_model_free(m);
	/* Side by side: nothing is shared. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 4096);
	range(&r, 2, FR_EV_RANGE_WRITE, X + 4096, 4096);
	expect(&r, "");
	/* Side by side in one granule: shared, and no conflict. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 4093);
	range(&r, 2, FR_EV_RANGE_WRITE, X + 4093, 4099);
	m = run_load(&r);
	assert_string_equal(text(m), "0 write, 1 write");
	assert_int_equal(m->ev[m->n - 2].mask & m->ev[m->n - 1].mask, 0);
	fr_model_free(m);
	/* The last granule in part, and a single access in the midst of it. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 8003);
	range(&r, 2, FR_EV_RANGE_WRITE, X, 16000);
	run_write(&r, 2, X + 804, 4, 1);
	m = run_load(&r);
	check_feasible(m);
	/* Up to the single access, its granule, the rest, and the three bytes. */
	assert_string_equal(text(m), "0 write, +0 write, +0 write, +0 write, "
				     "1 write, +1 write, +1 write, +1 write, 1 write 1");
	fr_model_free(m);
	/* A life that divides what the accesses do not. */
	run_fork(&r, 1, 2);
	range(&r, 1, FR_EV_RANGE_WRITE, X, 4096);
	lock(&r, 1, L);
	unlock(&r, 1, L);
	lock(&r, 2, L);
	run_sync(&r, 2, FR_EV_ALLOC, X + 1024, FR_MEM_MALLOC);
	run_ext(&r, 2, 1024, 0, 0);
	range(&r, 2, FR_EV_RANGE_WRITE, X, 4096);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(
	    text(m), "0 write, +0 write, 0 acquire, 0 release, 1 acquire, 1 write, +1 write");
	assert_int_equal(m->cls[FR_C_LOC].obj[1].addr, X + 2048);
	fr_model_free(m);
}

#define PIECES 24

struct piece {
	uint32_t thread, idx, count, stride, elem;
	uint64_t addr;
};

static bool overlap(const struct piece *a, const struct piece *b)
{
	for (uint32_t i = 0; i < a->count; i++)
		for (uint32_t k = 0; k < b->count; k++)
			if (a->addr + i * a->stride < b->addr + k * b->stride + b->elem &&
			    b->addr + k * b->stride < a->addr + i * a->stride + a->elem)
				return true;
	return false;
}

static uint32_t piece_of(const struct piece *p, const struct fr_model *m, fr_ev e)
{
	uint32_t i = 0;

	while (i < PIECES &&
	       (p[i].thread != m->ev[e].thread + 1u || p[i].idx != (uint32_t)fr_model_idx(m, e)))
		i++;
	assert_true(i < PIECES);
	return i;
}

/* Accesses conflict in the model if and only if they have a byte in common. */
static void test_range_conflicts(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct run r = {0};
		struct piece p[PIECES];
		bool seen[PIECES][PIECES] = {0};
		struct fr_model *m;
		unsigned large = 16u << fx_random(&seed) % 10;

		run_fork(&r, 1, 2);
		run_fork(&r, 1, 3);
		for (unsigned i = 0; i < PIECES; i++) {
			struct piece *x = &p[i];

			*x = (struct piece){.thread = 1 + (uint32_t)(fx_random(&seed) % 3),
					    .count = 1,
					    .elem = 1 + (uint32_t)(fx_random(&seed) % large),
					    .addr = X + fx_random(&seed) % (4 * large)};
			if (fx_random(&seed) % 3 == 0) {
				x->elem = 1u << fx_random(&seed) % 4;
				run_write(&r, x->thread, x->addr, x->elem, i);
			} else {
				if (fx_random(&seed) % 2) {
					x->count = 1 + (uint32_t)(fx_random(&seed) % 5);
					x->stride = x->elem + (uint32_t)(fx_random(&seed) % 20);
				}
				run_put(&r, x->thread, FR_EV_RANGE_WRITE, x->addr, 0, 0);
				run_ext(&r, x->thread, x->count, x->stride, x->elem);
			}
			x->idx = r.thread[x->thread].idx;
		}
		m = run_load(&r);
		for (fr_ev e = 0; e < m->n; e++)
			for (fr_ev f = 0; f < e; f++)
				if (fr_is_access(&m->ev[e]) && fr_is_access(&m->ev[f]) &&
				    m->ev[e].obj == m->ev[f].obj && m->ev[e].mask & m->ev[f].mask)
					seen[piece_of(p, m, e)][piece_of(p, m, f)] =
					    seen[piece_of(p, m, f)][piece_of(p, m, e)] = true;
		for (unsigned i = 0; i < PIECES; i++)
			for (unsigned k = 0; k < i; k++)
				if (p[i].thread != p[k].thread)
					assert_int_equal(seen[i][k], overlap(&p[i], &p[k]));
		fr_model_free(m);
	}
}

static void test_atomics(void **state)
{
	struct run r = {0};

	(void)state;
	run_fork(&r, 1, 2);
	run_put(&r, 1, FR_EV_ATOMIC_STORE, X, 2 | FR_ATOMIC_OK, 0);
	run_put(&r, 2, FR_EV_ATOMIC_RMW, X, 2 | FR_ATOMIC_OK, 1);
	run_ext(&r, 2, FR_RMW_ADD, 2, 0);
	run_put(&r, 2, FR_EV_ATOMIC_CAS, X, 2, 2);
	run_ext(&r, 2, 0, 77, 0);
	run_put(&r, 1, FR_EV_ATOMIC_RMW, X, 2 | FR_ATOMIC_OK, 0);
	run_ext(&r, 1, FR_RMW_ADD, 1, 0);
	run_put(&r, 1, FR_EV_ATOMIC_CAS, X, 2 | FR_ATOMIC_OK, 2);
	run_ext(&r, 1, 0, 3, 0);
	expect(&r, "0 write 0, 0 read 0, +0 write 1, 1 read 1, +1 write 2, 1 read 2, 0 read 2, "
		   "+0 write 3");
}

static void test_last(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 8, 1);
	r.thread[1].idx += 100; /* hooks that were dropped */
	lock(&r, 1, L);
	unlock(&r, 1, L);
	lock(&r, 2, L);
	run_put(&r, 2, FR_EV_LAST_WRITE, X, 2, UINT64_C(0x500000007));
	run_ext(&r, 2, 50, 1, 0);
	run_put(&r, 2, FR_EV_LAST_READ, X, 3, 0);
	run_ext(&r, 2, 51, 1, 0);
	run_put(&r, 2, FR_EV_LAST_READ, X, 3, 0); /* torn: the owner never got there */
	run_ext(&r, 2, 5000, 1, 0);
	run_read(&r, 2, X, 8, UINT64_C(0x500000007));
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(text(m), "0 write 1, 0 write 7, +0 ~write 5, 0 read, 0 acquire, "
				     "0 release, 1 acquire, 1 read 21474836487");
	assert_int_equal(m->count[FR_MC_reads_unexplained], 0);
	assert_int_equal(m->count[FR_MC_lates_torn], 1);
	fr_model_free(m);
}

static void test_behind(void **state)
{
	struct run r = {0};
	struct run_thread *t = &r.thread[1];
	struct fr_event e;

	(void)state;
	/* Written down after a handler's events, though it happened before. */
	run_fork(&r, 1, 2);
	run_write(&r, 1, X, 8, 1);
	run_write(&r, 1, X, 8, 2);
	run_sync(&r, 1, FR_EV_SIGNAL_BEGIN, 10, 0);
	run_write(&r, 1, X, 8, 3);
	run_sync(&r, 1, FR_EV_SIGNAL_END, 10, 0);
	e = t->slot.v[t->slot.n - 4];
	memmove(&t->slot.v[t->slot.n - 4], &t->slot.v[t->slot.n - 3], 3 * sizeof(e));
	t->slot.v[t->slot.n - 1] = e;
	run_read(&r, 1, X, 8, 3);
	lock(&r, 1, L);
	unlock(&r, 1, L);
	lock(&r, 2, L);
	run_read(&r, 2, X, 8, 3);
	expect(&r, "0 write 1, 0 write 2, 0 mark, 0 write 3, 0 mark, 0 read 3, 0 acquire, "
		   "0 release, 1 acquire, 1 read 3");
}

static void wait_on(struct run *r, uint32_t t, unsigned step, unsigned outcome)
{
	if (step == 0) {
		run_sync(r, t, FR_EV_MUTEX_UNLOCK, L, FR_SYNC(FR_OK, FR_WAIT, 0));
		return;
	}
	run_sync(r, t, FR_EV_COND_WAIT, C, FR_SYNC(outcome, FR_PLAIN, 0));
	run_ext(r, t, L, 0, 0);
	run_sync(r, t, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OK, FR_WAIT, 0));
}

static void test_conditions(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_fork(&r, 1, 3);
	run_sync(&r, 1, FR_EV_COND_SIGNAL, C, 0); /* nobody waits: lost */
	lock(&r, 2, L);
	wait_on(&r, 2, 0, 0);
	lock(&r, 3, L);
	wait_on(&r, 3, 0, 0);
	run_sync(&r, 1, FR_EV_COND_SIGNAL, C, 0);
	wait_on(&r, 2, 1, FR_OK);
	unlock(&r, 2, L);
	wait_on(&r, 3, 1, FR_OK); /* the one signal is used up */
	wait_on(&r, 3, 0, 0);
	lock(&r, 2, L);
	wait_on(&r, 2, 0, 0);
	run_sync(&r, 1, FR_EV_COND_BROADCAST, C, 0);
	wait_on(&r, 2, 1, FR_OK);
	unlock(&r, 2, L);
	wait_on(&r, 3, 1, FR_OK);
	wait_on(&r, 3, 0, 0);
	wait_on(&r, 3, 1, FR_TIMEDOUT);
	unlock(&r, 3, L);
	lock(&r, 2, L);
	wait_on(&r, 2, 0, 0); /* for ever */
	run_put(&r, 2, FR_EV_PENDING, C, FR_EV_COND_WAIT, 0);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(
	    text(m),
	    "0 signal, 1 acquire, 1 release, +1 wait-begin, 2 acquire, 2 release, +2 wait-begin, "
	    "0 signal, 1 wait, 1 acquire, 1 release, 2 !wait, 2 acquire, 2 release, +2 wait-begin, "
	    "1 acquire, 1 release, +1 wait-begin, 0 broadcast, 1 wait, 1 acquire, 1 release, "
	    "2 wait, 2 acquire, 2 release, +2 wait-begin, 2 !wait, 2 acquire, 2 release, "
	    "1 acquire, 1 release, +1 wait-begin");
	assert_int_equal(m->count[FR_MC_wakes_unseen], 1);
	fr_model_free(m);
}

static void test_locks(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_sync(&r, 1, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OK, FR_PLAIN, FR_RECURSIVE));
	run_sync(&r, 1, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OK, FR_TRY, FR_RECURSIVE));
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_BUSY, FR_TRY, FR_RECURSIVE));
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_TIMEDOUT, FR_TIMED, FR_RECURSIVE));
	unlock(&r, 1, L);
	unlock(&r, 1, L);
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_BUSY, FR_TRY, FR_RECURSIVE)); /* late */
	run_sync(&r, 2, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_DEADLK, FR_PLAIN, FR_RECURSIVE));
	run_sync(&r, 2, FR_EV_MUTEX_UNLOCK, L, FR_SYNC(FR_NOTOWNER, FR_PLAIN, 0));
	run_sync(&r, 2, FR_EV_RW_RDLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_RDLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_RDLOCK, M, 0);
	run_sync(&r, 2, FR_EV_RW_WRLOCK, M, FR_SYNC(FR_BUSY, FR_TRY, 0));
	run_sync(&r, 1, FR_EV_RW_UNLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_UNLOCK, M, 0);
	run_sync(&r, 2, FR_EV_RW_UNLOCK, M, 0);
	run_sync(&r, 2, FR_EV_RW_WRLOCK, M, 0);
	run_sync(&r, 1, FR_EV_RW_RDLOCK, M, FR_SYNC(FR_BUSY, FR_TRY, 0));
	run_sync(&r, 2, FR_EV_RW_UNLOCK, M, 0);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(text(m),
			    "0 acquire, 1 acquire-failed, 1 acquire-failed, 0 release, "
			    "1 acquire-shared, 0 acquire-shared, 0 acquire-shared, "
			    "1 acquire-failed, 0 release-shared, 0 release-shared, "
			    "1 release-shared, 1 acquire, 0 acquire-shared-failed, 1 release");
	assert_int_equal(m->count[FR_MC_fails_unplaced], 1);
	assert_int_equal(m->count[FR_MC_locks_unbalanced], 0);
	assert_int_equal(m->cls[FR_C_LOCK].obj[0].aux, FR_LOCK_RECURSIVE);
	assert_int_equal(m->cls[FR_C_LOCK].obj[1].aux, FR_LOCK_RW);
	assert_true(m->ev[2].flags & FR_F_BLOCKING);
	fr_model_free(m);
}

static void test_lock_oddities(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	unlock(&r, 1, L); /* taken before the recording */
	lock(&r, 1, L);
	unlock(&r, 2, L); /* by another thread */
	lock(&r, 2, L);
	lock(&r, 1, L); /* its release was not seen */
	run_sync(&r, 1, FR_EV_MUTEX_INIT, L, 0);
	lock(&r, 2, L); /* another lock */
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(text(m), "0 acquire, 0 ~release, 1 acquire, 1 ~release, 0 acquire, "
				     "1 acquire");
	assert_int_equal(m->count[FR_MC_locks_unbalanced], 3);
	assert_int_equal(m->cls[FR_C_LOCK].n, 2);
	fr_model_free(m);
	/* The owner dies. */
	run_fork(&r, 1, 2);
	lock(&r, 2, L);
	run_exit(&r, 2);
	run_sync(&r, 1, FR_EV_MUTEX_LOCK, L, FR_SYNC(FR_OWNERDEAD, FR_PLAIN, 0));
	run_sync(&r, 1, FR_EV_MUTEX_CONSISTENT, L, 0);
	unlock(&r, 1, L);
	expect(&r, "1 acquire, 1 ~release, 0 acquire, 0 release");
}

static void test_counted(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_sync(&r, 1, FR_EV_SEM_INIT, X, 0);
	run_ext(&r, 1, 1, 0, 0);
	run_sync(&r, 2, FR_EV_SEM_WAIT, X, 0);
	run_sync(&r, 2, FR_EV_SEM_WAIT, X, FR_SYNC(FR_BUSY, FR_TRY, 0));
	run_sync(&r, 1, FR_EV_SEM_POST, X, 0);
	run_sync(&r, 1, FR_EV_SEM_POST, X, FR_SYNC(FR_ERROR, FR_PLAIN, 0)); /* it did not */
	run_sync(&r, 2, FR_EV_SEM_WAIT, X, FR_SYNC(FR_INTR, FR_PLAIN, 0));
	run_sync(&r, 1, FR_EV_SEM_WAIT, Y, 0); /* there before */
	run_sync(&r, 1, FR_EV_SEM_WAIT, Y, 0);
	run_sync(&r, 1, FR_EV_BARRIER_INIT, L, 0);
	run_ext(&r, 1, 2, 0, 0);
	for (int i = 0; i < 2; i++) {
		run_sync(&r, 1, FR_EV_BARRIER_ENTER, L, 0);
		run_sync(&r, 2, FR_EV_BARRIER_ENTER, L, 0);
		run_sync(&r, 2, FR_EV_BARRIER_LEAVE, L, 0);
		run_ext(&r, 2, (uint64_t)i, 0, 0);
		run_sync(&r, 1, FR_EV_BARRIER_LEAVE, L, FR_SYNC(FR_SERIAL, FR_PLAIN, 0));
		run_ext(&r, 1, (uint64_t)i, 0, 0);
	}
	run_sync(&r, 1, FR_EV_ONCE_BEGIN, C, 0);
	run_sync(&r, 1, FR_EV_ONCE_END, C, FR_SYNC(FR_ERROR, FR_PLAIN, 0));
	run_sync(&r, 2, FR_EV_ONCE_BEGIN, C, 0);
	run_sync(&r, 2, FR_EV_ONCE_END, C, 0);
	run_sync(&r, 1, FR_EV_ONCE_DONE, C, 0);
	run_sync(&r, 1, FR_EV_ONCE_DONE, M, 0); /* done before */
	run_sync(&r, 1, FR_EV_USER_RELEASE, M, 0);
	run_sync(&r, 2, FR_EV_USER_ACQUIRE, M, 0);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(
	    text(m),
	    "1 sem-wait, 1 sem-failed, 0 sem-wait, 0 sem-wait, "
	    "0 barrier-enter, 1 barrier-enter, 1 barrier-leave, 0 barrier-leave, "
	    "0 barrier-enter, 1 barrier-enter, 1 barrier-leave, 0 barrier-leave, "
	    "0 once-begin, 0 once-end, +0 release-all, 1 acquire-all, 1 once-begin, 1 once-end, "
	    "0 once-done, 0 release-all, 1 acquire-all");
	assert_int_equal(m->cls[FR_C_SEM].obj[1].count, 2);
	assert_int_equal(m->cls[FR_C_BARRIER].obj[1].aux, 1);
	fr_model_free(m);
}

static void alloc(struct run *r, uint32_t t, unsigned kind, uint64_t addr, uint64_t size)
{
	run_sync(r, t, kind, addr, FR_MEM_MALLOC);
	run_ext(r, t, size, 0, 0);
}

static void test_lives(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	for (uint32_t i = 1; i <= 2; i++) {
		alloc(&r, i, FR_EV_ALLOC, X, 64);
		run_write(&r, i, X + 8, 8, i);
		lock(&r, i, L);
		unlock(&r, i, L);
		lock(&r, 3 - i, L);
		run_read(&r, 3 - i, X + 8, 8, i);
		unlock(&r, 3 - i, L);
		lock(&r, i, L);
		unlock(&r, i, L);
		alloc(&r, i, FR_EV_FREE, X, 64);
	}
	/* One that both threads have, but never both in one life. */
	for (uint32_t i = 1; i <= 2; i++) {
		alloc(&r, i, FR_EV_ALLOC, X, 64);
		run_write(&r, i, X + 16, 8, i);
		alloc(&r, i, FR_EV_FREE, X, 64);
	}
	/* One that another thread frees. */
	alloc(&r, 1, FR_EV_ALLOC, X, 64);
	run_write(&r, 1, X + 24, 8, 5);
	lock(&r, 1, L);
	alloc(&r, 2, FR_EV_FREE, X, 64);
	m = run_load(&r);
	check_feasible(m);
	assert_string_equal(
	    text(m), "0 alloc, 0 write 1, 0 acquire, 0 release, 1 acquire, 1 read 1, 1 release, "
		     "0 acquire, 0 release, 0 free, "
		     "1 alloc, 1 write 2, 1 acquire, 1 release, 0 acquire, 0 read 2, 0 release, "
		     "1 acquire, 1 release, 1 free, 0 alloc, 0 write 5, 0 acquire, 1 free");
	assert_int_equal(m->cls[FR_C_LOC].n, 3);
	assert_int_equal(m->cls[FR_C_HEAP].n, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct fr_mobj *heap = &m->cls[FR_C_HEAP].obj[i];

		assert_int_equal(m->cls[FR_C_LOC].obj[i].aux, i + 1);
		assert_int_equal(m->ev[heap->count - 1].op, FR_OP_ALLOC);
		assert_int_equal(m->ev[heap->count - 1].obj, i);
	}
	fr_model_free(m);
}

static void test_benign(void **state)
{
	struct run r = {0};
	struct fr_model *m;
	unsigned benign = 0;

	(void)state;
	run_fork(&r, 1, 2);
	run_write(&r, 2, X, 4, 1);
	run_sync(&r, 1, FR_EV_USER_BENIGN, X, 0);
	run_ext(&r, 1, 4, 0, 0);
	run_write(&r, 1, X, 4, 1);
	run_write(&r, 1, X + 4, 4, 1);
	run_write(&r, 2, X + 4, 4, 1);
	m = run_load(&r);
	for (fr_ev e = 0; e < m->n; e++)
		if (fr_is_access(&m->ev[e]))
			benign = benign << 1 | ((m->ev[e].flags & FR_F_BENIGN) != 0);
	assert_true(benign == 0xc || benign == 0xa || benign == 0x9);
	fr_model_free(m);
}

static void test_threads(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_join(&r, 1, 2);
	run_sync(&r, 1, FR_EV_THREAD_CREATE, 9, 0); /* failed after all */
	run_sync(&r, 1, FR_EV_THREAD_CREATE, 0, FR_SYNC(FR_ERROR, FR_PLAIN, 0));
	run_fork(&r, 1, 3); /* still there at the end */
	m = run_load(&r);
	check_feasible(m);
	assert_int_equal(m->nthreads, 3);
	assert_string_equal(m->thread[1].path, "0.1");
	assert_int_equal(m->count[FR_MC_threads_partial], 1);
	assert_int_equal(m->n, 6); /* create start exit join create start */
	assert_int_equal(m->thread[2].create, 4);
	fr_model_free(m);
}

/* A run of random threads on real memory, written down as the runtime does: accesses without
 * stamps. */
static void random_run(struct run *r, uint64_t *seed, unsigned threads, unsigned steps, bool racy)
{
	uint8_t mem[64] = {0};
	uint32_t owner[3] = {0}, held[RUN_THREADS + 1] = {0};

	for (uint32_t t = 2; t <= threads; t++)
		run_fork(r, 1, t);
	for (unsigned i = 0; i < steps; i++) {
		uint32_t t = 1 + (uint32_t)(fx_random(seed) % threads);
		unsigned what = fx_random(seed) % 10, size = 1u << fx_random(seed) % 4;
		unsigned k = (unsigned)(fx_random(seed) % 3), at;
		uint64_t v = fx_random(seed) % 4, old = 0;

		if (what < 2) {
			if (held[t]) {
				unlock(r, t, L + 64 * (held[t] - 1));
				owner[held[t] - 1] = 0;
				held[t] = 0;
			} else if (!owner[k]) {
				lock(r, t, L + 64 * k);
				owner[k] = t;
				held[t] = k + 1;
			}
			continue;
		}
		if (what == 2 && fx_random(seed) % 4 == 0) {
			struct run_thread *x = &r->thread[t];

			fr_vec_push(&x->slot,
				    ((struct fr_event){.w0 = fr_w0(r->stamp, FR_EV_STAMP, 0),
						       .idx = x->idx}));
			continue;
		}
		/* Each lock has its part of memory, whoever is not racy stays in it. */
		if (!racy && !held[t])
			continue;
		at = racy ? fx_random(seed) % (sizeof(mem) - 7)
			  : 16 * (held[t] - 1) + fx_random(seed) % 9;
		memcpy(&old, mem + at, size);
		if (what < 6) {
			run_read(r, t, X + at, size, old);
		} else if (what == 6) {
			v = (old + 1) & (size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1);
			run_put(r, t, FR_EV_ATOMIC_RMW, X + at,
				(unsigned)__builtin_ctz(size) | FR_ATOMIC_OK, old);
			run_ext(r, t, FR_RMW_ADD, v, 0);
			memcpy(mem + at, &v, size);
		} else {
			run_write(r, t, X + at, size, v);
			memcpy(mem + at, &v, size);
		}
	}
}

static void test_random_locked(void **state)
{
	uint64_t seed = 42;

	(void)state;
	for (int round = 0; round < 150; round++) {
		struct run r = {0};
		struct fr_model *m;

		random_run(&r, &seed, 2 + round % 6, 40 + 7 * (unsigned)round, false);
		m = run_load(&r);
		check_feasible(m);
		for (int i = 0; i < FR_MC_COUNT; i++)
			assert_true(i == FR_MC_threads_partial || !m->count[i]);
		fr_model_free(m);
	}
}

/* Where accesses race the order is a guess; it must be feasible, and mostly explain what was read.
 */
static void test_random_racy(void **state)
{
	uint64_t seed = 7, reads = 0, unexplained = 0;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct run r = {0};
		struct fr_model *m;

		random_run(&r, &seed, 2 + round % 4, 20 + 3 * (unsigned)round, true);
		m = run_load(&r);
		check_feasible(m);
		for (fr_ev e = 0; e < m->n; e++)
			reads += m->ev[e].op == FR_OP_READ;
		unexplained += m->count[FR_MC_reads_unexplained];
		fr_model_free(m);
	}
	print_message("%llu of %llu racing reads unexplained\n", (unsigned long long)unexplained,
		      (unsigned long long)reads);
	assert_true(unexplained * 8 < reads);
}

/* Whatever the slots hold, loading ends with a valid model or an error. */
static void test_hostile(void **state)
{
	static const uint8_t kinds[] = {2,  3,	4,  5,	6,  7,	8,  9,	10, 16, 17, 18,	 19, 20,
					21, 23, 24, 25, 27, 28, 29, 32, 34, 35, 36, 40,	 42, 43,
					44, 46, 47, 48, 49, 50, 56, 57, 58, 59, 62, 63,	 72, 73,
					74, 80, 83, 84, 85, 86, 87, 96, 97, 98, 99, 103, 200};
	uint64_t seed = 99;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct run r = {.incomplete = round % 5 == 0};
		struct fr_model *m = NULL;
		struct fr_err err = {0};
		char *dir = fx_folder();

		for (int i = 0; i < 300; i++) {
			uint32_t t = 1 + (uint32_t)(fx_random(&seed) % 4);
			uint64_t addr =
			    fx_random(&seed) % 16 ? X + fx_random(&seed) % 64 : fx_random(&seed);
			unsigned kind = kinds[fx_random(&seed) % sizeof(kinds)];

			if (kind >= FR_EV_THREAD_CREATE && kind <= FR_EV_THREAD_JOIN)
				addr = fx_random(&seed) % 6;
			run_put(&r, t, kind, addr, (unsigned)fx_random(&seed) & 0xff,
				fx_random(&seed) % 3 ? ++r.stamp : fx_random(&seed) % 100);
			for (uint64_t n = fx_random(&seed) % 3; n; n--)
				run_ext(&r, t, fx_random(&seed) % 40, fx_random(&seed) % 5,
					(uint32_t)(fx_random(&seed) % 70));
			if (fx_random(&seed) % 50 == 0)
				r.thread[t].idx -= 3;
		}
		run_save(&r, dir);
		if (fr_model_load(dir, &m, &err) == 0)
			check_feasible(m);
		else
			assert_true(strstr(err.msg, "range that makes no sense"));
		fr_model_free(m);
		fx_remove(dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_private),
	    cmocka_unit_test(test_values_order),
	    cmocka_unit_test(test_unexplained),
	    cmocka_unit_test(test_spin),
	    cmocka_unit_test(test_shapes),
	    cmocka_unit_test(test_ranges),
	    cmocka_unit_test(test_range_conflicts),
	    cmocka_unit_test(test_atomics),
	    cmocka_unit_test(test_last),
	    cmocka_unit_test(test_behind),
	    cmocka_unit_test(test_conditions),
	    cmocka_unit_test(test_locks),
	    cmocka_unit_test(test_lock_oddities),
	    cmocka_unit_test(test_counted),
	    cmocka_unit_test(test_lives),
	    cmocka_unit_test(test_benign),
	    cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_random_locked),
	    cmocka_unit_test(test_random_racy),
	    cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
