#!/usr/bin/env python3
"""What patterns cost: the search for five of them, and schedules of the hybrid tier, on one core.

Runs are generated as for predict.py. Prints million events a second for each search, and for the hybrid tier schedules a second, each with its check,
and milliseconds of the slowest. For orientation: PECAN took 6 s to search 447 thousand events (0.07 million a second) and 1.5 s for each
schedule; wanted here are 0.3 s (1.5 million a second) and 10 ms.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

from harness import say

PATTERNS = ("race", "atomicity", "region", "set", "three")
SHAPES = ((2, 4), (9, 10), (64, 1000))
COLUMNS = "%7s %5s %10s %9s %9s %9s %9s %9s %10s %8s"
SEARCH, SCHEDULE = 1.5, 10  # million events a second; ms


def measure(build, work, events, threads, locks, opts):
    folder = os.path.join(work, "run")
    os.mkdir(folder)
    try:
        subprocess.run([os.path.join(build, "bench", "bench_predict"), "gen", folder, str(events), str(threads), str(locks),
                        str(opts.seed)], check=True)
        words = subprocess.run([os.path.join(build, "bench", "bench_pattern"), folder, str(opts.seconds)], check=True,
                               capture_output=True, text=True).stdout.split()
        return {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}
    finally:
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--sizes", default="10000,100000,447000,1000000,10000000")
    parser.add_argument("--shapes", default=",".join("%dx%d" % s for s in SHAPES), help="THREADSxLOCKS,...")
    parser.add_argument("--seconds", type=float, default=5, help="for the schedules of one run")
    parser.add_argument("--seed", type=int, default=1)
    opts = parser.parse_args()
    subprocess.run(["ninja", "-C", opts.build, "bench/bench_predict", "bench/bench_pattern"], check=True,
                   stdout=subprocess.DEVNULL)
    say("patterns on one core: million events a second of processor time; the hybrid tier: schedules a second, slowest\n")
    say(COLUMNS % ("threads", "locks", "events", *PATTERNS, "schedules", "ms"))
    slow, late = [], []
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        for shape in opts.shapes.split(","):
            threads, locks = (int(v) for v in shape.split("x"))
            for events in (int(v) for v in opts.sizes.split(",")):
                r = measure(opts.build, work, events, threads, locks, opts)
                rates = [r["events"] / max(r[p], 1e-6) / 1e6 for p in PATTERNS]
                say(COLUMNS % (threads, locks, "{:,}".format(int(r["events"])), *("%.1f" % v for v in rates),
                               "%.0f" % (r["yes"] / max(r["seconds"], 1e-6)), "%.2f" % (r["slowest"] * 1e3)))
                slow.append(min(rates))
                late.append(r["seconds"] / r["yes"] * 1e3 if r["yes"] else 0)
                if r["rejected"]:
                    say("        %d schedules were rejected by the checker" % r["rejected"])
    say("\nslowest search: %.1f million events a second, wanted %.1f; a schedule: %.2f ms at most on average, wanted %d" %
        (min(slow), SEARCH, max(late), SCHEDULE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
