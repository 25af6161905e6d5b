#!/usr/bin/env python3
"""Measures recording: each kernel native, under ThreadSanitizer, under Helgrind and under `forerun record`.

Runs all ways of one kernel in turn, N times, in one session. Prints medians, ratios of medians, and the smallest and the
largest ratio of a single run to native. Checksums must agree. ThreadSanitizer runs with its default options; it finds
nothing in these programs, so it reports nothing.
"""
import argparse
import os
import shutil
import tempfile

from harness import (Failure, compile_kernel, counter, forerun_binary, geometric_mean, median, progress,
                     run_plain, run_recorded, say, select, start)

# Published slowdowns of the monitored run over the plain one.
PUBLISHED = [("AVPredictor's monitor, on average", "13x"), ("jPredictor's monitor, up to", "35x")]


def check(kernel, way, result, want):
    if result.status != 0:
        raise Failure("%s %s ended with status %d:\n%s" % (kernel.name, way, result.status, result.errors[-2000:]))
    if result.output != want:
        raise Failure("%s %s printed\n  %snot\n  %s" % (kernel.name, way, result.output, want))


def helgrind_slowdown(kernel, native, opts):
    """Returns Helgrind's slowdown over native on a smaller problem; None if it timed out."""
    args = kernel.helgrind_args
    plain = [run_plain([native] + args) for _ in range(3)]
    cmd = ["valgrind", "--tool=helgrind", "-q", "--error-limit=no", native] + args
    r = run_plain(cmd, timeout=opts.helgrind_timeout)
    if r.status is None:
        return None
    check(kernel, "under Helgrind", r, plain[0].output)
    return r.seconds / median([p.seconds for p in plain])


def measure(kernel, programs, forerun, work, opts):
    """Measures one kernel. Returns its row of the table."""
    args = kernel.quick_args if opts.quick else kernel.args
    seconds = {"native": [], "tsan": [], "forerun": []}
    peak = {"native": 0, "tsan": 0, "forerun": 0}
    want = last = None
    for i in range(opts.runs):
        progress("%s: run %d of %d" % (kernel.name, i + 1, opts.runs))
        for way in ("native", "tsan", "forerun"):
            if way == "tsan" and opts.no_tsan:
                continue
            if way == "forerun":
                folder = os.path.join(work, kernel.name + ".run")
                r = last = run_recorded(forerun, folder, programs[way], args, sample=(i == 0),
                                        options=opts.options)
            else:
                r = run_plain([programs[way]] + args, sample=(i == 0))
            want = want or r.output
            check(kernel, way, r, want)
            seconds[way].append(r.seconds)
            peak[way] = max(peak[way], r.peak)
    row = {"kernel": kernel.name, "args": args, "checksum": want.strip()}
    for way in seconds:
        row[way + "_s"] = median(seconds[way]) if seconds[way] else None
        row[way + "_peak_kib"] = peak[way]
    row["forerun_ratios"] = sorted(f / n for f, n in zip(seconds["forerun"], seconds["native"]))
    row["hooks"] = counter(last.run, "hooks")
    row["kept"] = last.run["events"]
    row["trace_bytes"] = last.trace_bytes
    row["folder_bytes"] = last.folder_bytes
    row["threads"] = kernel.threads
    shutil.rmtree(os.path.join(work, kernel.name + ".run"), ignore_errors=True)
    return row


def ratio(a, b):
    return a / b if a and b else None


def cell(value, form):
    return form % value if value is not None else "-"


def print_speed(rows):
    head = ("kernel", "native s", "tsan s", "forerun s", "tsan/nat", "helgrind/nat", "forerun/nat", "forerun/tsan",
            "from .. to")
    form = "%-10s %9s %9s %9s %9s %13s %12s %13s %14s"
    say(form % head)
    for r in rows:
        say(form % (
            r["kernel"], cell(r["native_s"], "%.3f"), cell(r["tsan_s"], "%.3f"), cell(r["forerun_s"], "%.3f"),
            cell(ratio(r["tsan_s"], r["native_s"]), "%.1fx"),
            r["helgrind"] if isinstance(r["helgrind"], str) else cell(r["helgrind"], "%.1fx"),
            cell(ratio(r["forerun_s"], r["native_s"]), "%.1fx"),
            cell(ratio(r["forerun_s"], r["tsan_s"]), "%.2f"),
            "%.1f .. %.1f" % (r["forerun_ratios"][0], r["forerun_ratios"][-1])))
    means = []
    for a, b in (("tsan_s", "native_s"), ("forerun_s", "native_s"), ("forerun_s", "tsan_s")):
        values = [ratio(r[a], r[b]) for r in rows if ratio(r[a], r[b])]
        means.append(geometric_mean(values) if values else None)
    say((form % ("geom. mean", "", "", "", cell(means[0], "%.1fx"), "", cell(means[1], "%.1fx"), cell(means[2], "%.2f"),
                 "")).rstrip())
    say("from .. to: forerun/nat of single runs, the smallest and the largest.")
    return means


