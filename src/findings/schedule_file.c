/* Builds schedules and writes schedule files. */
#include "findings/schedule_file.h"
#include "base/assert.h"
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "findings/finding.h"
#include "format/event.h"
#include "trace/trace.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void fr_schedule_file_clear(struct fr_schedule_file *s)
{
	FR_VEC_FOREACH (m, &s->module) {
		free(m->build_id);
		free(m->path);
	}
	FR_VEC_FOREACH (t, &s->thread)
		free(*t);
	fr_vec_free(&s->module);
	fr_vec_free(&s->thread);
	fr_vec_free(&s->leave);
	fr_vec_free(&s->turn);
	fr_vec_free(&s->expect);
	fr_vec_free(&s->event);
	fr_vec_free(&s->target);
	fr_vec_free(&s->differs);
	fr_vec_free(&s->last);
	free(s->kind);
	*s = (struct fr_schedule_file){0};
}

void fr_schedule_file_copy_head(const struct fr_schedule_file *s, struct fr_schedule_file *ret)
{
	*ret = (struct fr_schedule_file){
	    .kind = fr_xstrdup(s->kind), .meeting = s->meeting, .needs = s->needs};
	memcpy(ret->run_id, s->run_id, sizeof(ret->run_id));
	FR_VEC_FOREACH (m, &s->module)
		fr_vec_push(&ret->module, ((struct fr_schedule_module){
					      m->build_id ? fr_xstrdup(m->build_id) : NULL,
					      fr_xstrdup(m->path)}));
	FR_VEC_FOREACH (t, &s->thread)
		fr_vec_push(&ret->thread, fr_xstrdup(*t));
}

void fr_schedule_file_begin(struct fr_schedule_file *s, const struct fr_model *m, const char *kind,
			    enum fr_meeting meeting)
{
	*s = (struct fr_schedule_file){.kind = fr_xstrdup(kind), .meeting = meeting};
	for (uint32_t t = 0; t < m->nthreads; t++)
		fr_vec_push(&s->thread, fr_xstrdup(m->thread[t].path));
	if (!m->trace)
		return;
	memcpy(s->run_id, m->trace->run.run_id, sizeof(s->run_id));
	FR_VEC_FOREACH (x, &m->trace->run.modules) {
		char id[65] = "";

		for (unsigned i = 0; i < x->build_id_len && i < 32; i++)
			snprintf(id + 2 * i, 3, "%02x", x->build_id[i]);
		fr_vec_push(&s->module, ((struct fr_schedule_module){*id ? fr_xstrdup(id) : NULL,
								     fr_xstrdup(x->path)}));
	}
}

uint32_t fr_schedule_file_thread(struct fr_schedule_file *s, const char *path)
{
	for (size_t i = 0; i < s->thread.n; i++)
		if (!strcmp(s->thread.v[i], path))
			return (uint32_t)i;
	fr_vec_push(&s->thread, fr_xstrdup(path));
	return (uint32_t)s->thread.n - 1;
}

void fr_schedule_file_turn(struct fr_schedule_file *s, uint32_t thread, uint64_t hook)
{
	struct fr_schedule_turn *last = s->turn.n ? &s->turn.v[s->turn.n - 1] : NULL;

	fr_assert(thread < s->thread.n);
	while (s->last.n <= thread)
		fr_vec_push(&s->last, 0);
	if (hook <= s->last.v[thread])
		return;
	s->last.v[thread] = hook;
	if (last && last->thread == thread) {
		fr_assert_slow(last->hook < hook);
		last->hook = hook;
		return;
	}
	fr_vec_push(&s->turn, ((struct fr_schedule_turn){thread, hook}));
}

void fr_schedule_file_event(struct fr_schedule_file *s, const struct fr_model *m, fr_ev e)
{
	fr_assert_slow(e < m->n);
	fr_schedule_file_turn(s, m->ev[e].thread, fr_model_hook(m, e));
}

static void word(struct fr_buf *b, const char *s)
{
	fr_buf_puts(b, " ");
	for (; *s; s++)
		if ((unsigned char)*s <= ' ' || *s == '%')
			fr_buf_printf(b, "%%%02x", (unsigned char)*s);
		else
			fr_buf_add(b, s, 1);
}

static void hook(struct fr_buf *b, const struct fr_schedule_file *s, const char *what,
		 const struct fr_schedule_hook *h)
{
	const char *kind = fr_event_name(h->kind);

	fr_assert(kind && h->thread < s->thread.n);
	fr_buf_puts(b, what);
	word(b, s->thread.v[h->thread]);
	fr_buf_printf(b, " %" PRIu64 " %s %" PRIu32, h->hook, kind, h->site);
	if (h->role) {
		fr_buf_printf(b, " %s %" PRIu32, fr_role_name[h->role], h->memory);
	} else if (h->known) {
		fr_buf_printf(b, " 0x%" PRIx64, h->value);
	}
	fr_buf_puts(b, "\n");
}

