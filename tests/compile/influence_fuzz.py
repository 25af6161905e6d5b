"""Random programs against their graphs of influence: influence_fuzz.py FORERUN SITES.PY COUNT SEED [LEVEL].

A program has sources s0 ... that only its arguments set, and globals that it computes from them through branches,
loops, calls, locals, pointers and copies. If a global ends with another value when one source changes, then the graph
must have a path from a read of the source to a write of the global, through the program's memory; or to BRANCH or USED.
Prints a summary; exits with 1 if a path is missing, and keeps the program."""
import random
import re
import subprocess
import sys

SOURCES, GLOBALS = 4, 8


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.counters = 0
        self.functions = []

    def number(self, depth, names):
        r = self.r
        kind = r.random()
        if depth <= 0 or kind < .35:
            return r.choice([str(r.randint(0, 9)), f's{r.randrange(SOURCES)}', f'g{r.randrange(GLOBALS)}',
                             r.choice(names), r.choice(names)])
        a, b = self.number(depth - 1, names), self.number(depth - 1, names)
        if kind < .75:
            return f'({a} {r.choice("+ - * & | ^ < == > && ||".split())} {b})'
        if kind < .82:
            return f'({a} ? {b} : {self.number(depth - 1, names)})'
        if kind < .86:
            return f'({a} / ({b} | 1))' if r.random() < .5 else f'({a} % 7)'
        if kind < .9:
            return f'arr[{r.randrange(4)}]' if r.random() < .7 else f'arr[{a} & 3]'
        if kind < .94:
            return r.choice(['st.a', 'st.b', 'st.low', '*ptr'])
        if self.functions:
            return f'{r.choice(self.functions)}({a}, {b})'
        return a

    def target(self, names):
        r = self.r
        return r.choice([f'g{r.randrange(GLOBALS)}'] * 6 + [f'arr[{r.randrange(4)}]', 'st.a', 'st.b', 'st.low', '*ptr'] +
                        [x for x in names if x[0] != 'i'] * 2)

    def counter(self):
        self.counters += 1
        return f'c{self.counters - 1}++;'

    def block(self, depth, names, n):
        return '{ ' + ' '.join(self.statement(depth, names) for _ in range(n)) + ' }'

    def statement(self, depth, names):
        r = self.r
        kind = r.random()
        e = lambda: self.number(2, names)
        if depth <= 0 or kind < .4:
            return f'{self.target(names)} {r.choice(["=", "=", "+=", "^="])} {e()};\n'
        if kind < .6:
            other = f' else {self.block(depth - 1, names, 1)}' if r.random() < .5 else ''
            return f'if ({e()}) {{ {self.counter()} {self.block(depth - 1, names, r.randint(1, 2))} }}{other}\n'
        if kind < .68:
            cases = ' '.join(f'case {k}: {self.statement(depth - 1, names)} {r.choice(["break;", ""])}'
                             for k in range(3))
            return f'switch ({e()} & 3) {{ {cases} default: {self.counter()} }}\n'
        if kind < .78:
            i = f'i{depth}'
            return f'for (int {i} = 0, n = {e()} & 7; {i} < n; {i}++) {{ {self.counter()} {self.block(depth - 1, names + [i], 1)} }}\n'
        if kind < .83:
            return f'{{ int w = {e()} & 15; while (w > 0) {{ w -= 1 + ({e()} & 1); {self.counter()} }} }}\n'
        if kind < .88:
            return f'if ({e()}) {{ {self.counter()} return {r.choice(names)}; }}\n'
        if kind < .92:
            return f'{{ int la[4] = {{0}}; la[{r.randrange(4)}] = {e()}; {self.target(names)} = la[{r.randrange(4)}]; }}\n'
        if kind < .95:
            return r.choice(['memcpy(&st, &su, sizeof(st));\n', 'su = st;\n', 'memcpy(arr, brr, sizeof(arr));\n',
                             f'brr[1] = {e()};\n'])
        if kind < .97:
            return f'ptr = {e()} ? &g0 : &g1;\n'
        if self.functions:
            return f'{r.choice(self.functions)}({e()}, {e()});\n'
        return self.counter() + '\n'

    def text(self):
        r = self.r
        bodies = []
        for k in range(r.randint(1, 4)):
            names = ['a', 'b', 'l']
            body = ''.join(self.statement(3, names) for _ in range(r.randint(1, 4)))
            kind = r.choice(['static ', '', '__attribute__((noinline)) ', 'static __attribute__((noinline)) '])
            bodies.append(f'{kind}int f{k}(int a, int b)\n{{\nint l = {self.number(1, ["a", "b"])};\n{body}return {self.number(1, names)};\n}}\n')
            self.functions.append(f'f{k}')
        main = ''.join(self.statement(3, ['a', 'b']) for _ in range(r.randint(2, 5)))
        bodies.append(f'__attribute__((noinline)) int run(int a, int b)\n{{\n{main}return 0;\n}}\n')
        seen = [f'g{i}' for i in range(GLOBALS)] + [f'c{i}' for i in range(self.counters)]
        seen += [f'arr[{i}]' for i in range(4)] + [f'brr[{i}]' for i in range(4)]
        seen += ['st.a', 'st.b', 'st.low', 'su.a', 'su.b']
        show = ''.join(f'printf("%s %d\\n", "{v}", (int){v});\n' for v in seen)
        names = ', '.join([f's{i}' for i in range(SOURCES)] + [f'g{i} = {i}' for i in range(GLOBALS)] +
                          [f'c{i}' for i in range(self.counters)])
        sets = ''.join(f's{i} = atoi(v[{i + 1}]);\n' for i in range(SOURCES))
        return ('#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
                f'int {names}, arr[4], brr[4], *ptr = &g2;\nstruct two {{ int a, b; unsigned low : 3; }} st, su;\n' +
                '\n'.join(bodies) +
                f'int main(int n, char **v)\n{{\nif (n < {SOURCES + 1}) return 1;\n{sets}run(1, 2);\n{show}return 0;\n}}\n')


