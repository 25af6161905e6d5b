"""Writes a random C program whose output does not depend on how it is compiled: random_program.py SEED [signals].

The program computes with integers of all sizes, floating point of all sizes, vectors, structs by value, bit-fields,
variable arguments, function pointers, recursion, setjmp, switch and variable arrays. Several threads do it, each in its
own memory, and print a hash each. All arithmetic is defined: unsigned, or kept finite.

-DPART=1 leaves only the computation, for a library; -DPART=2 only the program; without it both are in one.
With -DLOADED the program loads the library given as argv[1].
With 'signals', a timer interrupts all of it, with a handler that computes too.
"""
import random
import sys

r = random.Random(int(sys.argv[1]))
SIGNALS = 'signals' in sys.argv[2:]

UINTS = {'u8': 1, 'u16': 2, 'u32': 4, 'u64': 8, 'u128': 16}
FLOATS = {'float': 'f', 'double': 'd', 'ldouble': 'l'}
VECTORS = ['v4', 'v8', 'vd']
SCALARS = list(UINTS) + list(FLOATS)
TYPES = SCALARS + VECTORS + ['struct mix', 'struct two', 'struct big']

PRELUDE = r'''
#include <alloca.h>
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long u64;
typedef unsigned __int128 u128;
typedef long double ldouble;
typedef u32 v4 __attribute__((vector_size(16)));
typedef u32 v8 __attribute__((vector_size(32)));
typedef double vd __attribute__((vector_size(16)));
struct mix { u8 a; u32 b : 5, c : 11; double d; u16 e; };
struct two { u64 x; double y; };
struct big { u64 w[5]; float f; u8 t; };
struct world {
	u8 a8[32]; u16 a16[32]; u32 a32[32]; u64 a64[32]; u128 a128[8];
	float af[16]; double ad[16]; ldouble al[8]; v4 av4[4]; v8 av8[4]; vd avd[4];
	struct mix am[4]; struct two at[4]; struct big ab[4];
	u64 calls; int jumped; jmp_buf back;
};
u64 compute(struct world *w, u64 seed);

#if PART != 2
static inline float finf(float x) { return x > -1e6f && x < 1e6f ? x : 1.25f; }
static inline double find(double x) { return x > -1e12 && x < 1e12 ? x : 2.5; }
static inline ldouble finl(ldouble x) { return x > -1e15L && x < 1e15L ? x : 3.75L; }
static inline u64 hash(u64 h, u64 v) { return (h ^ v) * 0x9e3779b97f4a7c15ul + (h >> 31); }
static inline u64 of_d(double x) { return (u64)(long)(find(x) * 64); }
static inline u64 of_q(u128 x) { return (u64)x ^ (u64)(x >> 64); }
static inline u64 of_v4(v4 x) { return ((u64)x[0] << 32 | x[1]) + ((u64)x[2] << 32 | x[3]); }
static inline u64 of_v8(v8 x) { u64 h = 0; for (int i = 0; i < 8; i++) h = h * 31 + x[i]; return h; }
static inline u64 of_vd(vd x) { return of_d(x[0]) * 3 + of_d(x[1]); }
static inline vd fin_vd(vd x) { return (vd){find(x[0]), find(x[1])}; }
static inline u64 of_mix(struct mix m) { return m.a + m.b * 257ul + m.c * 65537ul + of_d(m.d) * 3 + m.e; }
static inline u64 of_two(struct two t) { return t.x * 5 + of_d(t.y); }
static inline u64 of_big(struct big b) { u64 h = b.t; for (int i = 0; i < 5; i++) h = h * 33 + b.w[i]; return h + of_d(b.f); }

static __attribute__((noinline)) u64 many(struct world *w, int n, ...)
{
	va_list args;
	u64 h = (u64)n;

	va_start(args, n);
	for (int i = 0; i < n; i++) {
		switch (i % 4) {
		case 0: h = hash(h, va_arg(args, u64)); break;
		case 1: h = hash(h, of_d(va_arg(args, double))); break;
		case 2: h = hash(h, va_arg(args, u32)); break;
		default: h = hash(h, of_two(va_arg(args, struct two))); break;
		}
		w->calls++;
	}
	va_end(args);
	return h;
}

static int order(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

static __attribute__((noinline)) u64 variable(struct world *w, u64 n)
{
	u32 v[n % 13 + 2], *p = alloca((n % 7 + 1) * sizeof(u32));
	u64 h = n;

	for (u64 i = 0; i < n % 13 + 2; i++)
		v[i] = w->a32[i % 32] ^ (u32)(n * (i + 3));
	for (u64 i = 0; i < n % 7 + 1; i++)
		p[i] = v[i % (n % 13 + 2)] + (u32)i;
	qsort(v, n % 13 + 2, sizeof(*v), order);
	for (u64 i = 0; i < n % 13 + 2; i++)
		h = hash(h, v[i] + p[i % (n % 7 + 1)]);
	w->a32[n % 32] = (u32)h;
	return h;
}
'''

