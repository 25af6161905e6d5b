#!/usr/bin/env python3
"""Measures prediction on one core: generated runs through load, causality, race candidates and the sync tier.

Another process generates each run, so that the memory is that of the analysis alone. Prints events a second for each stage,
memory for each event, and the growth: the time for each event, divided by that of the size before (1.0 is linear). Then prints
the other kinds beside the races of the same runs, and at the end the savings of pruning, beside ExceptioNULL's figures.
For orientation, on a random trace of a million events with 9 threads and 10 locks: RAPID's epoch happens-before 0.32 million
events a second, WCP 0.12, its sync-preserving analysis 0.006 with 4.3 GB.
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile

from harness import say, start

STAGES = ("load", "causality", "candidates", "sync")
KINDS = ("null", "lifetimes", "order")
# Threads and locks: one run of each size for each pair.
SHAPES = ((2, 4), (2, 1000), (9, 10), (64, 4), (64, 1000))
COLUMNS = "%7s %5s %10s %6s %6s %6s %6s %6s %6s %6s %6s"
PRUNED = (10000, 20000, 50000)  # events of the runs with and without pruning
FLOOR, AIM, BYTES = 5, 10, 32  # million events a second; bytes an event


def measure(bench, work, events, threads, locks, opts):
    """Measures one run several times. Returns the best."""
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
    """Reads words: NAME VALUE, or for a stage NAME SECONDS PEAK."""
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
    r = events / max(seconds, 1e-6) / 1e6
    return "%.0f" % r if r >= 100 else "%.1f" % r


def row(threads, locks, r, before):
    n = r["events"]
    growth = "%.2f" % (r["total"] / before["total"] / (n / before["events"])) if before else ""
    say((COLUMNS % (threads, locks, "{:,}".format(int(n)), *(rate(n, r[s]) for s in STAGES), rate(n, r["total"]),
                    "%.1f" % ((r["sync.peak"] - r["base"]) / n), "%d" % r["yes"], growth)).rstrip())
    if r["untried"]:
        say("        %d of %d pairs of places not tried: time ran out" % (r["untried"], r["groups"]))


def summary(results):
    """Prints the slowest and the largest of the longest runs, beside our limits."""
    longest = max(r["events"] for _, r in results)
    last = [(name, r) for name, r in results if r["events"] > longest / 2]
    name, r = min(last, key=lambda x: x[1]["events"] / x[1]["total"])
    say("\nslowest: %s million events a second (%s); wanted %d, aim %d" %
        (rate(r["events"], r["total"]), name, FLOOR, AIM))
    name, r = max(last, key=lambda x: x[1]["sync.peak"] / x[1]["events"])
    say("largest: %.1f bytes an event (%s), %.1f with the program itself; wanted %d" %
        ((r["sync.peak"] - r["base"]) / r["events"], name, r["sync.peak"] / r["events"], BYTES))


def kinds(results):
    """Prints candidates and sync tier of each kind, beside the races of the same run."""
    form = "%-22s %10s" + " %7s" * 9
    say("\nother kinds: seconds of processor time for their candidates and in the sync tier, in the same runs")
    say("(slowest: the time for the slowest kind, divided by that for races)\n")
    say(form % ("", "", "races", "", "null", "", "lives", "", "order", "", ""))
    say(form % ("run", "events", *("found", "sync") * 4, "slowest"))
    ratios = {k: [] for k in KINDS}
    each = []
    for name, r in results:
        races = r["candidates"], r["sync"]
        others = [(r[k], r[k + ".sync"]) for k in KINDS]
        slowest = max(sum(o) for o in others) / max(sum(races), 1e-6)
        say(form % (name, "{:,}".format(int(r["events"])), *("%.3f" % v for o in [races] + others for v in o),
                    "%.1f" % slowest))
        if r["events"] < 1e6 - 1e4:
            continue
        for k, o in zip(KINDS, others):
            ratios[k].append((o[0] / max(races[0], 1e-6), sum(o) / max(sum(races), 1e-6)))
        seconds = r["load"] + r["causality"] + sum(races) + sum(sum(o) for o in others)
        each.append(seconds / max(r["yes"] + sum(r[k + ".yes"] for k in KINDS), 1))
    if not each:
        return
    say("\nfrom a million events on, the time for each kind, divided by that for races; wanted at most 1:")
    for k in KINDS:
        found, both = zip(*ratios[k])
        say("%10s: candidates %.2f (at most %.2f), with the sync tier %.2f (at most %.2f)" %
            (k, sum(found) / len(found), max(found), sum(both) / len(both), max(both)))
    say("seconds for each predicted run, its share of loading included: %.5f to %.5f" % (min(each), max(each)))
    say("(ExceptioNULL: 1 to 73 s, most of it the execution of the predicted run)")


def pruning(opts, work):
    """Measures prediction with and without pruning, on runs that a solver can still search whole."""
    form = "%10s %10s %10s %8s %8s %8s %8s %10s"
    forerun = os.path.join(opts.build, "forerun")
    say("\npruning: events of a segment (mean of all candidates), seconds of the precise tier, seconds for each predicted bug\n")
    say(form % ("events", "segment", "fewer", "pruned", "whole", "faster", "found", "each"))
    for events in PRUNED:
        folder = os.path.join(work, "pruned")
        bench = os.path.join(opts.build, "bench", "bench_predict")
        os.mkdir(folder)
        subprocess.run([bench, "gen", folder, str(events), "4", "10", str(opts.seed)], check=True)
        stats = []
        for more in ([], ["--no-prune"]):
            p = subprocess.run([forerun, "predict", "--format", "json", "--tier", "precise", "-j", "1", "-k",
                                "data-race,null-dereference", "--budget", "5,60"] + more + [folder], check=True,
                               capture_output=True, text=True)
            stats.append(json.loads(p.stdout))
        pruned, whole = (s["summary"]["stats"] for s in stats)
        found, seconds = len(stats[0]["findings"]), stats[0]["run"]["predict_s"]
        precise = [sum(t["time_s"] for t in s["tiers"] if t["tier"] == "precise") for s in (pruned, whole)]
        asked = pruned["segment_mean"] > 0  # the cheaper tiers may have decided everything
        say(form % ("{:,}".format(pruned["events"]), "%.0f" % pruned["segment_mean"] if asked else "-",
                    "%.1f" % (pruned["events"] / pruned["segment_mean"]) if asked else "-", "%.2f" % precise[0],
                    "%.2f" % precise[1], "%.1f" % (precise[1] / precise[0]) if asked else "-", found,
                    "%.4f" % (seconds / max(found, 1))))
        shutil.rmtree(folder)
    say("\nfewer: the pruning factor in events; faster: in time. ExceptioNULL's best was 16 (time).")
    say("Without pruning, one solver of the whole run answers all questions; with pruning, each new segment opens one.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--sizes", default="10000,100000,1000000,10000000")
    parser.add_argument("--shapes", default=",".join("%dx%d" % s for s in SHAPES), help="THREADSxLOCKS,...")
    parser.add_argument("--runs", type=int, default=3, help="show the best of this number of runs")
    parser.add_argument("--seconds", type=float, default=120, help="seconds for the sync tier of one run")
    parser.add_argument("--seed", type=int, default=1)
    opts = parser.parse_args()
    bench = os.path.join(opts.build, "bench", "bench_predict")
    subprocess.run(["ninja", "-C", opts.build, "bench/bench_predict"], check=True, stdout=subprocess.DEVNULL)
    say("prediction on one core: million events a second of processor time, by stage")
    say("(bytes: peak memory for each event; found: pairs of places that race;")
    say("growth: time for each event, divided by that of the row above: 1 is linear)\n")
    say(COLUMNS % ("threads", "locks", "events", "load", "causal", "races", "sync", "all", "bytes", "found", "growth"))
    results = []
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        for shape in opts.shapes.split(","):
            threads, locks = (int(v) for v in shape.split("x"))
            before = None
            for events in (int(v) for v in opts.sizes.split(",")):
                r = measure(bench, work, events, threads, locks, opts)
                row(threads, locks, r, before)
                results.append(("%d threads, %d locks" % (threads, locks), r))
                before = r
        summary(results)
        kinds(results)
        pruning(opts, work)
    return 0


if __name__ == "__main__":
    start(main)
