/* Serial controls: see serial.h. Results are kept by the hash of their turns. */
#include "confirm/serial.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/io.h"
#include "confirm/judge.h"
#include "format/event.h"
#include "findings/finding.h"
#include <string.h>

#define KEPT 64 /* controls; each has two open files */

void fr_serial_init(struct fr_serial *s)
{
	*s = (struct fr_serial){0};
	pthread_mutex_init(&s->lock, NULL);
}

static void forget(struct fr_serial_run *r)
{
	fr_closep(&r->out);
	fr_closep(&r->err);
}

void fr_serial_free(struct fr_serial *s)
{
	FR_VEC_FOREACH (r, &s->run)
		forget(r);
	fr_vec_free(&s->run);
	fr_vec_free(&s->regions);
	fr_intended_free(&s->intended);
	if (s->m)
		fr_contexts_free(&s->contexts);
}

/* Adds the regions from each event of a thread to its later ones. */
static bool add_regions(struct fr_serial *s, const struct fr_interleaving *w)
{
	bool ok = true;

	for (size_t i = 0; i < w->event.n; i++)
		for (size_t k = i + 1; k < w->event.n; k++) {
			const struct fr_finding_event *a = &w->event.v[i], *b = &w->event.v[k];

			if (a->thread == b->thread)
				ok &= fr_region_lines_add(&s->contexts, a->thread, a->hook, b->hook,
							  &s->regions);
		}
	return ok;
}

/* Finds the regions of all findings. False: the lines of one are unknown. */
static bool find_regions(struct fr_serial *s, const char *dir)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	bool ok = fr_findings_read(dir, &f, NULL) == 0;

	FR_VEC_FOREACH (x, &f.finding) {
		fr_intended_add(&s->intended, s->m, x);
		if (x->region)
			FR_VEC_FOREACH (w, &x->interleaving)
				ok &= add_regions(s, w);
	}
	return ok && s->regions.n;
}

/* Sets the model, once. False: the regions are unknown. */
static bool set_model(struct fr_serial *s, const struct fr_model *m, const char *dir)
{
	if (!s->m) {
		s->m = m;
		fr_contexts_init(&s->contexts, m);
		s->able = find_regions(s, dir);
	}
	fr_assert(s->m == m);
	return s->able;
}

/* ---- sections ---- */

/* Returns the model's number of a thread of the schedule, UINT32_MAX = none. */
static uint32_t in_model(const struct fr_model *m, const struct fr_schedule_file *of,
			 uint32_t thread)
{
	fr_assert(thread < of->thread.n);
	return fr_model_thread(m, of->thread.v[thread]);
}

/* Widens the section of the event's thread by the event. False: a third or unknown thread. */
static bool add_event(const struct fr_model *m, const struct fr_schedule_file *of,
		      const struct fr_schedule_hook *h, struct fr_serial_section s[2], unsigned *n)
{
	uint32_t thread = in_model(m, of, h->thread), position;
	const struct fr_mthread *t;
	unsigned i = 0;

	fr_assert(*n <= 2);
	if (thread == UINT32_MAX)
		return false;
	t = &m->thread[thread];
	position = fr_hooks_find(&t->hooks, 0, t->n, h->hook);
	if (position == t->n || fr_hooks_get(&t->hooks, position) != h->hook)
		return false;
	while (i < *n && s[i].thread != thread)
		i++;
	if (i == 2)
		return false;
	if (i == *n)
		s[(*n)++] = (struct fr_serial_section){thread, position, position};
	s[i].first = fr_min(s[i].first, position);
	s[i].end = s[i].end > position + 1 ? s[i].end : position + 1;
	return true;
}

static bool find_sections(struct fr_serial *x, const struct fr_schedule_file *of,
			  struct fr_serial_section s[2])
{
	unsigned n = 0;

	FR_VEC_FOREACH (h, &of->event)
		if (!add_event(x->m, of, h, s, &n))
			return false;
	FR_VEC_FOREACH (h, &of->target)
		if (!add_event(x->m, of, h, s, &n))
			return false;
	return n == 2 && fr_sections_close(&x->contexts, s);
}

/* ---- the schedule ---- */

static uint64_t hook_at(const struct fr_model *m, const struct fr_serial_section *s,
			uint32_t position)
{
	fr_assert_slow(position < m->thread[s->thread].n);
	return fr_hooks_get(&m->thread[s->thread].hooks, position);
}

/* Returns the last hook that a thread may execute before the sections. It cannot first join a
   thread that has a section, and it does not exist before its creation. */
