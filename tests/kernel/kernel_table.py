#!/usr/bin/env python3
"""Compares the tables of doc/kernel-order.md with the calls that the runtime wraps and with the tests.

kernel_table.py SOURCE-TREE: prints each disagreement; exit status 0 if there is none.
"""
import os
import re
import sys

tree = sys.argv[1]


def text(path):
    return open(os.path.join(tree, path)).read()


def wrapped():
    names = set(re.findall(r'^FRT_W[VADNP]?\((\w+)', text('src/format/wrapped.def'), re.M))
    hooks = text('src/format/hook_abi.h')
    names |= set(re.findall(r'X\((\w+)\)', hooks[hooks.index('define FRT_LIBC(X)'):]))
    return names


def mechanisms():
    found = set()
    folder = os.path.join(tree, 'tests/programs/kernel')
    for file in sorted(os.listdir(folder)):
        if file.endswith('.c'):
            for name in re.findall(r'^ *\{"([\w-]+)",', open(os.path.join(folder, file)).read(), re.M):
                found.add(f'{file[:-2]} {name}')
    return found


def rows():
    """(calls, tests or None) for each row that names calls."""
    columns = []
    for line in text('doc/kernel-order.md').splitlines():
        cells = [c.strip() for c in line.strip('|').split('|')] if line.startswith('|') else []
        if cells and cells[0] == 'calls':
            columns = cells
        elif cells and columns and cells[0].startswith('`'):
            calls = re.findall(r'`([^`]+)`', cells[0])
            yield calls, re.findall(r'`([^`]+)`', cells[-1]) if columns[-1] == 'test' else None
        elif not cells:
            columns = []


def main():
    bad = []
    real, known, listed, cited = wrapped(), mechanisms(), [], set()
    for calls, tests in rows():
        listed += calls
        if tests is not None and not tests:
            bad.append(f'no test: {", ".join(calls)}')
        for t in tests or []:
            cited.add(t)
            if t.endswith('.t'):
                if not os.path.exists(os.path.join(tree, 'tests', t)):
                    bad.append(f'no such test file: {t}')
            elif t not in known:
                bad.append(f'no such mechanism: {t}')
    bad += [f'wrapped, and not in the table: {n}' for n in sorted(real - set(listed))]
    bad += [f'in the table, and not wrapped: {n}' for n in sorted(set(listed) - real)]
    bad += [f'more than once in the table: {n}' for n in sorted(set(n for n in listed if listed.count(n) > 1))]
    bad += [f'in no row of the table: {m}' for m in sorted(known - cited)]
    print('\n'.join(bad) if bad else f'{len(listed)} calls, {len(known)} mechanisms')
    return bool(bad)


sys.exit(main())
