/* Loops of all kinds over one arena: the kind must not change the recorded accesses of any byte. */
#include <stdio.h>
#include <string.h>

unsigned char arena[1 << 16] __attribute__((aligned(64)));
const unsigned long arena_size = sizeof(arena);
static volatile int zero; /* keeps the compiler from knowing the numbers */

struct pt {
	double x, y;
	int k;
};
#define NOINLINE __attribute__((noinline))

NOINLINE static void scale(float *a, int n, float s)
{
	for (int i = 0; i < n; i++)
		a[i] *= s;
}
NOINLINE static void copy(int *restrict d, const int *restrict s, long n)
{
	for (long i = 0; i < n; i++)
		d[i] = s[i] + 1;
}
NOINLINE static void copy_any(int *d, const int *s, long n)
{
	for (long i = 0; i < n; i++)
		d[i] = s[i] + 1;
}
NOINLINE static void copy_down(int *d, const int *s, long n)
{
	for (long i = n; i-- > 0;)
		d[i] = s[i] + 1;
}
NOINLINE static void add(unsigned char *d, const unsigned char *a, const unsigned char *b, int n)
{
	for (int i = 0; i < n; i++)
		d[i] = (unsigned char)(a[i] + b[i]);
}
NOINLINE static long find(const int *a, long n, int x)
{
	for (long i = 0; i < n; i++)
		if (a[i] == x)
			return i;
	return -1;
}
NOINLINE static long find_write(int *a, int *b, long n, int x)
{
	for (long i = 0; i < n; i++) {
		if (a[i] == x)
			return i;
		b[i] = x;
	}
	return -1;
}
NOINLINE static double dot(const double *a, const double *b, long n)
{
	double s = 0;
	for (long i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}
NOINLINE static void column(double *m, int n, int j)
{
	for (int i = 0; i < n; i++)
		m[i * n + j] = i;
}
NOINLINE static void points(struct pt *p, int n)
{
	for (int i = 0; i < n; i++) {
		p[i].x += 1;
		p[i].k = i;
	}
}
NOINLINE static void backwards(char *a, int n)
{
	for (int i = n - 1; i >= 0; i--)
		a[i] = (char)i;
}
NOINLINE static void shift(int *a, int n, int d)
{
	for (int i = 0; i + d < n; i++)
		a[i + d] = a[i] * 3 + 1;
}
NOINLINE static void shift_left(int *a, int n, int d)
{
	for (int i = 0; i + d < n; i++)
		a[i] = a[i + d] * 3 + 1;
}
NOINLINE static void shift_one(int *a, int n)
{
	for (int i = 0; i + 1 < n; i++)
		a[i] = a[i + 1] * 3 + 1;
}
NOINLINE static void stencil(int *a, int n)
{
	for (int i = 1; i + 1 < n; i++)
		a[i] = a[i - 1] + a[i] + a[i + 1];
}
NOINLINE static void stencil_out(int *b, int *a, int n)
{
	for (int i = 1; i + 1 < n; i++)
		b[i] = a[i - 1] + a[i] + a[i + 1];
}
NOINLINE static void if_write(int *a, int *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i] > 3)
			b[i]++;
}
NOINLINE static void swap(long *a, long *b, long n)
{
	for (long i = 0; i < n; i++) {
		long t = a[i];
		a[i] = b[i];
		b[i] = t;
	}
}
NOINLINE static void histogram(int *h, const unsigned char *k, int n)
{
	for (int i = 0; i < n; i++)
		h[k[i]]++;
}
NOINLINE static char *pointers(char *p, char *e)
{
	while (p != e)
		*p++ += 'x';
	return p;
}
NOINLINE static void lu(double *a, int n)
{
	for (int k = 0; k < n; k++)
		for (int i = k + 1; i < n; i++) {
			double f = a[i * n + k] /= a[k * n + k] + 1;
			for (int j = k + 1; j < n; j++)
				a[i * n + j] -= f * a[k * n + j];
		}
}
NOINLINE static size_t length(const char *s)
{
	const char *p = s;
	while (*p)
		p++;
	return (size_t)(p - s);
}
NOINLINE static void unsigned_index(short *a, unsigned from, unsigned to, unsigned step)
{
	for (unsigned i = from; i != to; i += step)
		a[i]++;
}
NOINLINE static void wrapping_index(short *a, unsigned char from, int n)
{
	unsigned char i = from;
	for (int k = 0; k < n; k++)
		a[i++] += 2;
}
NOINLINE static void two_exits(int *a, int *b, int n, int x)
{
	int i = 0;
	do {
		if (b[i] == x)
			break;
		a[i] = i;
		if (a[i + 1] == x)
			break;
		b[i] = i;
	} while (++i < n);
}
NOINLINE static void transpose(float *a, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++) {
			float t = a[i * n + j];
			a[i * n + j] = a[j * n + i];
			a[j * n + i] = t;
		}
}
NOINLINE static void strided(int *a, long n, long s)
{
	for (long i = 0; i < n; i += s)
		a[i] ^= 5;
}
NOINLINE static void pairs(int *a, int n)
{
	for (int i = 0; i < n; i += 2) {
		int t = a[i];
		a[i] = a[i + 1];
		a[i + 1] = t;
	}
}
NOINLINE static void skip_some(int *a, int n)
{
	for (int i = 0; i < n; i++) {
		if (a[i] & 1)
			continue;
		a[i] += 3;
	}
}
NOINLINE static int nested_break(int *a, int rows, int cols, int x)
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++) {
			if (a[i * cols + j] == x)
				goto out;
			a[i * cols + j] = x + 1;
		}
