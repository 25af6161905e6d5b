/* Hash functions of strings and numbers. None withstands an attack; fr_map keeps 63 bits. */
#ifndef FR_BASE_HASH_H
#define FR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FR_HASH_START UINT64_C(0xcbf29ce484222325)

/* FNV-1a. h: FR_HASH_START, or the hash of the bytes before. */
static inline uint64_t fr_hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	for (const uint8_t *p = bytes; n--; p++)
		h = (h ^ *p) * UINT64_C(0x100000001b3);
	return h;
}
static inline uint64_t fr_hash_text(uint64_t h, const char *s)
{
	for (; *s; s++)
		h = fr_hash_bytes(h, s, 1);
	return h;
}

/* Spreads a number over the high bits of a hash. Different numbers stay different, because the
   factor is odd. */
static inline uint64_t fr_hash_spread(uint64_t n)
{
	return n * UINT64_C(0x9e3779b97f4a7c15);
}

/* Mixes two numbers into a hash, for keys. */
static inline uint64_t fr_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ fr_hash_spread(b)) + UINT64_C(0x632be59bd9b4e019);

	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

#endif
