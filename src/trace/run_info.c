/*
 * Writes and reads run.json, and copies its parts that come from the pool.
 *
 * The checksum is the CRC-32C of all text before it, and the text must end with it in exactly the
 * form that fr_run_write writes. The error for a wrong or missing member names it.
 */
#include "trace/run_info.h"
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/json_fields.h"
#include "trace/pool_reader.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const fr_rt_counter_name[FR_RTC_COUNT] = {
#define FR_X(n, s, loss) #n,
    FR_RT_COUNTERS(FR_X)
#undef FR_X
};
const char *const fr_rt_counter_text[FR_RTC_COUNT] = {
#define FR_X(n, s, loss) s,
    FR_RT_COUNTERS(FR_X)
#undef FR_X
};
const unsigned fr_rt_counter_loss[FR_RTC_COUNT] = {
#define FR_X(n, s, loss) FR_LOSS_##loss,
    FR_RT_COUNTERS(FR_X)
#undef FR_X
};

static const char *const stream_kind[FR_STREAM_COUNT] = {
    [FR_STREAM_NOT_KNOWN] = NULL,  [FR_STREAM_FILE] = "file", [FR_STREAM_NULL] = "null",
    [FR_STREAM_PIPE] = "pipe",	   [FR_STREAM_TTY] = "tty",   [FR_STREAM_CLOSED] = "closed",
    [FR_STREAM_MERGED] = "merged",
};

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
	fr_vec_free(&r->args);
	fr_vec_free(&r->env);
	fr_vec_free(&r->unmodelled);
	fr_vec_free(&r->modules);
	free(r->version);
	free(r->program);
	free(r->path);
	free(r->cwd);
	free(r->options);
	free(r->order);
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
	r->crash = p->crash;
	r->crash.stack.n = fr_min(r->crash.stack.n, (uint32_t)FR_CRASH_FRAMES);
	r->crash.assertion[FR_CRASH_TEXT - 1] = 0;
	r->counters[FR_RTC_hooks] = 0;
	for (uint32_t i = 0; i < fr_pool_thread_count(p); i++)
		r->counters[FR_RTC_hooks] += fr_pool_threads((struct fr_pool *)p)[i].hook;
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

/* ---- the members of run.json (base/json_fields.h) ---- */

/* A string that belongs to the run. */
static void string(struct fr_json_fields *x, const char *key, char **v, unsigned flags)
{
	const char *s = *v;

	fr_field_str(x, key, &s, flags);
	*v = (char *)s;
}

static void write_bytes(struct fr_jw *w, const char *key, const uint8_t *v, size_t n)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf digits = {0};

	for (size_t i = 0; i < n; i++)
		fr_buf_printf(&digits, "%02x", v[i]);
	fr_jw_pair(w, key, digits.s);
}

/* Converts hexadecimal digits to at most max bytes. Returns the number of bytes, or -1. */
static int unhex(const char *s, uint8_t *out, size_t max)
{
	size_t n = strlen(s);

	if (n % 2 || n / 2 > max || strspn(s, "0123456789abcdef") != n)
		return -1;
	for (size_t i = 0; i < n / 2; i++)
		sscanf(s + 2 * i, "%2hhx", &out[i]);
	return (int)(n / 2);
}

/* Bytes as hexadecimal digits; null stands for none. Returns their number. */
static size_t bytes(struct fr_json_fields *x, const char *key, uint8_t *v, size_t n, size_t max)
{
	const struct fr_json *j = fr_json_get(x->o, key);
	const char *s = fr_json_str(j);
	int r = s ? unhex(s, v, max) : -1;

	if (x->w) {
		write_bytes(x->w, key, v, n);
		return n;
	}
	if (r < 0 && (!j || j->type != FR_JSON_NULL))
		fr_json_bad(&x->in, j, key);
	return r < 0 ? 0 : (size_t)r;
}

static void address(struct fr_json_fields *x, const char *key, uint64_t *v)
{
	const struct fr_json *j = fr_json_get(x->o, key);
	const char *s = fr_json_str(j);
	char text[32], *end = text;

	if (x->w) {
		snprintf(text, sizeof(text), "0x%" PRIx64, *v);
		fr_jw_pair(x->w, key, text);
		return;
	}
	errno = 0;
	if (s && !strncmp(s, "0x", 2) && s[2])
		*v = strtoull(s + 2, &end, 16);
	if (end == text || errno || *end)
		fr_json_bad(&x->in, j, key);
}

static void unmodelled(struct fr_json_fields *x, struct fr_run_unmodelled *u)
{
	string(x, "name", &u->name, 0);
	fr_field_u64(x, "calls", &u->calls, 0);
}

