/* forerun dump: prints a trace as text. */
#include "base/assert.h"
#include "base/dir.h"
#include "base/escape.h"
#include "base/opt.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "cmd/dump_influence.h"
#include "cmd/dump_model.h"
#include "cmd/event_text.h"
#include "record/folder.h"
#include "trace/merge.h"
#include "trace/stack.h"
#include "trace/trace.h"
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *location;
static struct fr_opt_list threads, kinds;
static bool merged, stacks, raw, stats, model, influence;
static uint64_t limit = UINT64_MAX;

static const struct fr_opt options[] = {
    {FR_OPT_LIST, 't', "thread", "ID", "print only this thread (0, 0.1, ...); may be given again",
     &threads},
    {FR_OPT_LIST, 'k', "kind", "KIND",
     "print only this kind of event (mutex-lock, ...) or class of kinds: "
     "access, sync, thread, memory, user, structure; may be given again",
     &kinds},
    {FR_OPT_STRING, 'l', "location", "WHAT",
     "print only events whose variable, file:line or function contains "
     "WHAT, or that access the address WHAT (0x...)",
     &location},
    {FR_OPT_FLAG, 'm', "merged", NULL,
     "print all threads in one order: exact for events with a stamp; ~ "
     "marks the others",
     &merged},
    {FR_OPT_FLAG, 's', "stacks", NULL, "print the call stack of each event", &stacks},
    {FR_OPT_FLAG, 0, "raw", NULL, "print every slot of the trace as it is", &raw},
    {FR_OPT_FLAG, 0, "stats", NULL,
     "print only counts and sizes: events of each kind, bytes per event", &stats},
    {FR_OPT_FLAG, 0, "model", NULL,
     "print the events as the analyses see them (with --stats: only "
     "counts)",
     &model},
    {FR_OPT_FLAG, 0, "influence", NULL,
     "print instead the compiler's graph of influence: the values, accesses "
     "and calls that each read influences",
     &influence},
    {FR_OPT_U64, 'n', "limit", "N", "stop after N events", &limit},
    {0},
};

struct dump {
	const struct fr_trace *t;
	bool kind[256];
	uint64_t address;
	bool by_address;
	bool colour;
	uint64_t shown, matched;
	struct fr_buf line;
	struct fr_progress progress;
	uint64_t seen;
	FR_VEC(struct fr_stack) stack; /* by index of the thread */
};

/* ---- filters ---- */

static const struct {
	const char *name;
	char class;
} classes[] = {{"access", 'a'}, {"sync", 's'}, {"thread", 't'},
	       {"memory", 'm'}, {"user", 'u'}, {"structure", 'x'}};

static bool add_kind(struct dump *d, const char *name)
{
	bool found = false;
	char class = 0;

	for (size_t i = 0; i < fr_array_size(classes); i++)
		if (!strcmp(classes[i].name, name))
			class = classes[i].class;
	for (unsigned k = 0; k < 256; k++)
		if (fr_event_name(k) &&
		    (class ? fr_event_class(k) == class : !strcmp(fr_event_name(k), name)))
			found = d->kind[k] = true;
	return found;
}

/* Without a filter: the program's actions, not the structure of the trace. */
static void default_kinds(struct dump *d)
{
	for (unsigned k = 0; k < 256; k++)
		d->kind[k] = raw || (fr_event_name(k) && fr_event_class(k) != 'x');
	d->kind[FR_EV_LAST_READ] = d->kind[FR_EV_LAST_WRITE] = d->kind[FR_EV_PENDING] = true;
}

static bool thread_wanted(const struct fr_trace_thread *th)
{
	if (!threads.n)
		return true;
	for (size_t i = 0; i < threads.n; i++)
		if (!strcmp(threads.v[i], th->path))
			return true;
	return false;
}

static bool position_matches(const struct dump *d, const struct fr_rec *rec)
{
	struct fr_site_info s = fr_sites_get(d->t->sites, rec->e->site);
	char where[1024];
	uint64_t lo, hi;

	fr_assert(location);
	if (d->by_address) {
		if (fr_event_range(rec, &lo, &hi))
			return d->address >= lo && d->address < hi;
		return fr_event_addr(rec->e) == d->address;
	}
	snprintf(where, sizeof(where), "%s:%u:%u", s.file, s.line, s.column);
	return (fr_event_kind(rec->e) == FR_EV_USER_EVENT &&
		strstr(fr_sites_name(d->t->sites, fr_event_addr(rec->e)) ?: "", location)) ||
	       (s.kind == FR_SITE_CALL && strstr(s.type, location)) || strstr(s.name, location) ||
	       strstr(s.function, location) || strstr(where, location);
}

