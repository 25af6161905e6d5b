/* The program to be recorded: where it is, and whether it can be. */
#ifndef FR_RECORD_PROGRAM_H
#define FR_RECORD_PROGRAM_H

#include "base/err.h"
#include <stdbool.h>
#include <stdint.h>

struct fr_program {
	bool elf;	   /* otherwise a script: whatever it starts may be instrumented */
	bool executable;   /* ELF: has an entry, is no library */
	bool instrumented; /* has sites of the pass, or the runtime */
	bool sites;	   /* has sites of the pass */
	bool runtime;	   /* has the runtime */
	bool pie, static_; /* linked so */
	bool debug;	   /* has .debug_info */
	bool symbols;	   /* has .symtab */
	bool setid;	   /* set-user-id or set-group-id */
	uint32_t abi;	   /* of the first unit's sites, 0: not known */
	uint8_t build_id_len, build_id[32];
};

/* Looks a program up like execvp. The errors say what is wrong with it. ret: a new string. */
int fr_program_find(const char *name, char **ret, struct fr_err *reterr);
/* Reads what the file is. */
int fr_program_inspect(const char *path, struct fr_program *ret, struct fr_err *reterr);

#endif
