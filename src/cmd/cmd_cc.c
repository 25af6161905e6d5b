/*
 * `forerun cc` and `forerun c++`: clang with the pass, debug information and the runtime.
 *
 * Calls that make neither code nor a program (probes, -E, --version) go to clang unchanged. An
 * executable gets the runtime; a shared library leaves it to the executable that loads it. Other
 * sanitizers of clang work after the pass, on the same accesses.
 *
 * Not handled: -flto and -fsanitize=thread (refused), targets other than this machine's.
 */
#include "cmd/cmd.h"
#include "base/assert.h"
#include "base/crc32c.h"
#include "base/io.h"
#include "base/mem.h"
#include "cmd/cc_args.h"
#include "cmd/tsan_link.h"
#include "pass/fr_llvm.h"
#include "format/deletes.h"
#include "format/guard_attributes.h"
#include "cmd/spec_path.h"
#include "spec/spec.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define MAJOR TEXT(FR_LLVM_MAJOR)

struct command {
	FR_VEC(char *) v;
};

static void add(struct command *c, const char *w)
{
	fr_assert(w);
	fr_vec_push(&c->v, fr_xstrdup(w));
}

static char *need(const char *name)
{
	char *path = fr_artefact_find(name), *self;

	if (path)
		return path;
	self = fr_artefact_self();
	fr_say("cannot find '%s' beside '%s': build or install forerun again, or set "
	       "FORERUN_LIBDIR to its folder",
	       name, self ? self : "forerun");
	exit(FR_EXIT_FAILED);
}

/* ---- the choice of clang ---- */

/* Splits FORERUN_CC into words, unless the whole value names a file. */
static void split(struct command *c, const char *text)
{
	char *copy, *save = NULL;

	if (!access(text, X_OK)) {
		add(c, text);
		return;
	}
	copy = fr_xstrdup(text);
	for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
		add(c, w);
	free(copy);
}

