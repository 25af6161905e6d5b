/*
 * Reads the STD format in one pass over the mapped file. Checks each line against the state of its
 * thread and lock, and appends it to its thread's block.
 *
 * Rules where the format leaves a choice:
 *   - A lock that its owner acquires again is recursive. The trace contains the inner acquisitions
 *     and releases as such, and stats.inner counts them.
 *   - At the end, locks may be held and regions open (counted in stats), but a joined thread must
 *     hold no lock.
 *   - Empty lines are ignored.
 *   - A thread that is never forked exists from the start.
 * Not handled: more than 2^31 lines, 16,384 threads, or 2^22 locations.
 */
#include "import/std.h"
#include "import/std_internal.h"
#include "base/assert.h"
#include <errno.h>
#include <inttypes.h>
#include <sys/random.h>

#define MAX_SLOTS FR_BLOCK_SLOTS

struct std_line {
	struct fr_std_name thread, op, operand, location;
	bool has_operand;
};

#define BAD(s, fmt, ...)                                                                     \
	fr_err_say((s)->err, -EBADMSG, "'%s', line %" PRIu64 ": " fmt, (s)->file, (s)->line, \
		   ##__VA_ARGS__)

/* Returns a name for a message: truncated, without control characters. Valid for 4 calls. */
static const char *show(struct fr_std_name n)
{
	static char buf[4][64];
	static unsigned turn;
	char *b = buf[turn++ % 4];
	size_t k = fr_min(n.n, (size_t)60);

	for (size_t i = 0; i < k; i++)
		b[i] = (char)((uint8_t)n.s[i] < ' ' || n.s[i] == 127 ? '?' : n.s[i]);
	strcpy(b + k, n.n > k ? "..." : "");
	return b;
}

static const char *thread_name(const struct fr_std *s, uint32_t t)
{
	return show(s->threads.name.v[t]);
}

static int flush_thread(struct fr_std *s, uint32_t t)
{
	struct fr_std_thread *th = &s->thread.v[t];
	int r;

	if (!th->n)
		return 0;
	r = fr_writer_add(s->writer, t + 1, fr_writer_next(s->writer, t + 1), th->first_hook,
			  th->slot, th->n);
	th->n = 0;
	return r < 0 ? fr_err_set(s->err, r, "cannot add to the trace in '%s'", s->dir) : 0;
}

static int flush_writer(struct fr_std *s)
{
	int r = fr_writer_flush(s->writer);

	return r < 0 ? fr_err_set(s->err, r, "cannot write the trace in '%s'", s->dir) : 0;
}

static int put(struct fr_std *s, uint32_t t, uint64_t addr, unsigned kind, unsigned aux,
	       uint32_t site)
{
	struct fr_std_thread *th = &s->thread.v[t];
	int r = 0;

	fr_assert(t < s->thread.n && th->n < MAX_SLOTS);
	fr_assert(addr <= FR_ADDR_MASK && site && site <= FR_SITE_MAX);
	if (!th->slot)
		th->slot = fr_xmalloc(MAX_SLOTS * sizeof(*th->slot));
	if (!th->n)
		th->first_hook = s->line - 1;
	th->slot[th->n++] = (struct fr_event){.w0 = fr_w0(addr, kind, aux),
					      .value = s->line,
					      .site = site,
					      .hook = (uint32_t)s->line};
	s->stats.events++;
	if (th->n == MAX_SLOTS) {
		r = flush_thread(s, t);
		if (r == 0 && ++s->blocks % 64 == 0)
			r = flush_writer(s);
	}
	return r;
}

static int find_thread(struct fr_std *s, struct fr_std_name name, uint32_t *ret, bool *ret_new)
{
	if (!name.n)
		return BAD(s, "a thread without a name");
	*ret = fr_std_names_get(&s->threads, name.s, name.n, ret_new);
	if (!*ret_new)
		return 0;
	if (s->thread.n == FR_POOL_MAX_THREADS)
		return BAD(s, "more than %u threads", FR_POOL_MAX_THREADS);
	if (memchr(name.s, 0, name.n))
		return BAD(s, "a name contains a NUL byte");
	fr_assert(*ret == s->thread.n);
	fr_vec_push(&s->thread, (struct fr_std_thread){0});
	return 0;
}

static int do_fork(struct fr_std *s, uint32_t t, uint32_t child, const struct std_line *l,
		   uint32_t site)
{
	struct fr_std_thread *c = &s->thread.v[child];

	if (c->forked)
		return BAD(s, "thread %s was forked in line %u already", show(l->operand),
			   c->forked);
	if (c->first)
		return BAD(s, "thread %s is forked, but has an event before that, in line %u",
			   show(l->operand), c->first);
	c->forked = (uint32_t)s->line;
	c->parent = t + 1;
	c->nth = ++s->thread.v[t].children;
	return put(s, t, child + 1, FR_EV_THREAD_CREATE, 0, site);
}

/* Returns the lock that the thread has held longest. */
static uint32_t held_by(const struct fr_std *s, uint32_t t)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < s->lock.n; i++)
		if (s->lock.v[i].owner == t + 1 &&
		    (best == UINT32_MAX || s->lock.v[i].line < s->lock.v[best].line))
			best = i;
	fr_assert(best != UINT32_MAX); /* `held` of the thread counts at least one */
	return best;
}

