#!/usr/bin/env python3
"""What prediction costs: generated runs through load, causality, race candidates and the sync tier, on one core.

Each run is generated into a folder of its own, in another process, so that memory is that of the analysis alone. Prints events a
second for each stage, memory for each event, and how time grows from one size to the next ten times as large (1.0 is linear).
For orientation, on a random trace of a million events with 9 threads and 10 locks: RAPID's epoch happens-before 0.32 million
events a second, WCP 0.12, its sync-preserving analysis 0.006 with 4.3 GB.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from harness import say

STAGES = ("load", "causality", "candidates", "sync")
# Threads and locks of each run of a size.
SHAPES = ((2, 4), (9, 10), (64, 1000))


def measure(bench, work, events, threads, locks, opts):
    folder = os.path.join(work, "run")
    os.mkdir(folder)
    try:
        subprocess.run([bench, "gen", folder, str(events), str(threads), str(locks), str(opts.seed)], check=True)
        best = None
        for _ in range(opts.runs):
            words = subprocess.run([bench, "run", folder, str(opts.seconds)], check=True, capture_output=True,
                                   text=True).stdout.split()
            r = parse(words)
            if best is None or r["total"] < best["total"]:
                best = r
        return best
    finally:
        shutil.rmtree(folder)


def parse(words):
    """name value, or for a stage: name seconds peak."""
    r, i = {}, 0
    while i < len(words):
        if words[i] in STAGES:
            r[words[i]], r[words[i] + ".peak"] = float(words[i + 1]), int(words[i + 2])
            i += 3
        else:
            r[words[i]] = float(words[i + 1])
            i += 2
    return r


def rate(events, seconds):
    return "%.2f" % (events / max(seconds, 1e-6) / 1e6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--sizes", default="10000,100000,1000000,10000000")
    parser.add_argument("--shapes", default=",".join("%dx%d" % s for s in SHAPES), help="THREADSxLOCKS,...")
    parser.add_argument("--runs", type=int, default=3, help="the best of so many is shown")
    parser.add_argument("--seconds", type=float, default=120, help="for the sync tier of one run")
    parser.add_argument("--seed", type=int, default=1)
    opts = parser.parse_args()
    bench = os.path.join(opts.build, "bench", "bench_predict")
    subprocess.run(["ninja", "-C", opts.build, "bench/bench_predict"], check=True, stdout=subprocess.DEVNULL)
    say("million events a second of processor time, one thread, by stage; bytes: peak memory for each event\n")
    say("%10s %7s %6s %8s %10s %11s %8s %8s %7s %7s %7s %7s" %
        ("events", "threads", "locks", "load", "causality", "candidates", "sync", "all", "bytes", "groups", "found",
         "growth"))
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        for shape in opts.shapes.split(","):
            threads, locks = (int(v) for v in shape.split("x"))
            before = None
            for events in (int(v) for v in opts.sizes.split(",")):
                r = measure(bench, work, events, threads, locks, opts)
                n = r["events"]
                growth = "%.2f" % (r["total"] / before[1] / (n / before[0])) if before else ""
                say("%10d %7d %6d %8s %10s %11s %8s %8s %7.1f %7d %7d %7s%s" %
                    (n, threads, locks, *(rate(n, r[s]) for s in STAGES), rate(n, r["total"]),
                     r["sync.peak"] / n, r["groups"], r["yes"], growth,
                     "  (%d not tried)" % r["untried"] if r["untried"] else ""))
                before = (n, r["total"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
