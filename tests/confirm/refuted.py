"""Checks that interleavings that forerun refutes happen in no other run of the program. Records each program in random
orders, predicts from each run, and confirms the interleavings that the first run refuted: a confirmed one contradicts
the refutation.

Usage: refuted.py FORERUN RUNS JOBS FLAGS PROGRAM.c..., in an empty folder. FLAGS: for the compiler ("-O1").
       refuted.py FORERUN RUNS JOBS --commands LIST. LIST: for each command its name, its folder and its arguments, one
       in a line, then an empty line (tests/real/refuted). The run folders are in `runs` beside LIST.
Prints TAP, the tried interleavings, and with --commands a table. FIRST: the seed of the first order (0); FIRSTS: recorded
runs of each command from which the refuted interleavings come (1); LIMIT: seconds for one command (120)."""
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head
import run_folder

LIMIT = int(os.environ.get("LIMIT", 120))
FIRST_SEED = 1000000  # of the first runs that are not in the program's own order


def inner(event):
    """The place of the access itself, in the function inlined at its line."""
    return ["%s:%d:%d" % (s["file"], s["line"], s["column"]) for s in event["stack"][:1]]


def key(kind, interleaving):
    """The same for the same bug in two runs: its accesses, in any order where none is asked for."""
    events = [(e["file"], e["line"], e["column"], e["access"], e["name"], inner(e)) for e in interleaving["events"]]
    return kind, str(sorted(events) if kind in ("data-race", "deadlock") else events)


