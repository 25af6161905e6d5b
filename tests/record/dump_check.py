"""Checks the text that `forerun dump` prints.

    dump_check.py consistent FILE...       a trace, whole or a prefix, that could have happened: each thread begins with
                                          its start, indices grow, stamps are unique and grow along each thread, no
                                          thread starts before it was created, no mutex is taken while another has it
    dump_check.py nogap VARIABLE FILE...   ... and each thread's writes to a place of VARIABLE are 1, 2, 3, ... (places
                                          that only one thread writes)
    dump_check.py stack REGEX FILE         of a dump with --stacks: the functions of the last event that matches
"""
import re
import sys

THREAD = re.compile(r"^thread (\S+) \(id (\d+)\)")
EVENT = re.compile(r"^ +\d+  \S+")
FRAME = re.compile(r"^ +#\d+ (.*)$")


def number_after(text, mark):
    """The digits that follow the first `mark`, as text; None if there is none."""
    at = text.find(mark)
    if at < 0:
        return None
    at += len(mark)
    end = at
    while end < len(text) and text[end] in "0123456789abcdefx-":
        end += 1
    return text[at:end]


class Event:
    __slots__ = ("thread", "index", "kind", "rest", "stamp", "address")

    def __init__(self, thread, words):
        self.thread = thread
        self.index = int(words[0])
        self.kind = words[1]
        self.rest = words[2] if len(words) > 2 else ""
        stamp = number_after(self.rest, "#")
        self.stamp = int(stamp) if stamp else None
        self.address = number_after(self.rest, "0x")


class Bad(Exception):
    pass


def fail(what):
    raise Bad(what)


def events(path):
    thread = None
    with open(path, errors="replace") as f:
        for line in f:
            if line.startswith("thread "):
                m = THREAD.match(line)
                thread = m.group(1) if m else thread
            elif line.startswith(" ") and thread is not None:
                words = line.split(None, 2)
                if words[0][0] != "#":  # not a frame of a stack
                    yield Event(thread, words)


class Order:
    """Checks the indices along one thread. A hook that a handler interrupts comes after the handler's events."""

    def __init__(self):
        self.last = 0
        self.depth = 0
        self.before = None  # the index before the handlers that came last

    def add(self, e):
        """True if handlers stand between this event and the one before it in the program's order."""
        if e.kind == "signal-begin":
            if self.depth == 0 and self.before is None:
                self.before = self.last
            self.depth += 1
        handled = self.before is not None
        if e.index < self.last and not e.rest.startswith("late") and " late" not in e.rest:
            if not handled or e.index < self.before:
                fail("thread %s: index %d after %d" % (e.thread, e.index, self.last))
        elif self.depth == 0 and e.index > self.last:
            self.before = None
        self.last = max(self.last, e.index)
        if e.kind == "signal-end" and self.depth:
            self.depth -= 1
        return handled


def check_thread_order(path):
    """Indices and stamps along each thread; returns the stamped events."""
    order, last_stamp, stamped, seen = {}, {}, [], {}
    for e in events(path):
        if e.thread not in order:
            if e.kind not in ("thread-start", "tu", "stamp"):
                fail("thread %s begins with %s" % (e.thread, e.kind))
            order[e.thread] = Order()
        if e.kind.startswith("last-") or e.kind == "stamp":
            continue  # not hooks: their fields have other meanings
        handled = order[e.thread].add(e)
        if e.stamp is None or e.kind == "pending":
            continue
        if e.stamp <= last_stamp.get(e.thread, 0) and not handled:
            fail("thread %s: stamp %d after %d" % (e.thread, e.stamp, last_stamp[e.thread]))
        if e.stamp in seen:
            fail("stamp %d twice, in threads %s and %s" % (e.stamp, seen[e.stamp], e.thread))
        last_stamp[e.thread] = e.stamp
        seen[e.stamp] = e.thread
        stamped.append(e)
    if not order:
        fail("no events")
    return stamped


def taken(e):
    return not re.search(r"\b(busy|timed.?out|deadlock|deadlk|error|not.?owner|EPERM)\b", e.rest, re.I)


def check_history(stamped):
    """In the order of stamps: creation before start, one holder for each mutex (recursive ones count)."""
    holder, depth, created = {}, {}, {"0"}
    for e in sorted(stamped, key=lambda e: e.stamp):
        if e.kind == "thread-create":
            m = re.search(r"thread (\S+)", e.rest)
            if m:
                created.add(m.group(1))
        elif e.kind == "thread-start" and e.thread not in created:
            fail("thread %s starts before it was created" % e.thread)
        elif e.kind == "mutex-lock" and taken(e):
            if holder.get(e.address, e.thread) != e.thread and "owner" not in e.rest:
                fail("#%d: thread %s takes %s, which thread %s has" % (e.stamp, e.thread, e.address,
                                                                       holder[e.address]))
            holder[e.address] = e.thread
            depth[e.address] = depth.get(e.address, 0) + 1
        elif e.kind == "mutex-unlock" and taken(e):
            depth[e.address] = depth.get(e.address, 1) - 1
            if depth[e.address] <= 0:
                holder.pop(e.address, None)
                depth[e.address] = 0
        elif e.kind in ("mutex-init", "mutex-destroy"):
            holder.pop(e.address, None)
            depth[e.address] = 0


def check_gaps(path, variable):
    last = {}
    for e in events(path):
        if e.kind != "write" or variable not in e.rest:
            continue
        value = int(number_after(e.rest, " = "), 0)
        key = (e.thread, e.address)
        if e.thread == "0":
            continue
        if value != last.get(key, 0) + 1:
            fail("thread %s writes %d to %s after %d" % (e.thread, value, e.address, last.get(key, 0)))
        last[key] = value
    return last


def last_stack(path, pattern):
    frames, reading = [], False
    with open(path, errors="replace") as f:
        for line in f:
            m = FRAME.match(line)
            if m and reading:
                frames.append(m.group(1).split()[-1])
                continue
            reading = False
            if EVENT.match(line) and re.search(pattern, line):
                frames, reading = [], True
    print(" ".join(frames))


def main():
    mode, rest = sys.argv[1], sys.argv[2:]
    if mode == "stack":
        last_stack(rest[1], rest[0])
        return 0
    variable = rest.pop(0) if mode == "nogap" else None
    bad = 0
    for path in rest:
        try:
            check_history(check_thread_order(path))
            if variable:
                check_gaps(path, variable)
        except Bad as e:
            print("%s: %s" % (path, e))
            bad += 1
    return 1 if bad else 0


sys.exit(main())