static uint64_t limit_of(const struct fr_model *m, const struct fr_serial_section s[2],
			 uint32_t thread, const uint64_t *limit)
{
	const struct fr_mthread *t = &m->thread[thread];
	uint64_t most = UINT64_MAX;

	if (t->create != FR_NO_EV && m->ev[t->create].thread < thread &&
	    fr_model_hook(m, t->create) > limit[m->ev[t->create].thread])
		return 0;
	for (unsigned k = 0; k < 2; k++)
		if (s[k].thread == thread)
			most = hook_at(m, &s[k], s[k].first) - 1;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct fr_mev *e = &m->ev[t->ev[i]];

		if (e->op == FR_OP_JOIN && (e->obj == s[0].thread || e->obj == s[1].thread))
			return fr_min(most, fr_hooks_get(&t->hooks, i) - 1);
	}
	return most;
}

/* Adds the turns of the finding, up to the sections. */
static void add_before(const struct fr_model *m, const struct fr_schedule_file *of,
		       const struct fr_serial_section s[2], struct fr_schedule_file *ret)
{
	FR_CLEANUP(fr_freep) uint64_t *limits = fr_xcalloc(m->nthreads + 1, sizeof(*limits));
	FR_CLEANUP(fr_freep) uint64_t *limit = fr_xcalloc(of->thread.n + 1, sizeof(*limit));

	for (uint32_t t = 0; t < m->nthreads; t++)
		limits[t] = limit_of(m, s, t, limits);
	for (uint32_t i = 0; i < of->thread.n; i++) {
		uint32_t thread = in_model(m, of, i);

		fr_schedule_file_thread(ret, of->thread.v[i]);
		limit[i] = thread == UINT32_MAX ? UINT64_MAX : limits[thread];
	}
	FR_VEC_FOREACH (t, &of->turn)
		fr_schedule_file_turn(ret, t->thread, fr_min(t->hook, limit[t->thread]));
	FR_VEC_FOREACH (h, &of->expect)
		if (h->hook <= limit[h->thread]) {
			struct fr_schedule_hook e = *h;

			e.known = false;
			e.role = FR_ROLE_NONE;
			fr_vec_push(&ret->expect, e);
		}
}

/* Adds a section. The program must pass each of its events at the recorded site. The last section
   ends with its last access, as the finding's schedule does, so that other threads see the same
   locks held. */
static void add_section(struct fr_serial *x, const struct fr_serial_section *s, bool last,
			struct fr_schedule_file *ret)
{
	const struct fr_mthread *t = &x->m->thread[s->thread];
	uint32_t thread = fr_schedule_file_thread(ret, t->path), end = s->end;

	while (last && end > s->first + 1 && !fr_is_access(&x->m->ev[t->ev[end - 1]]))
		end--;
	for (uint32_t i = s->first; i < end; i++) {
		const struct fr_mev *e = &x->m->ev[t->ev[i]];

		if (fr_model_kind(e) && !(e->flags & (FR_F_PART | FR_F_SYNTH)))
			fr_vec_push(&ret->expect,
				    ((struct fr_schedule_hook){.thread = thread,
							       .hook = hook_at(x->m, s, i),
							       .kind = (uint8_t)fr_model_kind(e),
							       .site = e->site}));
	}
	fr_assert(end > s->first);
	fr_schedule_file_turn(ret, thread, hook_at(x->m, s, end - 1));
}

/* Is no other thread in the middle of work that conflicts with a section? */
static bool others_idle(struct fr_serial *x, const struct fr_serial_section s[2],
			const struct fr_schedule_file *before)
{
	for (uint32_t i = 0; i < before->thread.n; i++) {
		uint32_t thread = in_model(x->m, before, i);
		uint64_t hook = i < before->last.n ? before->last.v[i] : 0;
		const struct fr_mthread *t;

		if (thread == UINT32_MAX || !hook || thread == s[0].thread || thread == s[1].thread)
			continue;
		t = &x->m->thread[thread];
		if (fr_sections_disturb(&x->contexts, s, thread,
					fr_hooks_find(&t->hooks, 0, t->n, hook + 1)))
			return false;
	}
	return true;
}

/* Did the recorded run fail before the section gave up its locks? */
static bool cut_short(struct fr_serial *x, const struct fr_serial_section *s)
{
	uint32_t n = x->m->thread[s->thread].n;

	return s->end == n && fr_contexts_of(&x->contexts, s->thread)[n].open;
}

/* Adds one section or both. Returns the thread that continues first. With both sections, that is
   the thread of the last target. With one, it is the thread of the section left out. If the failure
   cut section `first` short, it is the thread of that section, because the other waits for its
   locks. */
