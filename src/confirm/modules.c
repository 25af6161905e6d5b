/* Compares build-ids. The linker computes a build-id from everything that goes into the file. */
#include "confirm/modules.h"
#include "base/assert.h"
#include "base/io.h"
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int check(const struct fr_module_map *m, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = fr_io_open(m->path, NULL);
	const void *id = NULL;
	bool same;
	ssize_t n;
	Elf *elf;

	fr_assert(m->build_id_len);
	if (fd < 0)
		return fr_err_set(
		    reterr, fd, "cannot open '%s', which the recorded program had loaded", m->path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	n = elf ? dwelf_elf_gnu_build_id(elf, &id) : -1;
	same = n == m->build_id_len && !memcmp(id, m->build_id, (size_t)n);
	elf_end(elf);
	if (same)
		return 0;
	return fr_err_say(reterr, -ESTALE,
			  "'%s' has changed since the run was recorded: record it again", m->path);
}

int fr_modules_check(const struct fr_module_map *modules, size_t n, struct fr_err *reterr)
{
	for (size_t i = 0; i < n; i++) {
		int r = 0;

		if (modules[i].build_id_len && modules[i].path[0] == '/')
			r = check(&modules[i], reterr);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool same_id(const struct fr_module_map *m, const char *hex)
{
	char own[65] = "";

	for (unsigned i = 0; i < m->build_id_len && i < 32; i++)
		snprintf(own + 2 * i, 3, "%02x", m->build_id[i]);
	return !strcmp(own, hex ? hex : "");
}

int fr_modules_of_schedule(const struct fr_run *run, const struct fr_schedule_file *s,
			   const char *path, struct fr_err *reterr)
{
	if (memcmp(run->run_id, s->run_id, sizeof(run->run_id)) != 0)
		return fr_err_say(reterr, -ESTALE,
				  "'%s' is a schedule of another run, not of the run in its folder",
				  path);
	if (run->modules.n != s->module.n)
		return fr_err_say(reterr, -ESTALE, "'%s' is a schedule for another program", path);
	for (size_t i = 0; i < s->module.n; i++)
		if (!same_id(&run->modules.v[i], s->module.v[i].build_id))
			return fr_err_say(reterr, -ESTALE,
					  "'%s' is a schedule for another build of '%s'", path,
					  s->module.v[i].path);
	return 0;
}
