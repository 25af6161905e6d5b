/*
 * Reads a compiler's command line. It understands only the options that affect forerun's additions.
 * It takes an unknown option for one without a separate argument.
 */
#include "cmd/cc_args.h"
#include "base/assert.h"
#include "base/mem.h"
#include <stdio.h>
#include <string.h>

#define RESPONSE_DEPTH 16

struct args_reader {
	struct fr_cc_args *a;
	bool take;	/* the next word belongs to an option */
	bool take_lang; /* ... and is a language */
	bool take_link; /* ... and goes to the linker */
	bool language;	/* -x is in force */
	bool lto, tsan;
	const char *lto_word, *tsan_word;
	unsigned depth;
};

/* Options whose argument may be the next word. */
static const char *const separate[] = {
    "-o",
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-idirafter",
    "-iquote",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "-include-pch",
    "-cxx-isystem",
    "-ivfsoverlay",
    "-iframework",
    "-L",
    "-l",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Xclang",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xanalyzer",
    "-Xarch_host",
    "-T",
    "-u",
    "-z",
    "-e",
    "-arch",
    "-target",
    "--target",
    "-A",
    "-F",
    "-framework",
    "--param",
    "-mllvm",
    "-G",
    "-B",
    "--sysroot",
    "--serialize-diagnostics",
    "-working-directory",
    "-stdlib++-isystem",
    "-dumpbase",
    "-dumpdir",
    "-aux-info",
    "-rpath",
    "-soname",
    "-h",
    "-y",
    "-dependency-file",
    "-fplugin-arg",
    "-gcc-install-dir",
    "--gcc-toolchain",
    "-specs",
};

static const char *const source_ends[] = {
    ".c",  ".C",   ".cc",  ".cp", ".cpp", ".CPP",  ".cxx", ".c++", ".CC",  ".i",
    ".ii", ".m",   ".mm",  ".M",  ".s",	  ".S",	   ".sx",  ".asm", ".h",   ".hh",
    ".H",  ".hpp", ".hxx", ".ll", ".bc",  ".cppm", ".ixx", ".mi",  ".mii",
};

static bool in(const char *w, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(w, list[i]))
			return true;
	return false;
}

static bool starts(const char *w, const char *with)
{
	return !strncmp(w, with, strlen(with));
}

static bool is_source(const char *w)
{
	const char *dot = strrchr(w, '.'), *slash = strrchr(w, '/');

	if (!dot || (slash && dot < slash))
		return false;
	return in(dot, source_ends, fr_array_size(source_ends));
}

/* Handles a word for the linker: a single one, or one of the words of -Wl,a,b. */
static void linker_word(struct fr_cc_args *a, const char *w, size_t n)
{
	char word[32];

	if (n >= sizeof(word))
		return;
	memcpy(word, w, n);
	word[n] = 0;
	if (!strcmp(word, "-r") || !strcmp(word, "--relocatable") || !strcmp(word, "-i"))
		a->relocatable = true;
	else if (!strcmp(word, "-shared") || !strcmp(word, "--shared") ||
		 !strcmp(word, "-Bshareable"))
		a->shared = true;
}

static void linker_words(struct fr_cc_args *a, const char *list)
{
	while (*list == ',') {
		size_t n = strcspn(++list, ",");

		linker_word(a, list, n);
		list += n;
	}
}

/* Is `thread` among the comma-separated words? */
static bool names_thread(const char *list)
{
	for (;;) {
		size_t n = strcspn(list, ",");

		if (n == 6 && !strncmp(list, "thread", 6))
			return true;
		if (!list[n])
			return false;
		list += n + 1;
	}
}

static void mode_option(struct fr_cc_args *a, const char *w)
{
	static const char *const preprocess[] = {"-E",
						 "-M",
						 "-MM",
						 "-fsyntax-only",
						 "--analyze",
						 "--preprocess",
						 "--precompile",
						 "-Eonly",
						 "-emit-ast",
						 "--migrate",
						 "--dependencies",
						 "--user-dependencies",
						 "-rewrite-objc"};
	static const char *const compile[] = {"-c", "-S", "--compile", "--assemble", "-emit-llvm"};
	static const char *const nolibs[] = {"-nostdlib", "--no-standard-libraries",
					     "-nodefaultlibs", "-nolibc"};

	if (in(w, preprocess, fr_array_size(preprocess)))
		a->preprocess = true;
	else if (in(w, compile, fr_array_size(compile)))
		a->compile_only = true;
	else if (!strcmp(w, "-dM") || !strcmp(w, "-dD") || !strcmp(w, "-dI"))
		a->dump = true;
	else if (!strcmp(w, "-shared") || !strcmp(w, "--shared"))
		a->shared = true;
	else if (!strcmp(w, "-r") || !strcmp(w, "--relocatable"))
		a->relocatable = true;
	else if (!strcmp(w, "-static") || !strcmp(w, "--static") || !strcmp(w, "-static-pie"))
		a->is_static = true;
	else if (in(w, nolibs, fr_array_size(nolibs)))
		a->nostdlib = true;
	else if (starts(w, "-fsanitize="))
		a->sanitizes = true;
}

