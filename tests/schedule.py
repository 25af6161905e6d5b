#!/usr/bin/env python3
"""Schedules made by hand: completes the lines on standard input to a schedule file of a run.

    schedule.py FORERUN RUN <LINES >RUN/1/schedule

LINES are those of src/format/schedule_text.h from `kind` on. In them

    {0.1:mutex-lock:2}       stands for the hook of the second mutex-lock of thread 0.1
    {0.1:mutex-lock:2-1}     for the one before
    {0.1:mutex-lock:2!}      for its site

The lines before `kind` are taken from the schedule of the run's first finding, and the checksum is a right one.
--seal FILE: no run; the file's own lines, with a right checksum.
--edit FILE PATTERN REPLACEMENT: the file's own lines, with each match of a regular expression replaced, empty lines
left out, and a right checksum.
"""
import re
import subprocess
import sys


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def seal(text):
    return text + "end %08x\n" % crc32c(text.encode())


def hooks(forerun, run):
    """(thread, kind) -> [(hook, site)], from the raw dump."""
    found = {}
    thread = None
    for line in subprocess.run([forerun, "dump", "--raw", run], stdout=subprocess.PIPE, text=True,
                               check=True).stdout.splitlines():
        word = line.split()
        if word and word[0] == "thread":
            thread = word[1]
        elif len(word) > 3 and word[2] == "aux":
            found.setdefault((thread, word[1]), []).append((int(word[0]), int(word[-1])))
    return found


def complete(text, known):
    def one(m):
        hook, site = known[m[1], m[2]][int(m[3]) - 1]
        return str(site if m[4] == "!" else hook + int(m[4] or 0))

    return re.sub(r"\{([0-9.]+):([a-z-]+):([0-9]+)(!|[+-][0-9]+)?\}", one, text)


def head(run):
    lines = open(run + "/1/schedule").read().splitlines(True)
    return "".join(l for l in lines if l.split()[0] in ("forerun-schedule", "run", "module"))


def own_lines(path):
    return [l for l in open(path) if not l.startswith("end ")]


def edit(path, pattern, replacement):
    old = own_lines(path)
    new = [re.sub(pattern, replacement, l[:-1]) + "\n" for l in old]
    if new == old:
        sys.exit("nothing matches " + pattern)
    open(path, "w").write(seal("".join(l for l in new if l != "\n")))


if sys.argv[1] == "--seal":
    text = seal("".join(own_lines(sys.argv[2])))
    open(sys.argv[2], "w").write(text)
elif sys.argv[1] == "--edit":
    edit(*sys.argv[2:])
else:
    text = head(sys.argv[2]) + complete(sys.stdin.read(), hooks(sys.argv[1], sys.argv[2]))
    sys.stdout.write(seal(text))
