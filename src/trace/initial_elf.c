/*
 * Reads the initial contents of static memory from ELF files (initial.h).
 *
 * A writable PT_LOAD segment holds its bytes of the file, then zeros. Bytes to which the dynamic
 * linker (or the start-up code of a static program) applies a relocation are left out. For
 * R_X86_64_COPY this is the whole variable of another module that lives here (stdout, environ,
 * std::cout). Relocations are found through the section headers, so a file without them has no
 * ranges.
 *
 * Not handled: processors other than x86-64.
 */
#include "format/event.h"
#include "base/io.h"
#include "trace/initial.h"
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_BYTES (64u << 20) /* limit for all modules; the rest is left out */
#ifndef SHT_RELR
#define SHT_RELR 19
#endif

struct hole {
	uint64_t lo, hi;
};
typedef FR_VEC(struct hole) hole_vec;

/* Returns whether two entries are one module under two names, as often for the executable. */
static bool same_module(const struct fr_module_map *a, const struct fr_module_map *b)
{
	struct stat x, y;

	return a->lo == b->lo && a->hi == b->hi && a->bias == b->bias &&
	       a->build_id_len == b->build_id_len &&
	       !memcmp(a->build_id, b->build_id, a->build_id_len) && stat(a->path, &x) == 0 &&
	       stat(b->path, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Returns whether the module has recorded code and shares no addresses with another module. */
static bool wanted(const struct fr_module_map *modules, size_t n, size_t i,
		   const struct fr_units *units)
{
	const struct fr_module_map *m = &modules[i];
	bool ours = false;

	for (size_t k = 0; k < n; k++)
		if (k != i && modules[k].lo < m->hi && m->lo < modules[k].hi &&
		    (k < i || !same_module(m, &modules[k])))
			return false;
	FR_VEC_FOREACH (u, &units->unit)
		ours |= u->blob >= m->lo && u->blob < m->hi;
	FR_VEC_FOREACH (p, &units->pc)
		ours |= p->pc >= m->lo && p->pc < m->hi;
	return ours;
}

static bool is_the_file(Elf *elf, const struct fr_module_map *m)
{
	const void *id = NULL;
	GElf_Ehdr eh;

	if (!gelf_getehdr(elf, &eh) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_machine != EM_X86_64 || !eh.e_shnum)
		return false;
	return !m->build_id_len || (dwelf_elf_gnu_build_id(elf, &id) == m->build_id_len &&
				    !memcmp(id, m->build_id, m->build_id_len));
}

/* ---- relocations ---- */

static void add_hole(hole_vec *v, uint64_t at, uint64_t size)
{
	fr_vec_push(v, ((struct hole){at, at + size}));
}

static uint64_t symbol_size(Elf *elf, uint32_t section, uint64_t index)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Sym sym;

	return d && gelf_getsym(d, (int)index, &sym) ? sym.st_size : 0;
}

/* Returns false for a relocation that it does not understand. */
static bool rela_holes(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, hole_vec *v)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 0; i < n; i++) {
		GElf_Rela r;
		uint64_t size = 8;

		if (!d || !gelf_getrela(d, (int)i, &r))
			return false;
		switch (GELF_R_TYPE(r.r_info)) {
		case R_X86_64_NONE:
			continue;
		case R_X86_64_COPY:
			size = symbol_size(elf, sh->sh_link, GELF_R_SYM(r.r_info));
			if (!size)
				return false;
			break;
		case R_X86_64_TLSDESC:
			size = 16;
			break;
		default:
			break;
		}
		add_hole(v, r.r_offset, size);
	}
	return true;
}

/* Reads compact relative relocations: an address, then bitmaps of the words after it. */
static bool relr_holes(Elf_Scn *scn, hole_vec *v)
{
	Elf_Data *d = elf_rawdata(scn, NULL);
	uint64_t next = 0, x;

	for (size_t i = 0; d && i + 8 <= d->d_size; i += 8) {
		memcpy(&x, (const char *)d->d_buf + i, 8);
		if (!(x & 1)) {
			add_hole(v, x, 8);
			next = x + 8;
			continue;
		}
		for (unsigned k = 1; k < 64; k++)
			if (x >> k & 1)
				add_hole(v, next + 8 * (k - 1), 8);
		next += UINT64_C(63) * 8;
	}
	return d != NULL;
}

