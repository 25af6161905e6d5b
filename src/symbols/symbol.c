/*
 * Finds data symbols of ELF files by address. It reads the files as they are now; a file that is
 * missing or has no symbol table has no names. It builds no index, because it is called only for
 * the names that a report prints.
 */
#include "symbols/symbol.h"
#include "base/io.h"
#include "base/mem.h"
#include "symbols/demangle.h"
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static char *in_section(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, uint64_t vaddr,
			uint64_t *ret_off)
{
	Elf_Data *d = elf_getdata(scn, NULL);
	size_t n = sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 0; d && i < n; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(d, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_OBJECT ||
		    vaddr < sym.st_value || vaddr - sym.st_value >= sym.st_size)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		*ret_off = vaddr - sym.st_value;
		return fr_demangle(name);
	}
	return NULL;
}

static char *in_file(const char *path, uint64_t vaddr, uint64_t *ret_off)
{
	FR_CLEANUP(fr_closep) int fd = fr_io_open(path, NULL);
	Elf_Scn *scn = NULL;
	char *name = NULL;
	GElf_Shdr sh;
	Elf *elf;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && !name && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			name = in_section(elf, scn, &sh, vaddr, ret_off);
	if (elf)
		elf_end(elf);
	return name;
}

char *fr_symbol_find(const struct fr_module_map *modules, size_t n, uint64_t addr,
		     uint64_t *ret_off)
{
	for (size_t i = n; i-- > 0;)
		if (addr >= modules[i].lo && addr < modules[i].hi)
			return in_file(modules[i].path, addr - modules[i].bias, ret_off);
	return NULL;
}

char *fr_symbol_data(const struct fr_module_map *modules, size_t n, uint64_t addr)
{
	uint64_t off = 0;
	FR_CLEANUP(fr_freep) char *name = fr_symbol_find(modules, n, addr, &off);

	return !name || !off ? fr_steal(name)
			     : fr_xasprintf("%s+%llu", name, (unsigned long long)off);
}