ARRAY = {'u8': ('a8', 32), 'u16': ('a16', 32), 'u32': ('a32', 32), 'u64': ('a64', 32), 'u128': ('a128', 8),
         'float': ('af', 16), 'double': ('ad', 16), 'ldouble': ('al', 8), 'v4': ('av4', 4), 'v8': ('av8', 4),
         'vd': ('avd', 4), 'struct mix': ('am', 4), 'struct two': ('at', 4), 'struct big': ('ab', 4)}
HASH = {'u8': '{}', 'u16': '{}', 'u32': '{}', 'u64': '{}', 'u128': 'of_q({})', 'float': 'of_d({})',
        'double': 'of_d({})',
        'ldouble': 'of_d((double){})', 'v4': 'of_v4({})', 'v8': 'of_v8({})', 'vd': 'of_vd({})',
        'struct mix': 'of_mix({})', 'struct two': 'of_two({})', 'struct big': 'of_big({})'}


class Function:
    def __init__(self, number, earlier):
        self.name, self.earlier = f'f{number}', earlier
        self.ret = r.choice(TYPES)
        self.params = [r.choice(TYPES) for _ in range(r.randrange(0, 9))]
        self.vars = [(f'p{i}', t) for i, t in enumerate(self.params)]
        self.depth = 0
        self.loops = 0

    def var(self, kind):
        names = [n for n, t in self.vars if t == kind]
        return r.choice(names) if names else None

    def index(self, size):
        return f'({self.expr("u64", 2)}) % {size}' if r.randrange(3) else str(r.randrange(size))

    def memory(self, kind):
        name, size = ARRAY[kind]
        return f'w->{name}[{self.index(size)}]'

    def as_u64(self, d):
        kind = r.choice(TYPES)
        return '(u64)' + HASH[kind].format('(' + self.expr(kind, d) + ')')

    def expr(self, kind, d=0):
        """An expression of that type; d: depth."""
        name = self.var(kind)
        if d > 3 or r.randrange(5) == 0:
            if name and r.randrange(3):
                return name
            return self.constant(kind)
        if r.randrange(6) == 0:
            return self.memory(kind) if d < 2 else (name or self.constant(kind))
        if r.randrange(9) == 0 and d < 2:
            call = self.call(kind, d)
            if call:
                return call
        if kind in UINTS:
            return self.integer(kind, d)
        if kind in FLOATS:
            return self.floating(kind, d)
        if kind == 'vd':
            return f'fin_vd({self.expr(kind, d + 1)} {r.choice("+-*")} {self.expr(kind, d + 1)})'
        if kind in VECTORS:
            return f'({self.expr(kind, d + 1)} {r.choice(["+", "-", "*", "^", "|", "&"])} {self.expr(kind, d + 1)})'
        return self.constant(kind) if r.randrange(2) or not name else name

    def integer(self, kind, d):
        form = r.randrange(7)
        a, b = self.expr(kind, d + 1), self.expr(kind, d + 1)
        if form == 0:
            return f'({kind})({a} {r.choice("/%")} (({b}) | 1))'
        if form == 1:
            return f'({kind})((u128){a} {r.choice(["<<", ">>"])} (({self.expr("u8", d + 1)}) & {UINTS[kind] * 8 - 1}))'
        if form == 2:
            return f'(({a}) {r.choice(["<", "==", ">="])} ({b}) ? ({kind})({self.expr(kind, d + 1)}) : ({kind})({b}))'
        if form == 3:
            return f'({kind})({self.as_u64(d + 1)})'
        # Products of small types would overflow an int.
        wide = 'u128' if kind == 'u128' else 'u64'
        return f'({kind})(({wide}){a} {r.choice(["+", "-", "*", "^", "&", "|"])} ({wide}){b})'

    def floating(self, kind, d):
        form = r.randrange(5)
        f = 'fin' + FLOATS[kind]
        a, b = self.expr(kind, d + 1), self.expr(kind, d + 1)
        if form == 0:
            return f'({kind})(int)({self.expr("u16", d + 1)})'
        if form == 1:
            return f'(({a}) < ({b}) ? ({a}) : ({b}))'
        if form == 2:
            other = r.choice([k for k in FLOATS if k != kind])
            return f'{f}(({kind})({self.expr(other, d + 1)}))'
        return f'{f}(({a}) {r.choice("+-*")} ({b}))'

    def constant(self, kind):
        n = r.randrange(1, 1 << r.choice([3, 8, 16, 31]))
        if kind in UINTS:
            return f'({kind}){n}u'
        if kind in FLOATS:
            return f'({kind}){r.randrange(-4000, 4000) / 16}'
        return {'v4': f'((v4){{{n}u, 2, 3, 4}})', 'v8': f'((v8){{{n}u, 2, 3, 4, 5, 6, 7, 8}})',
                'vd': f'((vd){{{n & 255}.5, 2.25}})',
                'struct mix': f'((struct mix){{{n & 255}, {n & 31}, {n & 1023}, 0.5, 7}})',
                'struct two': f'((struct two){{{n}u, 1.75}})',
                'struct big': f'((struct big){{{{{n}u, 2, 3, 4, 5}}, 0.25f, 9}})'}[kind]

    def call(self, kind, d):
        fit = [f for f in self.earlier if f.ret == kind]
        if not fit:
            return None
        f = r.choice(fit)
        args = ''.join(', ' + self.expr(t, d + 2) for t in f.params)
        return f'({f.name}(w{args}))' if r.randrange(3) else f'(p_{f.name}(w{args}))'

    def statement(self):
        self.depth += 1
        form = r.randrange(14) if self.depth < 4 else r.randrange(6)
        kind = r.choice(TYPES)
        name = self.var(kind)
        if form < 2:
            s = f'{self.memory(kind)} = {self.expr(kind)};'
        elif form < 4 and name:
            s = f'{name} = {self.expr(kind)};'
        elif form == 4:
            s = f'h = hash(h, {self.as_u64(0)});'
        elif form == 5:
            i = r.randrange(4)
            s = f'w->am[{i}].{r.choice("bc")} {r.choice(["=", "+=", "^="])} (u32)({self.expr("u32", 1)}); w->am[{i}].e++;'
        elif form == 6:
            s = f'if (({self.expr("u64", 1)}) & {r.choice([1, 3, 4])}) {{ {self.block()} }} else {{ {self.block()} }}'
        elif form == 7 and self.loops < 2:
            self.loops += 1
            i = f'i{self.depth}'
            s = f'for (u64 {i} = 0; {i} < {r.randrange(2, 9)}; {i}++) {{ h += {i}; {self.block()} }}'
            self.loops -= 1
        elif form == 8:
            cases = ' '.join(f'case {i}: {self.block()} {r.choice(["break;", "break;", "/* fall through */"])}'
                             for i in range(4))
            s = f'switch (({self.expr("u32", 1)}) % 6) {{ {cases} default: h++; }}'
        elif form == 9:
            n = r.randrange(1, 8)
            of = ['u64', 'double', 'u32', 'struct two']
            args = ''.join(f', ({of[i % 4]}){self.expr(of[i % 4], 2)}'
                           if of[i % 4] != 'struct two' else f', {self.expr("struct two", 2)}'
                           for i in range(n))
            s = f'h = hash(h, many(w, {n}{args}));'
        elif form == 10:
            s = f'h = hash(h, variable(w, {self.expr("u8", 1)}));'
        elif form == 11:
            name, size = ARRAY[kind]
            s = f'memcpy(&w->{name}[{r.randrange(size)}], &w->{name}[{r.randrange(size)}], sizeof(w->{name}[0]));'
        elif form == 12:
            s = f'{{ {kind} here = {self.expr(kind)}; {kind} *volatile to = &here; h = hash(h, (u64){HASH[kind].format("(*to)")}); }}'
        else:
            s = f'h = hash(h, {self.expr("u64", 0)});'
        self.depth -= 1
        return s

    def block(self):
        return ' '.join(self.statement() for _ in range(r.randrange(1, 3)))

    def text(self):
        params = ''.join(f', {t} p{i}' for i, t in enumerate(self.params))
        head = f'static __attribute__((noinline)) {self.ret} {self.name}(struct world *w{params})'
        local = [(f'l{i}', r.choice(TYPES)) for i in range(r.randrange(2, 14))]
        out = [head, '{', '\tu64 h = w->calls;']
        for name, kind in local:
            out.append(f'\t{kind} {name} = {self.expr(kind, 2)};')
            self.vars.append((name, kind))
        out.append('\tif (w->calls++ > 20000)\n\t\tlongjmp(w->back, 1);')
        out += ['\t' + self.statement() for _ in range(r.randrange(3, 8))]
        out.append('\tw->a64[h % 32] ^= h;')
        for name, kind in local:
            out.append(f'\tw->a64[{r.randrange(32)}] += (u64){HASH[kind].format("(" + name + ")")};')
        out += [f'\treturn {self.expr(self.ret, 1)};', '}']
        out.append(f'static {self.ret} (*volatile p_{self.name})(struct world *w{params}) = {self.name};')
        return '\n'.join(out) + '\n'


