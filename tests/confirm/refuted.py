"""What forerun refutes happens in no other run of the program. Records each program in random orders, predicts from each run, and confirms
what the first run refuted: a confirmed one contradicts the refutation.

Usage: refuted.py FORERUN RUNS JOBS FLAGS PROGRAM.c..., in an empty folder. FLAGS: for the compiler ("-O1"). Prints TAP, and what it tried."""
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head

LIMIT = 120  # seconds for one command


def inner(event):
    """The place of the access itself, in what was inlined at its line."""
    return ["%s:%d:%d" % (s["file"], s["line"], s["column"]) for s in event["stack"][:1]]


def key(kind, interleaving):
    """The same for the same bug in two runs: its accesses, in any order where none is asked for."""
    events = [(e["file"], e["line"], e["column"], e["access"], e["name"], inner(e)) for e in interleaving["events"]]
    return kind, str(sorted(events) if kind in ("data-race", "deadlock") else events)


class Program:
    def __init__(self, forerun, source, twin):
        self.forerun, self.source, self.twin = forerun, source, twin
        self.name = os.path.join(*source.split(os.sep)[-2:]) + (", fixed" if twin else "")
        self.dir = self.name.replace(os.sep, ".")
        self.stdin = (program_head.value(source, "stdin") or "").encode().decode("unicode_escape").encode()

    def do(self, *command):
        """The status; 124 or 137 if the command, with what it started, was ended after LIMIT seconds. What it found by then counts."""
        return subprocess.run(["timeout", "-k", "5", str(LIMIT), self.forerun] + list(command), cwd=self.dir, input=self.stdin,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def build(self, flags):
        os.mkdir(self.dir)
        return self.do("c++" if self.source.endswith(".cpp") else "cc", "-g", "-w", "-pthread", *flags,
                       *(program_head.value(self.source, "build") or "").split(), *(["-DFIXED"] if self.twin else []),
                       os.path.abspath(self.source), "-o", "program") == 0

    def interleavings(self, folder):
        """(verdict, number of its finding, key) of each."""
        path = os.path.join(self.dir, folder, "findings.json")
        for f in json.load(open(path))["findings"] if os.path.exists(path) else []:
            for i in [f] + f["interleavings"]:
                yield i["verdict"], f["id"], key(f["kind"], i)

    def refuted(self):
        """What the run in the program's own order refutes and does not confirm as well."""
        order = program_head.value(self.source, "order")
        self.do("run", "-o", "first", *(["--order", order] if order else []), "./program")
        found = list(self.interleavings("first"))
        return {k for v, _, k in found if v == "refuted"} - {k for v, _, k in found if v == "confirmed"}

    def happens(self, never, seed):
        """Which of these happen in a run in random order, or in what forerun predicts from it."""
        folder = "random.%d" % seed
        self.do("record", "-q", "-o", folder, "--order", "random:%d" % seed, "./program")
        self.do("predict", "--tier", "precise", folder)
        again = {n for v, n, k in self.interleavings(folder) if k in never and v != "confirmed"}
        for n in again:
            self.do("confirm", "-j", "1", "--only", str(n), folder)
        seen = {k for v, _, k in self.interleavings(folder) if v == "confirmed" and k in never}
        if not seen:
            shutil.rmtree(os.path.join(self.dir, folder))
        return seen


def check(program, flags, runs):
    """The refuted keys, and seeds by key for those that happen."""
    happened = {}
    if not program.build(flags):
        return set(), happened
    never = program.refuted()
    for seed in range(runs if never else 0):
        for k in program.happens(never, seed):
            happened.setdefault(k, []).append(seed)
    return never, happened


def main():
    forerun, runs, jobs, flags, sources = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(), sys.argv[5:]
    programs = [Program(forerun, s, twin) for s in sources for twin in ([False, True] if "FIXED" in open(s).read() else [False])]
    tests = refuted = wrong = failed = 0
    assert programs, "no programs"
    with ThreadPoolExecutor(jobs) as crew:
        for program, (never, happened) in zip(programs, crew.map(lambda p: check(p, flags, runs), programs)):
            if not never:
                continue
            tests += 1
            refuted += len(never)
            wrong += len(happened)
            failed += bool(happened)
            print("%s %d - %s: what is refuted (%d) does not happen in %d random orders" %
                  ("not ok" if happened else "ok", tests, program.name, len(never), runs), flush=True)
            for (kind, events), seeds in sorted(happened.items()):
                print("#", kind, events, "in orders", *seeds[:5])
    print("1..%d\n# programs with refuted interleavings: %d of %d; refuted interleavings: %d; random orders tried: %d; contradictions: %d" %
          (tests, tests, len(programs), refuted, tests * runs, wrong))
    return failed > 0


sys.exit(main())
