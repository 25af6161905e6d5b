/*
 * Blocked LU decomposition of a dense matrix, without pivoting (the matrix is diagonally dominant).
 * SIZE is the order of the matrix. Blocks are dealt out to the threads in a checkerboard; each step
 * has three phases (diagonal block, its row and column, the rest) with barriers between.
 */
#include "kernel_main.h"

#define BLOCK 16

static double *matrix;
static long order;
static long blocks;
static int threads;
static long rounds;
static pthread_barrier_t barrier;

static double *block_at(long bi, long bj)
{
	return matrix + bi * BLOCK * order + bj * BLOCK;
}

static int block_owner(long bi, long bj)
{
	return (int)((bi + bj) % threads);
}

/* a = L U in place, L with a unit diagonal. */
static void factor_diagonal(double *a)
{
	for (int k = 0; k < BLOCK; k++) {
		for (int i = k + 1; i < BLOCK; i++) {
			a[i * order + k] /= a[k * order + k];
			for (int j = k + 1; j < BLOCK; j++)
				a[i * order + j] -= a[i * order + k] * a[k * order + j];
		}
	}
}

/* a = L^-1 a, for the blocks right of the diagonal. */
static void solve_row(double *a, const double *diag)
{
	for (int k = 0; k < BLOCK; k++) {
		for (int i = k + 1; i < BLOCK; i++) {
			double l = diag[i * order + k];

			for (int j = 0; j < BLOCK; j++)
				a[i * order + j] -= l * a[k * order + j];
		}
	}
}

/* a = a U^-1, for the blocks below the diagonal. */
static void solve_column(double *a, const double *diag)
{
	for (int i = 0; i < BLOCK; i++) {
		for (int k = 0; k < BLOCK; k++) {
			a[i * order + k] /= diag[k * order + k];
			for (int j = k + 1; j < BLOCK; j++)
				a[i * order + j] -= a[i * order + k] * diag[k * order + j];
		}
	}
}

/* c -= a b */
static void update_inner(double *c, const double *a, const double *b)
{
	for (int i = 0; i < BLOCK; i++) {
		for (int k = 0; k < BLOCK; k++) {
			double f = a[i * order + k];

			for (int j = 0; j < BLOCK; j++)
				c[i * order + j] -= f * b[k * order + j];
		}
	}
}

static void decompose(int self)
{
	for (long k = 0; k < blocks; k++) {
		if (block_owner(k, k) == self)
			factor_diagonal(block_at(k, k));
		pthread_barrier_wait(&barrier);
		for (long i = k + 1; i < blocks; i++) {
			if (block_owner(i, k) == self)
				solve_column(block_at(i, k), block_at(k, k));
			if (block_owner(k, i) == self)
				solve_row(block_at(k, i), block_at(k, k));
		}
		pthread_barrier_wait(&barrier);
		for (long i = k + 1; i < blocks; i++) {
			for (long j = k + 1; j < blocks; j++) {
				if (block_owner(i, j) == self)
					update_inner(block_at(i, j), block_at(i, k),
						     block_at(k, j));
			}
		}
		pthread_barrier_wait(&barrier);
	}
}

static void fill_matrix(long round)
{
	uint64_t rng = random_seed((uint64_t)round + 17);

	for (long i = 0; i < order; i++) {
		for (long j = 0; j < order; j++)
			matrix[i * order + j] = (double)(random_next(&rng) >> 40) / (1 << 24);
		matrix[i * order + i] += (double)order;
	}
}

static void *worker(void *arg)
{
	int self = *(int *)arg;

	for (long r = 0; r < rounds; r++) {
		if (self == 0)
			fill_matrix(r);
		pthread_barrier_wait(&barrier);
		decompose(self);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 1408);
	uint64_t sum = 0;
	int *ids;

	blocks = (o.size + BLOCK - 1) / BLOCK;
	order = blocks * BLOCK;
	threads = o.threads;
	rounds = o.rounds;
	matrix = allocate((size_t)(order * order) * sizeof(*matrix));
	pthread_barrier_init(&barrier, NULL, (unsigned)threads);
	ids = allocate((size_t)threads * sizeof(*ids));
	for (int i = 0; i < threads; i++)
		ids[i] = i;
	run_threads(threads, worker, ids, sizeof(*ids));

	for (long i = 0; i < order * order; i++) {
		uint64_t bits;

		memcpy(&bits, &matrix[i], sizeof(bits));
		sum = checksum_add(sum, bits);
	}
	printf("lu %016" PRIx64 "\n", sum);
	pthread_barrier_destroy(&barrier);
	free(ids);
	free(matrix);
	return 0;
}
