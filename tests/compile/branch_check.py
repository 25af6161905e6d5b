#!/usr/bin/env python3
"""Which branches are written: branch_check.py FORERUN ALL KEPT

ALL is a recording with branch=all, KEPT one with branch=1, of the same program doing the same things. Asserts that
KEPT has, in each thread, exactly those branches of ALL that are the first after a read that was kept, and all other
events alike.
"""
import re
import subprocess
import sys

LINE = re.compile(r'^\s*(\d+)\s+(\S+)\s+aux (\w+) addr (\w+) value (\w+) site (\d+)')
READS = ('read', 'range-read', 'atomic-load', 'atomic-rmw', 'atomic-cas')


def threads(forerun, run):
    out = subprocess.run([forerun, 'dump', '--raw', run], stdout=subprocess.PIPE, check=True, text=True).stdout
    found, now = {}, None
    for line in out.splitlines():
        if line.startswith('thread '):
            now = found.setdefault(line.split()[1], [])
        elif (m := LINE.match(line)) and m.group(2) not in ('stamp', 'frames', 'tu', 'ext', 'pending'):
            now.append(m.groups())
    return found


def main():
    every, kept = (threads(sys.argv[1], run) for run in sys.argv[2:4])
    wrong = branches = 0
    if sorted(every) != sorted(kept):
        sys.exit('not the same threads')
    for t in every:
        want, due = [], False
        for index, kind, *rest in every[t]:
            if kind in READS:
                due = True
            elif kind == 'branch':
                if due:
                    want.append((index, *rest))
                due = False
        got = [(index, *rest) for index, kind, *rest in kept[t] if kind == 'branch']
        branches += len(got)
        for w, g in zip(want + [None] * len(got), got + [None] * len(want)):
            if w != g:
                print(f'thread {t}: wanted {w}, got {g}')
                wrong += 1
                break
        a, b = ([e[:2] for e in x[t] if e[1] != 'branch'] for x in (every, kept))
        if a != b:
            print(f'thread {t}: other events differ')
            wrong += 1
    print(f'{branches} branches after a read, of {sum(e[1] == "branch" for t in every for e in every[t])}')
    sys.exit(1 if wrong or not branches else 0)


main()
