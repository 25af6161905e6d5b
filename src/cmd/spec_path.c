/* Finds property files by name: see spec_path.h. */
#include "cmd/spec_path.h"
#include "cmd/cmd.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "properties"
#define SUFFIX ".spec"

char *fr_spec_path(const char *name)
{
	FR_CLEANUP(fr_freep) char *file = NULL;
	char *ready;

	if (strpbrk(name, "/."))
		return fr_xstrdup(name);
	file = fr_xasprintf(FOLDER "/%s" SUFFIX, name);
	ready = fr_artefact_find(file);
	return ready ? ready : fr_xstrdup(name);
}

bool fr_spec_is_ready(const char *path)
{
	FR_CLEANUP(fr_freep) char *folder = fr_artefact_find(FOLDER);

	return folder && !strncmp(path, folder, strlen(folder)) && path[strlen(folder)] == '/';
}

static int is_spec(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > strlen(SUFFIX) && !strcmp(d->d_name + n - strlen(SUFFIX), SUFFIX);
}

void fr_spec_ready_names(struct fr_buf *ret)
{
	FR_CLEANUP(fr_freep) char *folder = fr_artefact_find(FOLDER);
	struct dirent **v = NULL;
	int n = folder ? scandir(folder, &v, is_spec, alphasort) : 0;

	for (int i = 0; i < n; i++) {
		fr_buf_printf(ret, "%s%.*s", i ? ", " : "; ready properties: ",
			      (int)(strlen(v[i]->d_name) - strlen(SUFFIX)), v[i]->d_name);
		free(v[i]);
	}
	free(v);
}
