#!/usr/bin/env python3
"""Compares a recording made with filters against one made without.

filter_check.py FORERUN FULL FILTERED [--same-code]

Both must be of the same program doing the same things in the same order, with synchronisation that orders every
access (so that stamps tell the order). Asserts, for every granule (8 bytes) that several threads access in FULL:
  whole     nothing in FILTERED that FULL does not have (--same-code: to the hook);
  sharing   in each visit of a thread to a granule (its accesses between those of other threads) FILTERED has a read if
            FULL has one, and a write if FULL has one;
  values    the bytes that a visit leaves behind can be told from the writes kept of it, unless a range wrote them.
Prints a summary of the comparison; if an event is missing, prints it and exits with 1.
"""
import bisect
import re
import subprocess
import sys
from collections import defaultdict

LINE = re.compile(r'^\s*(\d+)\s+(\S+)\s+aux (\w+) addr (\w+) value (\w+) site (\d+)')
HEAD = re.compile(r'^thread (\S+) \(id (\d+)\)')


def slots(forerun, run):
    """(thread id, index, kind, aux, addr, value, site) of each slot, EXT slots as lists of their own."""
    out = subprocess.run([forerun, 'dump', '--raw', run], stdout=subprocess.PIPE, check=True, text=True).stdout
    thread, events = None, []
    for line in out.splitlines():
        if m := HEAD.match(line):
            thread = int(m.group(2))
        elif m := LINE.match(line):
            index, kind, aux, addr, value, site = m.groups()
            slot = [thread, int(index), kind, int(aux, 16), int(addr, 16), int(value, 16), int(site), []]
            if kind == 'ext':
                events[-1][7].append(slot)
            else:
                events.append(slot)
    return events


class Run:
    """Accesses of a run as (order, thread, index, rw, lo, hi, value or None, site)."""

    def __init__(self, forerun, run):
        self.accesses = []
        marks = defaultdict(list)  # thread -> [(index, stamp)]
        late = []
        for thread, index, kind, aux, addr, value, site, ext in slots(forerun, run):
            if kind in ('read', 'write'):
                size = 1 << (aux & 7)
                self.add(thread, index, kind[0], addr, addr + size, value if size <= 8 else None, site)
            elif kind in ('range-read', 'range-write'):
                count, stride, elem = ext[0][4], ext[0][5], ext[0][6]
                stride -= 1 << 64 if stride >> 63 else 0
                for i in range(count):
                    self.add(thread, index, kind[6], addr + i * stride, addr + i * stride + elem, None, site)
            elif kind in ('last-read', 'last-write'):
                owner, when = ext[0][5], ext[0][4]
                late.append((owner, when, kind[5], addr, addr + (1 << (aux & 7)), value, site))
            elif kind not in ('none', 'tu', 'frames', 'stamp', 'pending', 'pc-site',
                              'branch') and not kind.startswith('atomic'):
                marks[thread].append((index, value))
        self.late = late
        for owner, when, rw, lo, hi, value, site in late:
            self.add(owner, when, rw, lo, hi, value if rw == 'w' else None, site, True)
        # An access lies between its thread's synchronisations around it: their stamps order it in this run, their
        # number names the span in any run.
        for t in marks:
            marks[t].sort()
        for i, a in enumerate(self.accesses):
            span = bisect.bisect_right(marks[a[0]], (a[1], 1 << 64))
            self.accesses[i] = (marks[a[0]][span - 1][1] if span else 0,) + a + (span,)
        self.accesses.sort(key=lambda a: (a[0], a[1], a[2]))

    def add(self, thread, index, rw, lo, hi, value, site, last=False):
        self.accesses.append((thread, index, rw, lo, hi, value, site, last))

    def by_granule(self):
        table = defaultdict(list)
        for a in self.accesses:
            for g in range(a[4] >> 3, min(a[5] + 7, a[4] + 65536) >> 3):
                table[g].append(a)
        return table


def visits(accesses):
    """Runs of consecutive accesses of one thread: [(thread, [accesses])]."""
    out = []
    for a in accesses:
        if out and out[-1][0] == a[1]:
            out[-1][1].append(a)
        else:
            out.append((a[1], [a]))
    return out


def leaves(accesses, g):
    """The bytes that writes leave in a granule: {offset: value, or None where a range wrote}."""
    out = {}
    for a in accesses:
        if a[3] != 'w':
            continue
        if a[8]:  # a last write tells the whole granule
            out.update({k: a[6] >> 8 * k & 0xff for k in range(8)})
            continue
        for b in range(max(a[4], g << 3), min(a[5], (g << 3) + 8)):
            out[b - (g << 3)] = None if a[6] is None else a[6] >> 8 * (b - a[4]) & 0xff
    return out


def main():
    forerun, full_dir, filtered_dir = sys.argv[1:4]
    same_code = '--same-code' in sys.argv
    full, filtered = Run(forerun, full_dir), Run(forerun, filtered_dir)
    missing = []

    if same_code:
        known = defaultdict(list)
        for a in full.accesses:
            known[a[1], a[2]].append(a)
        for a in filtered.accesses:
            same = [f for f in known[a[1], a[2]] if f[3] == a[3] and f[7] == a[7] and f[4] < a[5] and a[4] < f[5]]
            if not same:
                missing.append(f'invented: {a} against {known[a[1], a[2]][:3]}')
    theirs, shared, kept = filtered.by_granule(), 0, 0
    for g, accesses in full.by_granule().items():
        if len({a[1] for a in accesses}) < 2:
            continue
        shared += 1
        want, got = visits(accesses), theirs.get(g, [])
        for i, (thread, visit) in enumerate(want):
            mine = [a for a in got if a[1] == thread and visit[0][9] <= a[9] <= visit[-1][9]]
            kept += len(mine)
            for rw in 'rw':
                of = [a for a in visit if a[3] == rw]
                if of and not any(a[3] == rw for a in mine):
                    missing.append(f'{g << 3:#x}: visit {i} of thread {thread} has {len(of)} {rw} from {of[0]}, none kept')
            if i + 1 < len(want):
                left, told = leaves(visit, g), leaves(mine, g)
                for k in left:
                    if left[k] is not None and told.get(k, 0) is not None and told.get(k) != left[k]:
                        missing.append(f'{(g << 3) + k:#x}: visit {i} of thread {thread} leaves {left[k]:#x}, '
                                       f'told {told.get(k)}')
    print(f'{shared} shared granules, {len(full.accesses)} accesses in full, {len(filtered.accesses)} with filters, '
          f'{len(filtered.late)} of them written down late')
    if not shared:
        missing.append('nothing is shared: the comparison is empty')
    for m in missing[:20]:
        print('missing:', m)
    sys.exit(1 if missing else 0)


main()
