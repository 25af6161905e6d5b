/* Values of every shape: bit-fields, packed and unaligned, wide, vectors, complex, unions. */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct bits {
	unsigned a : 3, b : 5, c : 17;
	int d : 7;
	_Bool e : 1;
};
struct __attribute__((packed)) odd {
	char c;
	int i;
	double d;
	short s;
	long l;
};
union u {
	int i;
	float f;
	unsigned char b[8];
	struct {
		short lo, hi;
	};
};
typedef float v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef double v2 __attribute__((vector_size(16)));
typedef char v3 __attribute__((ext_vector_type(3)));
struct big {
	long x[12];
};

struct bits bits;
struct odd odd[3];
union u un;
v4 vec;
v8 wide;
v3 three;
v2 pair;
__int128 huge = 1;
long double ld = 1.5L;
_Float16 half = 2;
double complex cx;
float complex cf;
unsigned _BitInt(24) b24;
_BitInt(47) b47 = 5;
_Bool flag;
struct big big, other;
int vla_sum;
char *strings[] = {"a", "b", "c"};
static const int constant[] = {1, 2, 3};
volatile int vol;
_Thread_local int local;
int *_Atomic atomic_pointer;

__attribute__((noinline)) static struct big by_value(struct big b, int k)
{
	b.x[k] += k;
	return b;
}

__attribute__((noinline)) static void bump(int n, int *v)
{
	for (int i = 0; i < n; i++)
		v[i] += i;
}

__attribute__((noinline)) static int vla(int n)
{
	int v[n], s = 0;

	memset(v, 0, sizeof(v));
	bump(n, v);
	for (int i = 0; i < n; i++)
		s += v[i];
	return s;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		bits.a += 1;
		bits.b ^= bits.a;
		bits.c += bits.b * 3u;
		bits.d -= 2;
		bits.e = !bits.e;
		odd[i % 3].i += i;
		odd[i % 3].d *= odd[(i + 1) % 3].i + 1;
		odd[i % 3].s = (short)odd[i % 3].l++;
		odd[i % 3].c = 'a';
		un.f += 1.5f;
		un.hi ^= 3;
		un.b[i]++;
		vec += (v4){1, 2, 3, 4};
		wide = wide * 3 + 1;
		three += (v3){1, 2, 3};
		pair[i & 1] += vec[i & 3];
		huge = huge * 1000003 + i;
		ld = ld * 1.25L + i;
		half += (_Float16)0.5;
		cx = cx * (1 + 2 * I) + i;
		cf += I;
		b24 = (unsigned _BitInt(24))(b24 * 77 + 3);
		b47 += 12345678;
		flag = !flag;
		big = by_value(big, i);
		other = big;
		vla_sum += vla(i + 3) + constant[i % 3];
		vol = vol + 1;
		local += vol;
		atomic_pointer = &vla_sum;
		*atomic_pointer += strings[i % 3][0];
	}
	printf("%u %u %u %d %d\n", bits.a, bits.b, bits.c, bits.d, bits.e);
	for (int i = 0; i < 3; i++)
		printf("%d %g %d %ld %d\n", odd[i].i, odd[i].d, odd[i].s, odd[i].l, odd[i].c);
	printf("%x %g %g %d %d\n", un.i, vec[0] + vec[3], pair[0] + pair[1], wide[5], three.z);
	printf("%llx %Lg %g %g %g %g\n", (unsigned long long)(huge >> 17), ld, (double)half, creal(cx), cimag(cx),
	       (double)cimagf(cf));
	printf("%u %lld %d %ld %d %d %d\n", (unsigned)b24, (long long)b47, flag, other.x[4], vla_sum, vol, local);
	return 0;
}
