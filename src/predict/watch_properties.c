/* Properties that judge re-executions: see watch_properties.h. */
#include "predict/watch_properties.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/dir.h"
#include <string.h>

void fr_watched_properties_free(struct fr_watched_properties *p)
{
	fr_property_kinds_free(&p->kinds);
	pthread_mutex_destroy(&p->lock);
}

int fr_watched_properties_save(const char *dir, const struct fr_property_kinds *kinds,
			       struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/properties", dir);
	FR_CLEANUP(fr_buf_free) struct fr_buf text = {0};

	FR_VEC_FOREACH (s, &kinds->spec)
		if ((*s)->property.n)
			fr_buf_printf(&text, "%.*s\n", (int)(*s)->n, (*s)->text);
	if (text.n)
		return fr_dir_replace(path, text.s, text.n, reterr);
	fr_dir_unlink(path);
	return 0;
}

static const struct fr_property_kind *find(struct fr_watched_properties *p, const char *kind)
{
	const struct fr_property_kind *found = NULL;

	pthread_mutex_lock(&p->lock);
	if (!p->loaded) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/properties", p->dir);
		FR_CLEANUP(fr_buf_free) struct fr_buf errors = {0};
		struct fr_err err;

		p->loaded = true;
		fr_property_kinds_read(path, &p->kinds, &errors, &err);
	}
	FR_VEC_FOREACH (k, &p->kinds.v)
		if ((*k)->automaton && !strcmp((*k)->generator.name, kind))
			found = *k;
	pthread_mutex_unlock(&p->lock);
	return found;
}

bool fr_watched_properties_has(void *arg, const char *kind)
{
	return find(arg, kind) != NULL;
}

static struct fr_watch_hook hook_of(const struct fr_schedule_file *s,
				    const struct fr_schedule_hook *h)
{
	return (struct fr_watch_hook){s->thread.v[h->thread], h->hook};
}

enum fr_watch_answer fr_watched_properties_ask(void *arg, const struct fr_schedule_file *s,
					       const char *events, bool over)
{
	const struct fr_property_kind *kind = find(arg, s->kind);
	FR_VEC(struct fr_watch_hook) hook = {0};
	enum fr_watch_answer answer = FR_WATCH_OPEN;
	struct fr_trace *trace = NULL;
	struct fr_model *m = NULL;
	struct fr_err err = {0};

	if (!kind)
		return FR_WATCH_OPEN;
	FR_VEC_FOREACH (h, &s->event)
		fr_vec_push(&hook, hook_of(s, h));
	FR_VEC_FOREACH (h, &s->target)
		fr_vec_push(&hook, hook_of(s, h));
	if (fr_trace_open(events, &trace, &err) < 0)
		fr_debug(FR_DEBUG_CONFIRM, "cannot read the events: %s", err.msg);
	else if (fr_model_load_trace(trace, &m, &err) < 0)
		fr_trace_free(trace);
	else
		answer = fr_property_watch(kind, m, hook.v, hook.n, over);
	if (m)
		fr_model_free(m);
	fr_vec_free(&hook);
	fr_debug(FR_DEBUG_CONFIRM, "%s in the execution: %s", s->kind,
		 answer == FR_WATCH_VIOLATED ? "violated"
		 : answer == FR_WATCH_KEPT   ? "not violated"
					     : "not judged");
	return answer;
}
