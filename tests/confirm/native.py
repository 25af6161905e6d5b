#!/usr/bin/env python3
"""native.py RUNS FOLDER: how often do the bugs of the programs show when nothing steers them?

Builds each buggy program of tests/programs in FOLDER with the ordinary compiler, and runs it RUNS times. A bug shows
when a run ends by a signal, with another status or output (in whatever order) than most, or does not end. Over all programs that must be
fewer than one run in a hundred, and no program may do it twice in so few runs. Left out are programs that the tests record in a fixed
order (line `order:`), programs whose line `native: WHY` says why this cannot be told, and those whose sanitizer the compiler does not
have.
"""
import collections
import concurrent.futures
import glob
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head  # noqa: E402

LIMIT = 60  # seconds: whoever needs more hangs
AT_ONCE = 2 * (os.cpu_count() or 1)  # they mostly sleep


def build(source, folder):
    out = os.path.join(folder, os.path.basename(source) + ".native")
    tool = os.environ.get("CXX", "c++") if source.endswith(".cpp") else os.environ.get("CC", "cc")
    flags = (program_head.value(source, "build") or "").split()
    done = subprocess.run([tool, "-g", "-O1", "-pthread", *flags, source, "-o", out], capture_output=bool(flags))
    if done.returncode and not flags:
        sys.exit("%s does not compile" % source)
    return None if done.returncode else out


def run(job):
    source, program = job
    text = (program_head.value(source, "stdin") or "").encode().decode("unicode_escape")
    try:
        r = subprocess.run([program], input=text.encode(), capture_output=True, timeout=LIMIT)
        return source, (r.returncode, b"\n".join(sorted(r.stdout.split(b"\n"))))
    except subprocess.TimeoutExpired:
        return source, ("hangs", b"")


def main():
    runs, folder = int(sys.argv[1]), sys.argv[2]
    programs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../programs")
    sources = [s for d in ("predict", "confirm", "anomaly") for s in sorted(glob.glob("%s/%s/*.c*" % (programs, d)))
               if not program_head.value(s, "native") and not program_head.value(s, "order")]
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        built = list(pool.map(lambda s: build(s, folder), sources))
        ends = collections.defaultdict(collections.Counter)
        for source, end in pool.map(run, [job for job in zip(sources, built) if job[1]] * runs):
            ends[source][end] += 1
    total = bad = 0
    for source, counts in ends.items():
        name = os.path.relpath(source, programs)
        (usual, often), = counts.most_common(1)
        shown = runs - often
        total += shown
        if usual[0] != 0:
            print("%s: mostly ends with %s" % (name, usual[0]))
            bad = 1
        if shown:
            print("%s: %d of %d runs are not like the others: %s" % (
                name, shown, runs, ", ".join(str(e[0]) for e in counts if e != usual)))
        if shown >= 2 and shown * 100 > runs:
            bad = 1
    all_runs = runs * len(ends)
    print("%d programs, %d runs: a bug showed in %d" % (len(ends), all_runs, total))
    return 1 if bad or total * 100 >= all_runs else 0


sys.exit(main())
