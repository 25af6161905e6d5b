#!/usr/bin/env python3
"""Measures `forerun run`, from a program to its confirmed bugs, on the subjects of AVPredictor's paper (tests/programs/atomicity).

`forerun run` records each subject N times, in the order that its head comment gives. The table shows medians, beside the times that
AVPredictor and Maple needed to expose the bug (table V of the paper). We wrote the programs after the paper's descriptions, and the
machine is another one: the figures are for orientation. Our versions of the paper's full programs (pbzip2, pfscan, aget) have the
structure and the bug, but little work: in table IV they run for up to 12 s natively, so seconds do not compare. The aim is a tenth of
AVPredictor's time.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from harness import Failure, forerun_binary, geometric_mean, median, progress, say, start

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests")
sys.path.insert(0, TESTS)
import program_head  # noqa: E402
import run_folder  # noqa: E402

SUBJECTS = os.path.join(TESTS, "programs", "atomicity")
FLAGS = ["-g", "-O1", "-pthread"]
TIMES = 10  # the aim: AVPredictor takes this number of times as long
# Seconds of Maple and of AVPredictor (table V), and of a native run of the full programs (table IV).
TABLE = (("bank", 10.0, 3.6, None), ("circlist", 10.6, 2.4, None), ("logsweep", 17.1, 3.5, None), ("strbuf", 12.8, 2.5, None),
         ("mysql", 133.9, 58.8, None), ("apache", 21.4, 2.4, None), ("mozilla", 21.4, 2.4, None), ("pbzip", 155.1, 42.6, 11.94),
         ("pbunzip", 168.4, 64.7, 4.24), ("pfscan", 326.4, 18.5, 7.21), ("aget", 177.4, 23.0, 0.21))
FORM = "%-9s %6s %7s %7s %7s %7s %6s %6s %6s %7s %7s %7s %7s %5s"


def build(name, forerun, work):
    """Builds a subject. Returns the paths of the source and of the program."""
    plus = os.path.exists(os.path.join(SUBJECTS, name + ".cpp"))
    source, program = os.path.join(SUBJECTS, name + (".cpp" if plus else ".c")), os.path.join(work, name)
    done = subprocess.run([forerun, "c++" if plus else "cc"] + FLAGS + [source, "-o", program], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise Failure("%s does not build:\n%s" % (name, done.stdout))
    return source, program


def timed(cmd, cwd, allowed):
    """Runs a command. Returns its seconds, and its seconds of processor time."""
    def cpu():
        u = resource.getrusage(resource.RUSAGE_CHILDREN)
        return u.ru_utime + u.ru_stime

    before, start = cpu(), time.monotonic()
    p = subprocess.run(cmd, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                       errors="replace")
    seconds = time.monotonic() - start
    if p.returncode not in allowed:
        raise Failure("%s\nended with status %d:\n%s" % (" ".join(cmd), p.returncode, p.stderr[-2000:]))
    return seconds, cpu() - before


def measure(name, forerun, work, runs):
    source, program = build(name, forerun, work)
    folder = os.path.join(work, name + ".d")
    got = []
    for i in range(runs):
        progress("%s: run %d of %d" % (name, i + 1, runs))
        shutil.rmtree(folder, ignore_errors=True)
        seconds, cpu = timed([forerun, "run", "--order", program_head.value(source, "order"), "-o", folder, program], work, (0, 1))
        run = run_folder.report(folder)["run"]
        got.append({"run_s": seconds, "cpu_s": cpu, "record_s": run["record_s"], "predict_s": run["predict_s"],
                    "confirm_s": run["confirm_s"], "executions": run["confirm_runs"],
                    "saved": run["confirm_saved"], "events": run["events"]})
    row = {k: median([g[k] for g in got]) for k in got[0]}
    row["found"] = subprocess.run([sys.executable, os.path.join(TESTS, "confirm", "atomicity_check.py"), source, os.path.join(folder, "findings.json")],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    shutil.rmtree(folder, ignore_errors=True)
    return row


def met(r):
    return r["run_s"] * TIMES <= r["avpredictor_s"]


def show(r):
    there = r["there_native_s"]
    say(FORM % (r["subject"], "%d" % r["events"], "%.3f" % r["run_s"], "%.3f" % r["cpu_s"],
                "%.3f" % r["predict_s"], "%.3f" % r["confirm_s"], "%d" % r["executions"], "%d" % r["saved"],
                "yes" if r["found"] else "NO", "%.1f" % r["maple_s"], "%.1f" % r["avpredictor_s"], "%.2f" % there if there else "",
                "%.0fx" % (r["avpredictor_s"] / r["run_s"]), ("met" if met(r) else "no") + ("*" if there else " ")))


def summary(rows):
    say("run: all of `forerun run`; cpu: its processor time")
    say("execs: executions under control, for all predictions; saved: executions that shared ones saved")
    say("found: the bug is confirmed, with all its interleavings, in the last of the runs")
    say("Maple, AVP (AVPredictor): table V; native there: table IV; on 1.4 GHz, two cores. We wrote the subjects after the paper's")
    say("descriptions. In our copy of the paper, Apache's row repeats Mozilla's and contradicts its speedup.")
    kernels, full = ([r for r in rows if bool(r["there_native_s"]) == f] for f in (False, True))
    if kernels:
        ratios = [r["avpredictor_s"] / r["run_s"] for r in kernels]
        say("\nkernels: AVPredictor took %.0f times as long on (geometric) average, %.0f at least; the aim, %d times, is met by %d of %d" % (
            geometric_mean(ratios), min(ratios), TIMES, sum(map(met, kernels)), len(kernels)))
    if full:
        say("* full programs: the aim is met by %d of %d, but those of the paper had far more work: seconds do not compare" % (
            sum(map(met, full)), len(full)))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default="build", help="the build folder (default: build)")
    p.add_argument("--runs", type=int, default=5, help="runs of each (default 5)")
    p.add_argument("--only", metavar="NAMES", help="only these, separated by commas")
    p.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    opts = p.parse_args()
    forerun = forerun_binary(opts.build)
    wanted = opts.only.split(",") if opts.only else [t[0] for t in TABLE]
    unknown = set(wanted) - {t[0] for t in TABLE}
    if unknown:
        raise Failure("no subject is called %s" % ", ".join(sorted(unknown)))
    rows = []
    say("AVPredictor's subjects, from recording to confirmed bugs: medians of %d, seconds\n" % opts.runs)
    say(FORM % (("",) * 9 + ("Maple", "AVP", "native", "AVP", "")))
    say(FORM % ("subject", "events", "run", "cpu", "predict", "confirm", "execs", "saved", "found", "there", "there",
                "there", "/run", "aim"))
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        for name, maple, av, native in (t for t in TABLE if t[0] in wanted):
            r = dict(measure(name, forerun, work, opts.runs), subject=name, maple_s=maple, avpredictor_s=av, there_native_s=native)
            progress("")
            show(r)
            rows.append(r)
    summary(rows)
    if opts.json:
        with open(opts.json, "w") as f:
            json.dump(rows, f, indent=1)
    return 0


if __name__ == "__main__":
    start(main)
