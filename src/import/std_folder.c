/*
 * Writes the rest of an imported run folder: the end block, run.json, and the file `sites`. The
 * site table has one site for each distinct location text; its file is the trace file, and its
 * function is that text. `sites` also has the names of threads, locks and variables by address.
 */
#include "trace/run_info.h"
#include "symbols/sites_internal.h"
#include "import/std_internal.h"
#include "base/assert.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Adds the site table as one blob (format/site_table.h). */
static int add_table(struct fr_sites *out, const struct fr_std *s)
{
	size_t n = s->locations.name.n, file = strlen(s->file) + 1, strings = 1 + file, size, at;
	struct fr_site_tu *tu;
	struct fr_site *site;
	char *text;

	FR_VEC_FOREACH (x, &s->locations.name)
		strings += x->n + 1;
	size = (sizeof(*tu) + n * sizeof(*site) + strings + 7) & ~(size_t)7;
	if (size > INT32_MAX)
		return fr_err_say(s->err, -EBADMSG,
				  "'%s': the names of locations are too long in total", s->file);
	tu = fr_xcalloc(1, size);
	*tu = (struct fr_site_tu){.magic = FR_SITE_MAGIC,
				  .version = FR_SITE_VERSION,
				  .size = (uint32_t)size,
				  .nsites = (uint32_t)n,
				  .strings = (uint32_t)strings};
	site = (struct fr_site *)(tu + 1);
	text = (char *)(site + n);
	memcpy(text + 1, s->file, file);
	at = 1 + file;
	for (size_t i = 0; i < n; i++) {
		const struct fr_std_name *x = &s->locations.name.v[i];

		site[i] = (struct fr_site){.file = 1, .function = (uint32_t)at};
		site[i].physical = site[i].function;
		memcpy(text + at, x->s, x->n);
		at += x->n + 1;
	}
	fr_assert(at == strings);
	tu->hash = fr_site_blob_hash(tu, size);
	fr_sites_add(out, 1, (uint32_t)n, 0, tu, size, NULL);
	return 0;
}

static void add_names(struct fr_sites *out, const struct fr_std_names *names, uint64_t base,
		      uint64_t step)
{
	for (size_t i = 0; i < names->name.n; i++)
		fr_vec_push(&out->name, (struct fr_sites_name){
					    base + step * i,
					    fr_xstrndup(names->name.v[i].s, names->name.v[i].n)});
}

static int write_sites(const struct fr_std *s)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/sites", s->dir);
	struct fr_sites *out = fr_xcalloc(1, sizeof(*out));
	int r = add_table(out, s);

	add_names(out, &s->threads, 1, 1);
	add_names(out, &s->variables, FR_STD_VARIABLES, 8);
	add_names(out, &s->locks, FR_STD_LOCKS, 8);
	fr_sites_sort(out);
	if (r == 0)
		r = fr_sites_write(path, out, s->err);
	fr_sites_free(out);
	return r;
}

static int write_end(struct fr_std *s)
{
	struct fr_pool_thread *t = fr_xcalloc(s->thread.n, sizeof(*t));
	int r;

	for (uint32_t i = 0; i < s->thread.n; i++)
		t[i] = (struct fr_pool_thread){.id = i + 1,
					       .parent = s->thread.v[i].parent,
					       .nth = s->thread.v[i].nth,
					       .hook = s->thread.v[i].last};
	r = fr_writer_end(s->writer, t, (uint32_t)s->thread.n, 0);
	free(t);
	return r < 0 ? fr_err_set(s->err, r, "cannot write the trace in '%s'", s->dir) : 0;
}

static char *utc_now(void)
{
	time_t now = time(NULL);
	char buf[32];
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(buf, sizeof(buf), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return fr_xstrdup(buf);
}

static int write_run(struct fr_std *s)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/run.json", s->dir);
	FR_CLEANUP(fr_freep) char *cwd = getcwd(NULL, 0), *full = realpath(s->file, NULL);
	struct fr_writer_stats w = fr_writer_stats(s->writer);
	struct fr_run run = {.complete = true};
	int r;

	fr_assert(w.slots == s->stats.events && w.threads <= s->thread.n);
	run.version = fr_xstrdup(s->version);
	memcpy(run.run_id, s->run_id, sizeof(run.run_id));
	run.program = fr_xstrdup(s->file);
	run.path = fr_xstrdup(full ? full : s->file);
	run.cwd = fr_xstrdup(cwd ? cwd : "");
	run.options = fr_xstrdup("");
	run.started = utc_now();
	run.imported = fr_xstrdup(s->file);
	run.threads = w.threads;
	run.events = w.events;
	run.slots = w.slots;
	run.trace_bytes = w.bytes;
	r = fr_run_write(path, &run, s->err);
	fr_run_clear(&run);
	return r;
}

int fr_std_write_folder(struct fr_std *s)
{
	int r = write_end(s);

	if (r == 0)
		r = write_sites(s);
	return r == 0 ? write_run(s) : r;
}
