/*
 * Two threads of OpenMP add to one sum. The twin has a sum for each thread, which the library adds
 * up at the end. The library is not instrumented, and its threads wait in loops of their own.
 */
#include <stdio.h>

#ifdef FIXED
#define ADDS reduction(+ : sum)
#else
#define ADDS
#endif
#define PRAGMA(text) _Pragma(#text)
#define PARALLEL_FOR(adds) PRAGMA(omp parallel for num_threads(2) adds)

int main(void)
{
	int sum = 0;

	PARALLEL_FOR(ADDS)
	for (int i = 0; i < 8; i++)
		sum += i; /* @race */
	return sum > 28;
}
