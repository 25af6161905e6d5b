/* Reads schedule files. Errors name the file and the line. */
#include "base/crc32c.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/io.h"
#include "base/names.h"
#include "format/event.h"
#include "findings/schedule_file.h"
#include "trace/trace.h"
#include "base/hash.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORDS 7

struct schedule_reader {
	const char *file;
	char *at, *end; /* remaining text */
	unsigned line;
	char *word[WORDS]; /* of the line, unescaped */
	unsigned n;
	struct fr_schedule_file *s;
	bool has_meeting;
	struct fr_err *err;
	struct fr_map thread; /* hash of a path -> index + 1 */
	const struct fr_schedule_file
	    *whole; /* schedule of the recorded run; NULL: read it if needed */
};

static int bad(struct schedule_reader *d, const char *why)
{
	return fr_err_say(d->err, -EBADMSG, "'%s' line %u: %s", d->file, d->line, why);
}

static int hex_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes %XX in place. Returns false if two digits do not follow, or stand for NUL. */
static bool unescape(char *s)
{
	char *out = s;

	for (; *s; s++, out++) {
		if (*s != '%') {
			*out = *s;
			continue;
		}
		if (hex_of(s[1]) < 0 || hex_of(s[2]) < 0 || (s[1] == '0' && s[2] == '0'))
			return false;
		*out = (char)(hex_of(s[1]) << 4 | hex_of(s[2]));
		s += 2;
	}
	*out = 0;
	return true;
}

/* Splits the next line into words. Returns 1, 0 at the end, or -errno. */
static int next(struct schedule_reader *d)
{
	char *eol, *p = d->at;

	d->n = 0;
	if (d->at == d->end)
		return 0;
	d->line++;
	eol = memchr(p, '\n', (size_t)(d->end - p));
	if (!eol || memchr(p, 0, (size_t)(eol - p)))
		return bad(d, eol ? "a NUL byte" : "the last line is incomplete");
	*eol = 0;
	d->at = eol + 1;
	for (;;) {
		char *blank = strchr(p, ' ');

		if (d->n == WORDS || blank == p || !*p)
			return bad(d, "too many words or too many blanks");
		if (blank)
			*blank = 0;
		d->word[d->n++] = p;
		if (!unescape(p))
			return bad(d, "an invalid percent escape");
		if (!blank)
			return 1;
		p = blank + 1;
	}
}

static bool number(const char *s, int base, uint64_t *ret)
{
	char *end;

	if (base == 16) {
		if (strncmp(s, "0x", 2) != 0)
			return false;
		s += 2;
	}
	if (base == 16 ? hex_of(*s) < 0 : *s < '0' || *s > '9')
		return false;
	errno = 0;
	*ret = strtoull(s, &end, base);
	return !errno && !*end;
}

/* Like fr_schedule_file_thread, but with a hash map instead of a linear search. */
static uint32_t thread_of(struct schedule_reader *d, const char *path)
{
	uint64_t *at = fr_map_put(&d->thread, fr_hash_text(FR_HASH_START, path) >> 1);

	if (!*at || strcmp(d->s->thread.v[*at - 1], path) != 0)
		*at = fr_schedule_file_thread(d->s, path) + 1;
	while (d->s->last.n < d->s->thread.n)
		fr_vec_push(&d->s->last, 0);
	fr_assert(*at - 1 < d->s->last.n);
	return (uint32_t)*at - 1;
}

static int turn(struct schedule_reader *d)
{
	uint64_t hook;
	uint32_t t;

	if (d->n != 3 || !number(d->word[2], 10, &hook))
		return bad(d, "expected: turn THREAD HOOK");
	t = thread_of(d, d->word[1]);
	fr_assert(t < d->s->last.n);
	if (hook <= d->s->last.v[t])
		return bad(d, "a turn that ends before its thread's last turn");
	d->s->last.v[t] = hook;
	fr_vec_push(&d->s->turn, ((struct fr_schedule_turn){t, hook}));
	return 0;
}