static int do_join(struct fr_std *s, uint32_t t, uint32_t child, const struct std_line *l,
		   uint32_t site)
{
	struct fr_std_thread *c = &s->thread.v[child];

	if (c->joined)
		return BAD(s, "thread %s was joined in line %u already", show(l->operand),
			   c->joined);
	if (c->held) {
		uint32_t n = held_by(s, child);

		return BAD(s, "thread %s is joined, but holds lock %s since line %u",
			   show(l->operand), show(s->locks.name.v[n]), s->lock.v[n].line);
	}
	c->joined = (uint32_t)s->line;
	return put(s, t, child + 1, FR_EV_THREAD_JOIN, 0, site);
}

static int do_child(struct fr_std *s, uint32_t t, const struct std_line *l, uint32_t site,
		    bool fork)
{
	uint32_t child;
	bool fresh;
	int r = find_thread(s, l->operand, &child, &fresh);

	if (r < 0)
		return r;
	if (child == t)
		return BAD(s, "thread %s %s itself", show(l->operand), fork ? "forks" : "joins");
	if (fork)
		return do_fork(s, t, child, l, site);
	if (fresh)
		return BAD(s, "join of unknown thread %s", show(l->operand));
	return do_join(s, t, child, l, site);
}

static int do_lock(struct fr_std *s, uint32_t t, const struct std_line *l, uint32_t site,
		   bool acquire)
{
	struct fr_std_lock *k;
	unsigned aux = 0;
	uint32_t n;
	bool fresh;

	n = fr_std_names_get(&s->locks, l->operand.s, l->operand.n, &fresh);
	if (fresh && memchr(l->operand.s, 0, l->operand.n))
		return BAD(s, "a name contains a NUL byte");
	if (fresh)
		fr_vec_push(&s->lock, (struct fr_std_lock){0});
	fr_assert(s->lock.n == s->locks.name.n);
	k = &s->lock.v[n];
	fr_assert(!k->owner == !k->depth);
	if (acquire && k->owner && k->owner != t + 1)
		return BAD(s, "thread %s acquires lock %s, which thread %s holds since line %u",
			   show(l->thread), show(l->operand), thread_name(s, k->owner - 1),
			   k->line);
	if (!acquire && !k->owner)
		return BAD(s, "thread %s releases lock %s, which no thread holds", show(l->thread),
			   show(l->operand));
	if (!acquire && k->owner != t + 1)
		return BAD(s, "thread %s releases lock %s, which thread %s holds since line %u",
			   show(l->thread), show(l->operand), thread_name(s, k->owner - 1),
			   k->line);
	if (acquire ? k->depth++ : --k->depth) {
		aux = FR_SYNC(FR_OK, FR_PLAIN, FR_RECURSIVE);
		s->stats.inner++;
	} else {
		k->owner = acquire ? t + 1 : 0;
		k->line = (uint32_t)s->line;
		fr_assert(acquire || s->thread.v[t].held);
		s->thread.v[t].held += acquire ? 1 : -1u;
	}
	return put(s, t, FR_STD_LOCKS + 8 * (uint64_t)n,
		   acquire ? FR_EV_MUTEX_LOCK : FR_EV_MUTEX_UNLOCK, aux, site);
}

