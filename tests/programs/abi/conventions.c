/*
 * Functions of unusual calling conventions, inline assembly that keeps values in registers and
 * flags, and functions without a frame: hooks between them must change nothing.
 */
#include <pthread.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))
typedef unsigned long u64;
typedef float v8f __attribute__((vector_size(32)));

static volatile u64 seed = 88172645463325252u;
static u64 memory[64];
static float floats[64];

static NOINLINE u64 next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

#define TAKES_MANY(name, convention)                                                        \
	static NOINLINE __attribute__((convention)) u64 name(u64 a, double x, u64 b, u64 c, u64 d, float y, \
							      u64 e, u64 f, u64 g, long double z)             \
	{                                                                                   \
		memory[a % 64] += b ^ c;                                                    \
		floats[d % 64] += (float)x + y;                                             \
		memory[e % 64] ^= f + g;                                                    \
		return a * 3 + b * 5 + c * 7 + d * 11 + e * 13 + f * 17 + g * 19 + (u64)x + (u64)y + (u64)z + \
		       memory[b % 64];                                                      \
	}
TAKES_MANY(in_sysv, sysv_abi)
TAKES_MANY(in_ms, ms_abi)
TAKES_MANY(in_most, preserve_most)
TAKES_MANY(in_all, preserve_all)
TAKES_MANY(in_regcall, regcall)
TAKES_MANY(in_vectorcall, vectorcall)
TAKES_MANY(in_none, preserve_none)

static NOINLINE __attribute__((regcall)) v8f vectors(v8f a, v8f b, u64 i)
{
	floats[i % 64] += a[0];
	memory[i % 64] += (u64)b[7] & 1023;
	return a * b + floats[(i + 1) % 64];
}

static NOINLINE __attribute__((no_caller_saved_registers, target("general-regs-only"))) void saves_all(u64 *p, u64 i)
{
	p[i % 64] += i;
	p[(i + 3) % 64] ^= p[i % 64] >> 1;
}

/* Values that live across hooks in registers that the assembly names. */
static NOINLINE u64 in_registers(u64 a, u64 b)
{
	register u64 r10 __asm__("r10") = a;
	register u64 r11 __asm__("r11") = b;
	u64 out;

	__asm__ volatile("lea (%1,%2,2), %0" : "=r"(out) : "r"(r10), "r"(r11) : "cc");
	memory[out % 64] += out;
	__asm__ volatile("add %1, %0\n\tadc $0, %0" : "+r"(out) : "r"(memory[b % 64]) : "cc");
	return out;
}

/* A carry that one instruction leaves to the next, with memory operands. */
static NOINLINE u64 carries(u64 i)
{
	u64 lo = memory[i % 64], hi = memory[(i + 1) % 64];
	unsigned char carry;

	__asm__ volatile("add %3, %0\n\tadc %4, %1\n\tsetc %2"
			 : "+r"(lo), "+r"(hi), "=q"(carry)
			 : "m"(memory[(i + 2) % 64]), "m"(memory[(i + 3) % 64])
			 : "cc");
	memory[(i + 4) % 64] = lo;
	return hi + carry;
}

/* A leaf that uses the area below the stack pointer. */
static NOINLINE u64 leaf(const u64 *p, u64 i)
{
	u64 a[8];

	for (int k = 0; k < 8; k++)
		a[k] = p[(i + (u64)k) % 64] + (u64)k;
	return a[i % 8] ^ a[(i + 5) % 8];
}

static NOINLINE u64 sum_of(u64 n, ...)
{
	__builtin_va_list v;
	u64 s = 0;

	__builtin_va_start(v, n);
	for (u64 i = 0; i < n; i++)
		s += i & 1 ? (u64)__builtin_va_arg(v, double) : __builtin_va_arg(v, u64) + memory[i];
	__builtin_va_end(v);
	return s;
}

static NOINLINE __attribute__((ms_abi)) u64 ms_sum_of(u64 n, ...)
{
	__builtin_ms_va_list v;
	u64 s = 0;

	__builtin_ms_va_start(v, n);
	for (u64 i = 0; i < n; i++)
		s += __builtin_va_arg(v, u64) + memory[i];
	__builtin_ms_va_end(v);
	return s;
}

static u64 step(u64 i)
{
	u64 a = next(), b = next(), h = 0;
	v8f x = {1, 2, 3, 4, 5, 6, 7, 8}, y;
	double d = (double)(b % 1000) / 8;
	float f = (float)(a % 500) / 4;

#define CALL(name) h = h * 31 + name(a, d, b, i, h, f, a ^ b, b >> 3, a >> 5, (long double)(i % 77));
	CALL(in_sysv) CALL(in_ms) CALL(in_most) CALL(in_all) CALL(in_regcall) CALL(in_vectorcall) CALL(in_none)
	y = vectors(x * f, x + 1, a);
	h += (u64)y[i % 8] & 0xffff;
	saves_all(memory, a);
	h ^= in_registers(a, b) + carries(b) + leaf(memory, a);
	h += sum_of(7, a, 1.5, b, 2.5, h, 3.5, i) + ms_sum_of(6, a, b, h, i, a, b);
	return h;
}

static void *other(void *unused)
{
	static u64 private[64];

	for (u64 i = 0; i < 2000; i++)
		private[i % 64] += leaf(private, i);
	memory[0] = private[3];
	return unused;
}

int main(void)
{
	pthread_t t;
	u64 h = 0;

	pthread_create(&t, NULL, other, NULL);
	pthread_join(t, NULL);
	for (u64 i = 0; i < 400; i++)
		h = h * 1000003 + step(i);
	for (int i = 0; i < 64; i++)
		h = h * 31 + memory[i] + (u64)(long)floats[i];
	printf("%016lx\n", h);
	return (int)(h & 63);
}
