#include "runs.h"
#include "oracle/check.h"
#include "model/model.h"
#include <errno.h>

void run_put(struct run *r, uint32_t t, unsigned kind, uint64_t addr, unsigned aux, uint64_t value)
{
	struct run_thread *x = &r->thread[t];

	x->hook++;
	fr_vec_push(&x->slot, ((struct fr_event){.w0 = fr_w0(addr, kind, aux),
						 .value = value,
						 .site = 1 + (uint32_t)x->slot.n % 7,
						 .hook = x->hook}));
}

void run_sync(struct run *r, uint32_t t, unsigned kind, uint64_t addr, unsigned aux)
{
	run_put(r, t, kind, addr, aux, ++r->stamp);
}

void run_ext(struct run *r, uint32_t t, uint64_t addr, uint64_t value, uint32_t site)
{
	struct run_thread *x = &r->thread[t];

	fr_vec_push(
	    &x->slot,
	    ((struct fr_event){
		.w0 = fr_w0(addr, FR_EV_EXT, 0), .value = value, .site = site, .hook = x->hook}));
}

void run_read(struct run *r, uint32_t t, uint64_t addr, unsigned size, uint64_t value)
{
	run_put(r, t, FR_EV_READ, addr, (unsigned)__builtin_ctz(size), value);
}

void run_write(struct run *r, uint32_t t, uint64_t addr, unsigned size, uint64_t value)
{
	run_put(r, t, FR_EV_WRITE, addr, (unsigned)__builtin_ctz(size), value);
}

void run_fork(struct run *r, uint32_t t, uint32_t child)
{
	r->thread[child].parent = t;
	r->thread[child].nth = ++r->thread[t].children;
	run_sync(r, t, FR_EV_THREAD_CREATE, child, 0);
	run_sync(r, child, FR_EV_THREAD_START, t, 0);
	run_ext(r, child, r->thread[child].nth, 0, 0);
}

void run_exit(struct run *r, uint32_t t)
{
	run_sync(r, t, FR_EV_THREAD_EXIT, 0, 0);
}

void run_join(struct run *r, uint32_t t, uint32_t child)
{
	run_exit(r, child);
	run_sync(r, t, FR_EV_THREAD_JOIN, child, 0);
}

void run_initial(struct run *r, uint64_t addr, const void *bytes, size_t size)
{
	if (!r->initial)
		r->initial = fr_xcalloc(1, sizeof(*r->initial));
	fr_vec_push(&r->initial->range,
		    ((struct fr_initial_range){addr, addr + size, r->initial->bytes.n, !bytes}));
	if (bytes)
		fr_buf_add(&r->initial->bytes, bytes, size);
}

static uint64_t save_initial(const struct run *r, const char *dir)
{
	char *path = fx_path(dir, "memory");
	int64_t n = r->initial ? fr_initial_write(path, r->initial, NULL) : 0;

	assert_true(n >= 0);
	free(path);
	fr_initial_free(r->initial);
	return (uint64_t)n;
}

static void save_json(const struct run *r, const char *dir, const struct fr_writer *w,
		      const uint8_t *id)
{
	struct fr_writer_stats s = fr_writer_stats(w);
	struct fr_run run = {.complete = !r->incomplete};
	char *path = fx_path(dir, "run.json");

	run.version = run.program = run.path = run.cwd = run.options = run.started = (char *)"x";
	run.reason = r->incomplete ? (char *)"cut" : NULL;
	memcpy(run.run_id, id, sizeof(run.run_id));
	run.threads = s.threads;
	run.events = s.events;
	run.slots = s.slots;
	run.trace_bytes = s.bytes;
	run.memory = save_initial(r, dir);
	assert_int_equal(fr_run_write(path, &run, NULL), 0);
	free(path);
}

static void save_sites(const char *dir)
{
	const struct fr_units none = {0};
	struct fr_sites *s = fr_sites_build(NULL, 0, &none);
	char *path = fx_path(dir, "sites");

	assert_int_equal(fr_sites_write(path, s, NULL), 0);
	fr_sites_free(s);
	free(path);
}

void run_save(struct run *r, const char *dir)
{
	static const uint8_t id[16] = "0123456789abcdef";
	struct fr_pool_thread threads[RUN_THREADS] = {0};
	char *path = fx_path(dir, "trace");
	struct fr_writer *w;
	uint32_t n = 0;

	assert_int_equal(fr_writer_create(path, id, &w, NULL), 0);
	for (uint32_t t = 1; t <= RUN_THREADS; t++) {
		struct run_thread *x = &r->thread[t];

		if (!x->slot.n)
			continue;
		for (uint32_t at = 0, seq = 0; at < x->slot.n; at += 1000, seq++)
			assert_int_equal(
			    fr_writer_add(w, t, seq, x->slot.v[at].hook, x->slot.v + at,
					  (uint32_t)fr_min(x->slot.n - at, (size_t)1000)),
			    0);
		threads[n++] = (struct fr_pool_thread){
		    .id = t, .parent = x->parent, .nth = x->nth, .hook = x->hook};
		fr_vec_free(&x->slot);
	}
	assert_int_equal(fr_writer_flush(w), 0);
	assert_int_equal(fr_writer_end(w, threads, n, r->incomplete ? EIO : 0), 0);
	save_json(r, dir, w, id);
	save_sites(dir);
	fr_writer_free(w);
	free(path);
	*r = (struct run){0};
}

void run_check_progress(const struct fr_load_progress *p, const struct fr_model *m)
{
	uint64_t blocks = 0;

	FR_VEC_FOREACH (t, &m->trace->thread)
		blocks += t->block.n;
	assert_int_equal(p->total, m->trace->slots);
	assert_true(p->done <= p->total && p->done + 7 * blocks >= p->total);
}

struct fr_model *run_load(struct run *r)
{
	char *dir = fx_folder();
	struct fr_load_progress progress = {0};
	struct fr_model *m = NULL;
	struct fr_err err = {0};

	run_save(r, dir);
	if (fr_model_load_watched(dir, &progress, &m, &err) < 0)
		fail_msg("%s", err.msg);
	run_check_progress(&progress, m);
	fx_remove(dir);
	return m;
}

void run_check_feasible(const struct fr_model *m)
{
	const struct fr_candidate none = {0};
	struct fr_schedule all = {.cut = m->n};
	struct fr_checker *c = fr_checker_new(m);
	struct fr_err err = {0};

	if (fr_checker_check(c, &all, &none, &err) < 0)
		fail_msg("%s", err.msg);
	fr_checker_free(c);
}

const char *run_text(const struct fr_model *m)
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

void run_expect(struct run *r, const char *want)
{
	struct fr_model *m = run_load(r);

	run_check_feasible(m);
	assert_string_equal(run_text(m), want);
	fr_model_free(m);
}

void run_lock(struct run *r, uint32_t t, uint64_t addr)
{
	run_sync(r, t, FR_EV_MUTEX_LOCK, addr, 0);
}

void run_unlock(struct run *r, uint32_t t, uint64_t addr)
{
	run_sync(r, t, FR_EV_MUTEX_UNLOCK, addr, 0);
}