static int leaves(struct schedule_reader *d)
{
	uint64_t hook;
	uint32_t t;

	if (d->n != 3 || !number(d->word[2], 10, &hook) || !hook)
		return bad(d, "expected: leaves THREAD HOOK");
	t = thread_of(d, d->word[1]);
	FR_VEC_FOREACH (x, &d->s->leave)
		if (x->thread == t)
			return bad(d, "a thread that leaves its path twice");
	fr_vec_push(&d->s->leave, ((struct fr_schedule_turn){t, hook}));
	return 0;
}

static int known_hook(struct schedule_reader *d, const char *form, struct fr_schedule_hook *h)
{
	uint64_t site;

	if (!number(d->word[2], 10, &h->hook) || !number(d->word[4], 10, &site) ||
	    site > UINT32_MAX)
		return bad(d, form);
	for (unsigned k = 1; k < 256 && !h->kind; k++)
		if (fr_event_name(k) && !strcmp(fr_event_name(k), d->word[3]))
			h->kind = (uint8_t)k;
	if (!h->kind)
		return bad(d, "an unknown kind of event");
	h->site = (uint32_t)site;
	h->thread = thread_of(d, d->word[1]);
	return 0;
}

static int expectation(struct schedule_reader *d)
{
	static const char form[] = "expected: expect THREAD HOOK KIND SITE [VALUE]";
	struct fr_schedule_hook h = {.known = d->n == 6};
	int r = d->n == 5 || d->n == 6 ? known_hook(d, form, &h) : bad(d, form);

	if (r < 0)
		return r;
	if (h.known && !number(d->word[5], 16, &h.value))
		return bad(d, "a value that is not a number");
	fr_vec_push(&d->s->expect, h);
	return 0;
}

static int watched(struct schedule_reader *d, bool target)
{
	const char *form = target ? "expected: target THREAD HOOK KIND SITE ROLE MEMORY"
				  : "expected: event THREAD HOOK KIND SITE ROLE MEMORY";
	struct fr_schedule_hook h = {0};
	uint64_t memory;
	int r = d->n == 7 ? known_hook(d, form, &h) : bad(d, form);

	if (r < 0)
		return r;
	if (!number(d->word[6], 10, &memory) || memory > UINT32_MAX)
		return bad(d, form);
	h.memory = (uint32_t)memory;
	h.role = (enum fr_role)fr_names_find(fr_role_name, FR_ROLE_COUNT, d->word[5]);
	if (h.role == FR_ROLE_COUNT)
		return bad(d, "an unknown role of an event");
	fr_assert(h.kind && h.thread < d->s->thread.n);
	if (target)
		fr_vec_push(&d->s->target, h);
	else
		fr_vec_push(&d->s->event, h);
	return 0;
}

static int run_id(struct schedule_reader *d)
{
	if (d->n != 2 || strlen(d->word[1]) != 32)
		return bad(d, "expected: run and 32 hex digits");
	for (int i = 0; i < 16; i++) {
		int hi = hex_of(d->word[1][2 * i]), lo = hex_of(d->word[1][2 * i + 1]);

		if (hi < 0 || lo < 0)
			return bad(d, "expected: run and 32 hex digits");
		d->s->run_id[i] = (uint8_t)(hi << 4 | lo);
	}
	return 0;
}

/* Returns the path of the recorded run's schedule: FOLDER/schedule for FOLDER/NUMBER/schedule. */
static char *whole_beside(const char *file, const char *slash)
{
	const char *end = slash;

	while (end && end > file && end[-1] != '/')
		end--;
	if (end && end > file)
		return fr_xasprintf("%.*sschedule", (int)(end - file), file);
	return fr_xstrdup(slash ? "schedule" : "../schedule");
}

