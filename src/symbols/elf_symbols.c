/* Walks along the symbol tables of an ELF file: see elf_symbols.h. It skips symbols that libelf
   refuses. */
#include "symbols/elf_symbols.h"
#include "base/assert.h"
#include "base/mem.h"
#include <limits.h>

static bool next_table(struct fr_symbol_walk *w)
{
	GElf_Shdr sh;

	while ((w->table = elf_nextscn(w->elf, w->table))) {
		if (!gelf_getshdr(w->table, &sh) || !sh.sh_entsize ||
		    (sh.sh_type != SHT_SYMTAB && sh.sh_type != SHT_DYNSYM) ||
		    (w->type && sh.sh_type != w->type))
			continue;
		w->data = elf_getdata(w->table, NULL);
		w->strings = sh.sh_link;
		w->at = 0;
		w->n = w->data ? fr_min(w->data->d_size / sh.sh_entsize, (size_t)INT_MAX) : 0;
		return true;
	}
	return false;
}

bool fr_symbol_next(struct fr_symbol_walk *w)
{
	do {
		while (w->at < w->n)
			if (gelf_getsym(w->data, (int)w->at++, &w->sym))
				return true;
	} while (next_table(w));
	return false;
}

const char *fr_symbol_name(const struct fr_symbol_walk *w)
{
	const char *name = elf_strptr(w->elf, w->strings, w->sym.st_name);

	fr_assert(w->at <= w->n);
	return name ? name : "";
}
