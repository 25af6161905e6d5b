"""What forerun refutes never happens in other runs of the program: records each program in random orders, and looks for a confirmed
finding that the first run refuted. Usage: refuted.py FORERUN RUNS PROGRAM.c..., in an empty folder. Prints TAP, and what it tried."""
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head


def key(kind, interleaving):
    """The same for the same bug in two runs: its accesses, in any order for a race."""
    events = [(e["file"], e["line"], e["column"], e["access"]) for e in interleaving["events"]]
    return kind, tuple(sorted(events) if kind == "data-race" else events)


def findings(forerun, program, order):
    """Records and confirms: the keys of the refuted interleavings, and of the confirmed ones."""
    shutil.rmtree("d", ignore_errors=True)
    subprocess.run([forerun, "run", "-o", "d"] + (["--order", order] if order else []) + ["./" + program], timeout=120,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    by = {"refuted": set(), "confirmed": set()}
    for f in json.load(open("d/findings.json"))["findings"]:
        for i in [f] + f["interleavings"]:
            by.get(i["verdict"], set()).add(key(f["kind"], i))
    return by["refuted"] - by["confirmed"], by["confirmed"]


def build(forerun, source, twin):
    command = [forerun, "c++" if source.endswith(".cpp") else "cc", "-g", "-O1", "-w", "-pthread"]
    command += (program_head.value(source, "build") or "").split() + (["-DFIXED"] if twin else []) + [source, "-o", "program"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def main():
    forerun, runs, tried, refuted, tests, failed = sys.argv[1], int(sys.argv[2]), 0, 0, 0, 0
    for source in sys.argv[3:]:
        for twin in False, True:
            if not build(forerun, source, twin):
                continue
            name = os.path.basename(source) + (", fixed" if twin else "")
            never, _ = findings(forerun, "program", program_head.value(source, "order"))
            happened = set()
            for seed in range(runs if never else 0):
                happened |= never & findings(forerun, "program", "random:%d" % seed)[1]
                tried += 1
            if not never:
                continue
            refuted += len(never)
            tests += 1
            failed += bool(happened)
            print("%s %d - %s: what is refuted (%d) does not happen in %d random orders" %
                  ("not ok" if happened else "ok", tests, name, len(never), runs), flush=True)
            for kind, events in sorted(happened):
                print("#", kind, *("%s:%d:%d %s" % e for e in events))
    print("1..%d\n# %d refuted interleavings, %d random orders tried" % (tests, refuted, tried))
    return failed > 0


sys.exit(main())