static void refuse_option(struct args_reader *r, const char *w)
{
	if (!strcmp(w, "-flto") || starts(w, "-flto=")) {
		r->lto = true;
		r->lto_word = w;
	} else if (!strcmp(w, "-fno-lto")) {
		r->lto = false;
	} else if (starts(w, "-fsanitize=") && names_thread(w + 11)) {
		r->tsan = true;
		r->tsan_word = w;
	} else if (starts(w, "-fno-sanitize=") &&
		   (names_thread(w + 14) || !strcmp(w + 14, "all"))) {
		r->tsan = false;
	} else if (!strcmp(w, "-m32") || !strcmp(w, "-mx32")) {
		r->a->refused = w;
		r->a->why = "forerun records 64-bit programs only";
	}
}

static void option(struct args_reader *r, const char *w)
{
	struct fr_cc_args *a = r->a;

	if (!strcmp(w, "-x") || !strcmp(w, "--language")) {
		r->take = r->take_lang = true;
	} else if (starts(w, "-x") || starts(w, "--language=")) {
		r->language = strcmp(w[1] == 'x' ? w + 2 : w + 11, "none");
	} else if (!strcmp(w, "-Xlinker")) {
		r->take = r->take_link = true;
	} else if (starts(w, "-Wl,")) {
		linker_words(a, w + 3);
	} else if (starts(w, "-l")) {
		a->inputs = true;
		a->names_libc |= !strcmp(w, "-lc");
		r->take = !w[2];
	} else if (in(w, separate, fr_array_size(separate))) {
		r->take = true;
	} else {
		mode_option(a, w);
		refuse_option(r, w);
	}
}

static void word(struct args_reader *r, const char *w);

/* Splits a response file as clang does: blanks separate, quotes and backslashes protect. */
static void response_text(struct args_reader *r, const char *p)
{
	while (*p) {
		struct fr_buf b = {0};
		char quote = 0;

		p += strspn(p, " \t\r\n");
		if (!*p)
			break;
		fr_buf_puts(&b, "");
		for (; *p && (quote || !strchr(" \t\r\n", *p)); p++) {
			if (*p == '\\' && p[1])
				fr_buf_add(&b, ++p, 1);
			else if (quote ? *p == quote : *p == '"' || *p == '\'')
				quote = quote ? 0 : *p;
			else
				fr_buf_add(&b, p, 1);
		}
		word(r, b.s);
		/* Remembered words outlive this function: a few bytes, once. */
		if (r->lto_word != b.s && r->tsan_word != b.s && r->a->refused != b.s)
			fr_buf_free(&b);
	}
}

/* Reads a response file. False: there is no such file, so the word is an ordinary one. */
static bool response_file(struct args_reader *r, const char *path)
{
	FR_CLEANUP(fr_fclosep) FILE *f = fopen(path, "re");
	struct fr_buf b = {0};
	char part[4096];
	size_t n;

	if (!f || r->depth >= RESPONSE_DEPTH)
		return false;
	while ((n = fread(part, 1, sizeof(part), f)) > 0)
		fr_buf_add(&b, part, n);
	r->depth++;
	if (b.s)
		response_text(r, b.s);
	r->depth--;
	fr_buf_free(&b);
	return true;
}

static void word(struct args_reader *r, const char *w)
{
	if (r->take) {
		if (r->take_lang)
			r->language = strcmp(w, "none");
		if (r->take_link)
			linker_word(r->a, w, strlen(w));
		r->take = r->take_lang = r->take_link = false;
	} else if (*w == '@' && response_file(r, w + 1)) {
		return;
	} else if (*w == '-' && w[1]) {
		option(r, w);
	} else {
		r->a->inputs = true;
		r->a->sources |= r->language || !strcmp(w, "-") || is_source(w);
	}
}

void fr_cc_args_read(struct fr_cc_args *ret, int argc, char **argv)
{
	struct args_reader r = {.a = ret};

	*ret = (struct fr_cc_args){0};
	for (int i = 1; i < argc; i++)
		word(&r, argv[i]);
	fr_assert(!r.depth && !ret->refused == !ret->why);
	fr_assert(!r.lto || r.lto_word);
	if (r.lto) {
		ret->refused = r.lto_word;
		ret->why = "the linker generates the code, where forerun cannot instrument it";
	}
	fr_assert(!r.tsan || r.tsan_word);
	if (r.tsan) {
		ret->refused = r.tsan_word;
		ret->why = "forerun and ThreadSanitizer cannot both instrument an access";
	}
}
