#!/usr/bin/env python3
"""Counts the guesses of the hybrid tier that the program refutes and the relaxed tier turns into confirmed findings.

Builds the test programs that have a bug (all folders of tests/programs), and records, predicts and confirms each one twice: with
--relax 0 and with the default. A guess is a finding of the relaxed or hybrid tier, by its kind, subject and places. Prints the
verdicts of both, the reads that differ, and each guess whose verdict changes. Programs that do not build, or take too long, are
counted.
"""
import argparse
import collections
import glob
import json
import os
import re
import signal
import subprocess
import tempfile

from harness import say, start

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "..", "tests", "programs")
# Programs with a bug: the tests also build their twins without it.
BUGGY = re.compile(r"\b(FIXED|BUGGY)\b")
GUESSES = ("relaxed", "hybrid")


def buggy(source):
    """Is there a twin, in the file itself or in a header beside it?"""
    with open(source, encoding="utf-8", errors="replace") as f:
        text = f.read()
    return BUGGY.search(text) or any(
        buggy(h) for h in (os.path.join(os.path.dirname(source), n) for n in re.findall(r'^#include "([^"]+)"', text, re.M))
        if os.path.exists(h))


def head(source, key):
    with open(source, encoding="utf-8", errors="replace") as f:
        m = re.search(r"^ \* %s: *(.*)$" % key, f.read(), re.M)
    return m[1].split() if m else []


def build(forerun, source, exe):
    compiler = ["c++", "-std=c++20"] if source.endswith(".cpp") else ["cc"]
    return subprocess.run([forerun, *compiler, "-g", "-O1", "-w", "-pthread", *head(source, "build"), source, "-o", exe],
                          capture_output=True).returncode == 0


def guesses(forerun, source, exe, folder, seconds, more):
    """Returns (kind, subject, places) -> finding, or None if forerun took too long or failed."""
    order = head(source, "order")
    command = [forerun, "run", "--json", folder + ".json", "-o", folder, "--all", *more]
    if order:
        command += ["--order", order[0]]
    p = subprocess.Popen(command + ["--", exe], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        p.wait(timeout=seconds)
        with open(folder + ".json", encoding="utf-8") as f:
            findings = json.load(f)["findings"]
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
        return None
    except (OSError, ValueError):
        return None
    return {(f["kind"], f["subject"], tuple(sorted((e["access"], e["line"]) for e in f["events"]))): f for f in findings}


def differing(found):
    """Returns a text with the number of guesses and the mean number of their reads that differ."""
    reads = [f["reads_relaxed"] for f in found if f["tier"] in GUESSES]
    return "%d guesses, %.1f reads that differ on average" % (len(reads), sum(reads) / max(len(reads), 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--folders", default="*", help="folders of tests/programs, separated by commas (default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="seconds for one program")
    opts = parser.parse_args()
    forerun = os.path.join(os.path.abspath(opts.build), "forerun")
    changes, before, after = collections.Counter(), [], []
    programs = left_out = again = 0
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as work:
        for source in sorted(s for d in opts.folders.split(",") for s in glob.glob(os.path.join(PROGRAMS, d, "*.c*")) if buggy(s)):
            name = os.path.relpath(source, PROGRAMS)
            exe = os.path.join(work, name.replace("/", "-") + ".exe")
            if not build(forerun, source, exe):
                left_out += 1
                continue
            old = guesses(forerun, source, exe, exe + ".0", opts.seconds, ["--relax", "0"])
            new = guesses(forerun, source, exe, exe + ".1", opts.seconds, [])
            if old is None or new is None:
                left_out += 1
                continue
            programs += 1
            before += old.values()
            after += new.values()
            again += sum(f["asked_again"] > 0 for f in new.values())
            for key in old.keys() & new.keys():
                if old[key]["tier"] in GUESSES:
                    pair = old[key]["verdict"], new[key]["verdict"]
                    changes[pair] += 1
                    if pair[0] != pair[1]:
                        say("%s: %s on %s: %s by hybrid, %s by %s (%d reads differed, now %d: %s)" % (
                            name, key[0], key[1], pair[0], pair[1], new[key]["tier"], old[key]["reads_relaxed"],
                            new[key]["reads_relaxed"],
                            ", ".join("%s:%d" % (r["name"], r["line"]) for r in new[key]["relaxed_reads"]) or "not listed"))
    say("\n%d programs, %d left out" % (programs, left_out))
    say("--relax 0: %s" % differing(before))
    say("default:   %s; confirmed after a second question: %d" % (differing(after), again))
    for (a, b), n in sorted(changes.items()):
        say("%-10s -> %-10s %d" % (a, b, n))
    say("refuted or unknown with hybrid alone, and confirmed with relaxed: %d of %d" %
        (sum(n for (a, b), n in changes.items() if a in ("refuted", "unknown") and b == "confirmed"),
         sum(n for (a, b), n in changes.items() if a in ("refuted", "unknown"))))
    return 0


if __name__ == "__main__":
    start(main)