TAIL = r'''
static __attribute__((noinline)) u64 again(struct world *w, u64 n, double x, u128 q, struct two t)
{
	w->ad[n % 16] = find(w->ad[n % 16] + x);
	if (n < 2)
		return of_d(x) + of_q(q) + of_two(t);
	t.x += n;
	t.y = find(t.y * 0.5 + x);
	return again(w, n - 1, find(x * 1.0625), q * 3 + n, t) * 5 + again(w, n - 2, find(x - 1), q ^ n, t);
}

static u64 sum(const struct world *w)
{
	u64 h = w->calls;

	for (int i = 0; i < 32; i++)
		h = hash(hash(hash(hash(h, w->a8[i]), w->a16[i]), w->a32[i]), w->a64[i]);
	for (int i = 0; i < 16; i++)
		h = hash(hash(h, of_d(w->af[i])), of_d(w->ad[i]));
	for (int i = 0; i < 8; i++)
		h = hash(hash(h, of_q(w->a128[i])), of_d((double)w->al[i]));
	for (int i = 0; i < 4; i++)
		h = hash(hash(hash(h, of_v4(w->av4[i])), of_v8(w->av8[i])), of_vd(w->avd[i]));
	for (int i = 0; i < 4; i++)
		h = hash(hash(hash(h, of_mix(w->am[i])), of_two(w->at[i])), of_big(w->ab[i]));
	return h;
}
'''