static int by_address(const void *a, const void *b)
{
	const struct hole *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

static bool find_holes(Elf *elf, hole_vec *v)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			return false;
		if (!(sh.sh_flags & SHF_ALLOC))
			continue;
		if (sh.sh_type == SHT_REL ||
		    (sh.sh_type == SHT_RELA && !rela_holes(elf, scn, &sh, v)) ||
		    (sh.sh_type == SHT_RELR && !relr_holes(scn, v)))
			return false;
	}
	if (v->n)
		qsort(v->v, v->n, sizeof(*v->v), by_address);
	return true;
}

/* ---- ranges ---- */

struct initial_maker {
	struct fr_initial *x;
	Elf *elf;
	const struct fr_module_map *m;
	hole_vec hole;
};

/* Adds [lo, hi) of the file's addresses. offset: file offset of lo, -1 for zeros. */
static void add_range(struct initial_maker *k, uint64_t lo, uint64_t hi, int64_t offset)
{
	struct fr_initial *x = k->x;
	struct fr_initial_range g = {lo + k->m->bias, hi + k->m->bias, x->bytes.n, offset < 0};
	size_t size;
	const char *file = elf_rawfile(k->elf, &size);

	if (lo >= hi || g.hi <= g.lo || g.lo < k->m->lo || g.hi > k->m->hi || g.hi > FR_ADDR_MASK)
		return;
	if (!g.zeroed) {
		if (!file || (uint64_t)offset > size || hi - lo > size - (uint64_t)offset ||
		    hi - lo > MAX_BYTES - x->bytes.n)
			return;
		fr_buf_add(&x->bytes, file + offset, hi - lo);
	}
	fr_vec_push(&x->range, g);
}

static void add_without_holes(struct initial_maker *k, uint64_t lo, uint64_t hi, int64_t offset)
{
	uint64_t at = lo;

	FR_VEC_FOREACH (h, &k->hole) {
		if (h->hi <= at)
			continue;
		if (h->lo >= hi)
			break;
		add_range(k, at, h->lo, offset < 0 ? -1 : offset + (int64_t)(at - lo));
		at = h->hi;
	}
	add_range(k, at, hi, offset < 0 ? -1 : offset + (int64_t)(at - lo));
}

static void add_module(struct fr_initial *x, const struct fr_module_map *m)
{
	FR_CLEANUP(fr_closep) int fd = fr_io_open(m->path, NULL);
	struct initial_maker k = {.x = x, .m = m};
	size_t n = 0;

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	k.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (k.elf && is_the_file(k.elf, m) && elf_getphdrnum(k.elf, &n) == 0 &&
	    find_holes(k.elf, &k.hole))
		for (size_t i = 0; i < n; i++) {
			GElf_Phdr ph;

			if (!gelf_getphdr(k.elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
			    !(ph.p_flags & PF_W) || ph.p_memsz < ph.p_filesz ||
			    ph.p_vaddr + ph.p_memsz < ph.p_vaddr || ph.p_offset > INT64_MAX)
				continue;
			add_without_holes(&k, ph.p_vaddr, ph.p_vaddr + ph.p_filesz,
					  (int64_t)ph.p_offset);
			add_without_holes(&k, ph.p_vaddr + ph.p_filesz, ph.p_vaddr + ph.p_memsz,
					  -1);
		}
	elf_end(k.elf);
	fr_vec_free(&k.hole);
}

static int by_lo(const void *a, const void *b)
{
	const struct fr_initial_range *x = a, *y = b;

	return (x->lo > y->lo) - (x->lo < y->lo);
}

struct fr_initial *fr_initial_build(const struct fr_module_map *modules, size_t n,
				    const struct fr_units *units)
{
	struct fr_initial *x = fr_xcalloc(1, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		if (wanted(modules, n, i, units))
			add_module(x, &modules[i]);
	if (x->range.n)
		qsort(x->range.v, x->range.n, sizeof(*x->range.v), by_lo);
	for (size_t i = 1; i < x->range.n; i++)
		if (x->range.v[i].lo < x->range.v[i - 1].hi) { /* overlapping segments: use none */
			x->range.n = 0;
			x->bytes.n = 0;
		}
	return x;
}
