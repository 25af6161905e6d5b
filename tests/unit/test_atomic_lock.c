/*
 * Locks that the program makes of atomic accesses become locks of the model, if every access fits
 * and a waiting loop reads the word; otherwise nothing changes.
 *
 * A run is a list of accesses. The word A is at 0x1000, B at 0x1008; site 1 decides the exit of a
 * waiting loop, site 2 does not.
 */
#include "fixture.h"
#include "causality/causality.h"
#include "model/atomic_lock.h"

enum { WAITS = 1, OTHER = 2, DATA = 3 };

enum what {
	LOAD,	  /* value `old` */
	STORE,	  /* value `new` */
	UPDATE,	  /* an exchange or fetch_add: `old`, then `new` */
	CAS,	  /* the same, that succeeds */
	CAS_FAILS /* value `old` */
};

struct access {
	unsigned thread;
	enum what what;
	char word; /* 'A', 'B'; 'x': data */
	unsigned site;
	uint64_t old, new;
};

static void add(struct fr_builder *b, const struct access *a, uint64_t hook)
{
	struct fr_mev e = {.obj = a->word == 'A'   ? 0
				  : a->word == 'B' ? 1
						   : 2,
			   .site = a->site,
			   .thread = (uint16_t)a->thread,
			   .mask = 0x0f,
			   .origin = a->what == UPDATE			      ? FR_ORIGIN_RMW
				     : a->what == CAS || a->what == CAS_FAILS ? FR_ORIGIN_CAS
									      : 0,
			   .flags = a->word == 'x' ? 0 : FR_F_ATOMIC};

	if (a->what != STORE) {
		e.op = FR_OP_READ;
		e.value = a->old;
		fr_builder_add(b, &e, hook);
	}
	if (a->what == LOAD || a->what == CAS_FAILS)
		return;
	if (a->what != STORE)
		e.flags |= FR_F_PART;
	e.op = FR_OP_WRITE;
	e.value = a->new;
	fr_builder_add(b, &e, hook);
}

static bool waits(void *arg, uint32_t site)
{
	(void)arg;
	return site == WAITS;
}

/* The model after the locks were looked for. */
static struct fr_model *model(const struct access *a, size_t n)
{
	struct fr_builder *b = fr_builder_new();
	struct fr_model *m;
	struct fr_err err;

	fr_builder_thread(b, "0", 1);
	fr_builder_thread(b, "0.1", 2);
	fr_builder_thread(b, "0.2", 3);
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 0x1000});
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 0x1008});
	fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 0x1010});
	for (size_t i = 0; i < n; i++)
		add(b, &a[i], 100 + i);
	m = fr_atomic_locks(fr_builder_finish(b), waits, NULL, NULL);
	if (fr_model_validate(m, NULL, &err) < 0)
		fail_msg("%s", err.msg);
	return m;
}

/* One letter for each event: A acquire, T acquire without waiting, F failed, R release, r and w. */
static void expect(const struct access *a, size_t n, const char *want)
{
	FR_CLEANUP(fr_model_freep) struct fr_model *m = model(a, n);
	char got[64] = "";

	assert_true(m->n < sizeof(got));
	for (fr_ev e = 0; e < m->n; e++) {
		const struct fr_mev *v = &m->ev[e];

		got[e] = v->op == FR_OP_READ	    ? 'r'
			 : v->op == FR_OP_WRITE	    ? 'w'
			 : v->op == FR_OP_RELEASE   ? 'R'
			 : v->op != FR_OP_ACQUIRE   ? 'F'
			 : v->flags & FR_F_BLOCKING ? 'A'
						    : 'T';
	}
	assert_string_equal(got, want);
}
#define EXPECT(want, ...)                                   \
	do {                                                \
		const struct access a_[] = {__VA_ARGS__};   \
		expect(a_, sizeof(a_) / sizeof(*a_), want); \
	} while (0)

#define TAKE(t) {t, CAS, 'A', WAITS, 0, 1}
#define FREE(t) {t, STORE, 'A', OTHER, 0, 0}
#define DATA_WRITE(t) {t, STORE, 'x', DATA, 0, 7}

