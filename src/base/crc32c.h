/* CRC-32C (Castagnoli), as trace blocks carry it. */
#ifndef FR_BASE_CRC32C_H
#define FR_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues `crc` (0 at first) over n bytes. */
uint32_t fr_crc32c(uint32_t crc, const void *p, size_t n);
/* The portable way, for tests of the fast one. */
uint32_t fr_crc32c_table(uint32_t crc, const void *p, size_t n);

#endif
