"""Compares programs natively, instrumented, recorded and replayed: output and exit status must agree.

differ.py FORERUN FOLDER FIRST COUNT [EACH]: random programs FIRST, FIRST+1, ..., each in EACH (3) of the ways below.
differ.py FORERUN FOLDER FILE...: the given programs, in all ways that make one executable.
Prints one line for each difference, with the commands that show it, and keeps those files. Status 0: there are none.
"""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLANG = 'clang-19'
PLAIN = ['-w', '-g', '-ffp-contract=off', '-pthread']
# Name, options, how the computation is bound to the program, environment of the compiler.
WAYS = [
    ('O0', ['-O0'], 'one', {}),
    ('O1-lazy', ['-O1'], 'lazy', {}),
    ('O2', ['-O2'], 'one', {}),
    ('O3-native-dlopen', ['-O3', '-march=native'], 'load', {}),
    ('O2-static', ['-O2', '-static'], 'one', {}),
    ('O2-lazy', ['-O2'], 'lazy', {}),
    ('O1', ['-O1'], 'one', {}),
    ('O3-native', ['-O3', '-march=native'], 'one', {}),
    ('O2-apart-dlopen', ['-O2'], 'load', {'FORERUN_PASS': 'inline=0'}),
    ('O1-static-pie', ['-O1', '-static-pie'], 'one', {}),
    ('O3-lazy', ['-O3'], 'lazy', {'FORERUN_PASS': 'inline=1000'}),
    ('O2-no-pie', ['-O2', '-fno-pie', '-no-pie'], 'one', {}),
    ('O0-lazy', ['-O0'], 'lazy', {}),
    ('O2-now', ['-O2'], 'now', {}),
    ('Os', ['-Os'], 'one', {'FORERUN_PASS': 'inline=0'}),
    ('O2-all', ['-O2'], 'one', {'FORERUN_PASS': 'locals=0:redundant=0:ranges=0'}),
    ('O1-native-lazy', ['-O1', '-march=native'], 'lazy', {}),
    ('O3', ['-O3'], 'one', {}),
]


def run(command, **more):
    try:
        p = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           timeout=240, **more)
    except subprocess.TimeoutExpired:
        return 'timeout', b'', b''
    return p.returncode, p.stdout, p.stderr


class Differ:
    def __init__(self, forerun, folder):
        self.forerun, self.folder, self.bad, self.done = forerun, folder, 0, 0

    def differs(self, name, what, command, text):
        self.bad += 1
        print(f'{name}: {what}: {" ".join(command)}\n  ' + text.strip()[-600:].replace('\n', '\n  '), flush=True)

    def compile(self, name, compiler, options, source, out, env):
        command = compiler + PLAIN + options + [source, '-o', out, '-ldl', '-lm']
        status, _, err = run(command, env={**os.environ, **env})
        if status:
            self.differs(name, 'does not compile', command, err.decode(errors='replace'))
        return not status

    def build(self, name, way, source):
        """Returns the command that runs the program, or None."""
        _, options, how, env = way
        compiler = [self.forerun, 'c++' if source.endswith('.cpp') else 'cc']
        out = f'{self.folder}/{name}'
        if how == 'one':
            return [out] if self.compile(name, compiler, options, source, out, env) else None
        lib = out + '.so'
        bind = '-Wl,-z,now' if how == 'now' else '-Wl,-z,lazy'
        if not self.compile(name, compiler, options + ['-DPART=1', '-fPIC', '-shared', bind], source, lib, env):
            return None
        more = ['-DPART=2', '-DLOADED'] if how == 'load' else ['-DPART=2', lib, bind]
        if not self.compile(name, compiler, options + more, source, out, env):
            return None
        return [out, lib] if how == 'load' else [out]

    def compare(self, name, want, command, signals):
        before = self.bad
        folder = command[0] + '.run'
        record = [self.forerun, 'record', '-o', folder, '--']
        for what, c in [('not recorded', command), ('recorded', record + command)]:
            got = run(c)
            if got[:2] != want[:2]:
                self.differs(name, what, c, f'wanted {want[:2]}\ngot {got}')
                return
        c = [self.forerun, 'replay', folder]
        status, out, err = run(c)
        # A signal may interrupt a hook: forerun does not record where, and says so.
        told = status == 3 and b'signals came from outside' in err
        if not (told and signals) and (status or out != want[1]):
            self.differs(name, 'replayed', c, f'wanted {want[:2]}\ngot {(status, out, err)}')
        if self.bad == before:
            shutil.rmtree(folder, ignore_errors=True)
            for suffix in ('', '.so'):
                if os.path.exists(command[0] + suffix):
                    os.unlink(command[0] + suffix)

    def program(self, name, source, ways, options=(), signals=False):
        native = f'{self.folder}/{name}.native'
        clang = [CLANG.replace('clang', 'clang++') if source.endswith('.cpp') else CLANG]
        if not self.compile(name, clang, ['-O0', *options], source, native, {}):
            return
        want = run([native])
        os.unlink(native)
        for way in ways:
            tag = f'{name}-{way[0]}'
            command = self.build(tag, (way[0], way[1] + list(options), way[2], way[3]), source)
            if command:
                self.compare(tag, want, command, signals)
            self.done += 1


def main():
    forerun, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.environ.pop('LD_BIND_NOW', None)
    d = Differ(forerun, folder)
    if sys.argv[3].isdigit():
        first, count = int(sys.argv[3]), int(sys.argv[4])
        each = int(sys.argv[5]) if len(sys.argv) > 5 else 3
        for seed in range(first, first + count):
            source = f'{folder}/random{seed}.c'
            signals = seed % 4 == 3
            words = [str(seed)] + (['signals'] if signals else [])
            with open(source, 'w') as f:
                subprocess.run([sys.executable, f'{HERE}/random_program.py'] + words, stdout=f, check=True)
            d.program(f'random{seed}', source, [WAYS[(seed * each + i) % len(WAYS)] for i in range(each)],
                      signals=signals)
    else:
        for source in sys.argv[3:]:
            cpp = source.endswith('.cpp')
            d.program(os.path.basename(source).replace('.', '-'), source, [w for w in WAYS if w[2] == 'one'][::3],
                      ['-std=c++20'] if cpp else [])
    print(f'{d.done} builds compared, {d.bad} differences')
    sys.exit(d.bad > 0)


main()
