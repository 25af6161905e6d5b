/*
 * Links with objects of -fsanitize=thread: see tsan_link.h. objcopy makes the copies. A name that
 * one of the objects defines itself stays unchanged in all of them. Without objcopy the link
 * continues, but the calls are not recorded; a message says so.
 */
#include "cmd/tsan_link.h"
#include "base/assert.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "format/hook_abi.h"
#include "symbols/elf_symbols.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *const names[] = {
#define FRT_X(n) #n,
    FRT_LIBC(FRT_X)
#undef FRT_X
};

struct link {
	bool defined[fr_array_size(names)]; /* by an object of the program */
	FR_VEC(size_t) objects;		    /* arguments that were built with -fsanitize=thread */
	char *dir;			    /* of the copies */
	FR_VEC(char *) temps;
};

/* ---- the objects ---- */

static void look_at_symbol(struct link *l, const char *name, bool undefined, bool *ret_tsan)
{
	if (undefined && (!strcmp(name, "__tsan_init") || !strcmp(name, "__tsan_func_entry")))
		*ret_tsan = true;
	for (size_t i = 0; !undefined && i < fr_array_size(names); i++)
		if (!strcmp(name, names[i]))
			l->defined[i] = true;
}

static void look_at_elf(struct link *l, Elf *elf, bool *ret_tsan)
{
	struct fr_symbol_walk w = {.elf = elf, .type = SHT_SYMTAB};
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh) || eh.e_type != ET_REL)
		return;
	while (fr_symbol_next(&w))
		if (GELF_ST_BIND(w.sym.st_info) != STB_LOCAL)
			look_at_symbol(l, fr_symbol_name(&w), w.sym.st_shndx == SHN_UNDEF,
				       ret_tsan);
}

/* True if the file is, or holds, an object built with -fsanitize=thread. */
static bool look_at_file(struct link *l, const char *path)
{
	FR_CLEANUP(fr_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL), *member;
	Elf_Cmd next = ELF_C_READ_MMAP;
	bool tsan = false;

	if (!elf)
		return false;
	if (elf_kind(elf) == ELF_K_ELF) {
		look_at_elf(l, elf, &tsan);
	} else if (elf_kind(elf) == ELF_K_AR) {
		while ((member = elf_begin(fd, next, elf))) {
			look_at_elf(l, member, &tsan);
			next = elf_next(member);
			elf_end(member);
		}
	}
	elf_end(elf);
	return tsan;
}

static void find_objects(struct link *l, char **argv)
{
	elf_version(EV_CURRENT);
	for (size_t i = 1; argv[i]; i++) {
		struct stat st;

		/* The runtime itself comes as "-Xlinker PATH". */
		if (!strcmp(argv[i], "-o") || !strcmp(argv[i], "-Xlinker")) {
			i += argv[i + 1] != NULL;
			continue;
		}
		if (*argv[i] != '-' && !stat(argv[i], &st) && S_ISREG(st.st_mode) &&
		    look_at_file(l, argv[i]))
			fr_vec_push(&l->objects, i);
	}
}

/* ---- copies ---- */

/* Runs a command. Returns its exit status, 128 + the signal that ended it, or -1: not run. */
static int run(char **argv)
{
	pid_t pid;
	int st;

	fr_assert(argv[0]);
	if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ))
		return -1;
	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(st) ? WEXITSTATUS(st) : 128 + WTERMSIG(st);
}

static char *temp(struct link *l, const char *name)
{
	char *path;

	fr_assert(l->dir && !strchr(name, '/'));
	path = fr_xasprintf("%s/%s", l->dir, name);
	fr_vec_push(&l->temps, path);
	return path;
}

static bool write_list(const struct link *l, const char *path)
{
	FILE *f = fopen(path, "we");
	bool bad;

	if (!f)
		return false;
	for (size_t i = 0; i < fr_array_size(names); i++) {
		/* The interface has entry points for these three, which clang uses. */
		bool own = !strcmp(names[i], "memcpy") || !strcmp(names[i], "memmove") ||
			   !strcmp(names[i], "memset");

		if (!l->defined[i])
			fprintf(f, "%s %s%s\n", names[i], own ? "__tsan_" : "frt_tsan_libc_",
				names[i]);
	}
	bad = ferror(f);
	return !fclose(f) && !bad;
}

/* Copies an object or archive and renames its calls. The copy keeps the file name, for messages. */
static char *copy_object(struct link *l, const char *list, const char *path, size_t i)
{
	static const char *const tools[] = {"objcopy", "llvm-objcopy-19", "llvm-objcopy"};
	FR_CLEANUP(fr_freep) char *option = fr_xasprintf("--redefine-syms=%s", list);
	FR_CLEANUP(fr_freep) char *number = fr_xasprintf("%zu", i);
	const char *slash = strrchr(path, '/');
	char *dir = temp(l, number), *to;

	if (mkdir(dir, 0700))
		return NULL;
	to = fr_xasprintf("%s/%s", dir, slash ? slash + 1 : path);
	fr_vec_push(&l->temps, to);
	for (size_t t = 0; t < fr_array_size(tools); t++) {
		char *argv[] = {(char *)tools[t], option, (char *)path, to, NULL};
		int r = run(argv);

		if (r >= 0)
			return r ? NULL : to;
	}
	return NULL;
}

static bool copy_objects(struct link *l, char **argv)
{
	const char *tmp = getenv("TMPDIR");
	char *list;

	fr_assert(l->objects.n && !l->dir);
	l->dir = fr_xasprintf("%s/forerun.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(l->dir)) {
		free(l->dir);
		l->dir = NULL;
		return false;
	}
	list = temp(l, "names");
	if (!write_list(l, list))
		return false;
	for (size_t i = 0; i < l->objects.n; i++) {
		char *to = copy_object(l, list, argv[l->objects.v[i]], i);

		if (!to)
			return false;
		argv[l->objects.v[i]] = to;
	}
	return true;
}

static void clean(struct link *l)
{
	while (l->temps.n) {
		char *path = l->temps.v[--l->temps.n];

		remove(path);
		free(path);
	}
	if (l->dir)
		rmdir(l->dir);
	free(l->dir);
	fr_vec_free(&l->temps);
	fr_vec_free(&l->objects);
}

static void nothing(int sig)
{
	(void)sig;
}

/* Ctrl-C ends the linker. This process survives to remove the copies. */
static void outlive_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction stay = {.sa_handler = nothing, .sa_flags = SA_RESTART}, was;

	for (size_t i = 0; i < fr_array_size(signals); i++)
		if (!sigaction(signals[i], NULL, &was) && was.sa_handler == SIG_DFL)
			sigaction(signals[i], &stay, NULL);
}

int fr_tsan_link(char **argv)
{
	struct link l = {0};
	FR_VEC(char *) copy = {0};
	int status = -1;

	fr_assert(argv[0]);
	find_objects(&l, argv);
	if (!l.objects.n) {
		clean(&l);
		return -1;
	}
	for (size_t i = 0; argv[i]; i++)
		fr_vec_push(&copy, argv[i]);
	fr_vec_push(&copy, NULL);
	outlive_signals();
	if (copy_objects(&l, copy.v))
		status = run(copy.v);
	else
		fr_say("cannot copy the objects built with -fsanitize=thread (is objcopy missing? "
		       "apt install binutils): their calls of memcpy, strlen and the like will not "
		       "be recorded");
	clean(&l);
	fr_vec_free(&copy);
	return status;
}
