/* The program to be recorded: finds its file, and decides whether forerun can record it. */
#ifndef FR_RECORD_PROGRAM_H
#define FR_RECORD_PROGRAM_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_program {
	bool elf;	   /* otherwise a script: a program that it starts may be instrumented */
	bool executable;   /* ELF: has an entry point, is no library */
	bool instrumented; /* has sites of the pass, or the runtime */
	bool sites;	   /* has sites of the pass */
	bool runtime;	   /* has the runtime */
	bool pie, static_; /* position-independent; statically linked */
	bool debug;	   /* has .debug_info */
	bool symbols;	   /* has .symtab */
	bool setid;	   /* set-user-id or set-group-id */
	uint32_t abi;	   /* version of the first unit's site table, 0: not known */
	uint8_t build_id_len, build_id[32];
};

/* Looks a program up like execvp. *ret is its path, a new string. */
int fr_program_find(const char *name, char **ret, struct fr_err *reterr);
/* Inspects the file. A file that may be executed but not read has all fields 0. */
int fr_program_inspect(const char *path, struct fr_program *ret, struct fr_err *reterr);

#endif