def print_size(rows):
    say()
    say("%-10s %13s %13s %7s %12s %14s %14s" % ("kernel", "hooks", "events kept", "kept %", "trace bytes",
                                               "bytes/hook", "bytes/kept"))
    for r in rows:
        say("%-10s %13d %13d %7s %12d %14s %14s" % (
            r["kernel"], r["hooks"], r["kept"], cell(ratio(100.0 * r["kept"], r["hooks"]), "%.2f"),
            r["trace_bytes"], cell(ratio(r["trace_bytes"], r["hooks"]), "%.4f"),
            cell(ratio(r["trace_bytes"], r["kept"]), "%.2f")))
    hooks, kept, size = (sum(r[k] for r in rows) for k in ("hooks", "kept", "trace_bytes"))
    say("%-10s %13d %13d %7s %12d %14s %14s" % (
        "all", hooks, kept, cell(ratio(100.0 * kept, hooks), "%.2f"), size, cell(ratio(size, hooks), "%.4f"),
        cell(ratio(size, kept), "%.2f")))


def print_memory(rows):
    say()
    say("%-10s %11s %11s %12s %13s %13s" % ("kernel", "native MiB", "tsan MiB", "forerun MiB", "growth MiB",
                                           "allowed MiB"))
    for r in rows:
        growth = (r["forerun_peak_kib"] - r["native_peak_kib"]) / 1024 if r["forerun_peak_kib"] else None
        say("%-10s %11.1f %11.1f %12s %13s %13d" % (
            r["kernel"], r["native_peak_kib"] / 1024, r["tsan_peak_kib"] / 1024,
            cell(r["forerun_peak_kib"] / 1024 or None, "%.1f"), cell(growth, "%.1f"), 64 + r["threads"] + 1))


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default="build", help="the build folder (default: build)")
    p.add_argument("--runs", type=int, default=3, help="runs of each (default 3)")
    p.add_argument("--quick", action="store_true", help="small problems, 3 runs, no Helgrind")
    p.add_argument("--only", metavar="NAMES", help="only these kernels, separated by commas")
    p.add_argument("--no-tsan", action="store_true")
    p.add_argument("--no-helgrind", action="store_true")
    p.add_argument("--helgrind-timeout", type=float, default=60, metavar="S",
                   help="seconds for one run of Helgrind (default 60)")
    p.add_argument("--options", help="FORERUN_OPTIONS for the recorded runs")
    p.add_argument("--json", metavar="FILE", help="also write the figures to FILE")
    opts = p.parse_args()
    if opts.quick:
        opts.runs = min(opts.runs, 3)
        opts.no_helgrind = True
    return opts


def main():
    opts = parse()
    forerun = forerun_binary(opts.build)
    kernels = select(opts.only)
    work = tempfile.mkdtemp(prefix="forerun-bench.")
    rows = []
    try:
        valgrind = shutil.which("valgrind") and not opts.no_helgrind
        say("%d kernels, %d runs each, %d processors, load %.2f before" % (
            len(kernels), opts.runs, os.cpu_count(), os.getloadavg()[0]))
        for k in kernels:
            programs = {}
            for way in ("native", "tsan", "forerun"):
                progress("building %s %s" % (k.name, way))
                programs[way] = compile_kernel(k, way, forerun, work)
            row = measure(k, programs, forerun, work, opts)
            row["helgrind"] = None
            if valgrind:
                progress("%s under Helgrind" % k.name)
                row["helgrind"] = helgrind_slowdown(k, programs["native"], opts) or "timeout"
            rows.append(row)
        progress("")
        say()
        means = print_speed(rows)
        say("Helgrind: one run of a smaller problem, divided by native runs of the same problem." if valgrind else
            "Helgrind: not run.")
        for what, value in PUBLISHED:
            say("published: %s %s native" % (what, value))
        if means[1]:
            worst = max(r["forerun_s"] / r["native_s"] for r in rows)
            say("forerun record, here: %.1fx native on (geometric) average, up to %.1fx" % (means[1], worst))
        print_size(rows)
        print_memory(rows)
        if opts.json:
            import json
            with open(opts.json, "w") as f:
                json.dump({"rows": rows, "geomean": dict(zip(("tsan/native", "forerun/native", "forerun/tsan"),
                                                            means))}, f, indent=1)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    start(main)