static void turn(struct fr_buf *b, const struct fr_schedule_file *s, const char *what,
		 const struct fr_schedule_turn *t)
{
	fr_buf_puts(b, what);
	word(b, s->thread.v[t->thread]);
	fr_buf_printf(b, " %" PRIu64 "\n", t->hook);
}

static void candidate(struct fr_buf *b, const struct fr_schedule_file *s)
{
	const struct fr_candidate *c = &s->what;

	fr_assert(c->npending <= FR_TARGETS && c->nedges <= FR_EDGES);
	for (uint32_t i = 0; i < c->npending; i++)
		fr_buf_printf(b, "pending %" PRIu32 "\n", c->pending[i]);
	for (uint32_t i = 0; i < c->nedges; i++)
		fr_buf_printf(b, "edge %" PRIu32 " %" PRIu32 "\n", c->edge[i].before,
			      c->edge[i].after);
	if (c->sees.on && c->sees.write == FR_NO_EV)
		fr_buf_printf(b, "sees %" PRIu32 " -\n", c->sees.read);
	else if (c->sees.on)
		fr_buf_printf(b, "sees %" PRIu32 " %" PRIu32 "\n", c->sees.read, c->sees.write);
	FR_VEC_FOREACH (e, &s->differs)
		fr_buf_printf(b, "differs %" PRIu32 "\n", *e);
}

int fr_schedule_file_write(const char *path, const struct fr_schedule_file *s,
			   struct fr_err *reterr)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	fr_assert(s->kind && !s->target.n == !fr_meeting_has_targets(s->meeting));
	fr_buf_printf(&b, FR_SCHEDULE_MAGIC " %d\nrun ", FR_SCHEDULE_VERSION);
	for (size_t i = 0; i < sizeof(s->run_id); i++)
		fr_buf_printf(&b, "%02x", s->run_id[i]);
	fr_buf_puts(&b, "\n");
	FR_VEC_FOREACH (m, &s->module) {
		fr_buf_printf(&b, "module %s", m->build_id ? m->build_id : "-");
		word(&b, m->path);
		fr_buf_puts(&b, "\n");
	}
	fr_buf_puts(&b, "kind");
	word(&b, s->kind);
	fr_buf_printf(&b, "\nmeeting %s\n", fr_meeting_name[s->meeting]);
	if (s->needs)
		fr_buf_printf(&b, "needs %s\n", fr_needs_name[s->needs]);
	if (s->prefix)
		fr_buf_printf(&b, "prefix %" PRIu64 "\n", s->prefix);
	FR_VEC_FOREACH (t, &s->leave)
		turn(&b, s, "leaves", t);
	FR_VEC_FOREACH (t, &s->turn)
		turn(&b, s, "turn", t);
	FR_VEC_FOREACH (h, &s->expect)
		hook(&b, s, "expect", h);
	FR_VEC_FOREACH (h, &s->event)
		hook(&b, s, "event", h);
	FR_VEC_FOREACH (h, &s->target)
		hook(&b, s, "target", h);
	if (s->what.npending)
		candidate(&b, s);
	fr_buf_printf(&b, "end %08" PRIx32 "\n", fr_crc32c(0, b.s, b.n));
	return fr_dir_replace(path, b.s, b.n, reterr);
}

/* May a finding of this kind have a schedule of kind `own`? Schedules keep the generator's name. */
static bool is_same_kind(const char *own, const char *kind)
{
	bool same = !strcmp(own, kind);

	for (unsigned i = 0; i < FR_NEEDS_COUNT && !same; i++) {
		const char *const *by_end = fr_needs_kind[i];

		same = by_end[0] && !strcmp(own, by_end[0]) && !strcmp(kind, by_end[1]);
	}
	return same;
}

int fr_schedule_file_of_bug(const struct fr_schedule_file *s, const char *kind, size_t events,
			    const char *path, struct fr_err *reterr)
{
	fr_assert(s->kind);
	if (!is_same_kind(s->kind, kind))
		return fr_err_say(reterr, -EBADMSG, "'%s' is a schedule of another bug: %s, not %s",
				  path, s->kind, kind);
	if (fr_meeting_has_targets(s->meeting) && s->event.n + s->target.n != events)
		return fr_err_say(reterr, -EBADMSG,
				  "'%s' is a schedule of another bug: it has %zu events, not %zu",
				  path, s->event.n + s->target.n, events);
	return 0;
}