static int do_access(struct fr_std *s, uint32_t t, const struct std_line *l, uint32_t site,
		     unsigned kind)
{
	bool fresh;
	uint32_t n = fr_std_names_get(&s->variables, l->operand.s, l->operand.n, &fresh);

	if (fresh && memchr(l->operand.s, 0, l->operand.n))
		return BAD(s, "a name contains a NUL byte");
	return put(s, t, FR_STD_VARIABLES + 8 * (uint64_t)n, kind, 3 | FR_ACC_NOVALUE, site);
}

static int do_region(struct fr_std *s, uint32_t t, const struct std_line *l, uint32_t site,
		     bool begin)
{
	uint32_t *regions = &s->thread.v[t].regions;

	if (begin)
		++*regions;
	else if (!*regions)
		return BAD(s, "thread %s: end without begin", show(l->thread));
	else
		--*regions;
	return put(s, t, 0, begin ? FR_EV_USER_ATOMIC_BEGIN : FR_EV_USER_ATOMIC_END, 0, site);
}

static bool op_is(const struct std_line *l, const char *name)
{
	return l->op.n == strlen(name) && !memcmp(l->op.s, name, l->op.n);
}

static int do_line(struct fr_std *s, const struct std_line *l)
{
	struct fr_std_thread *th;
	uint32_t t, site;
	bool fresh;
	int r = find_thread(s, l->thread, &t, &fresh);

	if (r < 0)
		return r;
	th = &s->thread.v[t];
	if (th->joined)
		return BAD(s, "thread %s has an event after it was joined in line %u",
			   show(l->thread), th->joined);
	if (!th->first)
		th->first = (uint32_t)s->line;
	th->last = (uint32_t)s->line;
	site = fr_std_names_get(&s->locations, l->location.s, l->location.n, &fresh) + 1;
	if (fresh && memchr(l->location.s, 0, l->location.n))
		return BAD(s, "a name contains a NUL byte");
	if (site > FR_SITE_MAX)
		return BAD(s, "more than %u different locations", FR_SITE_MAX);
	if (op_is(l, "begin") || op_is(l, "end"))
		return do_region(s, t, l, site, l->op.s[0] == 'b');
	if (!l->has_operand || !l->operand.n) {
		if (op_is(l, "r") || op_is(l, "w") || op_is(l, "acq") || op_is(l, "rel") ||
		    op_is(l, "fork") || op_is(l, "join"))
			return BAD(s, "%s without an operand", show(l->op));
	} else if (op_is(l, "r") || op_is(l, "w")) {
		return do_access(s, t, l, site, l->op.s[0] == 'r' ? FR_EV_READ : FR_EV_WRITE);
	} else if (op_is(l, "acq") || op_is(l, "rel")) {
		return do_lock(s, t, l, site, l->op.s[0] == 'a');
	} else if (op_is(l, "fork") || op_is(l, "join")) {
		return do_child(s, t, l, site, l->op.s[0] == 'f');
	}
	return BAD(s, "unknown operation '%s' (known: r w acq rel fork join begin end)",
		   show(l->op));
}

