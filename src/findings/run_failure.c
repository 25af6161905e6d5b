/* Did the recorded run fail? See run_failure.h. */
#include "findings/run_failure.h"
#include "base/dir.h"
#include "base/io.h"
#include "findings/end_text.h"
#include <signal.h>

bool fr_signal_of_crash(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL ||
	       sig == SIGABRT || sig == SIGTRAP || sig == SIGSYS;
}

int fr_run_crash(const struct fr_run *r)
{
	int sig = (int)(r->crash.signal ? r->crash.signal : (uint32_t)r->signal);

	return fr_signal_of_crash(sig) && !(r->crash.signal && r->crash.sent) ? sig : 0;
}

/* Applies fn to the program's standard error. */
static char *from_output(const struct fr_trace *t, char *(*fn)(const char *s, size_t n))
{
	bool merged = t->run.stream[FR_STDERR].kind == FR_STREAM_MERGED;
	FR_CLEANUP(fr_freep)
	char *path = fr_xasprintf("%s/%s", t->dir, merged ? "stdout" : "stderr");
	struct fr_mapped m;
	char *found;

	if (fr_dir_stat(path, NULL) < 0 || fr_dir_map(path, &m, NULL) < 0)
		return NULL;
	found = fn((const char *)m.p, m.n);
	fr_io_unmap(&m);
	return found;
}

static char *first_report(const char *s, size_t n)
{
	return fr_output_sanitizer(s, n, NULL, 0);
}

int fr_run_good_exit(const struct fr_run *r)
{
	return r->expects_exit ? r->expect_exit : 0;
}

enum fr_harm fr_run_failure(const struct fr_trace *t, char **ret_report)
{
	const struct fr_run *r = &t->run;

	if (r->hang)
		return FR_HARM_HANG;
	*ret_report = from_output(t, first_report);
	if (*ret_report)
		return FR_HARM_SANITIZER;
	if (fr_run_crash(r) == SIGABRT)
		*ret_report = *r->crash.assertion ? fr_xstrdup(r->crash.assertion)
						  : from_output(t, fr_output_assertion);
	if (*ret_report)
		return FR_HARM_ASSERT;
	if (fr_run_crash(r))
		return FR_HARM_CRASH;
	if (r->expects_exit && !r->asked && (r->signal || r->exit != r->expect_exit))
		return FR_HARM_EXIT;
	return FR_HARM_NOT_KNOWN;
}