MAIN = r'''
#if PART != 1
#define THREADS 3
#define ROUNDS @ROUNDS@

static u64 (*entry)(struct world *, u64);
static u64 result[THREADS + 1];
static struct world worlds[THREADS + 1];
static volatile sig_atomic_t caught, bad;

static void *work(void *p)
{
	long n = (long)p;

	for (u64 i = 0; i < ROUNDS; i++)
		result[n] = result[n] * 31 + entry(&worlds[n], i * 4 + (u64)n);
	return NULL;
}

#ifdef SIGNALS
static u64 table[8] = {2, 3, 5, 7, 11, 13, 17, 19};
static double halves[4] = {0.5, 1.5, 2.5, 3.5};

/* Computes the same each time, with memory and all kinds of registers. */
static void handler(int sig)
{
	static u64 want;
	u64 h = (u64)sig;
	double x = 1;
	v4 v = {1, 2, 3, 4};

	for (int i = 0; i < 8; i++) {
		h = h * table[i] + table[7 - i];
		x = x * halves[i & 3] - 0.25;
		v = v * 3 + (u32)table[i];
	}
	h += (u64)(long)(x * 16) + v[0] + v[3];
	if (!want)
		want = h;
	bad += h != want;
	caught = 1;
}
#endif

int main(int argc, char **argv)
{
	pthread_t t[THREADS];

#ifdef LOADED
	void *lib = argc > 1 ? dlopen(argv[1], RTLD_LAZY) : NULL;

	entry = lib ? (u64(*)(struct world *, u64))dlsym(lib, "compute") : NULL;
	if (!entry)
		return 99;
#else
	(void)argc;
	(void)argv;
	entry = compute;
#endif
#ifdef SIGNALS
	struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &act, NULL);
	raise(SIGALRM);
	setitimer(ITIMER_REAL, &often, NULL);
#endif
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	work((void *)THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
#ifdef SIGNALS
	setitimer(ITIMER_REAL, &never, NULL);
	printf("handler %d %d\n", (int)caught, (int)bad);
#endif
	for (int i = 0; i <= THREADS; i++)
		printf("%016lx %lu\n", result[i], worlds[i].calls);
	return (int)(result[0] & 63);
}
#endif
'''