out:
	return 0;
}
NOINLINE static void bytes_wide(unsigned char *a, int n)
{
	for (int i = 0; i + 8 <= n; i++) { /* windows that overlap */
		unsigned long v;
		memcpy(&v, a + i, 8);
		a[i] = (unsigned char)(v >> 8);
	}
}

#define BLOCK 16
NOINLINE static void block_update(double *c, const double *a, const double *b, long order)
{
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < BLOCK; k++) {
			double f = a[i * order + k];
			for (int j = 0; j < BLOCK; j++)
				c[i * order + j] -= f * b[k * order + j];
		}
}
NOINLINE static void tile_sum(long *t, const long *v, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 8; j++)
			t[j] += v[i * 8 + j];
}
NOINLINE static void strided_copy(double *to, const double *from, long n, long step)
{
	for (long i = 0; i < n; i++)
		to[i] = from[i * step];
}
struct cx {
	double re, im;
};
NOINLINE static void butterflies(struct cx *row, const struct cx *roots, long half, long step)
{
	for (long k = 0; k < half; k++) {
		struct cx w = roots[k * step], a = row[k], b = row[k + half];
		row[k].re = a.re + b.re * w.re;
		row[k].im = a.im - b.im * w.im;
		row[k + half].re = a.re - b.re;
		row[k + half].im = a.im - b.im;
	}
}
NOINLINE static void copy_records(struct pt *to, const struct pt *from, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = from[i];
}
NOINLINE static void clear_records(struct pt *to, int n)
{
	for (int i = 0; i < n; i++) {
		memset(&to[i], 0, sizeof(*to));
		to[i].k = i;
	}
}

NOINLINE static void guarded(int *a, int *b, int n, int flags)
{
	for (int i = 0; i < n; i++) {
		if (flags & 1)
			a[i] += i;
		if (b[i] == 1234567)
			break;
		if (flags & 2) {
			b[i] = a[i];
			if (flags & 4)
				a[i + 1] = 3;
		} else {
			b[i + 2] = 4;
		}
	}
}
/* The inner loop may run zero times; what it reads through may change, or not. */
static double *table;
static int *list;
NOINLINE static void guarded_nest(double *a, int rows, int cols)
{
	for (int i = 0; i < rows; i++)
		for (int k = 0; k < cols / 2; k++)
			a[i * cols + k] += table[k];
}
NOINLINE static void guarded_nest_changes(int *a, int rows, int cols)
{
	for (int i = 0; i < rows; i++)
		for (int k = 0; k < cols / 2; k++) {
			a[i * cols + k] += list[k];
			list = a + i;
		}
}
NOINLINE static void guarded_nest_moves(double *a, int rows, int cols)
{
	for (int i = 0; i < rows; i++) {
		for (int k = 0; k < cols / 2; k++)
			a[i * cols + k] += table[k];
		table += cols;
	}
}
NOINLINE static void guarded_nest_bytes(unsigned char *a, int rows, int cols)
{
	for (int i = 0; i < rows; i++)
		for (int k = 0; k < cols / 2; k++)
			a[k] = (unsigned char)list[i + k];
}