static struct fr_std_name trim(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	while (end > s && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
		end--;
	return (struct fr_std_name){s, (size_t)(end - s)};
}

static int parse_line(struct fr_std *s, const char *p, const char *end)
{
	const char *bar1 = memchr(p, '|', (size_t)(end - p)), *bar2, *open;
	struct std_line l = {0};

	if (!bar1 && !trim(p, end).n)
		return 0;
	bar2 = bar1 ? memchr(bar1 + 1, '|', (size_t)(end - bar1 - 1)) : NULL;
	if (!bar2)
		return BAD(s, "expected thread|op(operand)|location");
	l.thread = trim(p, bar1);
	l.op = trim(bar1 + 1, bar2);
	l.location = trim(bar2 + 1, end);
	if (memchr(l.location.s, '|', l.location.n))
		return BAD(s, "more than three fields");
	open = memchr(l.op.s, '(', l.op.n);
	if (open) {
		if (l.op.s[l.op.n - 1] != ')')
			return BAD(s, "')' is missing after the operand");
		l.operand = trim(open + 1, l.op.s + l.op.n - 1);
		l.op = trim(l.op.s, open);
		l.has_operand = true;
	}
	return do_line(s, &l);
}

static int read_lines(struct fr_std *s)
{
	const char *p = (const char *)s->map.p, *end = p + s->map.n, *nl;
	int r = 0;

	if (s->map.n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3)) /* byte order mark of an editor */
		p += 3;
	for (; p < end && r == 0; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (!nl)
			nl = end;
		if (++s->line > INT32_MAX)
			return BAD(s, "too many lines");
		r = parse_line(s, p, nl);
	}
	for (uint32_t t = 0; t < s->thread.n && r == 0; t++)
		r = flush_thread(s, t);
	if (r == 0)
		r = flush_writer(s);
	if (r == 0 && !s->stats.events)
		return fr_err_say(s->err, -EBADMSG, "'%s' has no events", s->file);
	return r;
}

/* Counts the locks held and regions open at the end of the trace. */
static void count_open(struct fr_std *s)
{
	uint64_t held = 0;

	FR_VEC_FOREACH (t, &s->thread) {
		s->stats.open += t->regions;
		held += t->held;
	}
	FR_VEC_FOREACH (k, &s->lock) {
		if (!k->owner)
			continue;
		s->stats.held++;
		if (!s->stats.held_since || k->line < s->stats.held_since)
			s->stats.held_since = k->line;
	}
	fr_assert(held == s->stats.held);
}

static void clear(struct fr_std *s)
{
	FR_VEC_FOREACH (t, &s->thread)
		free(t->slot);
	fr_vec_free(&s->thread);
	fr_vec_free(&s->lock);
	fr_std_names_clear(&s->threads);
	fr_std_names_clear(&s->locks);
	fr_std_names_clear(&s->variables);
	fr_std_names_clear(&s->locations);
	fr_writer_free(s->writer);
	fr_io_unmap(&s->map);
}

int fr_std_import(const char *trace, const char *dir, const char *version, struct fr_std_stats *ret,
		  struct fr_err *reterr)
{
	struct fr_std s = {.file = trace, .dir = dir, .version = version, .err = reterr};
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/trace", dir);
	int r = fr_io_map(trace, &s.map, reterr);

	if (r < 0)
		return r;
	if (getrandom(s.run_id, sizeof(s.run_id), 0) != sizeof(s.run_id))
		memset(s.run_id, 0, sizeof(s.run_id));
	r = fr_writer_create(path, s.run_id, &s.writer, reterr);
	if (r == 0)
		r = read_lines(&s);
	if (r == 0)
		r = fr_std_write_folder(&s);
	if (r == 0) {
		count_open(&s);
		s.stats.lines = s.line;
		s.stats.threads = s.thread.n;
		s.stats.locks = s.lock.n;
		s.stats.variables = s.variables.name.n;
		s.stats.locations = s.locations.name.n;
		*ret = s.stats;
	}
	clear(&s);
	return r;
}