static bool wanted(const struct dump *d, const struct fr_rec *rec)
{
	return d->kind[fr_event_kind(rec->e)] && (!location || position_matches(d, rec));
}

/* ---- printing ---- */

static void print_raw(struct dump *d, const struct fr_rec *rec)
{
	for (uint32_t i = 0; i < rec->n; i++) {
		const struct fr_event *e = &rec->e[i];
		const char *name = fr_event_name(fr_event_kind(e));

		fr_buf_printf(&d->line,
			      "%10" PRIu32 "  %-14s aux %02x addr %012" PRIx64 " value %016" PRIx64
			      " site %" PRIu32 "\n",
			      e->hook, name ? name : "?", fr_event_aux(e), fr_event_addr(e),
			      e->value, e->site);
	}
}

/* Adds blanks up to a column, at least one. */
static void pad_to(struct fr_buf *b, size_t start, size_t width)
{
	static const char blanks[] = "                                        ";
	size_t used = b->n - start;

	fr_assert(start <= b->n && width < sizeof(blanks));
	fr_buf_add(b, blanks, used < width ? width - used : 1);
}

static void print_event(struct dump *d, const struct fr_rec *rec)
{
	unsigned kind = fr_event_kind(rec->e);
	const char *name = fr_event_name(kind);
	struct fr_buf *b = &d->line;
	uint64_t lo, hi;
	size_t start;

	fr_buf_printf(b, "%10" PRIu64 "  ", rec->hook);
	start = b->n;
	fr_buf_printf(b, "%s%s", fr_term_seq(d->colour, FR_CYAN), name ? name : "?");
	if (fr_event_range(rec, &lo, &hi) && hi - lo <= 16)
		fr_buf_printf(b, " %" PRIu64, hi - lo);
	fr_buf_puts(b, fr_term_seq(d->colour, FR_PLAIN_TEXT));
	pad_to(b, start, 17 + (d->colour ? 9 : 0));
	start = b->n;
	fr_event_text_object(b, d->t, rec);
	fr_escape_from(b, start);
	pad_to(b, start, 28);
	start = b->n;
	fr_event_text_detail(b, d->t, rec);
	fr_escape_from(b, start);
	pad_to(b, start, 20);
	start = b->n;
	if (kind != FR_EV_TU)
		fr_event_text_site(b, d->t, rec->e->site);
	fr_escape_from(b, start);
	fr_buf_puts(b, "\n");
}

static void tick(struct dump *d)
{
	/* Lines on the terminal are progress enough. */
	if (++d->seen % 65536 == 0 && (stats || !isatty(STDOUT_FILENO)))
		fr_progress_step(&d->progress, "events", d->seen, d->t->run.events);
}

/* Prints an event if it is wanted. False: output is impossible, or the limit is reached. */
static bool show(struct dump *d, const struct fr_trace_thread *th, const struct fr_rec *rec,
		 const char *prefix)
{
	size_t i = (size_t)(th - d->t->thread.v);

	fr_assert(i < d->t->thread.n && i < d->stack.n);
	tick(d);
	if (stacks)
		fr_stack_feed(&d->stack.v[i], rec);
	if (!wanted(d, rec))
		return true;
	d->matched++;
	if (stats)
		return true;
	if (d->shown >= limit)
		return false;
	d->line.n = 0;
	fr_buf_puts(&d->line, prefix);
	fr_escape_from(&d->line, 0);
	if (raw)
		print_raw(d, rec);
	else
		print_event(d, rec);
	if (stacks && !raw && fr_event_class(fr_event_kind(rec->e)) != 'x')
		fr_event_text_stack(&d->line, d->t, &d->stack.v[i], rec->e->site);
	d->shown++;
	fr_assert(d->line.n && d->shown <= d->matched);
	return fwrite(d->line.s, 1, d->line.n, stdout) == d->line.n;
}