NOINLINE static void tiled(struct cx *to, const struct cx *from, long lo, long hi, long side)
{
	const long tile = 8;

	for (long i0 = lo; i0 < hi; i0 += tile)
		for (long j0 = 0; j0 < side; j0 += tile)
			for (long i = i0; i < i0 + tile && i < hi; i++)
				for (long j = j0; j < j0 + tile && j < side; j++)
					to[i * side + j] = from[j * side + i];
}

NOINLINE static void fft_row(struct cx *row, const struct cx *roots, long side)
{
	for (long len = 2; len <= side; len *= 2)
		for (long i = 0; i < side; i += len)
			for (long k = 0; k < len / 2; k++) {
				struct cx w = roots[k * (side / len)], a = row[i + k], b = row[i + k + len / 2];
				row[i + k].re = a.re + b.re * w.re - b.im * w.im;
				row[i + k].im = a.im + b.re * w.im + b.im * w.re;
				row[i + k + len / 2].re = a.re - b.re;
				row[i + k + len / 2].im = a.im - b.im;
			}
}
NOINLINE static void matrix_fill(short *m, int rows, int cols, int pitch)
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			m[i * pitch + j] = (short)(i - j);
}
NOINLINE static void by_columns(int *m, int rows, int cols, int pitch)
{
	for (int j = 0; j < cols; j++)
		for (int i = 0; i < rows; i++)
			m[i * pitch + j] += j;
}
NOINLINE static void seidel(int *m, int rows, int cols)
{
	for (int i = 1; i < rows - 1; i++)
		for (int j = 1; j < cols - 1; j++)
			m[i * cols + j] = m[(i - 1) * cols + j] + m[(i + 1) * cols + j] + m[i * cols + j - 1];
}
NOINLINE static void shift_rows(int *m, int rows, int cols, int pitch)
{
	for (int i = 0; i < rows; i++)
		for (int j = cols - 2; j >= 0; j--)
			m[i * pitch + j + 1] = m[i * pitch + j];
}
NOINLINE static void next_row(int *m, int rows, int cols, int d)
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < cols; j++)
			m[(i + 1) * cols + j + d] = m[i * cols + j];
}
NOINLINE static void row_sums(long *sum, const int *m, long rows, long cols)
{
	for (long i = 0; i < rows; i++) {
		long s = sum[i];
		for (long j = 0; j < cols; j++)
			s += m[i * cols + j];
		sum[i] = s;
	}
}
NOINLINE static void again(long *a, long *b, long times, long n)
{
	for (long t = 0; t < times; t++)
		for (long i = 0; i < n; i++)
			a[i] += b[i];
}
NOINLINE static void triangle(int *m, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
			m[i * n + j] = m[j * n + i];
}
NOINLINE static int early(int *m, int rows, int cols, int x)
{
	for (int i = 0; i < rows; i++) {
		if (m[i * cols] == x)
			return i;
		for (int j = 1; j < cols; j++)
			m[i * cols + j]++;
	}
	return -1;
}

