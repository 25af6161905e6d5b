"""Prints the site tables of an ELF file (format/site_table.h), one site a line: sites.py FILE. Types and objects are in
parentheses, fields in braces. With a second word, prints only the marks of reads: line, name, marks of pointers, and the
line of each failing call with its test. If that word is `influence`, prints for each read its line and name, FIXED and
WAITS if it has these bits, and its influences within the unit: `=NAME` a written value, `?NAME` whether an access
executes (with the way: ~ same address, +N N hooks later), `BRANCH`, `USED:why`, `CALLED f`, `PARAM f N`, `RESULT f`.
Functions of the unit are followed, and also printed if they are not harmless."""
import struct
import sys

HEAD, SITE, FRAME = struct.Struct('<12I'), struct.Struct('<IIHHIIIIHBBI'), struct.Struct('<4I')
MARK, NODE = struct.Struct('<3I'), struct.Struct('<IIHBB')


def fnv(data):
    h = 0x811c9dc5
    for b in data:
        h = ((h ^ b) * 0x01000193) & 0xffffffff
    return h


def table(d, at):
    magic, version, size, nsites, nframes, nstrings, folder, check, nmarks, nnodes, ninfluences, pad = HEAD.unpack_from(d, at)
    parts = nsites * SITE.size + nframes * FRAME.size + nmarks * MARK.size + nnodes * NODE.size + ninfluences * 4 + nstrings
    if version != 4 or at + size > len(d) or size != HEAD.size + parts:
        return False
    if fnv(d[at + HEAD.size:at + size]) != check:
        sys.exit('bad checksum')
    strings = at + size - nstrings
    marks_end = strings - nnodes * NODE.size - ninfluences * 4

    def text(off):
        return d[strings + off:d.index(b'\0', strings + off)].decode()

    def site(k):
        return SITE.unpack_from(d, at + HEAD.size + k * SITE.size)

    def marks(k):
        for i in range(nmarks):
            of, fails, test = MARK.unpack_from(d, marks_end - (nmarks - i) * MARK.size)
            if of == k:
                yield f'{site(fails)[1]} [{text(test)}]'

    if sys.argv[2:] == ['influence']:
        influence(d, marks_end, nnodes, ninfluences, site, text, nsites)
        return True
    for k in range(nsites):
        file, line, column, access, function, name, kind_of, frame, n, kind, pad, physical = site(k)
        if len(sys.argv) > 2:
            pointer = [w for i, w in ((8, 'pointer'), (9, 'dereferenced'), (10, 'checked')) if access >> i & 1]
            if kind == 0 and access & 1 and (pointer or list(marks(k))):
                print(line, text(name), *pointer, *sorted(marks(k)))
            continue
        flags = ''.join(c for i, c in enumerate('rwavgl') if access >> i & 1)
        out = f'{("access", "call", "function", "branch", "exec")[kind]} {flags or "-"} {text(file)}:{line}:{column} {text(function)}'
        lines = text(kind_of).split('\n')
        fields = lines[1:] if kind == 0 else [l[1:] for l in lines if l.startswith('@')]
        out += f' `{text(name)}` ({"; ".join(lines[:1] if kind == 0 else [l for l in lines if not l.startswith("@")])})'
        out += f' {{{"; ".join(fields)}}}' if fields else ''
        for i in range(n):
            f = FRAME.unpack_from(d, at + HEAD.size + nsites * SITE.size + (frame - 1 + i) * FRAME.size)
            out += f' < {text(f[0])} {text(f[1])}:{f[2]}:{f[3]}'
        print(out)
    return True


KINDS = 'VALUE EXECUTE PARAM RESULT CALLED JOIN BRANCH USED'.split()
USES = 'other address stored argument returned'.split()


def influence(d, at, nnodes, ninfluences, site, text, nsites):
    """Prints the influences of each read and of each function."""
    nodes = [NODE.unpack_from(d, at + i * NODE.size) for i in range(nnodes)]
    edges = struct.unpack_from(f'<{ninfluences}I', d, at + nnodes * NODE.size)

    def place(k):
        return f'{text(site(k)[5])}@{site(k)[1]}'

    def out(i):
        last = nodes[i + 1][1] if i + 1 < nnodes else ninfluences
        return [(e & 0xffffff, e >> 24) for e in edges[nodes[i][1]:last]]

    def show(i, way):
        of, _, arg, kind, flags = nodes[i]
        name = KINDS[kind]
        if name == 'VALUE':
            how = '' if not way else '~' if way == 255 else f'+{way}'
            return ['=' + place(of) + how] if site(of)[3] & 2 else []
        if name == 'EXECUTE':
            return ['?' + place(k) for k in range(of, of + arg + 1) if site(k)[9] == 0]
        if name == 'USED':
            return ['USED:' + USES[arg]]
        if name == 'PARAM':
            return [f'PARAM {text(of)} {arg}' + ('...' if flags & 4 else '')]
        if name == 'CALLED':
            return [] if flags & 2 else ['CALLED ' + text(of)]
        return [name] if name == 'BRANCH' else [] if name == 'JOIN' else [f'{name} {text(of)}']

    def reach(i):
        seen, todo, found = {i}, [i], set()
        while todo:
            for to, way in out(todo.pop()):
                found.update(show(to, way))
                if to not in seen:
                    seen.add(to)
                    todo.append(to)
        return found

    lines = []
    have = set()
    for i, (of, _, arg, kind, flags) in enumerate(nodes):
        if KINDS[kind] == 'VALUE' and site(of)[3] & 1:
            bits = [w for b, w in ((0x800, 'FIXED'), (0x1000, 'WAITS')) if site(of)[3] & b]
            have.add(of)
            lines.append((site(of)[1], ' '.join([place(of), *bits, '->', ', '.join(sorted(reach(i))) or 'nothing'])))
        elif KINDS[kind] == 'CALLED' and flags & 2:
            lines.append((10**6, f'{text(of)}() -> ' + ('BRANCH' if 'BRANCH' in reach(i) else 'harmless')))
    for k in range(nsites):
        if site(k)[9] == 0 and site(k)[3] & 1 and k not in have:
            lines.append((site(k)[1], place(k) + ' -> everything'))
    for _, line in sorted(lines):
        print(line)


data = open(sys.argv[1], 'rb').read()
at = data.find(b'FRTS')
while at >= 0:
    table(data, at)
    at = data.find(b'FRTS', at + 4)
