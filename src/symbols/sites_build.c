/*
 * Reads site tables from ELF files. The address of a table in the program, minus the module's bias,
 * is an address in the file's segments. A file whose build-id differs from the recorded one is not
 * used. Every table is checked, because the files are not trusted.
 */
#include "base/io.h"
#include "base/assert.h"
#include "symbols/sites_internal.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#define MAX_BLOB (1u << 30)
#define MAX_NAME 1000

struct elf_file {
	int fd;
	Elf *elf;
	const char *why; /* reason why it cannot be used, or NULL */
};

static bool same_build_id(Elf *elf, const struct fr_module_map *m)
{
	size_t n = 0;

	if (!m->build_id_len || elf_getphdrnum(elf, &n) < 0)
		return true;
	for (size_t i = 0; i < n; i++) {
		size_t at = 0, name, desc;
		Elf_Data *d;
		GElf_Phdr ph;
		GElf_Nhdr nh;

		if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_NOTE)
			continue;
		d = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz,
					 ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
		while (d && (at = gelf_getnote(d, at, &nh, &name, &desc)) > 0)
			if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == 4 &&
			    !memcmp((char *)d->d_buf + name, "GNU", 4))
				return nh.n_descsz == m->build_id_len &&
				       !memcmp((char *)d->d_buf + desc, m->build_id, nh.n_descsz);
	}
	return false;
}

static void open_elf(struct elf_file *f, const struct fr_module_map *m)
{
	elf_version(EV_CURRENT);
	fr_assert(f->fd < 0 && !f->elf);
	f->fd = fr_io_open(m->path, NULL);
	f->elf = f->fd < 0 ? NULL : elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	if (f->fd < 0)
		f->why = "the file cannot be opened";
	else if (!f->elf || elf_kind(f->elf) != ELF_K_ELF)
		f->why = "the file is no longer an ELF file";
	else if (!same_build_id(f->elf, m))
		f->why = "the file has changed since the run (its build-id differs)";
}

static void close_elf(struct elf_file *f)
{
	if (f->elf)
		elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
}

/* Reads n bytes at a link-time address. */
static bool read_at(const struct elf_file *f, uint64_t vaddr, void *out, size_t n)
{
	size_t k = 0;

	elf_getphdrnum(f->elf, &k);
	for (size_t i = 0; i < k; i++) {
		GElf_Phdr ph;

		if (gelf_getphdr(f->elf, (int)i, &ph) && ph.p_type == PT_LOAD &&
		    vaddr >= ph.p_vaddr && vaddr - ph.p_vaddr < ph.p_filesz &&
		    n <= ph.p_filesz - (vaddr - ph.p_vaddr))
			return fr_io_pread(f->fd, out, n, ph.p_offset + (vaddr - ph.p_vaddr)) ==
			       (ssize_t)n;
	}
	return false;
}

/* Returns the table of a unit from one module, or NULL with the reason in *why. */
static void *read_blob(const struct elf_file *f, const struct fr_module_map *m,
		       const struct fr_unit *u, size_t *ret_n, const char **why)
{
	uint64_t vaddr = u->blob - m->bias;
	FR_CLEANUP(fr_freep) void *p = NULL;
	struct fr_site_tu tu;

	fr_assert(u->blob >= m->lo && u->blob < m->hi);
	if (f->why) {
		*why = f->why;
		return NULL;
	}
	*why = "the file does not contain this address";
	if (!read_at(f, vaddr, &tu, sizeof(tu)))
		return NULL;
	if (tu.magic != FR_SITE_MAGIC || tu.size < sizeof(tu) || tu.size > MAX_BLOB) {
		*why = "no site table at this address";
		return NULL;
	}
	p = fr_xmalloc(tu.size);
	if (tu.nsites < u->count) {
		*why = "its size is not the one that the program reported";
		return NULL;
	}
	return read_at(f, vaddr, p, tu.size) ? fr_site_blob_read(p, tu.size, ret_n, why) : NULL;
}

static void build_unit(struct fr_sites *s, struct elf_file *files,
		       const struct fr_module_map *modules, size_t n, const struct fr_unit *u)
{
	const char *why = "no module is mapped there", *path = "?";
	void *blob = NULL;
	size_t size = 0;
	char *missing = NULL;

	/* The last module first: a library may have replaced another at the same address. */
	for (size_t i = n; i-- > 0 && !blob;) {
		if (u->blob < modules[i].lo || u->blob >= modules[i].hi)
			continue;
		if (files[i].fd < 0)
			open_elf(&files[i], &modules[i]);
		path = modules[i].path;
		blob = read_blob(&files[i], &modules[i], u, &size, &why);
	}
	if (!blob)
		missing = fr_xasprintf("'%s': the site table at 0x%llx (%u sites): %s", path,
				       (unsigned long long)u->blob, u->count, why);
	fr_assert(!blob == !!missing);
	fr_sites_add(s, u->first, u->count, u->blob, blob, size, missing);
}

/* A name is a string literal, which the file contains. Other names stay unknown. */
static void build_name(struct fr_sites *s, struct elf_file *files,
		       const struct fr_module_map *modules, size_t n, const struct fr_name *name)
{
	char text[MAX_NAME + 1];

	if (name->length > MAX_NAME)
		return;
	for (size_t i = n; i-- > 0;) {
		if (name->address < modules[i].lo || name->address >= modules[i].hi)
			continue;
		if (files[i].fd < 0)
			open_elf(&files[i], &modules[i]);
		if (files[i].why ||
		    !read_at(&files[i], name->address - modules[i].bias, text, name->length + 1) ||
		    strnlen(text, name->length + 1) != name->length)
			continue;
		fr_vec_push(&s->name, (struct fr_sites_name){name->address, fr_xstrdup(text)});
		return;
	}
}

struct fr_sites *fr_sites_build(const struct fr_module_map *modules, size_t n,
				const struct fr_units *units)
{
	struct fr_sites *s = fr_xcalloc(1, sizeof(*s));
	struct elf_file *files = fr_xcalloc(n, sizeof(*files));

	for (size_t i = 0; i < n; i++)
		files[i].fd = -1;
	FR_VEC_FOREACH (u, &units->unit)
		build_unit(s, files, modules, n, u);
	fr_sites_add_pcs(s, modules, n, units);
	FR_VEC_FOREACH (name, &units->name)
		build_name(s, files, modules, n, name);
	for (size_t i = 0; i < n; i++)
		close_elf(&files[i]);
	free(files);
	fr_sites_sort(s);
	return s;
}
