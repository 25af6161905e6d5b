/*
 * Measures the solvers of the precise tier side by side, on races of random runs of four threads
 * with four locks. Prints for each length the time of each solver, the number of candidates that it
 * decided, and the counters of the order solver.
 *
 * usage: bench_solver [--z3 MAX] [--seconds S] [--z3-seconds S] [--runs N] [--candidates N]
 *                     [--values V] [--locs L] [--sems N] [--near D] [--seed N] [LENGTH...]
 *
 * --z3 MAX: also ask Z3, up to this length; --near D: targets at most D events apart. A question
 * ends after S seconds. If Z3 runs out of time, its true time is longer than the printed one.
 * Exit status 1 if a schedule is wrong or the solvers differ.
 */
#include "oracle/check.h"
#include "oracle/solve_order.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define THREADS 4
#define LOCKS 4
#define SOON 10 /* seconds */

static struct {
	unsigned z3, runs, values, locs, candidates, near, sems;
	double seconds, z3_seconds;
	uint64_t seed;
} opt = {.z3 = 1000,
	 .runs = 3,
	 .values = 4,
	 .locs = 16,
	 .candidates = 4,
	 .near = UINT32_MAX,
	 .seconds = 60,
	 .z3_seconds = 10,
	 .seed = 1};

static bool wrong;
static uint64_t rng;
static uint64_t next(void)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return rng >> 8;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* In each turn a random thread takes or releases a lock, or reads or writes. Locks nest in order. */
static struct fr_model *make(uint32_t n)
{
	struct fr_builder *b = fr_builder_new();
	uint32_t owner[LOCKS], depth[THREADS] = {0}, held[THREADS][LOCKS], made = 0;
	uint64_t *memory = fr_xcalloc(opt.locs, sizeof(*memory)), hook[THREADS] = {0};
	uint32_t *units = fr_xcalloc(opt.sems + 1, sizeof(*units));

	for (unsigned i = 0; i < THREADS; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%u", i);
		fr_builder_thread(b, name, i);
	}
	for (unsigned i = 0; i < LOCKS; i++) {
		owner[i] = UINT32_MAX;
		fr_builder_obj(b, FR_C_LOCK, (struct fr_mobj){0});
	}
	for (unsigned i = 0; i < opt.locs; i++)
		fr_builder_obj(b, FR_C_LOC, (struct fr_mobj){.addr = 8 * i});
	for (unsigned i = 0; i < opt.sems; i++)
		fr_builder_obj(b, FR_C_SEM, (struct fr_mobj){0});
	while (made < n) {
		unsigned t = next() % THREADS, what = next() % 10;
		struct fr_mev e = {.thread = (uint16_t)t};

		if (opt.sems && next() % 8 == 0) {
			e.obj = (uint32_t)(next() % opt.sems);
			e.op = next() % 2 ? FR_OP_SEM_POST
			       : units[e.obj] ? FR_OP_SEM_WAIT
					      : FR_OP_SEM_FAILED;
			units[e.obj] += (e.op == FR_OP_SEM_POST) - (e.op == FR_OP_SEM_WAIT);
		} else if (opt.sems && what < 2 && next() % 2) {
			e.obj = (uint32_t)(next() % LOCKS);
			if (owner[e.obj] == UINT32_MAX || owner[e.obj] == t)
				continue;
			e.op = FR_OP_ACQUIRE_FAILED;
		} else if (what < 2) {
			unsigned l = next() % LOCKS;

			if (owner[l] != UINT32_MAX || (depth[t] && held[t][depth[t] - 1] >= l))
				continue;
			owner[l] = t;
			held[t][depth[t]++] = l;
			e.op = FR_OP_ACQUIRE;
			e.obj = l;
		} else if (what < 4) {
			if (!depth[t])
				continue;
			e.op = FR_OP_RELEASE;
			e.obj = held[t][--depth[t]];
			owner[e.obj] = UINT32_MAX;
		} else {
			e.op = what < 7 ? FR_OP_READ : FR_OP_WRITE;
			e.obj = (uint32_t)(next() % opt.locs);
			e.mask = 0xff;
			if (e.op == FR_OP_WRITE)
				memory[e.obj] = next() % opt.values;
			e.value = memory[e.obj];
		}
		fr_builder_add(b, &e, hook[t]++);
		made++;
	}
	free(memory);
	free(units);
	return fr_builder_finish(b);
}

/* Finds two accesses to one location in the last quarter that hold no common lock and are at most
   `near` events apart. */
static bool pick(const struct fr_model *m, struct fr_candidate *ret)
{
	for (unsigned tries = 0; tries < 100000; tries++) {
		fr_ev x = (fr_ev)(m->n - 1 - next() % (m->n / 4)),
		      y = (fr_ev)(m->n - 1 - next() % (m->n / 4));
		const struct fr_mev *a = &m->ev[x], *b = &m->ev[y];
		uint32_t locks[2] = {0};

		if (x >= y || y - x > opt.near || !fr_is_access(a) || !fr_is_access(b) ||
		    a->obj != b->obj || a->thread == b->thread ||
		    (a->op == FR_OP_READ && b->op == FR_OP_READ))
			continue;
		for (fr_ev e = 0; e < y; e++) {
			for (unsigned k = 0; k < 2; k++) {
				const struct fr_mev *v = &m->ev[e];

				if (v->thread != (k ? b : a)->thread || e >= (k ? y : x))
					continue;
				if (v->op == FR_OP_ACQUIRE)
					locks[k] |= 1u << v->obj;
				else if (v->op == FR_OP_RELEASE)
					locks[k] &= ~(1u << v->obj);
			}
		}
		if (locks[0] & locks[1])
			continue;
		*ret = (struct fr_candidate){.npending = 2, .pending = {x, y}};
		return true;
	}
	return false;
}

