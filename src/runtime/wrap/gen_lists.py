#!/usr/bin/env python3
"""Writes the linker's lists from wrapped.def.

gen_lists.py INPUT dynamic OUTPUT: a --dynamic-list file, for executables: what they export to libraries
gen_lists.py INPUT wrap OUTPUT:    one name a line, to be given as --wrap=NAME in static links; "real" behind it if
                                   libc must have the function: --undefined=NAME
"""
import re
import sys

ENTRY = re.compile(r'^FRT_W([VADNP]?)\((\w+)(?:, [^)]+)?\)$')


def entries(path):
    found = []
    for number, line in enumerate(open(path), 1):
        if not line.startswith('FRT_W'):
            continue
        match = ENTRY.match(line.strip())
        if not match:
            sys.exit(f'{path}:{number}: not an entry: {line.strip()}')
        found.append(match.groups())
    names = [name for _, name in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f'{path}: more than once: {", ".join(twice)}')
    return found


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ('dynamic', 'wrap'):
        sys.exit(__doc__)
    found = entries(sys.argv[1])
    with open(sys.argv[3], 'w') as out:
        if sys.argv[2] == 'dynamic':
            out.write('{\n')
            for _, name in found:
                out.write(f'\t{name};\n')
            out.write('\tfrt_*;\n\t__tsan_*;\n\tAnnotate*;\n\tWTFAnnotate*;\n\tforerun_*;\n};\n')
        else:
            for kind, name in found:
                if kind not in ('D', 'P'):
                    out.write(f'{name}\n' if kind in ('A', 'N') else f'{name} real\n')


main()