def base(name):
    return re.split(r'[.\[@~+]', name)[0]


def graph(sites, file):
    """For each variable: all that its reads outside main reach; None: everything."""
    out = subprocess.run(['python3', sites, file, 'influence'], check=True, capture_output=True, text=True).stdout
    reads = {}
    for line in out.splitlines():
        left, right = line.split(' -> ')
        if '@' in left:
            reads.setdefault(base(left), []).append(set() if right == 'nothing' else set(right.split(', ')))
    return reads


def reach(reads, source):
    """The variables that the source can change, through memory; None: everything."""
    found, todo = set(), [source]
    while todo:
        for targets in reads.get(todo.pop(), []):
            for t in targets:
                if t[0] not in '=?':
                    if t.startswith('RESULT') or t.startswith('PARAM f'):
                        continue
                    return None
                name = base(t[1:])
                if name.startswith('*') or '->' in name:
                    return None
                if t[0] == '?' and name.startswith('s') and name[1:].isdigit():
                    continue  # a read
                if name not in found:
                    found.add(name)
                    todo.append(name)
    return found


def run(exe, values):
    try:
        p = subprocess.run([exe, *map(str, values)], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return dict(l.rsplit(' ', 1) for l in p.stdout.splitlines()) if p.returncode == 0 else None


def main():
    forerun, sites, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    checked = followed = 0
    for n in range(seed, seed + count):
        level = sys.argv[5] if len(sys.argv) > 5 else str(n % 4)
        open('fuzz.c', 'w').write(Program(n).text())
        subprocess.run([forerun, 'cc', '-g', '-w', f'-O{level}', 'fuzz.c', '-o', 'fuzz'], check=True)
        reads = graph(sites, 'fuzz')
        first = [3, 1, 4, 2]
        want = run('./fuzz', first)
        if want is None:
            continue
        for k in range(SOURCES):
            can = reach(reads, f's{k}')
            checked += 1
            if can is None:
                continue
            followed += 1
            for value in (0, 1, 2, 5, 8, -1, 100):
                got = run('./fuzz', first[:k] + [value] + first[k + 1:])
                if got is None:
                    sys.exit(f'seed {n} -O{level}: s{k} = {value} crashes or hangs, and the graph says it changes only {sorted(can)}')
                bad = {v for v in want if want[v] != got[v] and base(v) not in can}
                if bad:
                    sys.exit(f'seed {n} -O{level}: s{k} = {value} changes {sorted(bad)}, and the graph says only {sorted(can)}')
    print(f'{count} programs, {checked} sources, {followed} of them followed')
    if followed < count // 4:
        sys.exit('too few were followed to say anything')


main()
