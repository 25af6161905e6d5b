/*
 * Resolves program counters: finds the module, then its debug information (pcsite_dwarf.c), then
 * its symbols. Modules are opened on first use and stay open. A file whose build-id differs from
 * the recorded one is not used.
 * Not handled: debug information fetched over the network.
 */
#include "symbols/pcsite.h"
#include "base/assert.h"
#include "base/io.h"
#include "symbols/elf_symbols.h"
#include "symbols/pcsite_dwarf.h"
#include "base/mem.h"
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct symbol {
	uint64_t lo, size;
	const char *name;
};

struct module {
	bool opened;
	int fd;
	Elf *elf;
	int separate_fd;
	Elf *separate;		       /* the separate file with its symbols; NULL: none */
	FR_VEC(struct symbol) symbols; /* by address */
	struct fr_pcdwarf *dwarf;      /* NULL: none */
};

struct fr_pcsites {
	const struct fr_module_map *map;
	size_t n;
	struct module *module;
};

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->lo < y->lo ? -1 : x->lo > y->lo ? 1 : x->size < y->size ? -1 : x->size > y->size;
}

/* Adds the functions of a symbol table: SHT_SYMTAB or SHT_DYNSYM. */
static void read_symbols(struct module *m, Elf *elf, GElf_Word type)
{
	struct fr_symbol_walk w = {.elf = elf, .type = type};

	while (fr_symbol_next(&w)) {
		unsigned kind = GELF_ST_TYPE(w.sym.st_info);
		const char *name;

		if (w.sym.st_shndx == SHN_UNDEF || (kind != STT_FUNC && kind != STT_GNU_IFUNC))
			continue;
		name = fr_symbol_name(&w);
		if (*name)
			fr_vec_push(&m->symbols,
				    (struct symbol){w.sym.st_value, w.sym.st_size, name});
	}
	if (m->symbols.n)
		qsort(m->symbols.v, m->symbols.n, sizeof(*m->symbols.v), by_address);
}

static bool build_id_fits(Elf *elf, const struct fr_module_map *map)
{
	const void *id = NULL;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	if (!map->build_id_len || n <= 0)
		return !map->build_id_len;
	return (size_t)n == map->build_id_len && !memcmp(id, map->build_id, (size_t)n);
}

static Elf *open_elf(const char *path, int *fd)
{
	Elf *elf;

	*fd = fr_io_open(path, NULL);
	if (*fd < 0)
		return NULL;
	elf = elf_begin(*fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	close(*fd);
	*fd = -1;
	return NULL;
}

/* Distributions install the symbols of libraries in a separate folder. The lines of such libraries
   are not the user's, and their debug information is large: only the symbols are read. */
static void read_separate(struct module *m, const struct fr_module_map *map)
{
	char path[128] = "/usr/lib/debug/.build-id/";
	size_t n = strlen(path);

	if (map->build_id_len < 2 || map->build_id_len > 32)
		return;
	for (unsigned i = 0; i < map->build_id_len; i++)
		n += (size_t)snprintf(path + n, sizeof(path) - n, i ? "%02x" : "%02x/",
				      map->build_id[i]);
	fr_assert(n + sizeof(".debug") <= sizeof(path));
	snprintf(path + n, sizeof(path) - n, ".debug");
	m->separate = open_elf(path, &m->separate_fd);
	if (m->separate)
		read_symbols(m, m->separate, SHT_SYMTAB);
}

static struct module *open_module(struct fr_pcsites *p, size_t i)
{
	const struct fr_module_map *map = &p->map[i];
	struct module *m = &p->module[i];

	fr_assert(i < p->n);
	if (m->opened)
		return m;
	m->opened = true;
	m->elf = *map->path == '/' ? open_elf(map->path, &m->fd) : NULL;
	if (m->elf && build_id_fits(m->elf, map)) {
		read_symbols(m, m->elf, SHT_SYMTAB);
		if (!m->symbols.n)
			read_separate(m, map);
		if (!m->symbols.n)
			read_symbols(m, m->elf, SHT_DYNSYM);
		m->dwarf = fr_pcdwarf_open(map->path);
	}
	return m;
}

/* Returns the symbol that contains an address. A symbol without a size extends to the next one. */
static const struct symbol *find_symbol(const struct module *m, uint64_t addr)
{
	size_t lo = fr_bisect(m->symbols.n, i, m->symbols.v[i].lo <= addr);

	/* Of symbols with the same start, the largest is last. */
	if (!lo || (m->symbols.v[lo - 1].size &&
		    addr - m->symbols.v[lo - 1].lo >= m->symbols.v[lo - 1].size))
		return NULL;
	fr_assert_slow(m->symbols.v[lo - 1].lo <= addr);
	return &m->symbols.v[lo - 1];
}

static enum fr_pcsite_how resolve(struct fr_pcsites *p, uint64_t pc, bool function,
				  struct fr_pcsite *ret)
{
	const struct symbol *s;
	struct module *m;
	size_t i;

	*ret = (struct fr_pcsite){.module = "", .file = "", .function = "", .physical = ""};
	for (i = 0; i < p->n; i++)
		if (pc >= p->map[i].lo && pc < p->map[i].hi)
			break;
	if (i == p->n)
		return FR_PCSITE_NOTHING;
	m = open_module(p, i);
	ret->how = FR_PCSITE_MODULE;
	ret->module = p->map[i].path;
	ret->offset = pc - p->map[i].bias;
	s = find_symbol(m, ret->offset);
	if (m->dwarf && fr_pcdwarf_find(m->dwarf, ret->offset, function, ret)) {
		if (!*ret->physical)
			ret->physical = s ? s->name : ret->function;
		if (!*ret->function)
			ret->function = ret->physical;
		return ret->how = FR_PCSITE_SOURCE;
	}
	if (s) {
		ret->how = FR_PCSITE_SYMBOL;
		ret->function = ret->physical = s->name;
		ret->offset -= s->lo;
	}
	return ret->how;
}

enum fr_pcsite_how fr_pcsite_resolve(struct fr_pcsites *p, uint64_t pc, struct fr_pcsite *ret)
{
	return resolve(p, pc, false, ret);
}

enum fr_pcsite_how fr_pcsite_function(struct fr_pcsites *p, uint64_t pc, struct fr_pcsite *ret)
{
	return resolve(p, pc, true, ret);
}

struct fr_pcsites *fr_pcsites_new(const struct fr_module_map *modules, size_t n)
{
	struct fr_pcsites *p = fr_xcalloc(1, sizeof(*p));

	elf_version(EV_CURRENT);
	p->map = modules;
	p->n = n;
	p->module = fr_xcalloc(n ? n : 1, sizeof(*p->module));
	for (size_t i = 0; i < n; i++)
		p->module[i].fd = p->module[i].separate_fd = -1;
	return p;
}

void fr_pcsites_free(struct fr_pcsites *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		struct module *m = &p->module[i];

		fr_pcdwarf_free(m->dwarf);
		fr_vec_free(&m->symbols);
		elf_end(m->elf);
		elf_end(m->separate);
		fr_closep(&m->fd);
		fr_closep(&m->separate_fd);
	}
	free(p->module);
	free(p);
}

void fr_pcsites_freep(struct fr_pcsites **p)
{
	fr_pcsites_free(*p);
	*p = NULL;
}
