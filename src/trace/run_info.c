/* Writes run.json, and copies its parts that come from the pool. */
#include "trace/run_info.h"
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/json.h"
#include "trace/pool_reader.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const fr_rt_counter_name[FR_RTC_COUNT] = {
#define FR_X(n, s) #n,
    FR_RT_COUNTERS(FR_X)
#undef FR_X
};
const char *const fr_rt_counter_text[FR_RTC_COUNT] = {
#define FR_X(n, s) s,
    FR_RT_COUNTERS(FR_X)
#undef FR_X
};

static const char *const stream_name[3] = {"stdin", "stdout", "stderr"};

void fr_run_clear(struct fr_run *r)
{
	FR_VEC_FOREACH (s, &r->args)
		free(*s);
	FR_VEC_FOREACH (s, &r->env)
		free(*s);
	FR_VEC_FOREACH (u, &r->unmodelled)
		free(u->name);
	FR_VEC_FOREACH (m, &r->modules)
		free((char *)m->path);
	for (int i = 0; i < 3; i++)
		free(r->stream[i].kind);
	fr_vec_free(&r->args);
	fr_vec_free(&r->env);
	fr_vec_free(&r->unmodelled);
	fr_vec_free(&r->modules);
	free(r->version);
	free(r->program);
	free(r->path);
	free(r->cwd);
	free(r->options);
	free(r->imported);
	free(r->started);
	free(r->reason);
	*r = (struct fr_run){0};
}

/* The module without a name is the executable. A relative path is relative to the folder in which
   the program started. */
static char *module_path(const struct fr_run *r, const struct fr_pool_module *m, const char *exe)
{
	int n = (int)strnlen(m->path, sizeof(m->path));

	if (!n)
		return fr_xstrdup(exe);
	if (m->path[0] != '/' && memchr(m->path, '/', (size_t)n))
		return fr_xasprintf("%s/%.*s", r->cwd, n, m->path);
	return fr_xstrndup(m->path, (size_t)n);
}

void fr_run_from_pool(struct fr_run *r, const struct fr_pool *p, const char *exe)
{
	uint32_t n = fr_min((uint32_t)p->modules, (uint32_t)FR_POOL_MAX_MODULES);

	for (int i = 0; i < FR_RTC_COUNT; i++)
		r->counters[i] = p->counters[i];
	memcpy(r->clock, p->clock, sizeof(r->clock));
	r->counters[FR_RTC_hooks] = 0;
	for (uint32_t i = 0; i < fr_pool_thread_count(p); i++)
		r->counters[FR_RTC_hooks] += fr_pool_threads((struct fr_pool *)p)[i].idx;
	for (uint32_t i = 0; i < n; i++) {
		const struct fr_pool_module *m = &p->module[i];
		struct fr_module_map map = {.bias = m->bias, .lo = m->lo, .hi = m->hi};

		map.path = module_path(r, m, exe);
		map.build_id_len = fr_min(m->build_id_len, (uint8_t)sizeof(map.build_id));
		memcpy(map.build_id, m->build_id, sizeof(map.build_id));
		fr_vec_push(&r->modules, map);
	}
	n = fr_min((uint32_t)p->unmodelled, (uint32_t)FR_POOL_MAX_UNMODELLED);
	for (uint32_t i = 0; i < n; i++) {
		const struct fr_pool_unmodelled *u = &p->unmodelled_calls[i];

		if (u->name[0])
			fr_vec_push(&r->unmodelled,
				    ((struct fr_run_unmodelled){
					fr_xstrndup(u->name, strnlen(u->name, sizeof(u->name))),
					u->calls}));
	}
}

static void hex(char *out, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sprintf(out + 2 * i, "%02x", p[i]);
	out[2 * n] = 0;
}

static void write_address(struct fr_jw *w, const char *key, uint64_t v)
{
	char s[32];

	snprintf(s, sizeof(s), "0x%" PRIx64, v);
	fr_jw_key(w, key);
	fr_jw_str(w, s);
}

static void write_strings(struct fr_jw *w, const char *key, char *const *v, size_t n)
{
	fr_jw_key(w, key);
	fr_jw_open(w, '[');
	for (size_t i = 0; i < n; i++)
		fr_jw_str(w, v[i]);
	fr_jw_close(w, ']');
}

