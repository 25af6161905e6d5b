/* Foreign run folders: see trust.h. */
#include "cmd/trust.h"
#include "base/assert.h"
#include "base/dir.h"
#include "cmd/cmd.h"
#include "record/folder_origin.h"
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Variables by which a program loads code, runs another program, or reads or writes chosen files:
   of the dynamic linker and the C library (ld.so(8), and the list that it ignores in set-user-ID
   programs), of sanitizers, shells, languages, and libraries with plug-ins. */
static const char *const dangerous[] = {"LD_*",
					"GLIBC_TUNABLES",
					"GCONV_PATH",
					"GETCONF_DIR",
					"HOSTALIASES",
					"LOCALDOMAIN",
					"LOCPATH",
					"NIS_PATH",
					"NLSPATH",
					"RESOLV_HOST_CONF",
					"RES_OPTIONS",
					"TMPDIR",
					"TZDIR",
					"MALLOC_*",
					"MEMUSAGE*",
					"SEGFAULT_*",
					"PCPROFILE_*",
					"SOTRUSS_*",
					"DEBUGINFOD_*",
					"FORERUN_*",
					"?SAN_OPTIONS",
					"UBSAN_OPTIONS",
					"?SAN_SYMBOLIZER_PATH",
					"LLVM_*",
					"GMON_OUT_PREFIX",
					"GCOV_*",
					"IFS",
					"ENV",
					"BASH_ENV",
					"BASH_FUNC_*",
					"BASHOPTS",
					"SHELLOPTS",
					"PS4",
					"CDPATH",
					"PROMPT_COMMAND",
					"SHELL",
					"PYTHON*",
					"PERL*",
					"RUBY*",
					"NODE_*",
					"LUA_*",
					"JAVA_*",
					"_JAVA_*",
					"JDK_*",
					"CLASSPATH",
					"PHP*",
					"TCL*",
					"R_*",
					"GEM_*",
					"GUILE_*",
					"GCC_EXEC_PREFIX",
					"COMPILER_PATH",
					"GIT_*",
					"EDITOR",
					"VISUAL",
					"PAGER",
					"BROWSER",
					"LESS*",
					"TERMINFO*",
					"TERMCAP",
					"OPENSSL_*",
					"SSL_CERT_*",
					"GTK_*",
					"GIO_*",
					"GDK_*",
					"QT_*",
					"QML*",
					"VK_*",
					"LIBGL_*",
					"OCL_*",
					"OMP_TOOL*",
					"KRB5*",
					"SSH_ASKPASS",
					"XDG_*"};

static bool is_dangerous(const char *setting)
{
	FR_CLEANUP(fr_freep) char *name = fr_xstrndup(setting, strcspn(setting, "="));

	for (size_t i = 0; i < fr_array_size(dangerous); i++)
		if (!fnmatch(dangerous[i], name, 0))
			return true;
	return false;
}

static bool is_path(const char *setting)
{
	return !strncmp(setting, "PATH=", 5);
}

/* ---- showing ---- */

/* Quotes s for a shell. fr_say escapes control characters. */
static void quote(struct fr_buf *b, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=./:,@%^";

	if (*s && strspn(s, plain) == strlen(s)) {
		fr_buf_puts(b, s);
		return;
	}
	fr_buf_puts(b, "'");
	for (; *s; s++)
		if (*s == '\'')
			fr_buf_puts(b, "'\\''");
		else
			fr_buf_add(b, s, 1);
	fr_buf_puts(b, "'");
}

static void show(const char *dir, const char *why, bool trust, const struct fr_run *run)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf command = {0};

	quote(&command, run->path);
	FR_VEC_FOREACH (s, &run->args) {
		fr_buf_puts(&command, " ");
		quote(&command, *s);
	}
	fr_say("'%s' is a foreign run folder: %s", dir, why);
	fr_say("  command: %s", command.s);
	if (strcmp(run->program, run->path) != 0)
		fr_say("  called: %s", run->program);
	fr_say("  in folder: %s", run->cwd);
	FR_VEC_FOREACH (s, &run->env)
		if (is_path(*s))
			fr_say("  with %s", *s);
		else if (is_dangerous(*s))
			fr_say("  with %s%s", *s, trust ? "" : " (used only with --trust)");
}

/* ---- asking ---- */

static bool ask(void)
{
	char answer[16] = "";
	size_t n = 0;
	char c;

	fflush(stdout);
	fputs("forerun: run this program? [y/N] ", stderr);
	fflush(stderr);
	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
		if (n < sizeof(answer) - 1)
			answer[n++] = c;
	return !strcasecmp(answer, "y") || !strcasecmp(answer, "yes");
}

/* Removes the dangerous variables. Each becomes one of the same length that no program reads, so
   that the program's stack stays in place. Returns their number. */
static unsigned leave_out(struct fr_run *run)
{
	const char *path = getenv("PATH");
	unsigned left = 0;

	FR_VEC_FOREACH (s, &run->env) {
		size_t n = strlen(*s);

		if (is_path(*s)) {
			free(*s);
			*s = fr_xasprintf("PATH=%s", path ? path : "/usr/bin:/bin");
		} else if (n && is_dangerous(*s)) {
			memset(*s, '_', n);
			(*s)[n - 1] = '=';
			fr_assert(!is_dangerous(*s));
			left++;
		}
	}
	return left;
}

int fr_trust_ask(const char *dir, bool trust, struct fr_run *run, char **ret_token,
		 struct fr_err *reterr)
{
	/* `forerun run` made it itself: needed on file systems that do not keep owners. */
	FR_CLEANUP(fr_freep) char *why = fr_dir_made(dir) ? NULL : fr_origin_foreign(dir, run);
	char digest[65];
	unsigned left;

	fr_assert(!*ret_token);
	fr_origin_digest(run, digest);
	if (why && !run->imported)
		show(dir, why, trust, run);
	if (run->imported || !why || trust) {
		*ret_token = fr_xasprintf("all:%s", digest);
		return 0;
	}
	if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
		return fr_err_say(reterr, -ECANCELED,
				  "the program was not started: use --trust to run it with its "
				  "recorded environment");
	if (!ask())
		return fr_err_say(reterr, -ECANCELED, "the program was not started");
	left = leave_out(run);
	if (left)
		fr_say("%u recorded variable%s left out: only with --trust does forerun take %s "
		       "from a foreign folder",
		       left, left == 1 ? " is" : "s are", left == 1 ? "it" : "them");
	*ret_token = fr_xasprintf("some:%s", digest);
	return 0;
}

int fr_trust_same(struct fr_run *run, const char *token, struct fr_err *reterr)
{
	const char *colon = strchr(token, ':');
	char digest[65];

	fr_origin_digest(run, digest);
	if (!colon || strcmp(colon + 1, digest) != 0)
		return fr_err_say(reterr, -ECANCELED,
				  "the run folder has changed since you were asked");
	if (!strncmp(token, "some:", 5))
		leave_out(run);
	return 0;
}
