/*
 * forerun doctor: can forerun record on this machine, and record this program? Each line says ok,
 * warn or FAIL, and if not ok, what to do.
 */
#include "base/escape.h"
#include "base/assert.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/term.h"
#include "cmd/cmd.h"
#include "process/box.h"
#include "record/program.h"
#include "format/pool.h"
#include "format/site_table.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct fr_opt options[] = {{0}};

static unsigned problems, warnings;
static bool colour;

enum result { OK, WARN, FAIL };

__attribute__((format(printf, 2, 3))) static void line(enum result r, const char *fmt, ...)
{
	static const char *const word[] = {"ok", "warn", "FAIL"};
	static const enum fr_colour paint[] = {FR_GREEN, FR_YELLOW, FR_RED};
	char *text = NULL;
	va_list ap;
	int n;

	fr_assert(r < fr_array_size(word));
	problems += r == FAIL;
	warnings += r == WARN;
	printf("%s%-4s%s  ", fr_term_seq(colour, paint[r]), word[r],
	       fr_term_seq(colour, FR_PLAIN_TEXT));
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n >= 0)
		fr_escape_print(stdout, text, (size_t)n);
	free(n >= 0 ? text : NULL);
	printf("\n");
}

/* Returns the first line of a file, "" if there is none. */
static const char *first_line(const char *path, char *buf, size_t n)
{
	FILE *f = fopen(path, "re");

	buf[0] = 0;
	if (f) {
		if (!fgets(buf, (int)n, f))
			buf[0] = 0;
		fclose(f);
	}
	buf[strcspn(buf, "\n")] = 0;
	return buf;
}

/* Runs a command with one more environment variable. Stores at most n - 1 bytes of its output.
   Returns its exit status, or -1. */
static int run(char *const argv[], const char *env, const char *value, char *buf, size_t n)
{
	size_t used = 0;
	int fds[2], status;
	ssize_t k;
	pid_t pid;

	fr_assert(argv[0] && !env == !value && n > 1);
	buf[0] = 0;
	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (env)
			setenv(env, value, 1);
		dup2(fds[1], 1);
		dup2(fds[1], 2);
		execv(argv[0], argv);
		_exit(127);
	}
	close(fds[1]);
	while (pid > 0 && (k = read(fds[0], buf + used, n - 1 - used)) > 0)
		used += (size_t)k;
	buf[used] = 0;
	close(fds[0]);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- the machine ---- */

static void check_randomisation(void)
{
	int old = personality(0xffffffff);
	char buf[64];

	if (old >= 0 && personality((unsigned)old | ADDR_NO_RANDOMIZE) >= 0) {
		personality((unsigned)old);
		line(OK, "forerun can switch off address randomisation for a recorded program");
		return;
	}
	if (!strcmp(first_line("/proc/sys/kernel/randomize_va_space", buf, sizeof(buf)), "0"))
		line(OK, "address randomisation is off on this machine");
	else
		line(WARN, "forerun cannot switch off address randomisation here (a container's "
			   "seccomp profile?): recording works, but replays may not be exact. "
			   "Allow personality(2), or set kernel.randomize_va_space=0");
}

static void check_limits(void)
{
	char a[32];
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0)
		line(r.rlim_cur < 64 ? FAIL : OK, "open files: %s%s",
		     r.rlim_cur == RLIM_INFINITY ? "unlimited" : fr_term_number(r.rlim_cur, a),
		     r.rlim_cur < 64 ? "; forerun needs at least 64 (ulimit -n)" : "");
	if (getrlimit(RLIMIT_AS, &r) == 0) {
		bool small = r.rlim_cur != RLIM_INFINITY && r.rlim_cur < 2 * FR_POOL_SIZE;

		line(small ? FAIL : OK, "address space: %s%s",
		     r.rlim_cur == RLIM_INFINITY ? "unlimited" : fr_term_number(r.rlim_cur, a),
		     small ? " bytes; a recorded program maps 2 GiB more (ulimit -v unlimited)"
			   : "");
	}
	if (getrlimit(RLIMIT_FSIZE, &r) == 0) {
		bool small = r.rlim_cur != RLIM_INFINITY && r.rlim_cur < (64u << 20);

		line(small ? WARN : OK, "file size: %s%s",
		     r.rlim_cur == RLIM_INFINITY ? "unlimited" : fr_term_number(r.rlim_cur, a),
		     small ? " bytes; longer traces are cut off (ulimit -f unlimited)" : "");
	}
}