def main():
    functions = []
    for i in range(r.randrange(4, 10)):
        functions.append(Function(i, functions[:]))
    print('#define _GNU_SOURCE')
    if SIGNALS:
        print('#define SIGNALS')
    print(PRELUDE)
    for f in functions:
        print(f.text())
    print(TAIL)
    print('__attribute__((noinline, visibility("default"))) u64 compute(struct world *w, u64 seed)\n{')
    print('\tu64 h = seed;\n\n\tw->calls = 0;\n\tfor (int i = 0; i < 32; i++) {')
    print('\t\tw->a64[i] = (w->a64[i] + seed) * 0x2545f4914f6cdd1dul + (u64)i;\n\t\tw->a8[i] ^= (u8)w->a64[i];')
    print('\t\tw->af[i & 15] = (float)(w->a64[i] & 1023) / 8;\n\t}')
    print('\tif (setjmp(w->back))\n\t\treturn sum(w);')
    for f in functions[::-1]:
        args = ''.join(', ' + f.constant(t) for t in f.params)
        print('\th = hash(h, (u64)' + HASH[f.ret].format(f'(p_{f.name}(w{args}))') + ');\n\tw->a64[h % 32] = h;')
    print('\th = hash(h, again(w, 7, 0.5, h, (struct two){h, 0.75}));')
    print('\tw->a64[0] += h;\n\treturn sum(w);\n}\n#endif')
    print(MAIN.replace('@ROUNDS@', str(r.randrange(4, 40))))


main()
