"""Writes a C program of random loops over one arena (see loops.c): fuzz_loops.py SEED."""
import random
import sys

r = random.Random(int(sys.argv[1]))
TYPES = ['char', 'unsigned char', 'short', 'int', 'unsigned', 'long', 'float', 'double']
SIZE = {'char': 1, 'unsigned char': 1, 'short': 2, 'int': 4, 'unsigned': 4, 'long': 8, 'float': 4, 'double': 8}


def index(var):
    form = r.randrange(6)
    if form == 0:
        return f'{var}'
    if form == 1:
        return f'{var} + {r.randrange(1, 4)}'
    if form == 2:
        return f'{var} * {r.randrange(2, 4)}'
    if form == 3:
        return f'{var} * {r.randrange(2, 4)} + {r.randrange(4)}'
    if form == 4:
        return f'{var} + k'
    return f'{var} * k + {r.randrange(3)}'


def access(arrays, var):
    name, kind = r.choice(arrays)
    if kind == 'struct':
        return f'{name}[{index(var)}].{r.choice("abc")}'
    return f'{name}[{index(var)}]'


def statement(arrays, var, depth=0):
    form = r.randrange(13)
    structs = [n for n, k in arrays if k == 'struct']
    if form == 10 and structs:
        return f'{r.choice(structs)}[{index(var)}] = {r.choice(structs)}[{index(var)}];'
    if form == 11 and depth < 2:
        return f'if (st & {r.choice([1, 2])}) {{ {statement(arrays, var, depth + 1)} }}'
    if form == 12 and depth == 0:
        plain = [n for n, k in arrays if k != 'struct']
        if plain:
            a, b = r.choice(plain), r.choice(plain)
            return f'for (int j = 0; j < {r.choice([8, 16])}; j++) {a}[{r.choice(["", f"{var} * 8 + "])}j] += {b}[{r.choice(["", f"{var} * k + "])}j];'
    if form < 4 or form > 9:
        return f'{access(arrays, var)} = {access(arrays, var)} + 1;'
    if form < 6:
        return f'{access(arrays, var)} += {access(arrays, var)};'
    if form == 6:
        return f's += (long){access(arrays, var)};'
    if form == 7 and depth < 2:
        return f'if ((int){access(arrays, var)} {r.choice(["> 3", "== 7", "< 100"])}) {{ {statement(arrays, var, depth + 1)} }}'
    if form == 8 and depth < 2:
        return f'if ((int){access(arrays, var)} == {r.randrange(60, 64)}) break;'
    return f'{access(arrays, var)} = (int)({var} * 3);'


def function(n):
    arrays, params = [], []
    for i in range(r.randrange(1, 4)):
        if r.randrange(6) == 0:
            arrays.append((f'p{i}', 'struct'))
            params.append(f'struct s *p{i}')
        else:
            t = r.choice(TYPES) if r.randrange(2) else 'int'
            restrict = 'restrict ' if r.randrange(5) == 0 else ''
            arrays.append((f'p{i}', t))
            params.append(f'{t} *{restrict}p{i}')
    var_type = r.choice(['int', 'long', 'unsigned', 'unsigned long', 'unsigned char'])
    body = '\n\t\t'.join(statement(arrays, 'i') for _ in range(r.randrange(1, 4)))
    step = r.choice(['i++', 'i++', 'i += 2', 'i += 3', 'i += st'])
    if r.randrange(3) == 0:
        inner = r.choice(['j < n / 2', 'j < st + 5', 'j < i', 'j < (int)k * 3'])
        at = [f'i * {r.choice(["k", "n", "st", "9"])} + j', 'i + j', f'j * {r.choice(["k", "n", "9"])} + i', 'j', 'i']
        plain = [n for n, k in arrays if k != 'struct'] or [f'p{i}' for i in range(0)]
        if plain:
            def cell():
                return f'{r.choice(plain)}[{r.choice(at)}{r.choice(["", "", " + 1", " + 2"])}]'
            core = r.choice([f'{cell()} = {cell()} + 1;', f'{cell()} += {cell()};',
                             f'{cell()} += 1; s += (long){cell()};'])
            around = f'{plain[0]}[i] += 1;' if r.randrange(2) else ''
            body = f'{around} for (int j = 0; {inner}; j++) {{ {core} }}'
    head = r.choice([
        f'for ({var_type} i = 0; i < ({var_type})n; {step})',
        f'for ({var_type} i = 1; i + 1 < ({var_type})n; {step})',
        'for (int i = n - 1; i >= 0; i--)',
        f'for ({var_type} i = 0; i != ({var_type})n; i++)',
    ])
    text = f'NOINLINE static long f{n}({", ".join(params)}, int n, long k, int st)\n{{\n\tlong s = st;\n\t{head} {{\n\t\t{body}\n\t}}\n'
    text += '\treturn s;\n}\n'
    restricted = any('restrict' in p for p in params)
    args = []
    for i, (name, kind) in enumerate(arrays):
        where = 8192 * i + 64 if restricted else f'{r.randrange(2) * 8192 + 64} + d * {r.choice([1, 4, 8]) if kind != "struct" else 8}'
        if kind != 'struct' and not restricted:
            where = f'({where}) / {SIZE[kind]} * {SIZE[kind]}'
        elif kind == 'struct':
            where = f'({where}) / 8 * 8'
        args.append(f'(void *)(arena + {where})')
    calls = f'\t\tx += f{n}({", ".join(args)}, n + z, d % 5 + 1, d % 3 + 1);\n'
    return text, calls


print('#include <stdio.h>\nunsigned char arena[1 << 15] __attribute__((aligned(64)));')
print('const unsigned long arena_size = sizeof(arena);\nstatic volatile int zero;')
print('struct s { int a; short b; long c; };\n#define NOINLINE __attribute__((noinline))')
calls = ''
for n in range(40):
    text, call = function(n)
    print(text)
    calls += call
print('int main(void)\n{\n\tlong x = 0;\n\tint z = zero;\n\tfor (int n = 0; n < 30; n += 1 + n / 4)\n\t\tfor (int d = 0; d < 12; d += 1 + d / 3) {')
print(calls + '\t\t}\n\tprintf("%ld\\n", x & 1);\n\treturn 0;\n}')