static int dump_threads(struct dump *d, struct fr_err *err)
{
	FR_VEC_FOREACH (th, &d->t->thread) {
		struct fr_iter it;
		struct fr_rec rec;
		bool go = true;
		int r;

		if (!thread_wanted(th))
			continue;
		if (!stats) {
			FR_CLEANUP(fr_freep) char *name = fr_escape(th->path);

			printf("%sthread %s%s (id %u)\n", fr_term_seq(d->colour, FR_BOLD), name,
			       fr_term_seq(d->colour, FR_PLAIN_TEXT), th->id);
		}
		fr_iter_open(&it, d->t, th);
		while ((r = fr_iter_next(&it, &rec, err)) > 0 && go)
			go = show(d, th, &rec, "");
		fr_iter_close(&it);
		if (r < 0)
			return r;
		if (!go)
			break;
	}
	return 0;
}

static int dump_merged(struct dump *d, struct fr_err *err)
{
	const struct fr_trace_thread *th;
	struct fr_merge m;
	struct fr_rec rec;
	uint64_t stamp;
	char prefix[96];
	bool exact;
	int r = fr_merge_open(&m, d->t, err);

	if (r < 0)
		return r;
	while ((r = fr_merge_next(&m, &rec, &th, &stamp, &exact, err)) > 0) {
		if (!thread_wanted(th))
			continue;
		snprintf(prefix, sizeof(prefix), "%c%-8" PRIu64 " %-10s", exact ? ' ' : '~', stamp,
			 th->path);
		if (!show(d, th, &rec, prefix))
			break;
	}
	fr_merge_close(&m);
	return r < 0 ? r : 0;
}

static int dump_stats(struct dump *d, struct fr_err *err)
{
	uint64_t count[256] = {0}, slots = 0, events = 0;
	char a[32], b[32];

	FR_VEC_FOREACH (th, &d->t->thread) {
		struct fr_iter it;
		struct fr_rec rec;
		int r;

		if (!thread_wanted(th))
			continue;
		fr_iter_open(&it, d->t, th);
		while ((r = fr_iter_next(&it, &rec, err)) > 0) {
			unsigned kind = fr_event_kind(rec.e);

			tick(d);
			fr_assert(kind < fr_array_size(count) && rec.n);
			slots += rec.n;
			if (!wanted(d, &rec))
				continue;
			count[kind]++;
			events += fr_event_class(kind) != 'x';
			d->matched++;
		}
		fr_iter_close(&it);
		if (r < 0)
			return r;
	}
	for (unsigned k = 0; k < 256; k++)
		if (count[k])
			printf("%-18s %14s\n", fr_event_name(k) ? fr_event_name(k) : "?",
			       fr_term_number(count[k], a));
	printf("%-18s %14s\n%-18s %14s\n", "events", fr_term_number(events, a), "slots",
	       fr_term_number(slots, b));
	printf("%-18s %14s\n", "bytes", fr_term_number(d->t->bytes, a));
	if (events)
		printf("%-18s %14.2f\n", "bytes per event", (double)d->t->bytes / (double)events);
	if (slots)
		printf("%-18s %14.2f\n", "bytes per slot", (double)d->t->bytes / (double)slots);
	return 0;
}

/* Prints a line that contains names. */
#define print_line(...)                                                         \
	({                                                                      \
		FR_CLEANUP(fr_freep) char *fr_text = fr_xasprintf(__VA_ARGS__); \
		fr_escape_print(stdout, fr_text, strlen(fr_text));              \
		putchar('\n');                                                  \
	})

/* Prints the last lines: totals, and everything that is missing. */
static void print_end(const struct dump *d)
{
	const struct fr_run *run = &d->t->run;
	char a[32], b[32];

	printf("%s event%s of %s thread%s", fr_term_number(run->events, a), fr_plural(run->events),
	       fr_term_number(run->threads, b), fr_plural(run->threads));
	if (!stats && d->matched != run->events)
		printf(", %s shown", fr_term_number(d->shown, a));
	printf("\n");
	if (d->t->why)
		print_line("trace is incomplete: %s", d->t->why);
	for (int i = 0; i < FR_RTC_COUNT; i++)
		if (run->counters[i] && (stats || i != FR_RTC_hooks))
			printf("%s: %s\n", fr_rt_counter_text[i],
			       fr_term_number(run->counters[i], a));
	FR_VEC_FOREACH (u, &run->unmodelled)
		print_line("not modelled: %s(), %s call%s", u->name, fr_term_number(u->calls, a),
			   fr_plural(u->calls));
	for (size_t i = 0; fr_sites_missing(d->t->sites, i); i++)
		print_line("missing: %s", fr_sites_missing(d->t->sites, i));
}