int main(void)
{
	int *ints = (int *)arena, z = zero;
	double *doubles = (double *)(arena + 16384);
	float *floats = (float *)(arena + 32768);
	unsigned char *chars = arena + 49152;
	double sum = 0;

	for (int n = 0; n < 40; n += 1 + n / 7) {
		scale(floats, n + z, 2);
		copy(ints + 100, ints, n + z);
		for (int d = -9; d <= 9; d += 3) {
			copy_any(ints + 100 + d, ints + 100, n + z);
			copy_down(ints + 100 + d, ints + 100, n + z);
			swap((long *)ints + 100 + d, (long *)ints + 100, n + z);
			add(chars + 64 + d, chars + 64, chars + 60, n + z);
			stencil_out(ints + 200 + d, ints + 200, n + z);
		}
		for (int x = -1; x <= n; x += 5) {
			if (x >= 0)
				ints[300 + x] = 77;
			sum += find(ints + 300, n + z, 77) + find_write(ints + 300, ints + 302, n + z, 77);
			two_exits(ints + 400, ints + 400 + x, n + 1 + z, x);
			nested_break(ints + 500, 4, n + z, x + 70);
		}
		sum += dot(doubles, doubles + 64, n + z);
		column(doubles, n + z, n / 2);
		points((struct pt *)doubles, n + z);
		backwards((char *)chars, n + z);
		for (int d = 1; d < 10; d++) {
			shift(ints + 600, n + z, d);
			shift_left(ints + 600, n + z, d);
			strided(ints + 700, n + z, d);
			unsigned_index((short *)chars + 100, 0, (unsigned)(n * d), (unsigned)d);
		}
		shift_one(ints + 600, n + z);
		stencil(ints + 600, n + z);
		if_write(ints + 800, ints + 801, n + z);
		histogram(ints + 900, chars, n + z);
		pointers((char *)chars, (char *)chars + n + z);
		lu(doubles + 300, n / 3 + z);
		memset(chars + 900, 'a', (size_t)n);
		chars[900 + n] = 0;
		sum += (double)length((char *)chars + 900);
		wrapping_index((short *)chars + 2000, (unsigned char)(250 + n), n * 3 + z);
		transpose(floats + 500, n / 3 + z);
		pairs(ints + 1000, n + z);
		skip_some(ints + 1000, n + z);
		bytes_wide(chars + 3000, n + z);
		for (int d = -20; d <= 20; d += 5) {
			if (d % 20 == 0)
				block_update(doubles + 800 + d, doubles + 800, doubles + 810, n + z);
			block_update(doubles + 900, doubles + 1100, doubles + 1300, n + z);
			tile_sum((long *)doubles + 700 + d, (long *)doubles + 700, n / 4 + z);
			strided_copy(doubles + 600 + d, doubles + 600, n + z, d % 4 + 1);
			butterflies((struct cx *)(doubles + 200 + d), (struct cx *)doubles + 100, n + z, d % 3 + 2);
			copy_records((struct pt *)(doubles + 200 + d), (struct pt *)(doubles + 200), n + z);
		}
		for (int f = 0; f < 8; f++) {
			guarded(ints + 1200, ints + 1260, n + z, f);
			guarded(ints + 1300, ints + 1300 + f, n + z, f);
			ints[1260 + n / 2] = 1234567;
			guarded(ints + 1200, ints + 1260, n + z, f);
		}
		table = doubles + 900;
		list = ints + 1000;
		guarded_nest_moves(doubles + 300, n / 4 + z, n / 5 + z);
		table = doubles + 900;
		guarded_nest(doubles + 300, n / 4 + z, n / 5 + z);
		guarded_nest_changes(ints + 300, n / 4 + z, n / 5 + z);
		list = ints + 1000;
		guarded_nest_bytes(chars + 300, n / 4 + z, n / 5 + z);
		tiled((struct cx *)doubles, (struct cx *)doubles + 300, n / 4, n / 3 + z, n / 3 + z);
		tiled((struct cx *)doubles, (struct cx *)doubles + 30, 0, n / 4 + z, n / 4 + z);
		for (int side = 2; side <= n; side *= 2)
			fft_row((struct cx *)(doubles + 400), (struct cx *)(doubles + 600), side + z);
		for (int d = -3; d <= 3; d++) {
			matrix_fill((short *)chars, n / 3 + z, n / 2 + d, n / 2);
			by_columns(ints + 1500, n / 3 + z, n / 2 + d, n / 2);
			by_columns(ints + 1500, n / 3 + z, n / 2, d);
			shift_rows(ints + 1500, n / 3 + z, n / 2, n / 2 + d);
			next_row(ints + 1500, n / 3 + z, n / 2, d);
			again((long *)ints + 800, (long *)ints + 800 + d, n / 4 + z, n + z);
			row_sums((long *)ints + 900, ints + 1800 + 40 * d, n / 3 + z, n + z);
			ints[1500 + (n / 2) * (d + 4)] = 4321;
			sum += early(ints + 1500, n / 3 + z, n / 2, 4321);
		}
		seidel(ints + 1500, n / 3 + z, n / 2);
		triangle(ints + 1500, n / 2 + z);
		clear_records((struct pt *)(doubles + 300), n + z);
	}
	printf("%d\n", sum != 12345.5);
	return 0;
}