static void write_streams(struct fr_jw *w, const struct fr_run *r)
{
	for (int i = 0; i < 3; i++) {
		fr_jw_key(w, stream_name[i]);
		fr_jw_open(w, '{');
		fr_jw_pair(w, "kind", r->stream[i].kind);
		fr_jw_pair_u64(w, "bytes", r->stream[i].bytes);
		fr_jw_pair_bool(w, "kept", r->stream[i].kept);
		fr_jw_close(w, '}');
	}
}

static void write_found(struct fr_jw *w, const struct fr_run *r)
{
	char id[65];

	fr_jw_key(w, "counters");
	fr_jw_open(w, '{');
	for (int i = 0; i < FR_RTC_COUNT; i++)
		if (r->counters[i])
			fr_jw_pair_u64(w, fr_rt_counter_name[i], r->counters[i]);
	fr_jw_close(w, '}');
	fr_jw_key(w, "unmodelled");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (u, &r->unmodelled) {
		fr_jw_open(w, '{');
		fr_jw_pair(w, "name", u->name);
		fr_jw_pair_u64(w, "calls", u->calls);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
	fr_jw_key(w, "modules");
	fr_jw_open(w, '[');
	FR_VEC_FOREACH (m, &r->modules) {
		fr_jw_open(w, '{');
		fr_jw_pair(w, "path", m->path);
		hex(id, m->build_id, m->build_id_len);
		fr_jw_pair(w, "build_id", m->build_id_len ? id : NULL);
		write_address(w, "bias", m->bias);
		write_address(w, "lo", m->lo);
		write_address(w, "hi", m->hi);
		fr_jw_close(w, '}');
	}
	fr_jw_close(w, ']');
}

static void write_clocks(struct fr_jw *w, const struct fr_run *r)
{
	fr_jw_key(w, "clocks");
	fr_jw_open(w, '[');
	for (int i = 0; i < FR_POOL_CLOCKS; i++)
		fr_jw_u64(w, r->clock[i]);
	fr_jw_close(w, ']');
}

static void write_all(struct fr_jw *w, const struct fr_run *r)
{
	char id[33];

	fr_jw_pair(w, "forerun", r->version);
	hex(id, r->run_id, sizeof(r->run_id));
	fr_jw_pair(w, "run_id", id);
	fr_jw_pair(w, "program", r->program);
	fr_jw_pair(w, "path", r->path);
	write_strings(w, "args", r->args.v, r->args.n);
	write_strings(w, "env", r->env.v, r->env.n);
	fr_jw_pair(w, "cwd", r->cwd);
	fr_jw_pair(w, "options", r->options);
	fr_jw_pair(w, "imported", r->imported);
	fr_jw_pair(w, "started", r->started);
	fr_jw_key(w, "record_s");
	fr_jw_f64(w, r->record_s);
	fr_jw_pair_bool(w, "complete", r->complete);
	fr_jw_pair(w, "reason", r->reason);
	fr_jw_key(w, "exit");
	if (r->exit >= 0)
		fr_jw_i64(w, r->exit);
	else
		fr_jw_null(w);
	fr_jw_key(w, "signal");
	if (r->signal)
		fr_jw_i64(w, r->signal);
	else
		fr_jw_null(w);
	fr_jw_pair_u64(w, "threads", r->threads);
	fr_jw_pair_u64(w, "events", r->events);
	fr_jw_pair_u64(w, "slots", r->slots);
	fr_jw_pair_u64(w, "trace_bytes", r->trace_bytes);
	fr_jw_pair_u64(w, "memory", r->memory);
	write_clocks(w, r);
	fr_jw_pair_bool(w, "aslr", r->aslr);
	write_streams(w, r);
	write_found(w, r);
}

int fr_run_write(const char *path, const struct fr_run *r, struct fr_err *reterr)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_jw w = {.out = &b};
	char check[16];

	fr_jw_open(&w, '{');
	write_all(&w, r);
	snprintf(check, sizeof(check), "%08" PRIx32, fr_crc32c(0, b.s, b.n));
	fr_jw_pair(&w, "checksum", check);
	fr_jw_close(&w, '}');
	fr_buf_puts(&b, "\n");
	return fr_dir_replace(path, b.s, b.n, reterr);
}