static int finish_output(void)
{
	if (fflush(stdout) || ferror(stdout)) {
		if (errno == EPIPE) /* the reader has seen enough */
			return FR_EXIT_OK;
		fr_say("cannot write the output: %s", strerror(errno));
		return FR_EXIT_FAILED;
	}
	return FR_EXIT_OK;
}

static int dump_trace(struct dump *d)
{
	struct fr_err err;
	int r;

	FR_VEC_FOREACH (th, &d->t->thread)
		fr_vec_push(&d->stack, (struct fr_stack){0});
	r = stats ? dump_stats(d, &err) : merged ? dump_merged(d, &err) : dump_threads(d, &err);
	fr_progress_end(&d->progress);
	FR_VEC_FOREACH (s, &d->stack)
		fr_stack_free(s);
	fr_vec_free(&d->stack);
	fr_buf_free(&d->line);
	if (r < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	print_end(d);
	return finish_output();
}

static int check_filters(struct dump *d)
{
	char what[256];

	default_kinds(d);
	if (kinds.n)
		memset(d->kind, 0, sizeof(d->kind));
	for (size_t i = 0; i < kinds.n; i++)
		if (!add_kind(d, kinds.v[i])) {
			snprintf(what, sizeof(what), "'%s' is not a kind of event", kinds.v[i]);
			return fr_cmd_usage(&fr_cmd_dump, what);
		}
	if (location && !strncmp(location, "0x", 2)) {
		d->by_address = true;
		if (!fr_opt_u64(location, &d->address)) {
			snprintf(what, sizeof(what), "'%s' is not an address", location);
			return fr_cmd_usage(&fr_cmd_dump, what);
		}
	}
	return 0;
}

static int check_threads(const struct fr_trace *t)
{
	for (size_t i = 0; i < threads.n; i++) {
		bool found = false;

		FR_VEC_FOREACH (th, &t->thread)
			found |= !strcmp(threads.v[i], th->path);
		if (!found) {
			fr_say("no thread '%s' in '%s' (names of threads: 0 is main, 0.1 its first "
			       "child, ...)",
			       threads.v[i], t->dir);
			return FR_EXIT_USAGE;
		}
	}
	return 0;
}

static int cmd_dump(int argc, char **argv)
{
	FR_CLEANUP(fr_trace_freep) struct fr_trace *t = NULL;
	FR_CLEANUP(fr_freep) char *dir = NULL;
	struct dump d = {.colour = fr_term_colour(stdout)};
	struct fr_err err;
	int r;

	signal(SIGPIPE, SIG_IGN);
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_dump, "more than one run folder");
	r = check_filters(&d);
	if (r)
		return r;
	if (argc)
		dir = fr_folder_plain(argv[0]);
	else if (fr_folder_newest(&dir, &err) < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_USAGE;
	}
	/* if the folder is missing, opening the trace reports it */
	if (fr_dir_enter(dir, NULL) == 0)
		fr_folder_use(dir, false);
	if (model)
		return fr_dump_model(dir, stats);
	r = fr_trace_open(dir, &t, &err);
	if (r < 0) {
		fr_say("%s", err.msg);
		return FR_EXIT_FAILED;
	}
	if (influence) {
		fr_dump_influence(t->sites);
		return finish_output();
	}
	if (!t->run.events && !t->complete) {
		fr_say("'%s' contains no events: %s", dir, t->why);
		return FR_EXIT_FAILED;
	}
	d.t = t;
	r = check_threads(t);
	return r ? r : dump_trace(&d);
}

const struct fr_cmd fr_cmd_dump = {
    .name = "dump",
    .summary = "print a recorded run as text",
    .usage = "forerun dump [options] [DIR]",
    .run = cmd_dump,
    .options = options,
    .details = "DIR is a run folder (default: the newest one in forerun.d). Columns: hook,\n"
	       "kind and size, variable and address, value or stamp, source line and function.\n",
};