class Command:
    """A command whose program is built, and the folder in which it runs."""
    order = None
    budget = []
    first_runs = 1

    def __init__(self, forerun, name, folder, command, stdin=b""):
        self.forerun, self.name, self.dir, self.command, self.stdin = forerun, name, folder, command, stdin
        self.runs = ""  # how the names of its run folders begin
        self.counts = {}
        self.tried = 0
        self.failed = []

    def do(self, *command):
        """Runs a command. Returns its status; 124 or 137 if it and its children were ended after LIMIT seconds. The
        findings until then count."""
        status = subprocess.run(["timeout", "-k", "5", str(LIMIT), self.forerun] + list(command), cwd=self.dir,
                                input=self.stdin,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        if command[0] in ("predict", "confirm") and status not in (0, 1, 124, 137):
            self.failed.append("forerun %s: status %d" % (" ".join(command), status))
        return status

    def build(self, flags):
        return True

    def findings(self, folder):
        path = os.path.join(self.dir, folder, "findings.json")
        return run_folder.findings(path) if os.path.exists(path) else []

    def interleavings(self, folder):
        """(verdict, number of its finding, key) of each."""
        for f in self.findings(folder):
            for i in [f] + f["interleavings"]:
                yield i["verdict"], f["id"], key(f["kind"], i)

    def refuted(self):
        """Returns the interleavings that a first run refutes, and confirms nowhere itself, and those of them that another
        first run confirms. The first one is in the program's own order, the others are in random orders."""
        never, seen = set(), set()
        for i in range(self.first_runs):
            folder = self.runs + "first" + (".%d" % i if i else "")
            order = "random:%d" % (FIRST_SEED + i) if i else self.order
            self.do("record", "-o", folder, *(["--order", order] if order else []), "--", *self.command)
            self.do("predict", "--tier", "hybrid", *self.budget, folder)
            self.do("confirm", folder)
            for f in self.findings(folder):
                self.counts[f["verdict"]] = self.counts.get(f["verdict"], 0) + 1
            found = list(self.interleavings(folder))
            confirmed = {k for v, _, k in found if v == "confirmed"}
            never |= {k for v, _, k in found if v == "refuted"} - confirmed
            seen |= confirmed
        return never, never & seen

    def happens(self, never, seed):
        """Returns those that happen in a run in random order, or in a prediction from it."""
        folder = self.runs + "random.%d" % seed
        self.do("record", "-q", "-o", folder, "--order", "random:%d" % seed, "--", *self.command)
        self.do("predict", "--tier", "precise", "--kinds", ",".join(sorted({k for k, _ in never})), *self.budget, folder)
        self.tried += os.path.exists(os.path.join(self.dir, folder, "findings.json"))
        again = {n for v, n, k in self.interleavings(folder) if k in never and v != "confirmed"}
        for n in again:
            self.do("confirm", "-j", "1", "--only", str(n), folder)
        seen = {k for v, _, k in self.interleavings(folder) if v == "confirmed" and k in never}
        if not seen:
            shutil.rmtree(os.path.join(self.dir, folder), ignore_errors=True)
        return seen


class Program(Command):
    """A test program, or its twin."""

    def __init__(self, forerun, source, twin):
        name = os.path.join(*source.split(os.sep)[-2:]) + (", fixed" if twin else "")
        stdin = (program_head.value(source, "stdin") or "").encode().decode("unicode_escape").encode()
        super().__init__(forerun, name, name.replace(os.sep, "."), ["./program"], stdin)
        self.source, self.twin = source, twin
        self.order = program_head.value(source, "order")

    def build(self, flags):
        os.mkdir(self.dir)
        return self.do("c++" if self.source.endswith(".cpp") else "cc", "-g", "-w", "-pthread", *flags,
                       *(program_head.value(self.source, "build") or "").split(), *(["-DFIXED"] if self.twin else []),
                       os.path.abspath(self.source), "-o", "program") == 0


def read_commands(forerun, path):
    runs = os.path.join(os.path.dirname(os.path.abspath(path)), "runs")
    os.makedirs(runs, exist_ok=True)
    for block in open(path).read().split("\n\n"):
        if block:
            name, folder, *command = block.split("\n")
            c = Command(forerun, name, folder, command)
            c.runs = os.path.join(runs, name.replace(" ", ".") + ".")
            c.budget = ["--budget", "1,30"]
            c.first_runs = int(os.environ.get("FIRSTS", 1))
            yield c


def check(program, flags, runs):
    """The refuted keys, and seeds by key for those that happen."""
    if not program.build(flags):
        return set(), {}
    never, seen = program.refuted()
    happened = {k: ["(another first run)"] for k in seen}
    start = int(os.environ.get("FIRST", 0))
    for seed in range(start, start + (runs if never else 0)):
        for k in program.happens(never, seed):
            happened.setdefault(k, []).append(seed)
    return never, happened


def row(*cells):
    print("# %-36s %9s %9s %9s %9s %9s %9s %14s" % cells, flush=True)


def main():
    forerun, runs, jobs, flags, sources = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(), sys.argv[5:]
    table = flags == ["--commands"]
    programs = list(read_commands(forerun, sources[0])) if table else [
        Program(forerun, s, twin) for s in sources for twin in ([False, True] if "FIXED" in open(s).read() else [False])]
    tests = with_some = refuted = orders = wrong = failed = 0
    assert programs, "no programs"
    if table:  # ways: refuted interleavings, also of findings that another interleaving confirms
        row("run", "findings", "confirmed", "unknown", "refuted", "ways", "orders", "contradictions")
    with ThreadPoolExecutor(jobs) as crew:
        for program, (never, happened) in zip(programs, crew.map(lambda p: check(p, flags, runs), programs)):
            if table:
                n = program.counts
                row(program.name, sum(n.values()), n.get("confirmed", 0), n.get("unknown", 0), n.get("refuted", 0), len(never),
                    program.tried, len(happened))
            bad = bool(happened or program.failed)
            if not never and not bad:
                continue
            tests += 1
            with_some += bool(never)
            refuted += len(never)
            orders += program.tried
            wrong += len(happened)
            failed += bad
            print("%s %d - %s: no refuted finding (%d) happens in %d random orders" %
                  ("not ok" if bad else "ok", tests, program.name, len(never), program.tried), flush=True)
            for line in program.failed[:5]:
                print("#", line)
            for (kind, events), seeds in sorted(happened.items()):
                print("#", kind, events, "in orders", *seeds[:5])
    print("1..%d\n# programs with refuted interleavings: %d of %d; refuted interleavings: %d; random orders tried: %d; contradictions: %d" %
          (tests, with_some, len(programs), refuted, orders, wrong))
    return failed > 0


sys.exit(main())