static uint32_t add_sections(struct fr_serial *x, const struct fr_schedule_file *of,
			     const struct fr_serial_section s[2], unsigned first, bool both,
			     struct fr_schedule_file *ret)
{
	bool cut = cut_short(x, &s[first]);

	add_section(x, &s[first], cut, ret);
	if (cut || !both)
		return fr_schedule_file_thread(ret,
					       x->m->thread[s[cut ? first : !first].thread].path);
	add_section(x, &s[!first], first != 0, ret);
	return of->target.v[of->target.n - 1].thread;
}

/* Makes the schedule in which section `first` of the finding (0 = that of its first event) comes
   first. both: it prescribes the other section too. False: there is none. The caller clears *ret in
   either case. *ret_runs_first: the thread that continues. */
static bool serial_schedule(struct fr_serial *x, const struct fr_model *m, const char *dir,
			    const struct fr_schedule_file *of, unsigned first, bool both,
			    struct fr_schedule_file *ret, uint32_t *ret_runs_first)
{
	struct fr_serial_section s[2];
	bool ok;

	fr_assert(first < 2);
	*ret =
	    (struct fr_schedule_file){.kind = fr_xstrdup("recorded"), .meeting = FR_MEETING_NONE};
	pthread_mutex_lock(&x->lock);
	ok = set_model(x, m, dir) && find_sections(x, of, s);
	if (ok) {
		add_before(x->m, of, s, ret);
		ok = others_idle(x, s, ret);
	}
	*ret_runs_first = 0;
	if (ok)
		*ret_runs_first = add_sections(x, of, s, first, both, ret);
	pthread_mutex_unlock(&x->lock);
	return ok;
}

/* ---- running ---- */

/* The effect that a serial control shall show; `seen` is for the caller's use. */
typedef bool wanted(const struct fr_serial *x, const struct fr_serial_run *r,
		    const struct fr_execution *seen);

/* Does a serial control show the wanted effect? */
struct serial_question {
	struct fr_serial *x;
	const struct fr_model *m;
	const char *dir;
	const struct fr_schedule_file *of;
	wanted *want;
	const struct fr_execution *seen;
	fr_serial_execute *execute;
	void *arg;
};

static uint64_t key_of(const struct fr_schedule_file *s, const struct fr_serial_rest *rest)
{
	const char *path = s->thread.v[rest->runs_first];
	uint64_t h = fr_hash_mix(fr_hash(0, path, strlen(path)), rest->then);

	FR_VEC_FOREACH (t, &s->turn)
		h = fr_hash_mix(fr_hash_mix(h, t->thread), t->hook);
	return h;
}

/* Was no thread interrupted inside a region? */
static bool undisturbed(const struct fr_serial *x, const struct fr_control_file *c)
{
	if (c->npauses > FR_CONTROL_FILE_PAUSES)
		return false;
	for (uint32_t i = 0; i < c->npauses; i++) {
		const struct fr_control_file_pause *p = &c->pause[i];

		if (fr_event_is(p->kind) & FR_IS_WAIT) /* it ends a region (generate/region.h) */
			continue;
		if (p->kind == FR_PAUSE_SPENT ||
		    fr_region_lines_have(&x->contexts, &x->regions, p->stack.call, p->stack.n))
			return false;
	}
	return true;
}

static bool came_through(const struct fr_execution *r)
{
	const struct fr_control_file *c = r->file.c;

	return r->attached && r->ended == FR_ENDED_ITSELF && !c->left_before_last &&
	       (c->phase == FR_PHASE_MET || c->phase == FR_PHASE_ENDED) && c->turn == c->nturns &&
	       !fr_judge_outside(r);
}

/* Runs a control. `lock` is not held. */
static struct fr_serial_run execute_now(struct fr_serial *x, const struct fr_schedule_file *s,
					const struct fr_serial_rest *rest,
					fr_serial_execute *execute, void *arg)
{
	struct fr_serial_run now = {.out = -1, .err = -1};
	struct fr_execution r;
	bool whole;

	if (execute(arg, s, rest, &r) < 0)
		return now;
	pthread_mutex_lock(&x->lock);
	x->runs++;
	whole = came_through(&r) && undisturbed(x, r.file.c);
	pthread_mutex_unlock(&x->lock);
	fr_debug(FR_DEBUG_CONFIRM, "serial control, exit %d, signal %d: %s", r.exit, r.signal,
		 whole		    ? "whole"
		 : came_through(&r) ? "a thread pauses inside a region"
				    : "it leaves its schedule");
	if (whole) {
		now = (struct fr_serial_run){
		    .whole = true, .exit = r.exit, .signal = r.signal, .out = r.out, .err = r.err};
		r.out = r.err = -1;
	}
	fr_execution_free(&r);
	return now;
}

