/*
 * Finds and inspects the program to be recorded. An ELF file is instrumented if it has the section
 * of site tables (format/site_table.h) or the runtime. The runtime is recognised by a symbol or, in
 * a stripped file, by a string.
 */
#include "record/program.h"
#include "base/assert.h"
#include "base/mem.h"
#include "format/pool.h"
#include "format/site_table.h"
#include "symbols/elf_symbols.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns 0 if the path can be executed, otherwise -errno with a message. */
static int try_path(const char *path, struct fr_err *reterr)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return fr_err_set(reterr, -errno, "cannot run '%s'", path);
	if (S_ISDIR(st.st_mode))
		return fr_err_say(reterr, -EISDIR, "cannot run '%s': it is a folder", path);
	if (!S_ISREG(st.st_mode))
		return fr_err_say(reterr, -EACCES, "cannot run '%s': it is not a regular file",
				  path);
	if (access(path, X_OK) < 0)
		return fr_err_say(reterr, -EACCES,
				  "cannot run '%s': it is not executable (chmod +x?)", path);
	return 0;
}

int fr_program_find(const char *name, char **ret, struct fr_err *reterr)
{
	const char *path = getenv("PATH");
	struct fr_err first = {0};
	int r;

	fr_assert(name && ret);
	if (!*name)
		return fr_err_say(reterr, -ENOENT, "the name of the program is empty");
	if (strchr(name, '/')) {
		r = try_path(name, reterr);
		if (!r)
			*ret = fr_xstrdup(name);
		return r;
	}
	for (path = path ? path : "/bin:/usr/bin";; path++) {
		size_t n = strcspn(path, ":");
		FR_CLEANUP(fr_freep)
		char *s = fr_xasprintf("%.*s/%s", n ? (int)n : 1, n ? path : ".", name);
		struct fr_err e = {0};

		if (!try_path(s, &e)) {
			*ret = fr_steal(s);
			return 0;
		}
		if (e.code == -EACCES && !first.code)
			first = e;
		path += n;
		if (!*path)
			break;
	}
	if (first.code) {
		if (reterr)
			*reterr = first;
		return first.code;
	}
	return fr_err_say(reterr, -ENOENT, "cannot find program '%s' in PATH%s", name,
			  access(name, F_OK) ? "" : " (did you mean './' and its name?)");
}

static void find_runtime(Elf *elf, struct fr_program *p)
{
	struct fr_symbol_walk w = {.elf = elf};

	while (!p->runtime && fr_symbol_next(&w))
		p->runtime = w.sym.st_shndx != SHN_UNDEF && !strcmp(fr_symbol_name(&w), "frt_pool");
}

static void read_note(Elf_Scn *scn, struct fr_program *p)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t at = 0, name, desc;
	GElf_Nhdr n;

	while (data && (at = gelf_getnote(data, at, &n, &name, &desc)) > 0)
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp((char *)data->d_buf + name, "GNU", 4) &&
		    n.n_descsz <= sizeof(p->build_id)) {
			p->build_id_len = (uint8_t)n.n_descsz;
			memcpy(p->build_id, (char *)data->d_buf + desc, n.n_descsz);
		}
}

static void read_sections(Elf *elf, struct fr_program *p)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		if (!name)
			continue;
		if (!strcmp(name, FR_SITE_SECTION)) {
			Elf_Data *d = sh.sh_type == SHT_NOBITS ? NULL : elf_getdata(scn, NULL);
			struct fr_site_tu tu;

			p->sites = true;
			if (d && d->d_size >= sizeof(tu)) {
				memcpy(&tu, d->d_buf, sizeof(tu));
				p->abi = tu.magic == FR_SITE_MAGIC ? tu.version : 0;
			}
		} else if (!strcmp(name, ".debug_info")) {
			p->debug = true;
		}
		p->symbols |= sh.sh_type == SHT_SYMTAB;
		if (sh.sh_type == SHT_NOTE)
			read_note(scn, p);
	}
}

/* A stripped static program has no symbols and, if gcc instrumented it, no site tables. It still
   contains the name of the environment variable that the runtime looks up. */
static bool has_runtime_string(int fd)
{
	static const char name[] = FR_ENV_POOL "=";
	struct stat st;
	bool found;
	void *p;

	if (fstat(fd, &st) < 0 || !st.st_size)
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	found = memmem(p, (size_t)st.st_size, name, sizeof(name) - 1);
	munmap(p, (size_t)st.st_size);
	return found;
}

static void read_elf(Elf *elf, struct fr_program *p)
{
	GElf_Ehdr eh;
	size_t n = 0;

	p->elf = true;
	if (!gelf_getehdr(elf, &eh))
		return;
	p->static_ = true;
	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(elf, (int)i, &ph) && ph.p_type == PT_INTERP)
			p->static_ = false;
	}
	p->pie = eh.e_type == ET_DYN;
	p->executable = (eh.e_type == ET_EXEC || eh.e_type == ET_DYN) && eh.e_entry;
	read_sections(elf, p);
	find_runtime(elf, p);
	fr_assert(p->build_id_len <= sizeof(p->build_id));
	p->instrumented = p->sites || p->runtime;
}

int fr_program_inspect(const char *path, struct fr_program *ret, struct fr_err *reterr)
{
	FR_CLEANUP(fr_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct fr_program p = {0};
	char magic[SELFMAG];
	struct stat st;
	Elf *elf;

	if (fd < 0 && errno == EACCES) { /* executable but not readable: nothing is known */
		*ret = p;
		return 0;
	}
	if (fd < 0 || fstat(fd, &st) < 0)
		return fr_err_set(reterr, -errno, "cannot open '%s'", path);
	p.setid = st.st_mode & (S_ISUID | S_ISGID);
	if (pread(fd, magic, sizeof(magic), 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG)) {
		elf_version(EV_CURRENT);
		elf = elf_begin(fd, ELF_C_READ, NULL);
		if (!elf || elf_kind(elf) != ELF_K_ELF) {
			elf_end(elf);
			return fr_err_say(reterr, -ENOEXEC, "'%s' is a damaged ELF file", path);
		}
		read_elf(elf, &p);
		elf_end(elf);
		if (!p.instrumented && p.executable && !p.symbols)
			p.instrumented = p.runtime = has_runtime_string(fd);
	}
	*ret = p;
	return 0;
}
