"""Prints the site tables of an ELF file (format/site_table.h), one site a line: sites.py FILE."""
import struct
import sys

HEAD, SITE, FRAME = struct.Struct('<8I'), struct.Struct('<IIHBBIIIIII'), struct.Struct('<4I')


def fnv(data):
    h = 0x811c9dc5
    for b in data:
        h = ((h ^ b) * 0x01000193) & 0xffffffff
    return h


def table(d, at):
    magic, version, size, nsites, nframes, nstrings, folder, check = HEAD.unpack_from(d, at)
    if version != 2 or at + size > len(d) or size != HEAD.size + nsites * SITE.size + nframes * FRAME.size + nstrings:
        return False
    if fnv(d[at + HEAD.size:at + size]) != check:
        sys.exit('bad checksum')
    strings = at + size - nstrings

    def text(off):
        return d[strings + off:d.index(b'\0', strings + off)].decode()

    for k in range(nsites):
        file, line, column, kind, access, function, name, kind_of, frame, n, physical = SITE.unpack_from(
            d, at + HEAD.size + k * SITE.size)
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