struct total {
	double open, ask, worst;
	unsigned yes, no, unknown, soon;
};

static enum fr_answer ask(const struct fr_solver_ops *ops, struct fr_solver *v,
			  const struct fr_candidate *c, double seconds, struct fr_checker *k,
			  struct total *t)
{
	struct fr_schedule s = {0};
	struct fr_err err;
	double start = now(), took;
	enum fr_answer a = ops->ask(v, c, seconds, &s);

	took = now() - start;
	t->ask += took;
	t->worst = took > t->worst ? took : t->worst;
	t->yes += a == FR_FEASIBLE;
	t->no += a == FR_INFEASIBLE;
	t->unknown += a == FR_UNKNOWN;
	t->soon += a != FR_UNKNOWN && took <= SOON;
	if (a == FR_FEASIBLE && fr_checker_check(k, &s, c, &err) < 0) {
		printf("WRONG: %s: %s\n", ops->name, err.msg);
		wrong = true;
	}
	fr_vec_free(&s.step);
	return a;
}

static void print(const char *name, const struct total *t, unsigned n)
{
	printf("  %-8s open %9.4f s  ask %9.4f s each, %9.4f s worst  yes %u no %u unknown %u, "
	       "%u of %u within %d s\n",
	       name, t->open, t->ask / n, t->worst, t->yes, t->no, t->unknown, t->soon, n, SOON);
}

static void measure(uint32_t n)
{
	struct total a = {0}, b = {0};
	struct fr_solver_stats sum = {0};
	unsigned asked = 0, both = 0;
	double a_both = 0, b_both = 0;

	for (unsigned r = 0; r < opt.runs; r++) {
		struct fr_model *m;
		struct fr_checker *k;
		struct fr_solver *x, *y = NULL;
		double start;

		rng = (opt.seed + r) * UINT64_C(0x9e3779b97f4a7c15) + n;
		m = make(n);
		k = fr_checker_new(m);
		start = now();
		x = fr_solver_order.open(m, NULL, 0, m->n);
		a.open += now() - start;
		start = now();
		if (n <= opt.z3)
			y = fr_solver_z3.open(m, NULL, 0, m->n);
		b.open += now() - start;
		for (unsigned i = 0; i < opt.candidates; i++) {
			struct fr_candidate c;
			double t0 = a.ask, t1 = b.ask;
			enum fr_answer p, q;

			if (!pick(m, &c))
				continue;
			asked++;
			p = ask(&fr_solver_order, x, &c, opt.seconds, k, &a);
			if (!y)
				continue;
			q = ask(&fr_solver_z3, y, &c, opt.z3_seconds, k, &b);
			if (p != q && p != FR_UNKNOWN && q != FR_UNKNOWN) {
				printf("WRONG: they differ: %u %u\n", c.pending[0], c.pending[1]);
				wrong = true;
			}
			both++;
			a_both += a.ask - t0;
			b_both += b.ask - t1;
		}
#define FR_X(name, text) sum.name += fr_solver_order_stats(x)->name;
		FR_SOLVER_STATS(FR_X)
#undef FR_X
		fr_solver_order.close(x);
		if (y)
			fr_solver_z3.close(y);
		fr_checker_free(k);
		fr_model_free(m);
	}
	printf("%u events\n", n);
	print("order", &a, asked);
	if (both) {
		print("z3", &b, both);
		printf("  z3 takes %s%.0f times as long\n", b.unknown ? "more than " : "",
		       (b_both + b.open) / (a_both + a.open));
	}
	printf("  ");
#define FR_X(name, text) printf(" %s %llu", #name, (unsigned long long)sum.name);
	FR_SOLVER_STATS(FR_X)
#undef FR_X
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"z3", 1, NULL, 'z'},	  {"seconds", 1, NULL, 's'},
	    {"runs", 1, NULL, 'r'},	  {"values", 1, NULL, 'v'},
	    {"locs", 1, NULL, 'l'},	  {"seed", 1, NULL, 'e'},
	    {"candidates", 1, NULL, 'c'}, {"near", 1, NULL, 'n'},
	    {"z3-seconds", 1, NULL, 'q'}, {"sems", 1, NULL, 'm'}, {0}};
	static const char *const lengths[] = {"200", "500", "1000", "2000", "5000"};
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) != -1) {
		unsigned v = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;

		switch (o) {
		case 'z':
			opt.z3 = v;
			break;
		case 's':
			opt.seconds = v;
			break;
		case 'q':
			opt.z3_seconds = v;
			break;
		case 'r':
			opt.runs = v;
			break;
		case 'v':
			opt.values = v ? v : 1;
			break;
		case 'l':
			opt.locs = v ? v : 1;
			break;
		case 'e':
			opt.seed = v;
			break;
		case 'c':
			opt.candidates = v;
			break;
		case 'n':
			opt.near = v;
			break;
		case 'm':
			opt.sems = v;
			break;
		default:
			return 2;
		}
	}
	for (int i = optind; i < argc; i++)
		measure((uint32_t)strtoul(argv[i], NULL, 10));
	for (size_t i = 0; optind == argc && i < fr_array_size(lengths); i++)
		measure((uint32_t)strtoul(lengths[i], NULL, 10));
	return wrong;
}
