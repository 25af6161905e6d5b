/* CRC-32C: uses the SSE4.2 instruction where the processor has it, a table elsewhere. */
#include "base/crc32c.h"
#include <string.h>

static uint32_t table[256];

__attribute__((constructor)) static void make_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0x82f63b78u : c >> 1;
		table[i] = c;
	}
}

uint32_t fr_crc32c_table(uint32_t crc, const void *p, size_t n)
{
	const uint8_t *s = p;

	crc = ~crc;
	while (n--)
		crc = table[(crc ^ *s++) & 0xff] ^ crc >> 8;
	return ~crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t crc_hw(uint32_t crc, const void *p, size_t n)
{
	const uint8_t *s = p;
	uint64_t c = ~crc, word;

	for (; n >= 8; n -= 8, s += 8) {
		memcpy(&word, s, 8);
		c = __builtin_ia32_crc32di(c, word);
	}
	while (n--)
		c = __builtin_ia32_crc32qi((uint32_t)c, *s++);
	return ~(uint32_t)c;
}
#endif

uint32_t fr_crc32c(uint32_t crc, const void *p, size_t n)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2"))
		return crc_hw(crc, p, n);
#endif
	return fr_crc32c_table(crc, p, n);
}