/* Reads a prefix line: copies turns of ../schedule. */
static int prefix(struct schedule_reader *d)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file own = {0};
	FR_CLEANUP(fr_freep) char *path = NULL;
	const struct fr_schedule_file *whole = d->whole ? d->whole : &own;
	const char *slash = strrchr(d->file, '/');
	uint64_t n;
	int r;

	if (d->n != 2 || !number(d->word[1], 10, &n) || d->s->turn.n)
		return bad(d, "expected: prefix TURNS, before the first turn");
	path = whole_beside(d->file, slash);
	r = d->whole ? 0 : fr_schedule_file_read(path, &own, d->err);
	if (r < 0)
		return r;
	if (memcmp(whole->run_id, d->s->run_id, 16) != 0)
		return fr_err_say(d->err, -EBADMSG, "'%s' belongs to another run than '%s'", path,
				  d->file);
	if (n > whole->turn.n)
		return fr_err_say(d->err, -EBADMSG, "'%s' has fewer turns than '%s' says", path,
				  d->file);
	for (uint64_t i = 0; i < n; i++) {
		struct fr_schedule_turn t = whole->turn.v[i];

		fr_assert_slow(t.thread < whole->thread.n);
		t.thread = thread_of(d, whole->thread.v[t.thread]);
		d->s->last.v[t.thread] = t.hook;
		fr_vec_push(&d->s->turn, t);
	}
	return 0;
}

static int event(struct schedule_reader *d)
{
	return watched(d, false);
}

static int target(struct schedule_reader *d)
{
	return watched(d, true);
}

static int module(struct schedule_reader *d)
{
	if (d->n != 3)
		return bad(d, "expected: module BUILD-ID PATH");
	fr_vec_push(&d->s->module, ((struct fr_schedule_module){
				       strcmp(d->word[1], "-") != 0 ? fr_xstrdup(d->word[1]) : NULL,
				       fr_xstrdup(d->word[2])}));
	return 0;
}

static int kind(struct schedule_reader *d)
{
	if (d->n != 2 || d->s->kind)
		return bad(d, "expected: kind KIND, once");
	d->s->kind = fr_xstrdup(d->word[1]);
	return 0;
}

static int meeting(struct schedule_reader *d)
{
	if (d->n != 2 || d->has_meeting)
		return bad(d, "expected: meeting NAME, once");
	d->s->meeting =
	    (enum fr_meeting)fr_names_find(fr_meeting_name, FR_MEETING_COUNT, d->word[1]);
	if (d->s->meeting == FR_MEETING_COUNT)
		return bad(d, "an unknown meeting of the targets");
	d->has_meeting = true;
	return 0;
}

static int needs(struct schedule_reader *d)
{
	if (d->n != 2 || d->s->needs)
		return bad(d, "expected: needs NAME, once");
	d->s->needs = (enum fr_needs)fr_names_find(fr_needs_name, FR_NEEDS_COUNT, d->word[1]);
	if (d->s->needs == FR_NEEDS_COUNT)
		return bad(d, "an unknown need");
	return 0;
}

static bool event_number(const char *s, fr_ev *ret)
{
	uint64_t v;

	if (!number(s, 10, &v) || v >= FR_NO_EV)
		return false;
	*ret = (fr_ev)v;
	return true;
}

static int pending(struct schedule_reader *d)
{
	struct fr_candidate *c = &d->s->what;

	if (d->n != 2 || c->npending == FR_TARGETS ||
	    !event_number(d->word[1], &c->pending[c->npending]))
		return bad(d, "expected: pending EVENT");
	c->npending++;
	return 0;
}

static int edge(struct schedule_reader *d)
{
	struct fr_candidate *c = &d->s->what;

	if (d->n != 3 || !c->npending || c->nedges == FR_EDGES ||
	    !event_number(d->word[1], &c->edge[c->nedges].before) ||
	    !event_number(d->word[2], &c->edge[c->nedges].after))
		return bad(d, "expected: edge EVENT EVENT");
	c->nedges++;
	return 0;
}

static int sees(struct schedule_reader *d)
{
	struct fr_candidate *c = &d->s->what;

	c->sees.write = FR_NO_EV;
	if (d->n != 3 || !c->npending || c->sees.on || !event_number(d->word[1], &c->sees.read) ||
	    (strcmp(d->word[2], "-") != 0 && !event_number(d->word[2], &c->sees.write)))
		return bad(d, "expected: sees EVENT EVENT, once");
	c->sees.on = true;
	return 0;
}

static int differs(struct schedule_reader *d)
{
	fr_ev e;

	if (d->n != 2 || !d->s->what.npending || !event_number(d->word[1], &e))
		return bad(d, "expected: differs EVENT");
	fr_vec_push(&d->s->differs, e);
	return 0;
}