/* Returns the first line of the compiler's --version, or "". */
static char *version_of(const struct command *c)
{
	FR_VEC(char *) argv = {0};
	char buf[512];
	ssize_t n = 0, k;
	int fd[2];
	pid_t pid;

	for (size_t i = 0; i < c->v.n; i++)
		fr_vec_push(&argv, c->v.v[i]);
	fr_vec_push(&argv, (char *)"--version");
	fr_vec_push(&argv, NULL);
	if (pipe(fd) < 0)
		return fr_xstrdup("");
	pid = fork();
	if (!pid) {
		dup2(fd[1], 1);
		close(fd[0]);
		close(fd[1]);
		execvp(argv.v[0], argv.v);
		_exit(127);
	}
	close(fd[1]);
	while ((size_t)n < sizeof(buf) - 1 &&
	       (k = read(fd[0], buf + n, sizeof(buf) - 1 - (size_t)n)) > 0)
		n += k;
	close(fd[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	fr_vec_free(&argv);
	buf[n] = 0;
	buf[strcspn(buf, "\n")] = 0;
	return fr_xstrdup(buf);
}

static void choose(struct command *c, bool cxx)
{
	const char *var = cxx ? "FORERUN_CXX" : "FORERUN_CC", *env = getenv(var), *at;
	char *version;

	if (!env || !*env) {
		add(c, cxx ? "clang++-" MAJOR : "clang-" MAJOR);
		return;
	}
	split(c, env);
	version = version_of(c);
	at = strstr(version, "clang version ");
	if (!at || atoi(at + 14) != FR_LLVM_MAJOR) {
		fr_say("%s is '%s', which is %s%s%s: the pass was built for clang " MAJOR
		       "; install it (apt install clang-" MAJOR
		       ") and leave %s unset, or name it there",
		       var, env, *version ? "'" : "", *version ? version : "missing or not clang",
		       *version ? "'" : "", var);
		exit(FR_EXIT_FAILED);
	}
	free(version);
}

/* ---- additions to the command ---- */

static void add_preprocess(struct command *c, const struct fr_cc_args *a)
{
	char *header, *slash;

	fr_assert(a->sources);
	if (a->dump)
		return;
	add(c, "-D__FORERUN__=1");
	/* An attribute keeps its meaning, and the pass can read it as an annotation. */
#define FR_X(spelling, name)                                                                     \
	add(c, "-D" #spelling "(...)=" #spelling "(__VA_ARGS__), annotate(\"" FR_GUARD_MARK name \
	       ":\" #__VA_ARGS__)");
	FR_GUARD_ATTRIBUTES(FR_X)
#undef FR_X
	header = fr_artefact_find("forerun.h");
	slash = header ? strrchr(header, '/') : NULL;
	if (slash) {
		*slash = 0;
		add(c, "-idirafter");
		add(c, header);
	}
	free(header);
}

/* If the word is --forerun-calls or --forerun-fails, returns its globs, separated by commas outside
   < and >, and the key of the pass in *ret_key. */
static const char *globs_of(const char *word, const char **ret_key)
{
	static const char *const names[][2] = {{"--forerun-calls=", "calls"},
					       {"--forerun-fails=", "fails"}};

	for (size_t i = 0; i < fr_array_size(names); i++) {
		*ret_key = names[i][1];
		if (!strncmp(word, names[i][0], strlen(names[i][0])))
			return word + strlen(names[i][0]);
	}
	return NULL;
}

/* Names functions to the pass, after those in FORERUN_PASS. */
static void name_functions(const char *globs, const char *key)
{
	const char *env = getenv("FORERUN_PASS");
	FR_CLEANUP(fr_freep) char *all = fr_xstrdup(env ? env : "");

	while (*globs) {
		size_t n = 0;
		char *more;

		for (int depth = 0; globs[n] && (globs[n] != ',' || depth > 0); n++)
			depth += (globs[n] == '<') - (globs[n] == '>');
		if (n) {
			more =
			    fr_xasprintf("%s%s%s=%.*s", all, *all ? ":" : "", key, (int)n, globs);
			free(all);
			all = more;
		}
		globs += n + (globs[n] == ',');
	}
	setenv("FORERUN_PASS", all, 1);
}

/* Names the functions of a property file to the pass. Returns an exit status, after messages if not
   FR_EXIT_OK. */
static int name_spec(const char *name)
{
	FR_CLEANUP(fr_freep) char *path = fr_spec_path(name);
	FR_CLEANUP(fr_spec_freep) struct fr_spec *s = NULL;
	FR_CLEANUP(fr_buf_free) struct fr_buf text = {0};
	struct fr_err err;

	if (fr_spec_read(path, &s, &err) < 0) {
		fr_spec_ready_names(&text);
		fr_say("--spec: %s%s", err.msg, text.n ? text.s : "");
		return FR_EXIT_USAGE;
	}
	fr_spec_errors(s, &text);
	if (text.n) {
		fr_say_bare(text.s);
		return FR_EXIT_USAGE;
	}
	fr_spec_functions(s, &text);
	if (text.n)
		name_functions(text.s, "calls");
	return FR_EXIT_OK;
}

/* Takes --spec FILE and --spec=FILE out of the arguments, and FORERUN_SPEC from the environment. */
static int take_specs(int *argc, char **argv)
{
	const char *env = getenv("FORERUN_SPEC");
	int n = 1, status = env && *env ? name_spec(env) : FR_EXIT_OK;

	for (int i = 1; i < *argc && !status; i++) {
		if (!strncmp(argv[i], "--spec=", 7)) {
			status = name_spec(argv[i] + 7);
		} else if (!strcmp(argv[i], "--spec")) {
			if (i + 1 == *argc) {
				fr_say("--spec: no property file given");
				return FR_EXIT_USAGE;
			}
			status = name_spec(argv[++i]);
		} else {
			argv[n++] = argv[i];
		}
	}
	if (!status) {
		argv[n] = NULL;
		*argc = n;
	}
	return status;
}

static uint32_t checksum(const char *path)
{
	struct fr_mapped file = {0};
	struct fr_err err;
	uint32_t sum;

	if (fr_io_map(path, &file, &err) < 0) {
		fr_say("%s", err.msg);
		exit(FR_EXIT_FAILED);
	}
	sum = fr_crc32c(0, file.p, file.n);
	fr_io_unmap(&file);
	return sum;
}

/* Adds a word that changes with the pass, the hooks and the options of the pass. clang ignores it.
   A compiler cache such as ccache compares the words of the command, and knows neither these files
   nor FORERUN_PASS: it would return objects that another pass made. */
static void add_cache_key(struct command *c, const char *pass, const char *hooks)
{
	const char *env = getenv("FORERUN_PASS");
	FR_CLEANUP(fr_freep)
	char *key = fr_xasprintf("-fplugin-arg-forerun-%08x%08x%08x", checksum(pass),
				 checksum(hooks), env ? fr_crc32c(0, env, strlen(env)) : 0);

	add(c, key);
}

static void add_compile(struct command *c, const struct fr_cc_args *a)
{
	FR_CLEANUP(fr_freep) char *pass = need("forerun-pass.so"), *hooks = need("hooks.bc");
	FR_CLEANUP(fr_freep) char *plugin = fr_xasprintf("-fpass-plugin=%s", pass);

	/* Before the user's own options: a later -g0 or -g1 wins. */
	add(c, "-g");
	add(c, "-fstandalone-debug"); /* names of members need whole types */
	add(c, plugin);
	add_cache_key(c, pass, hooks);
	if (a->sanitizes) {
		/* After the pass, which then records the program's accesses only. */
		add(c, "-mllvm");
		add(c, "-sanitizer-early-opt-ep=0");
	}
	setenv("FORERUN_HOOKS", hooks, 1);
}

static void add_linker(struct command *c, const char *w)
{
	add(c, "-Xlinker");
	add(c, w);
}

/* Static links have no interposition: the linker renames the calls. */
static void add_wraps(struct command *c)
{
	FR_CLEANUP(fr_freep) char *list = need("wrap.list");
	FR_CLEANUP(fr_fclosep) FILE *f = fopen(list, "re");
	char line[256];

	if (!f) {
		fr_say("cannot read '%s': %s", list, strerror(errno));
		exit(FR_EXIT_FAILED);
	}
	while (fgets(line, sizeof(line), f)) {
		FR_CLEANUP(fr_freep) char *w = NULL, *u = NULL;
		char *rest = line + strcspn(line, " \n");

		if (*rest == ' ') {
			/* lld does not load libc's definition for __real_NAME alone. */
			u = fr_xasprintf("--undefined=%.*s", (int)(rest - line), line);
			add_linker(c, u);
		}
		*rest = 0;
		if (!*line || *line == '#')
			continue;
		w = fr_xasprintf("--wrap=%s", line);
		add_linker(c, w);
	}
}

static void add_archive(struct command *c, const char *name)
{
	FR_CLEANUP(fr_freep) char *path = need(name);

	add_linker(c, "--whole-archive");
	add_linker(c, path);
	add_linker(c, "--no-whole-archive");
}

/* A sanitizer has its own operator delete. The runtime wraps it. */
static void add_deletes(struct command *c)
{
	static const char *const wraps[] = {
#define FR_X(name, params, args) "--wrap=" #name,
		FRT_DELETES(FR_X)
#undef FR_X
	};

	add_archive(c, "libforerun_rt_sanitizer.a");
	for (size_t i = 0; i < fr_array_size(wraps); i++)
		add_linker(c, wraps[i]);
}

static void add_runtime(struct command *c, const struct fr_cc_args *a)
{
	add_archive(c, a->is_static ? "libforerun_rt_static.a" : "libforerun_rt.a");
	if (a->sanitizes && !a->is_static)
		add_deletes(c);
	if (a->is_static) {
		add_wraps(c);
	} else {
		FR_CLEANUP(fr_freep) char *list = need("dynamic.list");
		FR_CLEANUP(fr_freep) char *w = fr_xasprintf("--dynamic-list=%s", list);

		add_linker(c, w);
	}
	add(c, "-lpthread");
	add(c, "-ldl");
}

static void add_link(struct command *c, const struct fr_cc_args *a, bool runtime)
{
	fr_assert(a->inputs && !a->preprocess && !a->compile_only); /* it links */
	if (a->relocatable)
		return;
	if (a->shared) {
		/* The executable defines its open symbols, even with -z defs. */
		add_linker(c, "-z");
		add_linker(c, "undefs");
	} else if (runtime) {
		add_runtime(c, a);
	}
}

static const char details[] =
    "forerun passes all arguments to clang, except --spec, --forerun-calls and\n"
    "--forerun-fails. It adds the pass that records accesses, -g, the macro\n"
    "__FORERUN__, the folder of forerun.h and, when clang links a program, the\n"
    "runtime. FORERUN_CC and FORERUN_CXX name another clang " MAJOR ". forerun-cc and\n"
    "forerun-c++ are the same compilers, as single words for CC and CXX.\n"
    "\n"
    "  --spec FILE           record the calls and executions that a property file\n"
    "                        names, or ready properties by their name; FORERUN_SPEC\n"
    "                        does the same; may be given again\n"
    "  --forerun-calls=GLOB,...\n"
    "                        record calls of these functions, with arguments and\n"
    "                        results; C++ names include namespaces and classes; may\n"
    "                        be given again\n"
    "  --forerun-fails=GLOB,...\n"
    "                        a call of these functions is a failure, like a call of\n"
    "                        abort() or exit(1); forerun looks for orders of the\n"
    "                        threads that lead there; may be given again\n"
    "\n"
    "FORERUN_PASS=\"key=value:...\" sets options of the pass:\n"
    "  calls=GLOB            as --forerun-calls; may be given again\n"
    "  fails=GLOB            as --forerun-fails; may be given again\n"
    "  only=GLOB, skip=GLOB  functions or files to instrument, or not to instrument;\n"
    "                        may be given again\n"
    "  branches=1            also insert hooks at branches (record --option branch=1)\n"
    "  influence=0           leave out the graph of influence (dump --influence)\n"
    "  locals=0              also record locals that do not escape\n"
    "  redundant=0           also record a read that repeats one in its basic block\n"
    "  ranges=0              record each access of a loop as an event of its own\n"
    "  tiles=0               the same, only for arrays that every iteration accesses\n"
    "  nests=0               the same, only for loops in loops\n"
    "  inline=N              inline the hooks of functions with at most N hooks (8)\n"
    "  verify=1              check the resulting code\n"
    "  verbose=1             print the counters of the pass\n";

static int compile(bool cxx, int argc, char **argv)
{
	const struct fr_cmd *self = cxx ? &fr_cmd_cxx : &fr_cmd_cc;
	static struct command c; /* lives as long as the process */
	struct fr_cc_args a;
	const char *globs, *key;
	bool links, runtime;
	int status;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		printf("usage: %s\n\n%c%s.\n\n%s", self->usage, self->summary[0] - 'a' + 'A',
		       self->summary + 1, details);
		return fflush(stdout) ? FR_EXIT_FAILED : FR_EXIT_OK;
	}
	status = take_specs(&argc, argv);
	if (status)
		return status;
	fr_cc_args_read(&a, argc, argv);
	if (a.refused) {
		fr_say("%s: '%s' is not supported: %s; remove it", self->name, a.refused, a.why);
		return FR_EXIT_FOUND; /* as a compiler does for an unknown option */
	}
	for (int i = 1; i < argc; i++) {
		globs = globs_of(argv[i], &key);
		if (globs)
			name_functions(globs, key);
	}
	choose(&c, cxx);
	links = a.inputs && !a.preprocess && !a.compile_only;
	/* A program without libc cannot have the runtime, and must not come to need it. */
	runtime = links && !(a.nostdlib && !a.names_libc);
	if (a.sources) {
		add(&c, "--start-no-unused-arguments");
		add_preprocess(&c, &a);
		if (!a.preprocess && (!links || runtime || a.shared || a.relocatable))
			add_compile(&c, &a);
		add(&c, "--end-no-unused-arguments");
	}
	for (int i = 1; i < argc; i++)
		if (!globs_of(argv[i], &key))
			add(&c, argv[i]);
	if (links) {
		add(&c, "--start-no-unused-arguments");
		add_link(&c, &a, runtime);
		add(&c, "--end-no-unused-arguments");
	}
	fr_assert(c.v.n); /* the compiler comes first */
	fr_vec_push(&c.v, NULL);
	if (links && !a.relocatable) {
		status = fr_tsan_link(c.v.v);
		if (status >= 0)
			return status;
	}
	execvp(c.v.v[0], c.v.v);
	fr_say("cannot run '%s': %s; install clang " MAJOR " (apt install clang-" MAJOR
	       ") or name it in %s",
	       c.v.v[0], strerror(errno), cxx ? "FORERUN_CXX" : "FORERUN_CC");
	return FR_EXIT_FAILED;
}

static int run_cc(int argc, char **argv)
{
	return compile(false, argc, argv);
}

static int run_cxx(int argc, char **argv)
{
	return compile(true, argc, argv);
}

const struct fr_cmd fr_cmd_cc = {
    .name = "cc",
    .summary = "compile and link C for recording",
    .usage = "forerun cc ARGUMENTS OF CLANG",
    .run = run_cc,
    .details = details,
};

const struct fr_cmd fr_cmd_cxx = {
    .name = "c++",
    .summary = "compile and link C++ for recording",
    .usage = "forerun c++ ARGUMENTS OF CLANG",
    .run = run_cxx,
    .details = details,
};
