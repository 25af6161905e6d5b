/* CRC-32C (Castagnoli): the checksum of trace headers and trace blocks (format/trace_file.h). */
#ifndef FR_BASE_CRC32C_H
#define FR_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of n more bytes. `crc` is the checksum of the bytes before, 0 for none. */
uint32_t fr_crc32c(uint32_t crc, const void *p, size_t n);
/* The same without the processor's CRC instruction. Tests compare the two. */
uint32_t fr_crc32c_table(uint32_t crc, const void *p, size_t n);

#endif
