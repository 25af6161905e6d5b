#!/usr/bin/env python3
"""Does forerun find the bug of each program from any harmless run? Records each program in random orders, and runs
forerun on each of those runs. The twin (-DFIXED) must be silent in the same orders.

Usage: orders.py FORERUN RUNS JOBS FLAGS PROGRAM.c...   FLAGS: for the compiler ("-O1"). Prints one line for each program: the harmless
runs, those from which the bug was found, and those in which another kind was found instead; then the seeds of the
misses. The kind is that of the folder, or what the head of the program expects. The exit status is 1 if a twin was not
silent or the bug was found from no run."""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head
import run_folder

KINDS = {"null": "null-dereference", "wakeup": "lost-wakeup", "deadlock": "deadlock", "order": "order-violation",
         "failing": "order-violation"}
LIMIT = 120  # seconds for one run


def build(forerun, source, exe, flags):
    cpp = source.endswith(".cpp")
    library = program_head.value(source, "library")
    if library:
        subprocess.run([forerun, "cc", "-g", "-fPIC", "-shared", "-DLIB", source, "-o",
                        os.path.join(os.path.dirname(exe), "lib%s.so" % library)],
                       check=True)
    options = (program_head.value(source, "build") or "").split()
    subprocess.run([forerun, "c++" if cpp else "cc", "-g", "-pthread"] + (["-std=c++20"] if cpp else []) + flags +
                   options + [source, "-o", exe],
                   check=True, stderr=subprocess.DEVNULL)


def findings(forerun, exe, seed):
    """The kinds of the confirmed findings of a run in a random order; None if the recorded run failed."""
    folder = "%s.%d" % (exe, seed)
    try:
        subprocess.run([forerun, "run", "--order", "random:%d" % seed, "-o", folder, exe], cwd=os.path.dirname(exe),
                       stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
        j = run_folder.report(folder)
    except subprocess.TimeoutExpired:
        return {"time out"}
    except FileNotFoundError:
        return None
    if j["run"]["exit"] != 0 or any(x["kind"] == "failure" for x in j["findings"]):
        return None
    return {x["kind"] for x in j["findings"] if x["verdict"] == "confirmed" and not x["folded"]}


def try_program(forerun, source, runs, flags):
    kind = program_head.value(source, "expect") or KINDS.get(source.split(os.sep)[-2], "?")
    name = os.path.join(*source.split(os.sep)[-2:])
    with tempfile.TemporaryDirectory() as t:
        exe = os.path.join(t, "program")
        build(forerun, source, exe, flags)
        seen = {}
        for seed in range(1, 4 * runs + 1):
            seen[seed] = findings(forerun, exe, seed)
            if sum(f is not None for f in seen.values()) == runs:
                break
        build(forerun, source, exe + ".fixed", flags + ["-DFIXED"])
        loud = {s: f for s in range(1, runs + 1) for f in [findings(forerun, exe + ".fixed", s)] if f}
    harmless = {s: f for s, f in seen.items() if f is not None}
    found = [s for s, f in harmless.items() if kind in f]
    others = {s: f for s, f in harmless.items() if f and kind not in f}
    misses = [s for s, f in harmless.items() if not f]
    print("%-28s %-17s %2d of %2d runs harmless, found from %2d, as another kind from %d; %d without%s%s" %
          (name, kind, len(harmless), len(seen), len(found), len(others), len(misses),
           " (random:%s)" % ",".join(str(s) for s in misses) if misses else "",
           " (%s)" % "; ".join("%d: %s" % (s, ", ".join(sorted(f))) for s, f in others.items()) if others else ""),
          flush=True)
    if loud:
        print("%-28s TWIN NOT SILENT: %s" % (name, loud), flush=True)
    return bool(loud) or (bool(harmless) and not found and not others)


def main():
    forerun, runs, jobs, flags = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split()
    with ThreadPoolExecutor(jobs) as pool:
        bad = list(pool.map(lambda s: try_program(forerun, os.path.abspath(s), runs, flags), sys.argv[5:]))
    return any(bad)


if __name__ == "__main__":
    sys.exit(main())
