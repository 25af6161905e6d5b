"""Writes a C program of random functions over shared objects (touch.h): fuzz_touch.py SEED [FUNCTIONS].

Conditions, loops that are left early, selected pointers, members, bit-fields, copies, small functions that are
inlined: whatever an optimiser could make of them, it may touch no byte that the program does not.
The program has no undefined behaviour: it computes with unsigned numbers, and masks every index.
"""
import random
import sys

r = random.Random(int(sys.argv[1]))
functions = int(sys.argv[2]) if len(sys.argv) > 2 else 24

HEAD = '''#include "touch.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct rec {
	unsigned a, b;
	unsigned short c;
	unsigned char d, e;
	unsigned f : 5, h : 11, : 0;
	unsigned char k;
	unsigned long w;
};
struct pair {
	int x, y;
};
unsigned g0, g1, g2, g3;
static unsigned s0, s1;
unsigned a0[64], a1[64];
unsigned char c0[64];
unsigned short h0[64];
double d0[64];
struct rec r0[32], r1[32];
struct pair q0[64];
unsigned *m0;
struct rec *m1;
atomic_uint flag;
'''
OBJECTS = [(n, f'&{n}', f'sizeof({n})') for n in ('g0', 'g1', 'g2', 'g3', 's0', 's1')]
OBJECTS += [(n, n, f'sizeof({n})') for n in ('a0', 'a1', 'c0', 'h0', 'd0', 'r0', 'r1', 'q0')]
OBJECTS += [('m0', 'm0', '64 * sizeof(*m0)'), ('m1', 'm1', '32 * sizeof(*m1)')]


class Body:
    def __init__(self, calls, deep):
        self.calls = calls
        self.deep = deep  # loops that a call may be in: the program has to end
        self.loops = []
        self.fresh = 0

    def index(self, size):
        if self.loops and r.randrange(4):
            v = r.choice(self.loops)
            return r.choice([f'{v} & {size - 1}', f'({v} + {r.randrange(1, 5)}) & {size - 1}',
                             f'({v} * 2) & {size - 1}'])
        return r.choice([f'{r.randrange(size)}', f'x & {size - 1}', f'(v >> {r.randrange(4)}) & {size - 1}',
                         f'(y + {r.randrange(8)}) & {size - 1}'])

    def word(self):
        """An unsigned lvalue whose address may be taken."""
        k = r.randrange(12)
        if k < 3:
            return r.choice(['g0', 'g1', 'g2', 'g3', 's0', 's1'])
        if k < 5:
            return f'{r.choice(["a0", "a1"])}[{self.index(64)}]'
        if k < 6:
            return f'm0[{self.index(64)}]'
        if k < 8:
            return f'{r.choice(["r0", "r1", "m1"])}[{self.index(32)}].{r.choice("ab")}'
        if k < 9:
            return f'p[{self.index(16)}]'
        if k < 10:
            return '*p'
        return f'q->{r.choice("ab")}'

    def any(self):
        k = r.randrange(10)
        if k < 6:
            return self.word()
        if k < 7:
            return f'{r.choice(["c0", "h0"])}[{self.index(64)}]'
        if k < 8:
            return f'{r.choice(["r0", "r1"])}[{self.index(32)}].{r.choice("cdefhkw")}'
        return f'q->{r.choice("cdefhkw")}'

    def value(self, depth=0):
        k = r.randrange(8)
        if k < 3 or depth > 2:
            return self.any()
        if k < 5:
            return r.choice(['v', 'x', 'y', f'{r.randrange(100)}u'] + self.loops)
        if k < 7:
            return f'({self.value(depth + 1)} {r.choice(["+", "^", "*", "&", "-"])} {self.value(depth + 1)})'
        return f'({self.cond(depth + 1)} ? {self.value(depth + 1)} : {self.value(depth + 1)})'

    def cond(self, depth=0):
        k = r.randrange(9)
        if k < 3:
            return r.choice(['x & 1', 'x & 2', 'y > 5', 'v & 4', 'y', 'x > y'])
        if k < 4:
            return f'{self.any()} > {r.randrange(1, 90)}u'
        if k < 5 and depth < 2:
            return f'({self.cond(depth + 1)}) && ({self.cond(depth + 1)})'
        if k < 6 and depth < 2:
            return f'({self.cond(depth + 1)}) || {self.any()}'
        if k < 7:
            return 'atomic_load_explicit(&flag, memory_order_acquire) & x'
        if self.loops:
            return f'{r.choice(self.loops)} {r.choice(["== 3", "> 7", "& 1"])}'
        return '(x ^ y) & 8'

    def block(self, depth, n=None):
        return ' '.join(self.statement(depth) for _ in range(n or r.randrange(1, 4)))

    def loop(self, depth):
        i = f'i{len(self.loops)}'
        head = r.choice([f'for (unsigned {i} = 0; {i} < n; {i}++)', f'for (unsigned {i} = 0; {i} < 64; {i}++)',
                         f'for (unsigned {i} = 0; {i} < 32; {i}++)',
                         f'for (unsigned {i} = x & 7; {i} < 40; {i} += 2)', f'for (unsigned {i} = n; {i}-- > 0;)',
                         f'for (unsigned {i} = 0; {i} < {r.randrange(2, 9)}; {i}++)'])
        self.loops.append(i)
        k = r.randrange(9)
        if k == 0:
            body = f'v += (unsigned)q0[{i} & 63].{r.choice("xy")};'
        elif k == 1:
            body = f'r0[{i} & 31].{r.choice("abcdew")} = r1[{i} & 31].{r.choice("abcdew")};'
        elif k == 2:
            body = f'if (c0[{i} & 63] & {r.choice([1, 2, 4])}) v += {r.choice(["a0", "a1", "m0"])}[{i} & 63];'
        elif k == 3:
            body = f'if ({r.choice(["a0", "h0"])}[{i} & 63] > v) {r.choice(["a1", "m0"])}[{i} & 63] = v;'
        elif k == 4:
            body = f'd0[{i} & 63] {r.choice(["+=", "="])} x & 1 ? d0[{i} + 1 & 63] : 1.5;'
        else:
            body = self.block(depth + 1)
        if r.randrange(3) == 0:
            body += f' if ({self.cond()}) {r.choice(["break", "continue", "break"])};'
            body += ' ' + self.statement(depth + 1)
        self.loops.pop()
        return f'{head} {{ {body} }}'

    def statement(self, depth=0):
        k = r.randrange(20)
        if k < 3:
            return f'v += {self.value()};'
        if k < 6:
            return f'{self.any()} {r.choice(["=", "+=", "^="])} {self.value()};'
        if k < 7:
            t = self.name()
            return f'unsigned *{t} = {self.cond()} ? &{self.word()} : &{self.word()}; v ^= *{t};'
        if k < 8:
            t = self.name()
            return f'unsigned *{t} = {self.cond()} ? &{self.word()} : &{self.word()}; *{t} = v;'
        if k < 9:
            t = self.name()
            return f'unsigned {t}l = x; unsigned *{t} = {self.cond()} ? &{self.word()} : &{t}l; v += *{t};'
        if k < 10:
            return f'v = {self.cond()} ? {self.any()} : {self.any()};'
        if k < 13 and depth < 3:
            text = f'if ({self.cond()}) {{ {self.block(depth + 1)} }}'
            return text + (f' else {{ {self.block(depth + 1)} }}' if r.randrange(2) else '')
        if k < 16 and depth < 3 and len(self.loops) < 2:
            return self.loop(depth)
        if k < 17 and self.calls and len(self.loops) < self.deep:
            return f'v += {r.choice(self.calls)}({self.value(2)}, y, {r.choice(["p", "a0", "a1 + 8", "m0 + 16"])}, &{r.choice(["r0", "r1"])}[{self.index(32)}]);'
        if k < 18:
            return r.choice([f'{r.choice(["r0", "m1"])}[{self.index(32)}] = r1[{self.index(32)}];',
                             f'memcpy(&r0[{self.index(32)}], q, sizeof(*q));',
                             f'if (!memcmp(c0 + ({self.index(32)}), &h0[{self.index(32)}], {r.choice([2, 3, 4, 8])})) v++;'])
        if k < 19 and depth:
            return f'if ({self.cond()}) return v + {self.any()};'
        if depth < 2:
            cases = ' '.join(f'case {i}: {self.statement(depth + 2)} {r.choice(["break;", "break;", "__attribute__((fallthrough));"])}' for i in range(4))
            return f'switch (x & 7) {{ {cases} default: {self.statement(depth + 2)} }}'
        return f'v = v * 3 + {self.any()};'

    def name(self):
        self.fresh += 1
        return f't{self.fresh}'


