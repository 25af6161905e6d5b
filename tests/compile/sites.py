"""Prints the site tables of an ELF file (format/site_table.h), one site a line: sites.py FILE. With a second word, prints
only the marks of reads: line, name, marks of pointers, and the line of each failing call with its test."""
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

    for k in range(nsites):
        file, line, column, access, function, name, kind_of, frame, n, kind, pad, physical = site(k)
        if len(sys.argv) > 2:
            pointer = [w for i, w in ((8, 'pointer'), (9, 'dereferenced'), (10, 'checked')) if access >> i & 1]
            if kind == 0 and access & 1 and (pointer or list(marks(k))):
                print(line, text(name), *pointer, *sorted(marks(k)))
            continue
        flags = ''.join(c for i, c in enumerate('rwavgl') if access >> i & 1)
        out = f'{("access", "call", "function", "branch", "exec")[kind]} {flags or "-"} {text(file)}:{line}:{column} {text(function)}'
        out += f' `{text(name)}` ({text(kind_of)})'.replace('\n', '; ')
        for i in range(n):
            f = FRAME.unpack_from(d, at + HEAD.size + nsites * SITE.size + (frame - 1 + i) * FRAME.size)
            out += f' < {text(f[0])} {text(f[1])}:{f[2]}:{f[3]}'
        print(out)
    return True


data = open(sys.argv[1], 'rb').read()
at = data.find(b'FRTS')
while at >= 0:
    table(data, at)
    at = data.find(b'FRTS', at + 4)
