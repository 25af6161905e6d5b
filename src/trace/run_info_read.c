/*
 * Reads run.json. The checksum is the CRC-32C of all text before it, and the text must end with it
 * in exactly the form that run_info.c writes. The error for a wrong or missing member names it.
 */
#include "base/crc32c.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/json.h"
#include "trace/run_info.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct reader {
	struct fr_json_file in;
	const struct fr_json *j; /* the object */
};

/* Returns a new string; NULL after an error, and for null if `null` allows it. */
static char *string(struct reader *d, const struct fr_json *o, const char *key, bool null)
{
	const struct fr_json *j = fr_json_get(o, key);
	const char *s = fr_json_str(j);

	if (s)
		return fr_xstrdup(s);
	if (!j || !null || j->type != FR_JSON_NULL)
		fr_json_bad(&d->in, j, key);
	return NULL;
}

static uint64_t address(struct reader *d, const struct fr_json *o, const char *key)
{
	const struct fr_json *j = fr_json_get(o, key);
	const char *s = fr_json_str(j);
	uint64_t v = 0;
	char *end;

	errno = 0;
	if (s && !strncmp(s, "0x", 2) && s[2])
		v = strtoull(s + 2, &end, 16);
	else
		s = NULL;
	if (!s || errno || *end)
		fr_json_bad(&d->in, j, key);
	return v;
}

/* Converts hexadecimal digits to at most max bytes. Returns the number of bytes, or -1. */
static int unhex(const char *s, uint8_t *out, size_t max)
{
	size_t n = strlen(s);

	if (n % 2 || n / 2 > max || strspn(s, "0123456789abcdef") != n)
		return -1;
	for (size_t i = 0; i < n / 2; i++) {
		unsigned v;

		sscanf(s + 2 * i, "%2x", &v);
		out[i] = (uint8_t)v;
	}
	return (int)(n / 2);
}

#define READ_STRINGS(d, key, vec)                                                                  \
	for (const struct fr_json *c = fr_json_need_list(&(d)->in, (d)->j, key); c; c = c->next) { \
		if (fr_json_str(c))                                                                \
			fr_vec_push(vec, fr_xstrdup(c->s));                                        \
		else                                                                               \
			fr_json_bad(&(d)->in, c, key);                                             \
	}

static int small(struct reader *d, const char *key, int none)
{
	const struct fr_json *j = fr_json_get(d->j, key);
	int64_t v = none;

	if (!j || (j->type != FR_JSON_NULL && (!fr_json_i64(j, &v) || v < 0 || v > 255)))
		fr_json_bad(&d->in, j, key);
	return (int)v;
}

static void read_clocks(struct reader *d, struct fr_run *r)
{
	const struct fr_json *c = fr_json_need_list(&d->in, d->j, "clocks");

	for (int i = 0; c && i < FR_POOL_CLOCKS; i++, c = c->next)
		if (!fr_json_u64(c, &r->clock[i]))
			fr_json_bad(&d->in, c, "clocks");
}

static void read_streams(struct reader *d, struct fr_run *r)
{
	static const char *const name[3] = {"stdin", "stdout", "stderr"};

	for (int i = 0; i < 3; i++) {
		const struct fr_json *o = fr_json_get(d->j, name[i]);

		if (!o) {
			fr_json_bad(&d->in, NULL, name[i]);
			return;
		}
		r->stream[i].kind = string(d, o, "kind", true);
		r->stream[i].bytes = fr_json_need_u64(&d->in, o, "bytes");
		r->stream[i].kept = fr_json_need_bool(&d->in, o, "kept");
	}
}

