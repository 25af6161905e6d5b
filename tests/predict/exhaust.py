#!/usr/bin/env python3
"""exhaust.py SOURCE DUMP: checks that the `between` lines of a source list all accesses that any schedule of the
recorded run can put there.

DUMP is the output of `forerun dump`. The search visits all states of the threads, with their positions, locks,
semaphores, creation and join. It ignores values, so it may find too many accesses, but never too few. For each `expect:
atomicity-violation` of the head (see confirm/atomicity_check.py), it takes two accesses of a thread, one right after the
other in the same memory, and each remote access that makes an unserialisable shape with them. With a line `only:`, no
other two accesses have any. It shares nothing with the tool's own search. Prints nothing if the lists are the same; exits
with 77 if the run is too large.
"""
import collections
import itertools
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head  # noqa: E402

SHAPES = {("read", "write", "read"), ("write", "write", "read"), ("write", "read", "write"), ("read", "write", "write")}
ACCESS = {"read": ("read",), "write": ("write",), "rmw": ("write", "read")}  # hook name -> its accesses
MOST = 2000000  # states

Event = collections.namedtuple("Event", "kind object place")  # object: address, or thread; place: "file:line"


def parse(path):
    threads = collections.OrderedDict()
    for line in open(path):
        m = re.match(r"thread (\S+) \(id", line)
        if m:
            events = threads.setdefault(m.group(1), [])
            continue
        m = re.match(r"\s*\d+ +(?:atomic-)?(\S+)(?: \d+)? +(.*)", line)
        if not m:
            continue
        kind, rest = m.groups()
        kind = {"load": "read", "store": "write", "cas": "rmw"}.get(kind, kind)
        where = re.search(r"([^/\s]+:\d+):\d+ \S+$", rest)
        where = where.group(1) if where else None
        if kind in ACCESS:
            events.append(Event(kind, re.search(r"0x[0-9a-f]+", rest).group(0), where))
        elif kind == "cond-wait":  # releases the lock and takes it again; needs no signal
            mutex = re.search(r"mutex (0x[0-9a-f]+)", rest).group(1)
            events += [Event("mutex-unlock", mutex, where), Event("wait", None, where),
                       Event("mutex-lock", mutex, where)]
        elif kind in ("cond-signal", "cond-broadcast"):
            events.append(Event("wait", None, where))
        elif kind in ("mutex-lock", "mutex-unlock", "sem-post", "sem-wait"):
            events.append(Event(kind, re.search(r"0x[0-9a-f]+", rest).group(0), where))
        elif kind == "sem-init":
            at, count = re.search(r"(0x[0-9a-f]+).*count (\d+)", rest).groups()
            events += [Event("sem-post", at, where)] * int(count)
        elif kind in ("thread-create", "thread-join"):
            events.append(Event(kind, re.search(r"thread (\S+)", rest).group(1), where))
        elif kind.startswith(("rwlock", "barrier", "once", "spin")):
            sys.exit("%s: no %s is known here" % (path, kind))
    return threads


class Run:
    def __init__(self, threads):
        self.names = list(threads)
        self.all = list(threads.values())
        self.number = {n: i for i, n in enumerate(self.names)}
        self.created = {e.object for events in self.all for e in events if e.kind == "thread-create"}
        shared = collections.defaultdict(set)
        for t, events in enumerate(self.all):
            for e in events:
                if e.kind in ACCESS:
                    shared[e.object].add(t)
        # Memory that only one thread accesses orders nothing.
        self.events = [[e for e in events if e.kind not in ACCESS or len(shared[e.object]) > 1]
                       for events in self.all]

    def on(self, address):
        """The threads with synchronisation, and accesses of this memory alone."""
        return [[e for e in events if e.kind not in ACCESS or e.object == address] for events in self.events]

    def addresses(self):
        return sorted({e.object for events in self.events for e in events if e.kind in ACCESS})


