/*
 * Complex one-dimensional FFT by the six-step method: the points as a square matrix, transposes and
 * FFTs of its rows in turn, a barrier after each step. SIZE is log2 of the number of points (even).
 * Rows are dealt out to the threads in contiguous bands; a transpose reads all bands.
 */
#include "kernel_main.h"
#include <math.h>

struct complex_number {
	double re, im;
};

static struct complex_number *data, *scratch, *roots;
static long side; /* of the matrix: the square root of the number of points */
static int threads;
static long rounds;
static pthread_barrier_t barrier;

static void transpose(const struct complex_number *from, struct complex_number *to, long lo,
		      long hi)
{
	const long tile = 8;

	for (long i0 = lo; i0 < hi; i0 += tile) {
		for (long j0 = 0; j0 < side; j0 += tile) {
			for (long i = i0; i < i0 + tile && i < hi; i++) {
				for (long j = j0; j < j0 + tile && j < side; j++)
					to[i * side + j] = from[j * side + i];
			}
		}
	}
}

static void bit_reverse(struct complex_number *row)
{
	for (long i = 0, j = 0; i < side; i++) {
		if (i < j) {
			struct complex_number t = row[i];

			row[i] = row[j];
			row[j] = t;
		}
		for (long m = side >> 1; m && ((j ^= m) & m) == 0; m >>= 1)
			;
	}
}

/* roots[k] = exp(-2 pi i k / side^2), so the side-th roots are every side-th of them. */
static void fft_row(struct complex_number *row)
{
	bit_reverse(row);
	for (long len = 2; len <= side; len *= 2) {
		long step = side / len * side;

		for (long i = 0; i < side; i += len) {
			for (long k = 0; k < len / 2; k++) {
				struct complex_number w = roots[k * step];
				struct complex_number a = row[i + k], b = row[i + k + len / 2];
				double re = b.re * w.re - b.im * w.im;
				double im = b.re * w.im + b.im * w.re;

				row[i + k].re = a.re + re;
				row[i + k].im = a.im + im;
				row[i + k + len / 2].re = a.re - re;
				row[i + k + len / 2].im = a.im - im;
			}
		}
	}
}

static void twiddle_row(struct complex_number *row, long i)
{
	for (long j = 0; j < side; j++) {
		struct complex_number w = roots[i * j], a = row[j];

		row[j].re = a.re * w.re - a.im * w.im;
		row[j].im = a.re * w.im + a.im * w.re;
	}
}

/* Leaves the transform in scratch; data is lost. */
static void transform(long lo, long hi)
{
	transpose(data, scratch, lo, hi);
	pthread_barrier_wait(&barrier);
	for (long i = lo; i < hi; i++) {
		fft_row(scratch + i * side);
		twiddle_row(scratch + i * side, i);
	}
	pthread_barrier_wait(&barrier);
	transpose(scratch, data, lo, hi);
	pthread_barrier_wait(&barrier);
	for (long i = lo; i < hi; i++)
		fft_row(data + i * side);
	pthread_barrier_wait(&barrier);
	transpose(data, scratch, lo, hi);
	pthread_barrier_wait(&barrier);
}

/* Scales the result back into data, to go again. */
static void scale_back(long lo, long hi)
{
	double f = 1.0 / (double)side;

	for (long i = lo * side; i < hi * side; i++) {
		data[i].re = scratch[i].re * f;
		data[i].im = scratch[i].im * f;
	}
}

static void fill_roots(long lo, long hi)
{
	double angle = -2.0 * M_PI / ((double)side * (double)side);

	for (long i = lo * side; i < hi * side; i++) {
		roots[i].re = cos(angle * (double)i);
		roots[i].im = sin(angle * (double)i);
	}
}

static void *worker(void *arg)
{
	int self = *(int *)arg;
	long lo = side * self / threads, hi = side * (self + 1) / threads;

	fill_roots(lo, hi);
	pthread_barrier_wait(&barrier);
	for (long r = 0; r < rounds; r++) {
		transform(lo, hi);
		scale_back(lo, hi);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 20);
	uint64_t rng = random_seed(5), sum = 0;
	size_t points;
	int *ids;

	if (o.size < 4 || o.size > 26 || o.size % 2) {
		fprintf(stderr, "fft: SIZE is log2 of the points, even, 4 to 26\n");
		return 2;
	}
	side = 1L << (o.size / 2);
	points = (size_t)side * (size_t)side;
	threads = o.threads;
	rounds = o.rounds;
	data = allocate(points * sizeof(*data));
	scratch = allocate(points * sizeof(*scratch));
	roots = allocate(points * sizeof(*roots));
	for (size_t i = 0; i < points; i++) {
		data[i].re = (double)(random_next(&rng) >> 40) / (1 << 24);
		data[i].im = 0;
	}
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	ids = allocate((size_t)threads * sizeof(*ids));
	for (int i = 0; i < threads; i++)
		ids[i] = i;
	run_threads(threads, worker, ids, sizeof(*ids));

	for (size_t i = 0; i < points; i++) {
		uint64_t bits[2];

		memcpy(bits, &data[i], sizeof(bits));
		sum = checksum_add(checksum_add(sum, bits[0]), bits[1]);
	}
	printf("fft %016" PRIx64 "\n", sum);
	pthread_barrier_destroy(&barrier);
	free(ids);
	free(roots);
	free(scratch);
	free(data);
	return 0;
}
