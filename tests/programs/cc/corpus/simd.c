/* Masked loads and stores, gathers: recorded lane by lane. Needs AVX2 (see the test). */
#include <immintrin.h>
#include <stdio.h>

int data[64], index_[64], out[64];

__attribute__((noinline)) static void masked(int *restrict o, const int *restrict d, const int *restrict m, int n)
{
	for (int i = 0; i < n; i++)
		if (m[i] & 1)
			o[i] += d[i];
}
__attribute__((noinline)) static int gather(const int *d, const int *ix, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += d[ix[i]];
	return s;
}

int main(void)
{
	__m256i mask = _mm256_setr_epi32(-1, 0, -1, 0, -1, 0, -1, 0);

	for (int i = 0; i < 64; i++) {
		data[i] = i * 3;
		index_[i] = (i * 7) % 64;
	}
	masked(out, data, index_, 61);
	_mm256_maskstore_epi32(out + 8, mask, _mm256_maskload_epi32(data + 16, mask));
	__m256i g = _mm256_i32gather_epi32(data, _mm256_loadu_si256((__m256i *)index_), 4);
	_mm256_storeu_si256((__m256i *)(out + 40), g);
	long s = 0;
	for (int i = 0; i < 64; i++)
		s = s * 31 + out[i];
	printf("%ld %d\n", s, gather(data, index_, 64));
	return 0;
}