def enabled(run, threads, at, held, count, t):
    e = threads[t][at[t]]
    if at[t] == 0 and run.names[t] in run.created:
        # Its creation must be behind its creator.
        if not any(f.kind == "thread-create" and f.object == run.names[t] for u, events in enumerate(threads)
                   for f in events[:at[u]]):
            return False
    if e.kind == "mutex-lock":
        return e.object not in held
    if e.kind == "sem-wait":
        return count[e.object] > 0
    if e.kind == "thread-join":
        joined = run.number[e.object]
        return at[joined] == len(threads[joined])
    return True


def state_of(threads, at):
    """Lock owners and semaphore values: all of it follows from the positions of the threads."""
    held, count = collections.Counter(), collections.Counter()
    for t, events in enumerate(threads):
        for e in events[:at[t]]:
            if e.kind == "mutex-lock":
                held[e.object] += 1
            elif e.kind == "mutex-unlock":
                held[e.object] -= 1
            elif e.kind == "sem-post":
                count[e.object] += 1
            elif e.kind == "sem-wait":
                count[e.object] -= 1
    return +held, count


def can_come_between(run, threads, first, second, remote):
    """Is there a schedule in which these come in the order first, remote, second? Each is (thread, index)."""
    (a, i), (_, k), (b, j) = first, second, remote
    start = tuple(0 for _ in threads)
    todo, seen = [start], {start}
    while todo:
        at = todo.pop()
        if at[a] > k:
            return True
        held, count = state_of(threads, at)
        for t, events in enumerate(threads):
            if at[t] == len(events) or not enabled(run, threads, at, held, count, t):
                continue
            if t == b and at[t] == j and at[a] <= i or t == a and at[t] == k and at[b] <= j:
                continue
            after = at[:t] + (at[t] + 1,) + at[t + 1:]
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return False


def name_of(e):
    return "%s@%s" % (ACCESS[e.kind][0], e.place)


def unserialisable(*events):
    return not SHAPES.isdisjoint(itertools.product(*(ACCESS.get(e.kind, ()) for e in events)))


def pairs(threads):
    """Two accesses of a thread, one right after the other. Waiting, signals, creation and join part them."""
    for t, events in enumerate(threads):
        access = [i for i, e in enumerate(events) if e.kind in ACCESS]
        for i, k in zip(access, access[1:]):
            if not any(e.kind in ("wait", "thread-create", "thread-join") for e in events[i:k]):
                yield t, i, k


def search(run, wanted):
    """Maps (place, place) to the places of remote accesses between the two. wanted(pair): include this pair?"""
    found = collections.defaultdict(set)
    for address in run.addresses():
        threads = run.on(address)
        asked = []
        for t, i, k in pairs(threads):
            pair = tuple(name_of(e) for e in (threads[t][i], threads[t][k]))
            if wanted(pair):
                asked += [(pair, t, i, k, u, j) for u, events in enumerate(threads) if u != t
                          for j, e in enumerate(events)
                          if unserialisable(threads[t][i], e, threads[t][k])]
        size = 1
        for events in threads:
            size *= len(events) + 1
        if asked and size > MOST:
            print("about %d states" % size)
            sys.exit(77)
        for pair, t, i, k, u, j in asked:
            place = name_of(threads[u][j])
            if place not in found[pair] and can_come_between(run, threads, (t, i), (t, k), (u, j)):
                found[pair].add(place)
    return {p: f for p, f in found.items() if f}


def expected(source):
    marks, file = program_head.marks(source), os.path.basename(source) + ":"
    want, pair = {}, None
    for key, rest in program_head.lines(source):
        if key == "expect":
            kind, _, rest = rest.split(None, 2)
            pair = tuple(program_head.places(rest, marks, file)) if kind == "atomicity-violation" else None
        elif key == "between" and pair:
            want[pair] = set(program_head.places(rest, marks, file))
    return want, program_head.value(source, "only") is not None


def main():
    source, dump = sys.argv[1:3]
    want, only = expected(source)
    found = search(Run(parse(dump)), lambda pair: only or pair in want)
    for pair in sorted(set(want) | set(found)):
        a, b = want.get(pair, set()), found.get(pair, set())
        if a != b:
            print("%s: the source has %s, there are %s" % (" ".join(pair), sorted(a), sorted(b)))
    return 1 if want != found else 0


sys.exit(main())
