#!/usr/bin/env python3
"""Runs the benchmarks below, one after the other, and prints the time of each.

If a part fails, the others run nevertheless, and the exit status is 1. --only runs some of the parts. Each part is a
program with a --help of its own. No figure makes a benchmark fail.
"""
import argparse
import os
import resource
import subprocess
import sys
import time

from harness import say, start

HERE = os.path.dirname(os.path.abspath(__file__))
# Name, purpose, and the script in bench/ or the program in the build folder, which ninja builds.
PARTS = (
    ("record", "the cost of recording, beside ThreadSanitizer and Helgrind", "record.py"),
    ("predict", "prediction, from 10 thousand to 10 million events; pruning", "predict.py"),
    ("solver", "the precise tier's solver, beside Z3", "bench/bench_solver"),
    ("pattern", "the search for atomicity violations; schedules of the hybrid tier", "pattern.py"),
    ("properties", "prediction of properties, beside GPredict's table I", "properties.py"),
    ("replay", "re-execution; confirming many findings", "replay.py"),
    ("atomicity", "programs end to end: AVPredictor's subjects", "atomicity.py"),
)


def cpu():
    u = resource.getrusage(resource.RUSAGE_CHILDREN)
    return u.ru_utime + u.ru_stime


def run(what, build):
    """Runs one part. Returns its exit status."""
    if what.endswith(".py"):
        return subprocess.run([sys.executable, os.path.join(HERE, what), "--build", build]).returncode
    made = subprocess.run(["ninja", "-C", build, what], stdout=subprocess.DEVNULL)
    return made.returncode or subprocess.run([os.path.join(build, what)]).returncode


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog="\n".join(["parts:"] + ["  %-9s %s" % x[:2] for x in PARTS]))
    p.add_argument("--build", default="build", help="the build folder (default: build)")
    p.add_argument("--only", metavar="PARTS", help="only these, separated by commas")
    opts = p.parse_args()
    wanted = opts.only.split(",") if opts.only else [x[0] for x in PARTS]
    unknown = set(wanted) - {x[0] for x in PARTS}
    if unknown:
        p.error("no part is called %s" % ", ".join(sorted(unknown)))
    took = []
    for name, title, what in PARTS:
        if name not in wanted:
            continue
        say("%s==== %s: %s ====\n" % ("\n" if took else "", name, title))
        start, before = time.monotonic(), cpu()
        status = run(what, opts.build)
        took.append((name, time.monotonic() - start, cpu() - before, status))
    say("\n==== time of the benchmarks ====\n")
    form = "%-10s %10s %14s  %s"
    say((form % ("part", "seconds", "of processor", "")).rstrip())
    for name, seconds, used, status in took:
        say((form % (name, "%.0f" % seconds, "%.0f" % used, "failed with status %d" % status if status else "")).rstrip())
    say(form % ("all", "%.0f" % sum(t[1] for t in took), "%.0f" % sum(t[2] for t in took),
                "(%d processors, load %.1f at the end)" % (os.cpu_count(), os.getloadavg()[0])))
    return 1 if any(t[3] for t in took) else 0


if __name__ == "__main__":
    start(main)