static void one_word(void **state)
{
	(void)state;
	EXPECT("AwRAwR", TAKE(1), DATA_WRITE(1), FREE(1), TAKE(2), DATA_WRITE(2), FREE(2));
	/* exchange, with an initialisation before */
	EXPECT("wARAR", {0, STORE, 'A', OTHER, 0, 0}, {1, UPDATE, 'A', WAITS, 0, 1}, FREE(1),
	       {2, UPDATE, 'A', WAITS, 0, 1}, FREE(2));
	/* freed by an exchange; other values of taken */
	EXPECT("ARAR", {1, UPDATE, 'A', WAITS, 0, 5}, {1, UPDATE, 'A', OTHER, 5, 0},
	       {2, UPDATE, 'A', WAITS, 0, 6}, {2, UPDATE, 'A', OTHER, 6, 0});
	/* attempts that find it taken: an exchange, a compare-exchange, a look; then a look at the
	   free lock */
	EXPECT("AFFFRAR", TAKE(1), {2, UPDATE, 'A', WAITS, 1, 1}, {2, CAS_FAILS, 'A', WAITS, 1, 0},
	       {2, LOAD, 'A', WAITS, 1, 0}, FREE(1), {2, LOAD, 'A', WAITS, 0, 0}, TAKE(2), FREE(2));
	/* looks right before the attempt, in a loop of their own; another thread comes in
	   between */
	EXPECT("ARAwR", {1, LOAD, 'A', WAITS, 0, 0}, {1, UPDATE, 'A', OTHER, 0, 1}, FREE(1),
	       {2, LOAD, 'A', WAITS, 0, 0}, {2, LOAD, 'A', WAITS, 0, 0}, DATA_WRITE(1),
	       {2, UPDATE, 'A', OTHER, 0, 1}, FREE(2));
	EXPECT("ARAR", TAKE(1), FREE(1), {2, LOAD, 'A', WAITS, 0, 0}, TAKE(2), FREE(2));
	EXPECT("ARARAR", {2, LOAD, 'A', WAITS, 0, 0}, TAKE(1), FREE(1), TAKE(2), FREE(2), TAKE(1),
	       FREE(1));
	/* a try-lock of the same lock, which fails and then succeeds */
	EXPECT("AFRTR", TAKE(1), {2, CAS_FAILS, 'A', OTHER, 1, 0}, FREE(1),
	       {2, CAS, 'A', OTHER, 0, 1}, FREE(2));
	/* read elsewhere, while it is taken */
	EXPECT("AFRAR", TAKE(1), {0, LOAD, 'A', OTHER, 1, 0}, FREE(1), TAKE(2), FREE(2));
	/* no loop is known: the threads only try, also after a look */
	EXPECT("TRTR", {1, CAS, 'A', OTHER, 0, 1}, FREE(1), {2, LOAD, 'A', OTHER, 0, 0},
	       {2, CAS, 'A', OTHER, 0, 1}, FREE(2));
	/* a queue: each one leaves its own value, and takes it away by compare-exchange */
	EXPECT("TRTR", {1, UPDATE, 'A', OTHER, 0, 5}, {1, CAS, 'A', OTHER, 5, 0},
	       {2, UPDATE, 'A', OTHER, 0, 6}, {2, CAS, 'A', OTHER, 6, 0});
	/* a thread waits to the end of the run */
	EXPECT("ARAF", TAKE(1), FREE(1), TAKE(2), {1, CAS_FAILS, 'A', WAITS, 1, 0});
}

static void other_words(void **state)
{
	(void)state;
	/* nothing waits for it: a counter */
	EXPECT("rwrwrwrw", {1, UPDATE, 'A', OTHER, 0, 1}, {1, UPDATE, 'A', OTHER, 1, 0},
	       {2, UPDATE, 'A', OTHER, 0, 1}, {2, UPDATE, 'A', OTHER, 1, 0});
	/* an attempt that does not wait may use the value of the owner that it found */
	EXPECT("rwrwrww", {1, CAS, 'A', OTHER, 0, 5}, {2, CAS_FAILS, 'A', OTHER, 5, 0}, FREE(1),
	       {2, CAS, 'A', OTHER, 0, 6}, FREE(2));
	/* a look that does not wait found it free; another thread came in between: the accesses
	   stay, and the lock is added */
	EXPECT("rwTwRrrwTwRrwTwR", TAKE(1), FREE(1), {2, LOAD, 'A', OTHER, 0, 0}, TAKE(1), FREE(1),
	       TAKE(2), FREE(2));
	/* a queue in which one waits behind the other */
	EXPECT("rwrwr", {1, UPDATE, 'A', OTHER, 0, 5}, {2, UPDATE, 'A', OTHER, 5, 6},
	       {1, CAS_FAILS, 'A', OTHER, 6, 0});
	/* one thread alone */
	EXPECT("rwwrww", TAKE(1), FREE(1), TAKE(1), FREE(1));
	/* freed by another thread */
	EXPECT("rwwrww", TAKE(1), FREE(2), TAKE(2), FREE(1));
	/* read elsewhere, while it is free */
	EXPECT("rwTwRrrwTwR", TAKE(1), FREE(1), {0, LOAD, 'A', OTHER, 0, 0}, TAKE(2), FREE(2));
	/* the owner reads it */
	EXPECT("rwrTwRrwTwR", TAKE(1), {1, LOAD, 'A', WAITS, 1, 0}, FREE(1), TAKE(2), FREE(2));
	/* a wait for the free lock that does not take it */
	EXPECT("rwTwRrwrwTwR", TAKE(1), FREE(1), {2, LOAD, 'A', WAITS, 0, 0}, DATA_WRITE(2),
	       TAKE(2), FREE(2));
}

#define DRAW(t, n) {t, UPDATE, 'A', OTHER, n, (n) + 1}
#define SERVED(t, n) {t, LOAD, 'B', WAITS, n, 0}
#define NEXT(t, n) {t, STORE, 'B', OTHER, 0, (n) + 1}

