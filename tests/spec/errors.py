"""Runs forerun check on the texts of a file of cases. Each case is a line '-- TITLE', a text, and the expected
messages, each on a line that begins with '=> '. With --write, prints the cases with the messages that forerun gives
now."""
import os, subprocess, sys

def cases(path):
    title, text, want = None, [], []
    for line in open(path):
        if line.startswith('-- '):
            if title is not None:
                yield title, text, want
            title, text, want = line[3:].strip(), [], []
        elif line.startswith('=> '):
            want.append(line[3:].rstrip('\n'))
        else:
            text.append(line)
    yield title, text, want

def main():
    write = sys.argv[1] == '--write'
    path, folder = sys.argv[-2:]
    name, bad = os.path.join(folder, 'case'), 0
    for title, text, want in cases(path):
        with open(name, 'w') as f:
            f.write(''.join(text))
        p = subprocess.run([os.environ['FORERUN'], 'check', name], capture_output=True, text=True)
        got = [l.removeprefix(name + ':') for l in p.stderr.splitlines()]
        if write:
            print(f'-- {title}\n{"".join(text)}' + ''.join(f'=> {g}\n' for g in got), end='')
        elif got != want or p.returncode != 1:
            bad += 1
            print(f'{title}: status {p.returncode}, expected 1\n  expected: {want}\n  got:      {got}')
    return bad > 0

sys.exit(main())
