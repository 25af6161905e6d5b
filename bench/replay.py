#!/usr/bin/env python3
"""Measures re-execution: each kernel native, recorded and replayed; and the confirmation of many findings.

Runs the ways of one kernel in turn, N times, in one session, and prints medians and ratios of medians. "recorded" and
"replayed" are times of the program itself, from its start to its end (from run.json and from `forerun replay -v`).
"record s" and "replay s" are times of the whole commands, with writing the trace, or reading it and making the
schedule. Under control one thread runs at a time, so nothing is parallel.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

from harness import (FLAGS, Failure, compile_kernel, forerun_binary, geometric_mean, median, progress, run_plain,
                     run_recorded, say, select, start)

# Published: controlled executions over plain ones.
PUBLISHED = [("AVPredictor's controlled executions, on average", "18x")]
ALLOWED_US = 2.0  # for a switch, above the cost of recording
FEW = 1000  # fewer switches do not show the time of one
ALLOWED_MS = 10.0  # for a finding, above a native run

# N pairs of variables: each pair is a race of its own, which the order of the locks hides.
MANY = r"""
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
%(declare)s
static void *first(void *arg)
{
%(write)s
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *second(void *arg)
{
	long sum = 0;

	usleep(2000);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
%(read)s
	printf("%%ld\n", sum);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
"""


def replay(forerun, folder, want):
    """Replays a run. Returns the seconds of the program, those of the command, and the number of switches."""
    start = time.monotonic()
    p = subprocess.run([forerun, "replay", "-v", folder], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
    whole = time.monotonic() - start
    if p.returncode != 0 or p.stdout != want:
        raise Failure("%s was not repeated:\n%s%s" % (folder, p.stdout[-500:], p.stderr[-2000:]))
    return (float(re.search(r"the program ran for ([0-9.]+) s", p.stderr)[1]), whole,
            int(re.search(r"([0-9]+) switches", p.stderr)[1]))


def measure(kernel, programs, forerun, work, opts):
    """Measures one kernel. Returns medians. Those of switches are medians over runs, because each recording has its own number."""
    args = kernel.args if opts.full else kernel.quick_args
    runs = []
    folder = os.path.join(work, kernel.name + ".run")
    for i in range(opts.runs):
        progress("%s: run %d of %d" % (kernel.name, i + 1, opts.runs))
        r = run_plain([programs["native"]] + args)
        rec = run_recorded(forerun, folder, programs["forerun"], args, sample=False)
        if rec.output != r.output:
            raise Failure("%s recorded printed something else" % kernel.name)
        s, whole, switches = replay(forerun, folder, r.output)
        above = s - rec.run["record_s"]
        runs.append({"native_s": r.seconds, "recorded_s": rec.run["record_s"], "record_s": rec.seconds,
                     "replayed_s": s, "replay_s": whole, "switches": switches,
                     "us_a_switch": 1e6 * above / switches if switches else 0.0,
                     "spare_s": switches * ALLOWED_US / 1e6 - above})
    shutil.rmtree(folder, ignore_errors=True)
    row = {key: median([r[key] for r in runs]) for key in runs[0]}
    row.update(kernel=kernel.name, met=row["spare_s"] >= 0, runs=runs)
    return row


def print_kernels(rows):
    head = ("kernel", "native s", "recorded s", "replayed s", "rec/nat", "rep/nat", "rep/rec", "switches", "us/switch",
            "aim", "record s", "replay s")
    form = "%-10s %9s %10s %10s %8s %8s %8s %9s %9s %4s %9s %9s"
    say(form % head)
    for r in rows:
        say(form % (r["kernel"], "%.3f" % r["native_s"], "%.3f" % r["recorded_s"], "%.3f" % r["replayed_s"],
                    "%.1fx" % (r["recorded_s"] / r["native_s"]), "%.1fx" % (r["replayed_s"] / r["native_s"]),
                    "%.2f" % (r["replayed_s"] / r["recorded_s"]), "%.0f" % r["switches"],
                    "%.2f" % r["us_a_switch"] if r["switches"] >= FEW else "few", "met" if r["met"] else "no",
                    "%.2f" % r["record_s"], "%.2f" % r["replay_s"]))
    say(form % ("geom. mean", "", "", "", "%.1fx" % geometric_mean([r["recorded_s"] / r["native_s"] for r in rows]),
                "%.1fx" % geometric_mean([r["replayed_s"] / r["native_s"] for r in rows]),
                "%.2f" % geometric_mean([r["replayed_s"] / r["recorded_s"] for r in rows]), "", "", "", "", ""))
    say("us/switch: time beyond that of the recorded program, for each switch (below 0: the replay is faster); "
        "few: under %d" % FEW)
    missed = [r for r in rows if not r["met"]]
    say("the aim, at most the time of recording and %g us a switch, is met by %d of %d kernels%s" %
        (ALLOWED_US, len(rows) - len(missed), len(rows),
         "".join("; %s takes %.3f s more" % (r["kernel"], -r["spare_s"]) for r in missed)))
    for who, what in PUBLISHED:
        say("published: %s: %s" % (who, what))


def many(forerun, work, n):
    """Measures the confirmation of n findings of a small program, one at a time, beside its native runs."""
    source = os.path.join(work, "many.c")
    with open(source, "w") as f:
        f.write(MANY % {"declare": "".join("static long v%d;\n" % i for i in range(n)),
                        "write": "".join("\tv%d = 1;\n" % i for i in range(n)),
                        "read": "".join("\tsum += v%d;\n" % i for i in range(n))})
    for cc, out in ((["clang-19"], "many"), ([forerun, "cc"], "many.fr")):
        subprocess.run(cc + FLAGS + [source, "-o", os.path.join(work, out)], check=True)
    native = median([run_plain([os.path.join(work, "many")]).seconds for _ in range(11)])
    folder = os.path.join(work, "many.run")
    run_recorded(forerun, folder, os.path.join(work, "many.fr"), [], sample=False)
    subprocess.run([forerun, "predict", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    result = {"findings": n, "native_s": native}
    for jobs in (1, len(os.sched_getaffinity(0))):
        start = time.monotonic()
        p = subprocess.run([forerun, "confirm", "-j", str(jobs), "--format", "json", folder], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
        seconds = time.monotonic() - start
        found = json.loads(p.stdout)["findings"]
        confirmed = sum(f["verdict"] == "confirmed" for f in found)
        if len(found) != n or confirmed != n:
            raise Failure("%d of %d findings confirmed, %d expected:\n%s" % (confirmed, len(found), n, p.stderr))
        result["confirm_s_%d" % jobs] = seconds
        say("confirming %d findings (both orders of each), %d at a time: %.2f s, %.1f ms each; native %.1f ms; allowed "
            "%.1f ms each" % (n, jobs, seconds, 1e3 * seconds / n, 1e3 * native, 1e3 * native + ALLOWED_MS))
    return result


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default="build", help="the build folder (default: build)")
    p.add_argument("--runs", type=int, default=3, help="runs of each (default 3)")
    p.add_argument("--full", action="store_true", help="use the problem sizes of record.py, not the quick ones")
    p.add_argument("--only", metavar="NAMES", help="only these kernels, separated by commas")
    p.add_argument("--findings", type=int, default=100, help="number of findings to confirm (default 100; 0: none)")
    p.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    opts = p.parse_args()
    work = tempfile.mkdtemp(prefix="forerun-bench.")
    try:
        forerun = forerun_binary(opts.build)
        rows, failed = [], []
        for k in select(opts.only):
            programs = {v: compile_kernel(k, v, forerun, work) for v in ("native", "forerun")}
            try:
                rows.append(measure(k, programs, forerun, work, opts))
            except Failure as e:  # the other kernels still run
                failed.append("%s: %s" % (k.name, e))
        progress("")
        if rows:
            print_kernels(rows)
        confirm = many(forerun, work, opts.findings) if opts.findings else None
        if opts.json:
            with open(opts.json, "w") as f:
                json.dump({"kernels": rows, "confirm": confirm}, f, indent=1)
        if failed:
            raise Failure("\n".join(failed))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    start(main)
