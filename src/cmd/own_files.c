/*
 * Finds forerun's own files. The tool runs from its build folder or from an installation. It looks
 * beside itself, and in FORERUN_LIBDIR if that is set.
 */
#include "base/mem.h"
#include "base/assert.h"
#include "cmd/cmd.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *called_as = "forerun";

void fr_artefact_init(const char *argv0)
{
	fr_assert(argv0);
	called_as = argv0;
}

char *fr_artefact_self(void)
{
	char buf[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", buf, sizeof(buf));
	const char *path;

	if (n > 0 && (size_t)n < sizeof(buf))
		return fr_xstrndup(buf, (size_t)n);
	if (strchr(called_as, '/'))
		return realpath(called_as, NULL);
	for (path = getenv("PATH"); path && *path; path += strspn(path, ":")) {
		size_t len = strcspn(path, ":");
		FR_CLEANUP(fr_freep)
		char *candidate = fr_xasprintf("%.*s/%s", (int)len, path, called_as);

		if (!access(candidate, X_OK))
			return realpath(candidate, NULL);
		path += len;
	}
	return NULL;
}

char *fr_artefact_find(const char *name)
{
	static const char *const folders[] = {"",	  "src/pass/",	     "src/runtime/",
					      "include/", "../lib/forerun/", "../share/forerun/"};
	const char *libdir = getenv("FORERUN_LIBDIR");
	FR_CLEANUP(fr_freep) char *self = NULL;
	char *slash, *path;

	if (libdir && *libdir) {
		path = fr_xasprintf("%s/%s", libdir, name);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	self = fr_artefact_self();
	slash = self ? strrchr(self, '/') : NULL;
	if (!slash)
		return NULL;
	*slash = 0;
	for (size_t i = 0; i < fr_array_size(folders); i++) {
		path = fr_xasprintf("%s/%s%s", self, folders[i], name);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return NULL;
}