def function(n, helpers):
    b = Body(helpers, 1 if n < 0 else 2)
    kind = 'static' if n < 0 else r.choice(['NOINLINE static', 'NOINLINE'])
    name = f'h{-n}' if n < 0 else f'f{n}'
    params = 'unsigned x, unsigned y, unsigned *p, struct rec *q' + ('' if n < 0 else ', unsigned n')
    size = r.randrange(1, 4) if n < 0 else r.randrange(2, 6)
    extra = '\tconst unsigned n = 9;\n' if n < 0 else ''
    lines = '\n\t'.join('{ ' + b.statement() + ' }' for _ in range(size))
    return f'{kind} unsigned {name}({params})\n{{\n\tunsigned v = x;\n{extra}\t(void)n, (void)y, (void)p, (void)q;\n\t{lines}\n\treturn v;\n}}\n'


print(HEAD)
helpers = []
for k in range(1, 5):
    print(function(-k, helpers[:]))
    helpers.append(f'h{k}')
for k in range(functions):
    print(function(k, helpers))
print('static void fresh(unsigned seed)\n{')
for name, at, size in OBJECTS:
    if name != 'd0':
        print(f'\ttouch_fill({at}, {size}, seed += 77);')
print('\tfor (int i = 0; i < 64; i++)\n\t\td0[i] = i;\n\tatomic_store(&flag, seed >> 3 & 1);\n\ttouch_end("fresh", 0);\n}\n')
print('int main(void)\n{\n\tm0 = malloc(64 * sizeof(*m0));\n\tm1 = malloc(32 * sizeof(*m1));')
for name, at, size in OBJECTS:
    print(f'\ttouch_object("{name}", {at}, {size});')
print('\tfor (int k = 0; k < 12; k++) {\n\t\tunsigned x = (unsigned)touch_number(k * 37 % 11), y = (unsigned)touch_number(k * 5 % 9), n = (unsigned)touch_number(k * 3);')
for k in range(functions):
    print(f'\t\tfresh((unsigned)k * 31 + {k});\n\t\tf{k}(x, y, k & 1 ? a0 : m0 + 3, k & 2 ? &r0[5] : &m1[k], n);\n\t\ttouch_end("f{k}", k);')
print('\t}\n\treturn 0;\n}')
