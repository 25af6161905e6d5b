/*
 * Finds data symbols of ELF files by address. It reads the files as they are now; a file that is
 * missing or has no symbol table has no names. It builds no index, because it is called only for
 * the names that a report prints.
 */
#include "symbols/symbol.h"
#include "base/io.h"
#include "base/mem.h"
#include "symbols/demangle.h"
#include "symbols/elf_symbols.h"
#include <unistd.h>

static char *in_file(const char *path, uint64_t vaddr, uint64_t *ret_off)
{
	FR_CLEANUP(fr_closep) int fd = fr_io_open(path, NULL);
	struct fr_symbol_walk w = {0};
	char *name = NULL;

	if (fd < 0)
		return NULL;
	elf_version(EV_CURRENT);
	w.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (!name && fr_symbol_next(&w)) {
		if (GELF_ST_TYPE(w.sym.st_info) != STT_OBJECT || vaddr < w.sym.st_value ||
		    vaddr - w.sym.st_value >= w.sym.st_size || !*fr_symbol_name(&w))
			continue;
		*ret_off = vaddr - w.sym.st_value;
		name = fr_demangle(fr_symbol_name(&w));
	}
	elf_end(w.elf);
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