static bool same_text(int a, int b)
{
	struct fr_mapped x = fr_judge_text(a), y = fr_judge_text(b);
	uint64_t line;
	bool same = fr_output_compare((const char *)x.p, x.n, (const char *)y.p, y.n, &line) !=
		    FR_DIFFERENT;

	fr_io_unmap(&x);
	fr_io_unmap(&y);
	return same;
}

static bool same(const struct fr_serial *x, const struct fr_serial_run *r,
		 const struct fr_execution *seen)
{
	(void)x;
	return r->whole && r->exit == seen->exit && r->signal == seen->signal &&
	       same_text(r->out, seen->out) && same_text(r->err, seen->err);
}

static bool well(const struct fr_serial *x, const struct fr_serial_run *r,
		 const struct fr_execution *seen)
{
	(void)seen;
	return r->whole && r->exit == x->good_exit && !r->signal;
}

static struct fr_serial_run *kept(struct fr_serial *x, uint64_t key)
{
	FR_VEC_FOREACH (r, &x->run)
		if (r->key == key)
			return r;
	return NULL;
}

static void keep(struct fr_serial *x, struct fr_serial_run r)
{
	if (x->run.n == KEPT) {
		forget(&x->run.v[0]);
		memmove(x->run.v, x->run.v + 1, --x->run.n * sizeof(*x->run.v));
	}
	fr_assert(x->run.n < KEPT);
	fr_vec_push(&x->run, r);
}

/* Does a control that continues in this way show it? */
static bool rest_shows(const struct serial_question *q, const struct fr_schedule_file *s,
		       struct fr_serial_rest rest)
{
	struct fr_serial *x = q->x;
	uint64_t key = key_of(s, &rest);
	struct fr_serial_run *r, now;
	bool known, yes;

	pthread_mutex_lock(&x->lock);
	r = kept(x, key);
	known = r;
	yes = r && q->want(x, r, q->seen);
	pthread_mutex_unlock(&x->lock);
	if (known)
		return yes;
	now = execute_now(x, s, &rest, q->execute, q->arg);
	now.key = key;
	yes = q->want(x, &now, q->seen);
	pthread_mutex_lock(&x->lock);
	keep(x, now);
	pthread_mutex_unlock(&x->lock);
	return yes;
}

/* Tries the sections in both orders. *ret_first: the section that came first. */
static bool sections_show(const struct serial_question *q, enum fr_control_file_then then,
			  bool both, unsigned *ret_first)
{
	bool yes = false;

	for (unsigned first = 2; q->m && q->of->target.n && first-- && !yes;) {
		FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
		struct fr_serial_rest rest = {.then = then};

		if (!serial_schedule(q->x, q->m, q->dir, q->of, first, both, &s, &rest.runs_first))
			return false;
		yes = rest_shows(q, &s, rest);
		*ret_first = first;
	}
	return yes;
}

bool fr_serial_shows(struct fr_serial *x, const struct fr_model *m, const char *dir,
		     const struct fr_schedule_file *of, bool others,
		     const struct fr_execution *seen, fr_serial_execute *execute, void *arg)
{
	struct serial_question q = {x, m, dir, of, same, seen, execute, arg};
	unsigned first;

	return sections_show(&q, others ? FR_THEN_OTHERS : FR_THEN_GO_ON, true, &first);
}

bool fr_serial_ends_well(struct fr_serial *x, const struct fr_model *m, const char *dir,
			 const struct fr_schedule_file *of, bool others, fr_serial_execute *execute,
			 void *arg, unsigned *ret_first, bool *ret_other_path)
{
	struct serial_question q = {x, m, dir, of, well, NULL, execute, arg};
	enum fr_control_file_then then = others ? FR_THEN_OTHERS : FR_THEN_GO_ON;

	*ret_other_path = false;
	if (sections_show(&q, then, true, ret_first) ||
	    sections_show(&q, FR_THEN_AWAKE, true, ret_first))
		return true;
	*ret_other_path = true;
	return sections_show(&q, then, false, ret_first);
}

bool fr_serial_intends(struct fr_serial *x, const struct fr_model *m, const char *dir,
		       const struct fr_schedule_file *of)
{
	bool yes = false;

	pthread_mutex_lock(&x->lock);
	if (m) {
		set_model(x, m, dir);
		yes = fr_intended_has(&x->intended, of);
	}
	pthread_mutex_unlock(&x->lock);
	return yes;
}
