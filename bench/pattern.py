#!/usr/bin/env python3
"""Measures the search for atomicity violations, and the schedules of the hybrid tier, on one core.

The runs are those of predict.py, with ten thousand to ten million events, and, as the worst case, runs in which all accesses use one
location. The search looks for races, violations of atomicity and of atomic sets, and five patterns as a user would write them. Prints
million events a second of processor time, and the growth: the time for each event, divided by that of the row above (1 is linear). Then
prints the schedules a second of the hybrid tier, each with its check. The figures of PECAN's paper for its largest run are for
orientation.
"""
import argparse
import os
import shutil
import subprocess
import tempfile

from harness import say, start

KINDS = ("data-race", "atomicity-violation", "atomic-set-violation")
# The patterns: their names in bench_pattern, and their meanings.
PATTERNS = (("2", "two events of two threads: read, write of another region"),
            ("3", "read, write of another thread, read"),
            ("3r", "the same, the reads in one region"),
            ("4r", "two locations: write, read and read in another region, write"),
            ("3t", "write, write, read by three threads"))
NAMES = KINDS + tuple(name for name, _ in PATTERNS)
SHAPES = ((2, 4), (9, 10), (64, 1000))
WORST = (8, 0)  # no locks: all accesses use one location
COLUMNS = "%7s %5s %11s %7s %9s %6s %7s %7s %7s %7s %7s %7s %8s"
SCHEDULES = "%7s %5s %11s %9s %9s %11s %9s %9s"
# PECAN, table 1 (Derby): events, seconds of the search for all three kinds, seconds of one schedule. Then our aims.
PECAN_EVENTS, PECAN_SEARCH, PECAN_SCHEDULE = 447392, 6.184, 1.453
AIM_SEARCH, AIM_SCHEDULE = 0.3, 0.010


def measure(build, work, events, shape, opts):
    """Measures one run several times, the longest runs once. Returns the best time of each search."""
    folder = os.path.join(work, "run")
    os.mkdir(folder)
    try:
        subprocess.run([os.path.join(build, "bench", "bench_predict"), "gen", folder, str(events), str(shape[0]), str(shape[1]),
                        str(opts.seed)], check=True)
        best = None
        for _ in range(opts.runs if events <= 1000000 else 1):
            words = subprocess.run([os.path.join(build, "bench", "bench_pattern"), folder, str(opts.seconds)], check=True,
                                   capture_output=True, text=True).stdout.split()
            r = {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}
            best = best or r
            for name in NAMES:
                best[name] = min(best[name], r[name])
            if r["yes"] and r["seconds"] / r["yes"] < best["seconds"] / max(best["yes"], 1):
                best.update((k, r[k]) for k in ("asked", "yes", "seconds", "slowest", "looked"))
        best["kinds"] = sum(best[k] for k in KINDS)
        best["all"] = sum(best[k] for k in NAMES)
        return best
    finally:
        shutil.rmtree(folder)


def rate(r, name):
    v = r["events"] / max(r[name], 1e-6) / 1e6
    return "%.0f" % v if v >= 100 else "%.1f" % v


def growth(r, before, name):
    """The time for each event, divided by that of the run before."""
    return "%.2f" % (r[name] / before[name] / (r["events"] / before["events"])) if before else ""


def search(opts, work, shape):
    """Measures and prints the rows of one shape."""
    before, rows = None, []
    for events in (int(v) for v in opts.sizes.split(",")):
        r = measure(opts.build, work, events, shape, opts)
        say((COLUMNS % (shape[0], shape[1] or "one", "{:,}".format(int(r["events"])), *(rate(r, k) for k in KINDS),
                        growth(r, before, "kinds"), *(rate(r, p) for p, _ in PATTERNS), growth(r, before, "all"))).rstrip())
        rows.append((shape, r))
        before = r
    return rows


def print_schedules(rows):
    say("\nhybrid tier: schedules, each made and checked, for each group of places with a violation of atomicity, of an atomic")
    say("set, or of pattern 3 (looked at: events for each schedule)\n")
    say(SCHEDULES % ("threads", "locks", "events", "asked", "schedules", "a second", "ms", "looked at"))
    for shape, r in rows:
        yes = max(r["yes"], 1)
        say(SCHEDULES % (shape[0], shape[1] or "one", "{:,}".format(int(r["events"])), "%d" % r["asked"], "%d" % r["yes"],
                         "{:,}".format(int(r["yes"] / max(r["seconds"], 1e-6))), "%.3f" % (r["seconds"] / yes * 1e3),
                         "%d" % (r["looked"] / max(r["asked"], 1))))
        if r["rejected"]:
            say("        the checker rejected %d schedules" % r["rejected"])


def print_pecan(rows):
    """Prints the runs that are about as long as the paper's longest, beside its figures."""
    near = [(s, r) for s, r in rows if abs(r["events"] - PECAN_EVENTS) < PECAN_EVENTS / 10]
    if not near:
        return
    form = "%-34s %9s %12s %14s %12s %12s"
    say("\nbeside PECAN's longest run (its table 1, Derby; another machine, another program: for orientation)\n")
    say(form % ("", "events", "search s", "schedule ms", "slowest ms", "aims"))
    say(form % ("PECAN", "{:,}".format(PECAN_EVENTS), "%.3f" % PECAN_SEARCH, "%.0f" % (PECAN_SCHEDULE * 1e3), "", ""))
    for (threads, locks), r in near:
        one = r["seconds"] / max(r["yes"], 1)
        met = r["kinds"] <= AIM_SEARCH and one <= AIM_SCHEDULE
        name = "%d threads, %d locks" % (threads, locks) if locks else "%d threads, one location" % threads
        say(form % ("forerun, " + name, "{:,}".format(int(r["events"])), "%.3f" % r["kinds"], "%.3f" % (one * 1e3),
                    "%.3f" % (r["slowest"] * 1e3), "met" if met else "no"))
    say("(search: races, atomicity and atomic sets, as PECAN's; the aims are %g s and %g ms)" % (AIM_SEARCH, AIM_SCHEDULE * 1e3))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--sizes", default="10000,100000,447392,1000000,10000000")
    parser.add_argument("--shapes", default=",".join("%dx%d" % s for s in SHAPES + (WORST,)),
                        help="THREADSxLOCKS,...; no locks: one location")
    parser.add_argument("--runs", type=int, default=2, help="show the best of this number of runs, for up to a million events")
    parser.add_argument("--seconds", type=float, default=6, help="for the schedules of one run")
    parser.add_argument("--seed", type=int, default=1)
    opts = parser.parse_args()
    subprocess.run(["ninja", "-C", opts.build, "bench/bench_predict", "bench/bench_pattern"], check=True,
                   stdout=subprocess.DEVNULL)
    say("search for atomicity violations on one core: million events a second of processor time")
    say("(growth: time for each event, against the row above, of the three kinds and of all: 1 is linear, a cubic search")
    say("would be a hundred for ten times the events; locks one: the worst case, all accesses are of one location; of the same")
    say("places a few instances are kept, and the number of groups is limited, as in `forerun predict`)")
    for name, what in PATTERNS:
        say("  pattern %-3s %s" % (name, what))
    say()
    say(COLUMNS % ("threads", "locks", "events", "races", "atomicity", "sets", "growth", *(p for p, _ in PATTERNS), "growth"))
    rows = []
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        for shape in opts.shapes.split(","):
            threads, locks = (int(v) for v in shape.split("x"))
            rows += search(opts, work, (threads, locks))
    print_schedules(rows)
    print_pecan(rows)
    return 0


if __name__ == "__main__":
    start(main)
