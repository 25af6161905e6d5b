#!/usr/bin/env python3
"""Replays a finding again and again, and compares: verdict, the program's output and errors, the events and
values at the targets, the switches, and the last position of each thread.

    replay_again.py FORERUN RUN/FINDING COUNT load|one-core|gdb [REFERENCE]

load: two busy loops for each core beside it. one-core: all threads on one. gdb: under gdb; compares verdict, output and
gdb's data about the threads at the targets. REFERENCE: a file that the first one writes and the others
compare with. Status 0: all alike; else the first difference is printed.
"""
import multiprocessing
import os
import re
import subprocess
import sys

forerun, finding, count, way = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
reference = sys.argv[5] if len(sys.argv) > 5 else None
LIMIT = 100  # seconds for one replay, in case that it never ends


def spin():
    while True:
        pass


def once():
    cmd = [forerun, "replay", "-v", finding]
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
    said = re.sub(r"(?m)^forerun: the program ran for .*\n", "", p.stderr.decode(errors="replace"))
    return "status %d\n%s\n----\n%s" % (p.returncode, p.stdout.decode(errors="replace"), said)


def debugged():
    cmd = ["timeout", "-k", "1", str(LIMIT), forerun, "replay", "--gdb", finding]
    p = subprocess.run(cmd, input=b"info threads\ncontinue\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = re.sub(r"LWP [0-9]+|process [0-9]+", "LWP", p.stdout.decode(errors="replace"))
    # gdb takes registers for arguments of the library that no longer exist, and wraps lines by their length.
    text = re.sub(r"\( ", "(", re.sub(r"\n {4}", " ", text))
    text = re.sub(r"\b(__\w+)=0x[0-9a-f]+( <[^>]*>)?", r"\1", text)
    text = re.sub(r" +", " ", re.sub(r"(?m)^#[0-9]+ +", "# ", text)) # widths; frames of ours below
    # In which order gdb hears of threads that come and go is the kernel's.
    lines = sorted(l for l in text.splitlines() if not l.startswith(("[New ", "[Thread ", "[Switching ")))
    return "status %d\n%s" % (p.returncode, "\n".join(lines))


def compare(n, want, got):
    if want == got:
        return
    a, b = want.splitlines(), got.splitlines()
    print("replay %d of %s, %s, differs:" % (n, finding, way))
    for i in range(max(len(a), len(b))):
        x, y = (a[i] if i < len(a) else "(nothing)"), (b[i] if i < len(b) else "(nothing)")
        if x != y:
            print("  first: " + x)
            print("    now: " + y)
            break
    sys.exit(1)


want = None
if way != "gdb" and reference and os.path.exists(reference):
    want = open(reference).read()
busy = [multiprocessing.Process(target=spin, daemon=True)
        for _ in range(2 * len(os.sched_getaffinity(0)) if way == "load" else 0)]
for b in busy:
    b.start()
if way == "one-core":
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
try:
    for i in range(count):
        got = debugged() if way == "gdb" else once()
        if want is None:
            want = got
            if not got.startswith("status 1\n"):
                print("it did not happen: " + got)
                sys.exit(1)
            if way != "gdb" and reference:
                open(reference, "w").write(got)
        compare(i + 1, want, got)
finally:
    for b in busy:
        b.kill()