static void check_core(void)
{
	char pattern[256];
	struct rlimit r;

	first_line("/proc/sys/kernel/core_pattern", pattern, sizeof(pattern));
	if (getrlimit(RLIMIT_CORE, &r) < 0 || r.rlim_cur == 0)
		line(OK, "core files: not written, so crashes cost no time");
	else
		line(OK, "core files: written to '%s' when a recorded program crashes", pattern);
}

/* Checks the requirements of the pool on the file system: reservable space and shared mappings. */
static void check_folder(const char *dir)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/forerun-doctor.XXXXXX", dir);
	FR_CLEANUP(fr_closep) int fd = mkstemp(path);
	struct statvfs st;
	char a[32];
	void *p;

	if (fd < 0) {
		line(WARN, "cannot write to folder '%s': use 'forerun record -o DIR'", dir);
		return;
	}
	unlink(path);
	p = posix_fallocate(fd, 0, 65536)
		? MAP_FAILED
		: mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED) {
		line(FAIL,
		     "folder '%s' does not support shared mappings: use 'forerun record -o DIR' "
		     "with a folder on a local disk",
		     dir);
		return;
	}
	munmap(p, 65536);
	if (fstatvfs(fd, &st) == 0) {
		uint64_t bytes = (uint64_t)st.f_bavail * st.f_frsize;

		line(bytes < (64u << 20)  ? FAIL
		     : bytes < (1u << 30) ? WARN
					  : OK,
		     "disk space in '%s': %s MiB%s", dir, fr_term_number(bytes >> 20, a),
		     bytes < (1u << 30) ? "; a trace takes a few bytes per event" : "");
	}
}

static void check_artefacts(void)
{
	static const struct {
		const char *name, *what;
	} files[] = {{"forerun-pass.so", "compiler pass"},
		     {"hooks.bc", "hooks"},
		     {"libforerun_rt.a", "runtime"},
		     {"libforerun_rt_static.a", "runtime for -static"},
		     {"libforerun_rt_sanitizer.a", "runtime for -fsanitize"},
		     {"dynamic.list", "list of exported symbols"},
		     {"wrap.list", "list of wrapped symbols"},
		     {"forerun.h", "header"}};

	for (size_t i = 0; i < fr_array_size(files); i++) {
		FR_CLEANUP(fr_freep) char *path = fr_artefact_find(files[i].name);

		if (path)
			line(OK, "%s: %s", files[i].what, path);
		else
			line(FAIL, "%s: cannot find '%s' beside forerun: install forerun again",
			     files[i].what, files[i].name);
	}
}

static void check_compiler(void)
{
	FR_CLEANUP(fr_freep) char *self = fr_artefact_self();
	char buf[4096];
	int r;

	if (!self) {
		line(FAIL, "compiler: forerun cannot find its own executable");
		return;
	}
	r = run((char *[]){self, (char *)"cc", (char *)"--version", NULL}, NULL, NULL, buf,
		sizeof(buf));
	buf[strcspn(buf, "\n")] = 0;
	line(r ? FAIL : OK, "compiler: %s", buf);
}

static void check_boxes(void)
{
	FR_CLEANUP(fr_box_free) struct fr_box b = {.network = true, .objects = true};
	struct fr_err err;

	if (fr_box_prepare(&b, ".", &err) == 0)
		line(OK,
		     "re-executions of a run that changed files get boxes with the files as they "
		     "were");
	else
		line(WARN,
		     "no boxes for re-executions (%s): they run one at a time in the world as it "
		     "is, "
		     "and findings of runs that changed files can stay unknown. Allow user "
		     "namespaces (sysctl kernel.unprivileged_userns_clone=1, or a container with "
		     "fewer restrictions)",
		     err.msg);
}

static void check_machine(void)
{
	const char *tmp = getenv("TMPDIR");

	check_randomisation();
	check_boxes();
	if (access("/proc/self", F_OK) < 0)
		line(WARN, "/proc is not mounted: recording works, but some names may be missing");
	if (syscall(SYS_pidfd_open, getpid(), 0) < 0)
		line(WARN, "the kernel has no pidfd_open (Linux 5.3): forerun cannot wait for a "
			   "recorded process that outlives the command");
	check_limits();
	check_core();
	check_folder(".");
	check_folder(tmp && *tmp ? tmp : "/tmp");
	check_compiler();
	check_artefacts();
}

/* ---- the program ---- */

static void hex(char *out, const uint8_t *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sprintf(out + 2 * i, "%02x", p[i]);
	out[2 * n] = 0;
}