static void module(struct fr_json_fields *x, struct fr_module_map *m)
{
	fr_field_str(x, "path", &m->path, 0);
	m->build_id_len =
	    (uint8_t)bytes(x, "build_id", m->build_id, m->build_id_len, sizeof(m->build_id));
	address(x, "bias", &m->bias);
	address(x, "lo", &m->lo);
	address(x, "hi", &m->hi);
}

static void stream(struct fr_json_fields *x, struct fr_run_stream *s)
{
	fr_field_name(x, "kind", stream_kind, FR_STREAM_COUNT, &s->kind, 0);
	fr_field_u64(x, "bytes", &s->bytes, 0);
	fr_field_bool(x, "kept", &s->kept, 0);
}

static void counters(struct fr_json_fields *x, uint64_t counter[FR_RTC_COUNT])
{
	for (int i = 0; i < FR_RTC_COUNT; i++)
		if (!x->w || counter[i])
			fr_field_u64(x, fr_rt_counter_name[i], &counter[i], FR_FIELD_NEW);
}

static void clocks(struct fr_json_fields *x, struct fr_run *r)
{
	const struct fr_json *j;

	if (x->w) {
		fr_jw_key(x->w, "clocks");
		fr_jw_open(x->w, '[');
		for (int i = 0; i < FR_POOL_CLOCKS; i++)
			fr_jw_u64(x->w, r->clock[i]);
		fr_jw_close(x->w, ']');
		return;
	}
	if (!fr_json_get(x->o, "clocks")) /* absent in old run folders */
		return;
	j = fr_json_need_list(&x->in, x->o, "clocks");
	for (int i = 0; j && i < FR_POOL_CLOCKS; i++, j = j->next)
		if (!fr_json_u64(j, &r->clock[i]))
			fr_json_bad(&x->in, j, "clocks");
}

/* A list of at most FR_CRASH_FRAMES numbers. */
static void numbers(struct fr_json_fields *x, const char *key, uint32_t *v, uint32_t *n)
{
	const struct fr_json *j;
	uint64_t got;

	if (x->w) {
		fr_jw_key(x->w, key);
		fr_jw_open(x->w, '[');
		for (uint32_t i = 0; i < *n; i++)
			fr_jw_u64(x->w, v[i]);
		fr_jw_close(x->w, ']');
		return;
	}
	*n = 0;
	for (j = fr_json_need_list(&x->in, x->o, key); j && *n < FR_CRASH_FRAMES; j = j->next)
		if (fr_json_u64(j, &got) && got <= UINT32_MAX)
			v[(*n)++] = (uint32_t)got;
		else
			fr_json_bad(&x->in, j, key);
}

/* The text of an assertion, in an array of its own. */
static void assertion(struct fr_json_fields *x, struct fr_crash *c)
{
	const struct fr_json *j = fr_json_get(x->o, "assertion");

	if (x->w)
		fr_jw_pair(x->w, "assertion", *c->assertion ? c->assertion : NULL);
	else if (fr_json_str(j))
		snprintf(c->assertion, sizeof(c->assertion), "%s", fr_json_str(j));
}

static void crash(struct fr_json_fields *x, struct fr_crash *c)
{
	bool sent = c->sent;

	fr_field_u32(x, "signal", &c->signal, 0);
	fr_field_u32(x, "code", &c->code, 0);
	fr_field_bool(x, "sent", &sent, 0);
	c->sent = sent;
	address(x, "address", &c->addr);
	address(x, "pc", &c->pc);
	fr_field_u32(x, "thread", &c->stack.id, 0);
	if (fr_field_present(x, "hook", c->hook))
		fr_field_u32(x, "hook", &c->hook, 0);
	numbers(x, "calls", c->stack.call, &c->stack.n);
	numbers(x, "functions", c->stack.func, &c->stack.n);
	assertion(x, c);
}

/* A number from 0 to 255; null stands for `none`. */
static void small(struct fr_json_fields *x, const char *key, int *v, int none)
{
	fr_field_int_or(x, key, v, none);
	if (*v > 255)
		fr_json_bad(&x->in, fr_json_get(x->o, key), key);
}

/* How the run ended, besides its status. Old run folders do not say. */
static void end(struct fr_json_fields *x, struct fr_run *r)
{
	bool crashed = r->crash.signal || *r->crash.assertion;

	if (!x->w && !fr_json_get(x->o, "asked"))
		return;
	r->expects_exit = fr_field_present(x, "expect_exit", r->expects_exit);
	if (r->expects_exit)
		small(x, "expect_exit", &r->expect_exit, -1);
	fr_field_bool(x, "asked", &r->asked, 0);
	fr_field_bool(x, "hang", &r->hang, 0);
	if (fr_field_present(x, "crash", crashed))
		fr_field_object(x, "crash", crash, &r->crash);
}

