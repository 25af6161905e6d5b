#!/usr/bin/env python3
"""Measures the prediction of properties beside GPredict's table I (Huang, Luo and Rosu, ICSE 2015), on one core.

Records the program requests.c with as many events as the runs of the table, and with ten million. Both properties have one instance for each
request; one is violated, one is not. Prints the events of the model, the events of the property, the instances, and the seconds of `forerun predict`: reading,
everything after it, and peak memory for each event of the model. GPredict's seconds are of another machine and of other programs with
the same number of events: for orientation.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile

from harness import KERNEL_DIR, Failure, say, start

SPEC = """
property UseAfterClose(int r) {
    event open  mark("open") && args(r);
    event use   mark("use") && args(r);
    event close mark("close") && args(r);
    pattern: close use
}
property Handover(int r) {
    event use   mark("use") && args(r);
    event close mark("close") && args(r);
    pattern: use(t1) close(t2)
}
"""
# threads, requests, accesses for each; then GPredict: program, threads, model events, property events, seconds
RUNS = (((3, 2, 32), ("stringbuffer", 3, 58, 6, 0.4)),
        ((5, 5, 24), ("h2", 5, 112, 14, 0.67)),
        ((21, 30, 0), ("jfreechart", 21, 140, 90, 0.85)),
        ((2, 20, 40), ("jdk-logger", 2, 509, 61, 2.6)),
        ((3, 9, 2600), ("derby1", 3, 12527, 27, 4.7)),
        ((12, 13, 1700), ("jigsaw", 12, 17089, 38, 17.6)),
        ((3, 442, 64), ("derby2", 3, 19889, 1325, 8.5)),
        ((4, 100000, 200), None),
        ((4, 400000, 44), None))
COLUMNS = "%8s %11s %11s %10s %9s %9s %9s   %-14s %9s %7s"
AIM = 0.01


def measure(build, work, program, args):
    """The numbers of one run."""
    folder = os.path.join(work, "run")
    forerun = os.path.join(build, "forerun")
    subprocess.run(["rm", "-rf", folder], check=True)
    subprocess.run([forerun, "record", "-q", "-o", folder, "--", program] + [str(a) for a in args], check=True)
    child = subprocess.Popen([forerun, "predict", "-q", "--fail-on", "never", "--jobs", "1", "--kinds", "property", "--spec",
                              os.path.join(work, "p.spec"), folder],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise Failure("forerun predict failed")
    with open(os.path.join(folder, "findings.json"), encoding="utf-8") as f:
        found = json.load(f)
    stats = found["summary"]["stats"]
    return {"model": stats["events"], "read": stats["read_s"],
            "rest": stats["causality_s"] + stats["generate_s"] + stats["ask_s"],
            "bytes": usage.ru_maxrss * 1024 / max(stats["events"], 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=len(RUNS), help="only the first runs of the table")
    opts = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    say(COLUMNS % ("threads", "model ev.", "property", "instances", "read s", "predict s", "B/event", "GPredict", "seconds", "ratio"))
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        program = os.path.join(work, "requests")
        with open(os.path.join(work, "p.spec"), "w", encoding="utf-8") as f:
            f.write(SPEC)
        subprocess.run([os.path.join(opts.build, "forerun"), "cc", "-O2", "-g", "-pthread", os.path.join(KERNEL_DIR, "requests.c"),
                        "-o", program], check=True)
        for args, paper in RUNS[:opts.runs]:
            r = measure(opts.build, work, program, args)
            seconds = r["read"] + r["rest"]
            words = ("", "", "")
            if paper:
                met = "" if seconds <= AIM * paper[4] else "!"
                words = (paper[0], "%.2f" % paper[4], "%.0f%s" % (paper[4] / max(seconds, 1e-4), met))
            say((COLUMNS % ((args[0], "{:,}".format(r["model"]), "{:,}".format(3 * args[1]), "{:,}".format(args[1]),
                             "%.3f" % r["read"], "%.3f" % r["rest"], "%.0f" % r["bytes"]) + words)).rstrip())
    say("(ratio: GPredict's seconds divided by ours; ! where it is below a hundred, the aim)")
    return 0


if __name__ == "__main__":
    start(main)