/* Lists the libraries that the loader would find. Returns how many are instrumented. */
static unsigned check_libraries(const char *path)
{
	FR_CLEANUP(fr_freep) char *buf = fr_xmalloc(65536);
	unsigned all = 0, good = 0;
	struct fr_program p;
	char *save = NULL;

	if (run((char *[]){(char *)path, NULL}, "LD_TRACE_LOADED_OBJECTS", "1", buf, 65536) != 0)
		return 0;
	for (char *l = strtok_r(buf, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		char *at = strstr(l, "=> ");

		if (strstr(l, "not found")) {
			line(FAIL, "cannot find library %.*s: set LD_LIBRARY_PATH",
			     (int)strcspn(l + 1, " "), l + 1);
			continue;
		}
		if (!at || at[3] != '/')
			continue;
		at += 3;
		at[strcspn(at, " ")] = 0;
		if (fr_program_inspect(at, &p, NULL) < 0)
			continue;
		all++;
		if (p.instrumented) {
			good++;
			line(OK, "library '%s' is instrumented", at);
		}
	}
	if (all > good)
		line(OK,
		     "%u other librar%s not instrumented: forerun sees their synchronisation, but "
		     "not their accesses",
		     all - good, all - good == 1 ? "y is" : "ies are");
	return good;
}

static void check_elf(const char *path, const struct fr_program *p)
{
	char id[65];

	if (!p->executable) {
		line(FAIL, "'%s' is not an executable program", path);
		return;
	}
	if (!p->instrumented) {
		line(FAIL, "'%s' was not instrumented: build it with 'forerun-cc' or 'forerun-c++'",
		     path);
		if (!p->static_ && check_libraries(path))
			line(FAIL, "its instrumented libraries need the runtime in the executable: "
				   "link the executable with 'forerun-cc' as well");
		return;
	}
	line(OK, "'%s' is instrumented%s%s", path, p->pie ? ", position-independent" : "",
	     p->static_ ? ", static" : "");
	if (!p->runtime && p->sites)
		line(WARN, "it has no symbols of the runtime: it was stripped, or linked without "
			   "'forerun cc'");
	if (p->sites && (!p->abi || p->abi > FR_SITE_VERSION))
		line(FAIL,
		     "its site tables have version %u, this forerun reads up to %u: build it again",
		     p->abi, FR_SITE_VERSION);
	if (!p->sites)
		line(OK, "it has no site tables, because it was built with -fsanitize=thread: "
			 "forerun takes source positions from the debug information");
	if (!p->sites && !p->debug)
		line(WARN, "it has no debug information, so reports name no source positions: "
			   "compile with -g");
	hex(id, p->build_id, p->build_id_len);
	if (p->build_id_len)
		line(OK, "build-id %s", id);
	else
		line(WARN, "it has no build-id, so forerun cannot notice that the file has "
			   "changed: link with -Wl,--build-id");
	if (p->setid)
		line(WARN, "it is set-user-id or set-group-id, so the kernel hides forerun's "
			   "environment variables from it");
	if (!p->static_)
		check_libraries(path);
}

static void check_program(const char *name)
{
	FR_CLEANUP(fr_freep) char *path = NULL;
	struct fr_program p;
	struct fr_err err;

	if (fr_program_find(name, &path, &err) < 0 || fr_program_inspect(path, &p, &err) < 0)
		line(FAIL, "%s", err.msg);
	else if (p.elf)
		check_elf(path, &p);
	else
		line(OK,
		     "'%s' is a script: forerun records the first instrumented program that it "
		     "starts",
		     path);
}

static int cmd_doctor(int argc, char **argv)
{
	if (argc > 1)
		return fr_cmd_usage(&fr_cmd_doctor, "more than one program");
	colour = fr_term_colour(stdout);
	check_machine();
	if (argc)
		check_program(argv[0]);
	if (problems)
		printf("%u problem%s: recording will not work\n", problems, fr_plural(problems));
	else if (warnings)
		printf("recording will work, with %u warning%s\n", warnings, fr_plural(warnings));
	else
		printf("recording will work\n");
	if (fflush(stdout))
		return FR_EXIT_FAILED;
	return problems ? FR_EXIT_FOUND : FR_EXIT_OK;
}

const struct fr_cmd fr_cmd_doctor = {
    .name = "doctor",
    .summary = "check this machine and a program, and say how to fix problems",
    .usage = "forerun doctor [PROG]",
    .run = cmd_doctor,
    .options = options,
    .details = "Exit status: 0 recording will work, 1 it will not.\n",
};
