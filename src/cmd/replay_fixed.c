/*
 * Is a bug still there after the program was changed? The new program's hooks have other numbers,
 * so the old schedule says little about it. Instead, `forerun run` records the new program with the
 * same arguments, environment, input and --order, and predicts and confirms again. If the bug can
 * still be forced, prediction finds it and a re-execution shows it.
 *
 * Same bug:    see findings/same_bug.h.
 * Fixed:       no such bug was found although it could have been: the new run still executed the
 *              parts of the bug, and every candidate was decided.
 * Cannot tell: everything else, with the reason. Never a silent pass.
 */
#include "cmd/replay_fixed.h"
#include "base/assert.h"
#include "base/dir.h"
#include "findings/same_bug.h"
#include "cmd/cmd.h"
#include "trace/trace.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int cannot_tell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int cannot_tell(const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fr_say("cannot tell: %s", text);
	return FR_EXIT_FAILED;
}

/* ---- the new run ---- */

/* In the child: becomes `forerun run` of the program as it was started. It looks for all kinds of
   bugs, and for those that the user had named. */
static void become(const char *dir, const struct fr_run *run, const struct fr_finding_words *named,
		   const char *to, double limit, const char *log, const char *messages)
{
	FR_CLEANUP(fr_freep) char *self = fr_artefact_self();
	FR_CLEANUP(fr_freep) char *input = fr_xasprintf("%s/stdin", dir);
	size_t room = run->args.n + named->n + 22;
	char **argv = fr_xcalloc(room, sizeof(*argv));
	char **env = fr_xcalloc(run->env.n + 1, sizeof(*env));
	char status[16];
	size_t n = 0;
	int in = fr_run_has_input(run) ? fr_dir_open(input, NULL) : open("/dev/null", O_RDONLY);
	int out = open(log, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);

	argv[n++] = (char *)"forerun";
	argv[n++] = (char *)FR_SAY_ALSO_TO;
	argv[n++] = (char *)messages;
	argv[n++] = (char *)"run";
	argv[n++] = (char *)"--fail-on";
	argv[n++] = (char *)"never";
	argv[n++] = (char *)"-o";
	argv[n++] = (char *)to;
	if (limit > 0) {
		argv[n++] = (char *)"--time-limit";
		argv[n++] = fr_xasprintf("%.17g", limit);
	}
	if (*run->options) {
		argv[n++] = (char *)"--option";
		argv[n++] = run->options;
	}
	if (run->order) {
		argv[n++] = (char *)"--order";
		argv[n++] = run->order;
	}
	if (run->expects_exit) {
		snprintf(status, sizeof(status), "%d", run->expect_exit);
		argv[n++] = (char *)"--expect-exit";
		argv[n++] = status;
	}
	FR_VEC_FOREACH (s, named)
		argv[n++] = (char *)*s;
	argv[n++] = (char *)"--";
	argv[n++] = run->path;
	for (size_t i = 0; i < run->args.n; i++)
		argv[n++] = run->args.v[i];
	fr_assert(n < room); /* execve needs the NULL at the end */
	for (size_t i = 0; i < run->env.n; i++)
		env[i] = run->env.v[i];
	if (in < 0 || out < 0 || !self || (*run->cwd && chdir(run->cwd) < 0))
		_exit(126);
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	execve(self, argv, env);
	_exit(126);
}

