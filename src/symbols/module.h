/* A module: an object file that the recorded program had loaded (executable or library). The
   runtime reports it in struct fr_pool_module. */
#ifndef FR_SYMBOLS_MODULE_H
#define FR_SYMBOLS_MODULE_H

#include <stddef.h>
#include <stdint.h>

struct fr_module_map {
	uint64_t bias;	  /* load address - link address */
	uint64_t lo, hi;  /* mapped range */
	const char *path; /* of the ELF file, never NULL */
	uint8_t build_id_len;
	uint8_t build_id[32];
};

#endif