static void read_found(struct reader *d, struct fr_run *r)
{
	const struct fr_json *counters = fr_json_get(d->j, "counters");

	if (!counters || counters->type != FR_JSON_OBJECT)
		fr_json_bad(&d->in, counters, "counters");
	for (int i = 0; i < FR_RTC_COUNT; i++)
		if (fr_json_get(counters, fr_rt_counter_name[i]))
			r->counters[i] = fr_json_need_u64(&d->in, counters, fr_rt_counter_name[i]);
	for (const struct fr_json *c = fr_json_need_list(&d->in, d->j, "unmodelled"); c;
	     c = c->next) {
		struct fr_run_unmodelled u = {string(d, c, "name", false),
					      fr_json_need_u64(&d->in, c, "calls")};

		fr_vec_push(&r->unmodelled, u);
	}
	for (const struct fr_json *c = fr_json_need_list(&d->in, d->j, "modules"); c; c = c->next) {
		struct fr_module_map m = {.bias = address(d, c, "bias"),
					  .lo = address(d, c, "lo"),
					  .hi = address(d, c, "hi")};
		FR_CLEANUP(fr_freep) char *id = string(d, c, "build_id", true);
		int n = id ? unhex(id, m.build_id, sizeof(m.build_id)) : 0;

		if (n < 0)
			fr_json_bad(&d->in, fr_json_get(c, "build_id"), "build_id");
		m.build_id_len = (uint8_t)(n < 0 ? 0 : n);
		m.path = string(d, c, "path", false);
		if (!m.path)
			m.path = fr_xstrdup("");
		fr_vec_push(&r->modules, m);
	}
}

static void read_all(struct reader *d, struct fr_run *r)
{
	FR_CLEANUP(fr_freep) char *id = string(d, d->j, "run_id", false);

	if (id && unhex(id, r->run_id, sizeof(r->run_id)) != sizeof(r->run_id))
		fr_json_bad(&d->in, fr_json_get(d->j, "run_id"), "run_id");
	r->version = string(d, d->j, "forerun", false);
	r->program = string(d, d->j, "program", false);
	r->path = string(d, d->j, "path", false);
	READ_STRINGS(d, "args", &r->args);
	READ_STRINGS(d, "env", &r->env);
	r->cwd = string(d, d->j, "cwd", false);
	r->options = string(d, d->j, "options", false);
	if (fr_json_get(d->j, "imported")) /* absent in old run folders */
		r->imported = string(d, d->j, "imported", true);
	r->started = string(d, d->j, "started", false);
	r->record_s = fr_json_need_f64(&d->in, d->j, "record_s");
	r->complete = fr_json_need_bool(&d->in, d->j, "complete");
	r->reason = string(d, d->j, "reason", true);
	r->exit = small(d, "exit", -1);
	r->signal = small(d, "signal", 0);
	r->threads = fr_json_need_u64(&d->in, d->j, "threads");
	r->events = fr_json_need_u64(&d->in, d->j, "events");
	r->slots = fr_json_need_u64(&d->in, d->j, "slots");
	r->trace_bytes = fr_json_need_u64(&d->in, d->j, "trace_bytes");
	if (fr_json_get(d->j, "memory")) /* absent in old run folders */
		r->memory = fr_json_need_u64(&d->in, d->j, "memory");
	if (fr_json_get(d->j, "clocks")) /* absent in old run folders */
		read_clocks(d, r);
	r->aslr = fr_json_need_bool(&d->in, d->j, "aslr");
	read_streams(d, r);
	read_found(d, r);
}

/* Checks that the text ends exactly as fr_run_write ends it. */
static void check_sum(struct reader *d, const char *text, size_t n)
{
	static const char form[] = ",\n  \"checksum\": \"%08" PRIx32 "\"\n}\n";
	char want[64];
	size_t tail = (size_t)snprintf(want, sizeof(want), form, (uint32_t)0);

	if (n > tail)
		snprintf(want, sizeof(want), form, fr_crc32c(0, text, n - tail));
	if (n <= tail || memcmp(text + n - tail, want, tail) != 0)
		d->in.r = fr_err_say(d->in.err, -EBADMSG,
				     "'%s' is damaged: the checksum at offset %zu does not match",
				     d->in.name, n > tail ? n - tail : 0);
}

int fr_run_read(const char *path, struct fr_run *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_json_freep) struct fr_json *j = NULL;
	struct reader d = {.in = {.name = path, .err = reterr}};
	struct fr_run run = {0};
	struct fr_mapped m;
	int r = fr_dir_map(path, &m, reterr);

	if (r < 0)
		return r;
	r = fr_json_parse(path, m.p, m.n, &j, reterr);
	if (r < 0) {
		fr_io_unmap(&m);
		return r;
	}
	d.j = j;
	check_sum(&d, (const char *)m.p, m.n);
	fr_io_unmap(&m);
	if (!d.in.r)
		read_all(&d, &run);
	if (d.in.r) {
		fr_run_clear(&run);
		return d.in.r;
	}
	*ret = run;
	return 0;
}
