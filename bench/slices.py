#!/usr/bin/env python3
"""Counts the guesses that the tier sliced turns into sound predictions, and checks that none of these is refuted.

Builds the test programs that have a bug twice, with and without the graph of influences (FORERUN_PASS=influence=0), and
records, predicts and confirms both. Prints a table of tiers and verdicts, the number of findings that only slicing makes
sound, each sliced finding that was refuted, and the time of slicing beside that of the sync tier and of jPredictor.
"""
import argparse
import collections
import glob
import json
import os
import tempfile

from harness import say, start
from relaxed import GUESSES, PROGRAMS, buggy, build, guesses

VERDICTS = ("confirmed", "refuted", "unknown", "predicted")


def row(f):
    """The tier, and for `relaxed` the number of reads that differ."""
    return "relaxed %d" % f["reads_relaxed"] if f["tier"] == "relaxed" else f["tier"]


def table(found):
    count = collections.Counter((row(f), f["verdict"]) for f in found)
    relaxed = sorted({row(f) for f in found if f["tier"] == "relaxed"}, key=lambda r: int(r.split()[1]))
    say("%-12s" % "tier" + "".join("%12s" % v for v in VERDICTS) + "%20s" % "confirmed/decided")
    for tier in ("sync", "precise", "sliced", *relaxed, "hybrid"):
        decided = count[tier, "confirmed"] + count[tier, "refuted"]
        rate = "%18.1f %%" % (100 * count[tier, "confirmed"] / decided) if decided else "%20s" % "-"
        say("%-12s" % tier + "".join("%12d" % count[tier, v] for v in VERDICTS) + rate)


def slicing_times(folder):
    """Returns the seconds of slicing and of the sync tier, for a run folder."""
    try:
        with open(os.path.join(folder, "findings.json"), encoding="utf-8") as f:
            s = json.load(f)["summary"]["stats"]
    except (OSError, ValueError, KeyError):
        return 0, 0
    x = s.get("slicing", {"prepare_s": 0, "mask_s": 0})
    return x["prepare_s"] + x["mask_s"], sum(t["time_s"] for t in s["tiers"] if t["tier"] == "sync")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--folders", default="*", help="folders of tests/programs, separated by commas (default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="seconds for one program")
    opts = parser.parse_args()
    forerun = os.path.join(os.path.abspath(opts.build), "forerun")
    found, turned, new, left_out, programs, times = [], 0, 0, 0, 0, [0, 0]
    with tempfile.TemporaryDirectory(prefix="forerun-bench.") as scratch:
        for folder in opts.folders.split(","):
            for source in sorted(glob.glob(os.path.join(PROGRAMS, folder, "*.c*"))):
                if not buggy(source):
                    continue
                exe = os.path.join(scratch, "%s-%s" % (os.path.basename(os.path.dirname(source)), os.path.basename(source)))
                os.environ["FORERUN_PASS"] = "influence=0"
                ok = build(forerun, source, exe + ".plain")
                del os.environ["FORERUN_PASS"]
                ok = ok and build(forerun, source, exe)
                was = ok and guesses(forerun, source, exe + ".plain", exe + ".0", opts.seconds, [])
                now = ok and guesses(forerun, source, exe, exe + ".1", opts.seconds, [])
                if not ok or was is None or now is None:
                    left_out += 1
                    continue
                programs += 1
                times = [a + b for a, b in zip(times, slicing_times(exe + ".1"))]
                found += now.values()
                for key, f in now.items():
                    if f["tier"] != "sliced":
                        continue
                    turned += key in was and was[key]["tier"] in GUESSES
                    new += key not in was
                    if f["verdict"] == "refuted":
                        say("refuted: %s, finding %d: %s" % (source, f["id"], f.get("detail")))
    say("%d programs, %d left out" % (programs, left_out))
    table(found)
    say("guesses that slicing made sound: %d; findings that nothing else predicted: %d" % (turned, new))
    say("slicing %.3f s, sync tier %.3f s; jPredictor: 0.04 to 132 s for each variable (Chen et al., ICSE 2008, table 1)"
        % tuple(times))
    return 0


if __name__ == "__main__":
    start(main)