static void tickets(void **state)
{
	(void)state;
	EXPECT("AwRAwR", DRAW(1, 0), SERVED(1, 0), DATA_WRITE(1), NEXT(1, 0), DRAW(2, 1),
	       SERVED(2, 1), DATA_WRITE(2), NEXT(2, 1));
	/* the second one waits; the first one reads its number before it stores the next */
	EXPECT("AFRAR", DRAW(1, 0), SERVED(1, 0), DRAW(2, 1), SERVED(2, 0),
	       {1, LOAD, 'B', OTHER, 0, 0}, NEXT(1, 0), SERVED(2, 1), NEXT(2, 1));
	/* freed by fetch_add */
	EXPECT("ARAR", DRAW(1, 7), SERVED(1, 7), {1, UPDATE, 'B', OTHER, 7, 8}, DRAW(2, 8),
	       SERVED(2, 8), {2, UPDATE, 'B', OTHER, 8, 9});
	/* the numbers wrap */
	EXPECT("ARAR", {1, UPDATE, 'A', OTHER, 0xffffffff, 0}, SERVED(1, 0xffffffff),
	       {1, STORE, 'B', OTHER, 0, 0}, DRAW(2, 0), SERVED(2, 0), NEXT(2, 0));
	/* another number is stored */
	EXPECT("rwrwrwrw", DRAW(1, 0), SERVED(1, 0), NEXT(1, 4), DRAW(2, 1), SERVED(2, 1),
	       NEXT(2, 1));
	/* a thread counts the tickets */
	EXPECT("rwrTwRrrwrTwR", DRAW(1, 0), SERVED(1, 0), NEXT(1, 0), {0, LOAD, 'A', OTHER, 1, 0},
	       DRAW(2, 1), SERVED(2, 1), NEXT(2, 1));
}

#define ARRIVE(t, old, new) {t, UPDATE, 'A', OTHER, old, new}
#define WAIT(t, n) {t, LOAD, 'B', WAITS, n, 0}
#define PASS(t, n) {t, STORE, 'B', OTHER, 0, n}

static void queues(void **state)
{
	(void)state;
	/* the second one waits until the first one stores into its node: the accesses stay */
	EXPECT("rwTwrwrrwRrTwrwR", ARRIVE(1, 0, 5), DATA_WRITE(1), ARRIVE(2, 5, 6), WAIT(2, 1),
	       {1, CAS_FAILS, 'A', OTHER, 6, 0}, PASS(1, 0), WAIT(2, 0), DATA_WRITE(2),
	       {2, CAS, 'A', OTHER, 6, 0});
	/* the place is the one found at the end of the queue: any order is possible */
	EXPECT("AwRAwR", ARRIVE(1, 0x1008, 0x1008), WAIT(1, 0), DATA_WRITE(1), PASS(1, 1),
	       ARRIVE(2, 0x1008, 0x1008), WAIT(2, 1), DATA_WRITE(2), PASS(2, 2));
	/* two threads take turns, and count: one order is possible */
	EXPECT("rwrTwRrwrTwR", ARRIVE(1, 0, 1), WAIT(1, 7), PASS(1, 9), ARRIVE(2, 1, 2), WAIT(2, 9),
	       PASS(2, 7));
	/* the second one reads what another thread than the owner stored */
	EXPECT("rwrwrwrw", ARRIVE(1, 0, 1), WAIT(1, 7), PASS(0, 9), ARRIVE(2, 1, 2), WAIT(2, 9),
	       PASS(2, 7));
	/* a barrier: the last one wakes all */
	EXPECT("rwrrwwr", ARRIVE(1, 0, 1), WAIT(1, 0), ARRIVE(2, 1, 2), PASS(2, 1), WAIT(1, 1));
}

/* The causality holds the lock between the two, and the events keep their hooks. */
static void is_held(void **state)
{
	const struct access a[] = {TAKE(1), DATA_WRITE(1), FREE(1),
				   TAKE(2), DATA_WRITE(2), FREE(2)};
	FR_CLEANUP(fr_model_freep) struct fr_model *m = model(a, 6);
	struct fr_causality *c = fr_causality_new(m);
	struct fr_held held[2];

	(void)state;
	assert_int_equal(m->cls[FR_C_LOCK].n, 1);
	assert_int_equal(m->cls[FR_C_LOCK].obj[0].addr, 0x1000);
	assert_int_equal(fr_locks_held(c, 1, held, 2), 1);
	assert_int_equal(held[0].acquire, 0);
	assert_int_equal(fr_locks_held(c, 3, held, 2), 0);
	for (fr_ev e = 0; e < m->n; e++)
		assert_int_equal(fr_model_hook(m, e), 100 + e);
	assert_int_equal(fr_model_kind(&m->ev[0]), FR_EV_ATOMIC_CAS);
	assert_int_equal(fr_model_kind(&m->ev[2]), FR_EV_ATOMIC_STORE);
	fr_causality_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_word), cmocka_unit_test(other_words), cmocka_unit_test(tickets),
	    cmocka_unit_test(queues),	cmocka_unit_test(is_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