static int run_again(const char *dir, const struct fr_run *run,
		     const struct fr_finding_words *named, const char *to, double limit,
		     const char *log, const char *messages)
{
	int status = 0;
	pid_t pid;

	fr_assert(run->path && to[0] && log[0] && messages[0]);
	fflush(NULL);
	pid = fork();
	if (!pid)
		become(dir, run, named, to, limit, log, messages);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- the parts of the bug ---- */

/* Does a site perform the operation of the event? To make it atomic may be the repair. */
static bool site_matches(const struct fr_site_info *i, unsigned kind,
			 const struct fr_finding_event *e)
{
	unsigned is = fr_event_is(kind);

	if (strcmp(i->function, e->at.function) != 0)
		return false;
	if (e->access == FR_OP_READ)
		return is & FR_IS_READ;
	if (e->access == FR_OP_WRITE)
		return is & FR_IS_WRITE;
	return !(is & (FR_IS_READ | FR_IS_WRITE)); /* a lock, a join */
}

static bool access_of(const struct fr_finding_event *e)
{
	return e->access == FR_OP_READ || e->access == FR_OP_WRITE;
}

/* Returns the variable's own name: "bytes" for "c->bytes". */
static const char *last_name(const char *name)
{
	const char *p = name + strlen(name);

	while (p > name && (p[-1] == '_' || (p[-1] >= '0' && p[-1] <= '9') ||
			    ((p[-1] | 32) >= 'a' && (p[-1] | 32) <= 'z')))
		p--;
	return p;
}

/* Finds the events of w that have no counterpart in the new run, one bit each. */
static int look_for(const char *dir, const struct fr_interleaving *w, uint64_t *ret_missing,
		    struct fr_err *reterr)
{
	uint64_t missing = w->event.n < 64 ? (UINT64_C(1) << w->event.n) - 1 : UINT64_MAX;
	FR_CLEANUP(fr_trace_freep) struct fr_trace *t = NULL;
	int r = fr_trace_open(dir, &t, reterr);
	struct fr_rec rec;

	for (size_t i = 0; !r && missing && i < t->thread.n; i++) {
		struct fr_iter it;

		fr_iter_open(&it, t, &t->thread.v[i]);
		while (missing && (r = fr_iter_next(&it, &rec, reterr)) > 0) {
			struct fr_site_info info = fr_sites_get(t->sites, rec.e->site);
			unsigned kind = fr_event_kind(rec.e);

			for (size_t k = 0; k < w->event.n && k < 64; k++)
				if (missing >> k & 1 && site_matches(&info, kind, &w->event.v[k]) &&
				    (!access_of(&w->event.v[k]) ||
				     !strcmp(last_name(info.name), last_name(w->event.v[k].name))))
					missing &= ~(UINT64_C(1) << k);
		}
		fr_iter_close(&it);
		r = r < 0 ? r : 0;
	}
	*ret_missing = missing;
	return r;
}

/* ---- the answer ---- */

static int not_found(const char *to, const struct fr_finding *x, const struct fr_findings *f)
{
	const struct fr_interleaving *w = &x->interleaving.v[0];
	uint64_t missing = 0;
	struct fr_err err;

	if (look_for(to, w, &missing, &err) < 0)
		return cannot_tell("%s", err.msg);
	for (size_t k = 0; k < w->event.n && k < 64; k++) {
		const struct fr_finding_event *e = &w->event.v[k];

		if (missing >> k & 1)
			return cannot_tell("the %s of `%s` in %s() at %s:%u did not happen "
					   "again: the code has moved, or was not executed",
					   fr_op_name[e->access], e->name, e->at.function,
					   e->at.file, e->at.line);
	}
	if (!f->summary.complete)
		return cannot_tell("prediction was not finished: %s",
				   f->summary.reason ? f->summary.reason : "unknown reason");
	if (f->summary.undecided || f->summary.untried)
		return cannot_tell("%llu candidates are undecided",
				   (unsigned long long)(f->summary.undecided + f->summary.untried));
	fr_say("fixed: the program still executes the events of the bug, and no order of them "
	       "shows the bug");
	return FR_EXIT_OK;
}

/* A failure has no subject, and perhaps no known position. */
static void say_still_there(const struct fr_finding *y)
{
	const struct fr_interleaving *w = &y->interleaving.v[0];
	FR_CLEANUP(fr_freep) char *on = *y->subject ? fr_xasprintf(" on `%s`", y->subject) : NULL;

	if (w->event.n && w->event.v[0].at.line)
		fr_say("still there: %s%s, now at %s:%u in %s()", y->kind, on ? on : "",
		       w->event.v[0].at.file, w->event.v[0].at.line, w->event.v[0].at.function);
	else
		fr_say("still there: %s%s", y->kind, on ? on : "");
}

static int judge(const char *to, const struct fr_run *run, const struct fr_finding *x)
{
	FR_CLEANUP(fr_findings_free) struct fr_findings f = {0};
	const struct fr_finding *y;
	struct fr_err err;

	if (fr_findings_read(to, &f, &err) < 0)
		return cannot_tell("%s", err.msg);
	y = fr_findings_same_bug(&f, x);
	if (y && y->needs && !y->explained_by && fr_finding_folded(y)) {
		fr_say("fixed: the events still happen in that order, but without harm");
		return FR_EXIT_OK;
	}
	if (y && y->interleaving.v[0].verdict == FR_VERDICT_CONFIRMED) {
		say_still_there(y);
		return FR_EXIT_FOUND;
	}
	if (y)
		return cannot_tell(
		    "forerun still predicts the bug, but could not make it happen: %s",
		    y->interleaving.v[0].detail ? y->interleaving.v[0].detail
						: fr_verdict_name[y->interleaving.v[0].verdict]);
	if (f.exit != run->exit || f.signal != run->signal)
		return cannot_tell(
		    "the rebuilt program ended with %s %d, the recorded one with %s %d",
		    f.signal ? "signal" : "exit status", f.signal ? f.signal : f.exit,
		    run->signal ? "signal" : "exit status", run->signal ? run->signal : run->exit);
	return not_found(to, x, &f);
}

/* Repeats the messages of `forerun run`. */
static void show_messages(const char *messages)
{
	char line[512];
	FILE *f = fopen(messages, "re");

	while (f && fgets(line, sizeof(line), f))
		fr_say("%.*s", (int)strcspn(line, "\n"), line);
	if (f)
		fclose(f);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path) < 0 ? -1 : 0;
}

int fr_fixed(const char *dir, const struct fr_run *run, const struct fr_findings *f,
	     const struct fr_finding *x, double limit)
{
	const char *tmp = getenv("TMPDIR");
	FR_CLEANUP(fr_freep)
	char *base = fr_xasprintf("%s/forerun-fixed.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	FR_CLEANUP(fr_freep) char *to = NULL, *log = NULL, *messages = NULL;
	int status;

	if (!mkdtemp(base))
		return cannot_tell("cannot create folder '%s': %s", base, strerror(errno));
	to = fr_xasprintf("%s/run", base);
	log = fr_xasprintf("%s/log", base);
	messages = fr_xasprintf("%s/messages", base);
	status = run_again(dir, run, &f->named, to, limit, log, messages);
	if (status == FR_EXIT_OK) {
		status = judge(to, run, x);
	} else {
		show_messages(messages);
		status = cannot_tell("the rebuilt program could not be tested");
	}
	nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return status;
}