/* The kinds of lines, in their order. Some occur several times, others at most once. */
static const struct {
	const char *name;
	int (*read)(struct schedule_reader *d);
} kinds[] = {{"run", run_id},	      {"module", module}, {"kind", kind},      {"meeting", meeting},
	     {"needs", needs},	      {"prefix", prefix}, {"leaves", leaves},  {"turn", turn},
	     {"expect", expectation}, {"event", event},	  {"target", target},  {"pending", pending},
	     {"edge", edge},	      {"sees", sees},	  {"differs", differs}};

static int lines(struct schedule_reader *d)
{
	unsigned stage = 0;
	int version, r = next(d);

	if (r <= 0 || d->n != 2 || strcmp(d->word[0], FR_SCHEDULE_MAGIC) != 0)
		return r < 0 ? r : bad(d, "not a schedule file");
	version = atoi(d->word[1]);
	if (version < FR_SCHEDULE_OLDEST || version > FR_SCHEDULE_VERSION)
		return fr_err_say(d->err, -EPROTONOSUPPORT,
				  "'%s' has version %s; this forerun reads versions %d to %d",
				  d->file, d->word[1], FR_SCHEDULE_OLDEST, FR_SCHEDULE_VERSION);
	while ((r = next(d)) > 0) {
		unsigned now = stage;

		while (now < fr_array_size(kinds) && strcmp(kinds[now].name, d->word[0]) != 0)
			now++;
		if (now == fr_array_size(kinds) || (d->line == 2) != (now == 0))
			return bad(d, "an unknown or misplaced line");
		fr_assert(d->n && d->n <= WORDS);
		r = kinds[now].read(d);
		if (r < 0)
			return r;
		stage = now ? now : 1;
	}
	if (r < 0)
		return r;
	if (!d->s->kind)
		return bad(d, "the kind is missing");
	if (!d->has_meeting)
		return bad(d, "the meeting is missing");
	if (!d->s->target.n != !fr_meeting_has_targets(d->s->meeting))
		return bad(d,
			   d->s->target.n ? "a target of the recorded run" : "there is no target");
	return 0;
}

/* Verifies the last line and removes it from the text. */
static int checksum(struct schedule_reader *d)
{
	size_t n = (size_t)(d->end - d->at);
	char want[16];

	if (n < 13 || memcmp(d->end - 13, "end ", 4) != 0 || (n > 13 && d->end[-14] != '\n'))
		return fr_err_say(d->err, -EBADMSG, "'%s' is truncated: the last line is missing",
				  d->file);
	snprintf(want, sizeof(want), "%08" PRIx32 "\n", fr_crc32c(0, d->at, n - 13));
	if (memcmp(d->end - 9, want, 9) != 0)
		return fr_err_say(d->err, -EBADMSG, "'%s' is damaged: the checksum does not match",
				  d->file);
	d->end -= 13;
	return 0;
}

int fr_schedule_file_read(const char *path, struct fr_schedule_file *ret, struct fr_err *reterr)
{
	return fr_schedule_file_read_with(path, NULL, ret, reterr);
}

int fr_schedule_file_read_with(const char *path, const struct fr_schedule_file *whole,
			       struct fr_schedule_file *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_schedule_file_clear) struct fr_schedule_file s = {0};
	FR_CLEANUP(fr_freep) char *text = NULL;
	struct schedule_reader d = {.file = path, .s = &s, .err = reterr, .whole = whole};
	struct fr_mapped map;
	int r = fr_dir_map(path, &map, reterr);

	if (r < 0)
		return r;
	text = fr_xmalloc(map.n + 1);
	memcpy(text, map.p ? (const char *)map.p : "", map.n);
	d.at = text;
	d.end = text + map.n;
	fr_io_unmap(&map);
	r = checksum(&d);
	if (!r)
		r = lines(&d);
	fr_map_free(&d.thread);
	if (r < 0)
		return r;
	*ret = s;
	s = (struct fr_schedule_file){0};
	return 0;
}
