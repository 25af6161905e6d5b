/* Walks along the symbol tables of an ELF file. */
#ifndef FR_SYMBOLS_ELF_SYMBOLS_H
#define FR_SYMBOLS_ELF_SYMBOLS_H

#include <gelf.h>
#include <stdbool.h>

/* Set elf and type, and the rest to zero. */
struct fr_symbol_walk {
	Elf *elf;
	GElf_Word type; /* SHT_SYMTAB or SHT_DYNSYM; 0: both */
	GElf_Sym sym;	/* the current symbol */
	Elf_Scn *table;
	Elf_Data *data;
	GElf_Word strings; /* section with the names */
	size_t at, n;	   /* next symbol of the table; their number */
};

/* Goes on to the next symbol. Returns false after the last. */
bool fr_symbol_next(struct fr_symbol_walk *w);
/* The name of the current symbol, "" if it has none. The file owns it. */
const char *fr_symbol_name(const struct fr_symbol_walk *w);

#endif
