#!/usr/bin/env python3
"""Compares `forerun run` of two builds of forerun, over the test programs and their twins.

Each build compiles and runs each program, in turn, N times. Prints for each program the processor time of the whole
command with its re-executions, the ratio, and the number of executions with each build; then the sums, with the wall
clock. Lists the programs in which the builds find different bugs: a build that is faster because it finds less is no
better.
"""
import argparse
import collections
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time

from harness import HERE, Failure, forerun_binary, geometric_mean, median, progress, say, start

sys.path.insert(0, os.path.join(HERE, "..", "tests"))
import program_head
import run_folder

PROGRAMS = os.path.join(HERE, "..", "tests", "programs")
FOLDERS = "predict confirm atomicity regions serial deadlock lifetime place cause failure null order wakeup"
LIMIT = 60  # seconds for one command
EXECUTIONS = ("findings", "controls")  # by purpose


class Variant:
    """A program or its twin, built by both versions."""

    def __init__(self, source, twin):
        self.source, self.twin = source, twin
        self.name = os.path.join(*source.split(os.sep)[-2:]) + (", fixed" if twin else "")
        order = program_head.value(source, "order")
        self.options = ["--order", order] if order else []
        self.stdin = (program_head.value(source, "stdin") or "").encode().decode("unicode_escape").encode()

    def build(self, forerun, out):
        """Compiles the program, unless it is newer than the runtime of this build. Returns whether it exists."""
        runtime = os.path.join(os.path.dirname(forerun), "src", "runtime", "libforerun_rt.a")
        if os.path.exists(out) and os.path.getmtime(out) > max(os.path.getmtime(f) for f in (runtime, self.source)):
            return True
        compiler = "c++" if self.source.endswith(".cpp") else "cc"
        flags = (program_head.value(self.source, "build") or "").split() + (["-DFIXED"] if self.twin else [])
        return subprocess.run([forerun, compiler, "-g", "-w", "-O1", "-pthread", *flags, self.source, "-o", out],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def variants(patterns):
    found = []
    for pattern in patterns:
        for source in sorted(glob.glob(os.path.join(PROGRAMS, pattern))):
            text = open(source, errors="replace").read() if source.endswith((".c", ".cpp")) else ""
            if "main(" in text:
                found += [Variant(os.path.abspath(source), twin) for twin in ([False, True] if "FIXED" in text else [False])]
    return found


def run_once(forerun, program, variant, options, work):
    """Runs `forerun run`. Returns processor and wall seconds, executions by purpose, and the confirmed bugs."""
    folder = os.path.join(work, "run.d")
    shutil.rmtree(folder, ignore_errors=True)
    with open(os.path.join(work, "err"), "w+") as err, tempfile.TemporaryFile() as keys:
        keys.write(variant.stdin)
        keys.seek(0)
        began = time.monotonic()
        p = subprocess.Popen(["timeout", str(LIMIT), forerun, "run", "-o", folder] + variant.options + options + [program],
                             cwd=work, stdin=keys, stdout=subprocess.DEVNULL, stderr=err)
        _, status, used = os.wait4(p.pid, 0)
        wall = time.monotonic() - began
        p.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read()
    if p.returncode not in (0, 1):
        raise Failure("%s: forerun run ended with status %d:\n%s" % (variant.name, p.returncode, text[-1000:]))
    result = run_folder.report(folder)
    executions = {"findings": result["run"]["confirm_runs"], "controls": result["run"].get("control", {}).get("runs", 0)}
    bugs = collections.Counter((f["kind"], f["harm"]) for f in result["findings"] if f["verdict"] == "confirmed")
    return used.ru_utime + used.ru_stime, wall, executions, bugs


def measure(variant, builds, opts, work):
    """Returns medians, executions and bugs of each build; None if a build cannot compile the program."""
    names = [os.path.join(work, "%s.%d" % (variant.name.replace(os.sep, "."), i)) for i in range(len(builds))]
    options = ["--kinds", opts.kinds] if opts.kinds else []
    if not all([variant.build(forerun, name) for forerun, name in zip(builds, names)]):
        return None
    rows = [[run_once(forerun, name, variant, options, work) for forerun, name in zip(builds, names)]
            for _ in range(opts.runs)]
    return [{"cpu": median([r[i][0] for r in rows]), "wall": median([r[i][1] for r in rows]), "executions": rows[-1][i][2],
             "bugs": rows[-1][i][3]} for i in range(len(builds))]


def count(row):
    return sum(row["executions"].values())


def print_row(name, a, b):
    say("%-36s %8.3f %8.3f %6.2f  %5d %5d  %s" % (name, a["cpu"], b["cpu"], b["cpu"] / a["cpu"], count(a), count(b),
        " ".join("%s %+d" % (k, b["executions"][k] - v) for k, v in a["executions"].items() if b["executions"][k] != v)))
    for text, x in (("only before", a["bugs"] - b["bugs"]), ("only now", b["bugs"] - a["bugs"])):
        for (kind, harm), n in sorted(x.items()):
            say("    %s: %d x %s, %s" % (text, n, kind, harm))


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--before", required=True, help="the build folder to compare with")
    p.add_argument("--build", default="build", help="the build folder (default: build)")
    p.add_argument("--runs", type=int, default=1, help="runs of each (default 1)")
    p.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th program, to save time (default 1: all)")
    p.add_argument("--kinds", help="for forerun run: look only for these kinds of bugs")
    p.add_argument("--keep", metavar="DIR", help="keep the compiled programs in DIR, for the next time")
    p.add_argument("programs", nargs="*", help="patterns below tests/programs (default: %s)" % FOLDERS)
    opts = p.parse_args()
    builds = [os.path.abspath(forerun_binary(b)) for b in (opts.before, opts.build)]
    work = os.path.abspath(opts.keep) if opts.keep else tempfile.mkdtemp(prefix="forerun-bench.")
    os.makedirs(work, exist_ok=True)
    rows, left_out = [], []
    say("%-36s %8s %8s %6s  %5s %5s" % ("processor seconds", "before", "now", "ratio", "runs", "runs"))
    try:
        for v in variants(opts.programs or [f + "/*" for f in FOLDERS.split()])[::opts.every]:
            progress(v.name)
            try:
                r = measure(v, builds, opts, work)
            except Failure as e:
                left_out.append(str(e))
                continue
            if r:
                rows.append(r)
                print_row(v.name, *r)
    finally:
        if not opts.keep:
            shutil.rmtree(work, ignore_errors=True)
    progress("")
    if not rows:
        raise Failure("no programs")
    a, b = ({"cpu": sum(r[i]["cpu"] for r in rows), "wall": sum(r[i]["wall"] for r in rows), "bugs": collections.Counter(),
             "executions": {k: sum(r[i]["executions"][k] for r in rows) for k in EXECUTIONS}} for i in (0, 1))
    print_row("all %d" % len(rows), a, b)
    say("executions before: %s; now: %s" % tuple(", ".join("%s %d" % x for x in r["executions"].items()) for r in (a, b)))
    say("wall clock: %.1f s before, %.1f s now, ratio %.2f; geometric mean of the ratios of processor time: %.2f" %
        (a["wall"], b["wall"], b["wall"] / a["wall"], geometric_mean([r[1]["cpu"] / r[0]["cpu"] for r in rows])))
    for x in left_out:
        say("left out: %s" % x)
    return 0


if __name__ == "__main__":
    start(main)
