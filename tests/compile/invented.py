"""Says which recorded accesses a program does not execute: invented.py FOLDER FILE FLAGS [FLAGS...]

FOLDER holds hooks.bc and the objects of the runtime of touch.c. The program is built and run at -O0, with every access
recorded by itself, and with each of FLAGS. Each byte that a segment then reads or writes must be read or written by
that segment at -O0. Each site must have the line and column of an access of its kind at -O0, or of a call that became
one. A program for instructions that this processor lacks is built and not run.
CLANG and PASS in the environment: the compiler and the plug-in. Exit status 1 if an access was invented.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, '../programs/cc/invent')


def build(folder, source, flags, options, out):
    env = dict(os.environ, FORERUN_HOOKS=f'{folder}/hooks.bc', FORERUN_PASS='verify=1' + options)
    cxx = source.endswith('.cpp')
    command = [os.environ['CLANG'], '-g', '-w', '-I', INCLUDE, '-fpass-plugin=' + os.environ['PASS']] + flags
    command += ['-c', source, '-o', out + '.o']
    if cxx:
        command[1:1] = ['-std=c++20']
    subprocess.run(command, env=env, check=True)
    link = [f'{folder}/{o}' for o in ('touch.o', 'strides.o', 'rt_nest.o')]
    subprocess.run([os.environ['CLANG'].replace('clang', 'clang++', 1) if cxx else os.environ['CLANG'], out + '.o'] +
                   link + ['-o', out, '-lm', '-pthread'], check=True)


def touched(program):
    seen = {}
    text = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line in text.splitlines():
        segment, number, access, name, *ranges = line.split()
        bytes_ = seen.setdefault((segment, number, access, name), set())
        for a, b in (x.split('-') for x in ranges):
            bytes_.update(range(int(a), int(b) + 1))
    return seen


def sites(program):
    out = subprocess.run([sys.executable, os.path.join(HERE, 'sites.py'), program + '.o'], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    for line in out.splitlines():
        m = re.match(r'(access|call) (\S+) (.*?):(\d+):(\d+) (.*)', line)
        if m:
            kinds = set(m[2]) & set('rw') or {m[1]}
            yield kinds, (os.path.basename(m[3]), int(m[4]), int(m[5])), line


def runs(flags):
    """Does this processor have the instructions that the flags ask for?"""
    have = open('/proc/cpuinfo').read().split()
    return all(w[2:] in have for w in flags.split() if w.startswith('-mavx'))


def spans(bytes_):
    b = sorted(bytes_)
    return f'{len(b)} bytes from {b[0]} to {b[-1]}'


def main():
    folder, source, flags = sys.argv[1], sys.argv[2], sys.argv[3:]
    base = f'{folder}/base'
    build(folder, source, ['-O0'], ':ranges=0:redundant=0:locals=0', base)
    want = touched(base)
    places = {(k, where) for kinds, where, _ in sites(base) for k in kinds}
    bad = total = 0
    for words in flags:
        out = f'{folder}/other'
        build(folder, source, words.split(), '', out)
        got = touched(out) if runs(words) else {}
        total += sum(map(len, got.values()))
        for key, bytes_ in got.items():
            more = bytes_ - want.get(key, set())
            if more:
                bad += 1
                print(f'{source} {words}: invented: {" ".join(key)}: {spans(more)}')
        for kinds, where, line in sites(out):
            for k in kinds:
                if (k, where) not in places and ('call', where) not in places:
                    bad += 1
                    print(f'{source} {words}: no such access at -O0: {line}')
    if not want or not total:
        print(f'{source}: nothing recorded')
        bad += 1
    return bad > 0


if __name__ == '__main__':
    sys.exit(main())