static void run(struct fr_json_fields *x, struct fr_run *r)
{
	string(x, "forerun", &r->version, 0);
	if (bytes(x, "run_id", r->run_id, sizeof(r->run_id), sizeof(r->run_id)) !=
	    sizeof(r->run_id))
		fr_json_bad(&x->in, fr_json_get(x->o, "run_id"), "run_id");
	string(x, "program", &r->program, 0);
	string(x, "path", &r->path, 0);
	fr_field_strings(x, "args", &r->args);
	fr_field_strings(x, "env", &r->env);
	string(x, "cwd", &r->cwd, 0);
	string(x, "options", &r->options, 0);
	string(x, "order", &r->order, FR_FIELD_NULL | FR_FIELD_NEW);
	string(x, "imported", &r->imported, FR_FIELD_NULL | FR_FIELD_NEW);
	string(x, "started", &r->started, 0);
	fr_field_f64(x, "record_s", &r->record_s);
	fr_field_bool(x, "complete", &r->complete, 0);
	string(x, "reason", &r->reason, FR_FIELD_NULL);
	small(x, "exit", &r->exit, -1);
	small(x, "signal", &r->signal, 0);
	end(x, r);
	fr_field_u64(x, "threads", &r->threads, 0);
	fr_field_u64(x, "events", &r->events, 0);
	fr_field_u64(x, "slots", &r->slots, 0);
	fr_field_u64(x, "trace_bytes", &r->trace_bytes, 0);
	fr_field_u64(x, "memory", &r->memory, FR_FIELD_NEW);
	clocks(x, r);
	fr_field_bool(x, "aslr", &r->aslr, 0);
	fr_field_object(x, "stdin", stream, &r->stream[FR_STDIN]);
	fr_field_object(x, "stdout", stream, &r->stream[FR_STDOUT]);
	fr_field_object(x, "stderr", stream, &r->stream[FR_STDERR]);
	fr_field_object(x, "counters", counters, r->counters);
	fr_field_list(x, "unmodelled", &r->unmodelled, unmodelled);
	fr_field_list(x, "modules", &r->modules, module);
}

/* ---- the file ---- */

int fr_run_write(const char *path, const struct fr_run *r, struct fr_err *reterr)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_jw w = {.out = &b};
	struct fr_json_fields x = {.w = &w};
	char check[16];

	fr_jw_open(&w, '{');
	run(&x, (struct fr_run *)r);
	snprintf(check, sizeof(check), "%08" PRIx32, fr_crc32c(0, b.s, b.n));
	fr_jw_pair(&w, "checksum", check);
	fr_jw_close(&w, '}');
	fr_buf_puts(&b, "\n");
	return fr_dir_replace(path, b.s, b.n, reterr);
}

/* Checks that the text ends exactly as fr_run_write ends it. */
static int check_sum(const char *path, const char *text, size_t n, struct fr_err *reterr)
{
	static const char form[] = ",\n  \"checksum\": \"%08" PRIx32 "\"\n}\n";
	char want[64];
	size_t tail = (size_t)snprintf(want, sizeof(want), form, (uint32_t)0);

	if (n > tail)
		snprintf(want, sizeof(want), form, fr_crc32c(0, text, n - tail));
	if (n > tail && !memcmp(text + n - tail, want, tail))
		return 0;
	return fr_err_say(reterr, -EBADMSG,
			  "'%s' is damaged: the checksum at offset %zu does not match", path,
			  n > tail ? n - tail : 0);
}

static const char *keep(void *arg, const char *s)
{
	(void)arg;
	return fr_xstrdup(s);
}

int fr_run_read(const char *path, struct fr_run *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_json_freep) struct fr_json *j = NULL;
	struct fr_json_fields x = {.in = {.name = path, .err = reterr}, .keep = keep};
	struct fr_run got = {0};
	struct fr_mapped m;
	int r = fr_dir_map(path, &m, reterr);

	if (r < 0)
		return r;
	r = fr_json_parse(path, m.p, m.n, &j, reterr);
	if (!r)
		r = check_sum(path, (const char *)m.p, m.n, reterr);
	fr_io_unmap(&m);
	if (r < 0)
		return r;
	x.o = j;
	run(&x, &got);
	if (x.in.r < 0) {
		fr_run_clear(&got);
		return x.in.r;
	}
	*ret = got;
	return 0;
}
