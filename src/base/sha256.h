/* SHA-256 (FIPS 180-4) and HMAC (RFC 2104) with it. */
#ifndef FR_BASE_SHA256_H
#define FR_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define FR_SHA256_SIZE 32

struct fr_sha256 {
	uint32_t state[8];
	uint64_t bytes;
	uint8_t block[64];
};

void fr_sha256_init(struct fr_sha256 *s);
void fr_sha256_add(struct fr_sha256 *s, const void *p, size_t n);
void fr_sha256_end(struct fr_sha256 *s, uint8_t ret[FR_SHA256_SIZE]);
void fr_hmac_sha256(const void *key, size_t nkey, const void *p, size_t n,
		    uint8_t ret[FR_SHA256_SIZE]);
/* Writes the digest as 2 * FR_SHA256_SIZE lower-case digits and a NUL. */
void fr_sha256_hex(const uint8_t digest[FR_SHA256_SIZE], char ret[2 * FR_SHA256_SIZE + 1]);

#endif
