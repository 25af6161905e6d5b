/* The benchmark of prediction: see bench_predict.c. */
#ifndef FR_BENCH_PREDICT_H
#define FR_BENCH_PREDICT_H

#include <stdint.h>

/* Writes a run into an empty folder. No locks: all accesses use one location. */
void bench_generate(const char *dir, uint64_t events, uint32_t threads, uint32_t locks,
		    uint64_t seed);

#endif
