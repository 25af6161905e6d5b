/* The events of a re-execution as a run folder: see judge_property.h. */
#include "confirm/judge_property.h"
#include "base/assert.h"
#include "base/debug.h"
#include "base/dir.h"
#include "base/io.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fr_event_folder_make(struct fr_event_folder *f)
{
	const char *tmp = getenv("TMPDIR");

	*f = (struct fr_event_folder){
	    .dir = fr_xasprintf("%s/forerun-events.XXXXXX", tmp && *tmp ? tmp : "/tmp")};
	if (mkdtemp(f->dir)) {
		f->trace = fr_xasprintf("%s/trace", f->dir);
		return;
	}
	free(f->dir);
	f->dir = NULL;
}

static bool copy(const struct fr_event_folder *f, const char *from, const char *name)
{
	FR_CLEANUP(fr_freep) char *source = fr_xasprintf("%s/%s", from, name);
	FR_CLEANUP(fr_freep) char *target = fr_xasprintf("%s/%s", f->dir, name);
	struct fr_mapped m = {0};
	bool ok = fr_dir_map(source, &m, NULL) >= 0;

	ok = ok && fr_dir_replace(target, m.p, m.n, NULL) >= 0;
	fr_io_unmap(&m);
	return ok;
}

bool fr_event_folder_complete(const struct fr_event_folder *f, const struct fr_run *run,
			      const char *from, const struct fr_execution *r)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/run.json", f->dir);
	struct fr_run x = *run;
	struct fr_err err = {0};

	fr_assert(f->dir);
	if (!r->traced)
		return false;
	x.exit = fr_max(r->exit, 0);
	x.signal = 0;
	x.complete = true;
	x.reason = NULL;
	x.threads = r->trace.threads;
	x.events = r->trace.events;
	x.slots = r->trace.slots;
	x.trace_bytes = r->trace.bytes;
	return fr_run_write(path, &x, &err) >= 0 && copy(f, from, "sites") &&
	       (!run->memory || copy(f, from, "memory"));
}

void fr_event_folder_remove(struct fr_event_folder *f)
{
	static const char *const name[] = {"trace", "run.json", "sites", "memory"};

	for (size_t i = 0; f->dir && i < fr_array_size(name); i++) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", f->dir, name[i]);

		unlink(path);
	}
	if (f->dir)
		rmdir(f->dir);
	free(f->dir);
	free(f->trace);
	*f = (struct fr_event_folder){0};
}
