#!/usr/bin/env python3
"""Does forerun predict the races that happen in other orders of random programs (slice_random.py)?

slice_found.py FORERUN FOLDER SEED BINARIES COUNT ORDERS [LEVEL...]: BINARIES files of COUNT programs, each compiled at
the next of the levels. Each program is recorded once in the order of creation and analysed, and recorded in ORDERS random
orders. In each state of each such run, the next accesses of any two threads are compared: they race if they conflict.
Such a race is *due* if all threads came there on their path of the first run: the same hooks at the same places, with
the same locations, and reads with the same values. Then the model allows the order, and the race must be among the
predictions of the sound tiers. If some reads returned other values, the race must be predicted too, unless they matter:
then `--explain` names a read that stands in the way.

This program shares nothing with the search of forerun but the lists of events (forerun dump --model). Prints a line for
each race that is missing, and the numbers at the end. Exits with 1 if a race is missing.
"""
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import run_folder  # noqa: E402

SOUND = ("sync", "precise", "sliced")
LINE = re.compile(r"\s*(\d+)(\+?) +(\S+) +(\d+) (\S+) +(.*)")
EXPLAINED = re.compile(r"^infeasible: data-race at (?:\S*/)?(\S+) and (?:\S*/)?(\S+)\n +in the way: ", re.M)
WHERE = re.compile(r"([^/\s]+:\d+) \S+$")
Event = collections.namedtuple("Event", "thread hook op where value line atomic")  # where: (address, mask), or a name


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def events(forerun, folder):
    """The events of the model in their order, without those that the loader inserted."""
    found = []
    for text in run([forerun, "dump", "--model", folder]).stdout.splitlines():
        m = LINE.match(text)
        if not m or " synth" in text:
            continue
        _, _, thread, hook, op, rest = m.groups()
        place = WHERE.search(rest)
        where, value = rest, None
        if op in ("read", "write"):
            address, mask, value = re.search(r"(0x[0-9a-f]+)/([0-9a-f]+)(?: = (\S+))?", rest).groups()
            where = (int(address, 16), int(mask, 16))
        elif place:
            where = rest[:place.start()]
        found.append(Event(thread, int(hook), op, where, value, place.group(1) if place else None, " atomic" in text))
    return found


def locations(found):
    return {e.where[0] for e in found if e.op in ("read", "write")}


def conflict(a, b):
    return (a.op in ("read", "write") and b.op in ("read", "write") and "write" in (a.op, b.op)
            and a.where[0] == b.where[0] and a.where[1] & b.where[1] and not (a.atomic and b.atomic))


def name(a, b):
    return tuple(sorted([(a.line, a.op), (b.line, b.op)]))


class Path:
    """The events of the first run by thread and hook, on locations that both runs have."""

    def __init__(self, found, shared):
        self.at = collections.defaultdict(list)
        for e in found:
            if e.op not in ("read", "write") or e.where[0] in shared:
                self.at[e.thread, e.hook].append(e)

    def same(self, e, values):
        return any(x.op == e.op and x.where == e.where and x.line == e.line
                   and (not values or e.op != "read" or x.value == e.value) for x in self.at[e.thread, e.hook])


def races(first, other):
    """Yields (race, due) for each state of the other run in which all threads are on the path of the first one."""
    shared = locations(first) & locations(other)
    path = Path(first, shared)
    other = [e for e in other if e.op not in ("read", "write") or e.where[0] in shared]
    follow = {}  # index -> the thread's next event
    last = {}
    for i in reversed(range(len(other))):
        follow[i] = last.get(other[i].thread)
        last[other[i].thread] = i
    pending = {t: i for t, i in last.items()}
    values, left = True, set()
    for i, e in enumerate(other):
        for t, k in pending.items():
            f = other[k] if k is not None else None
            if f and t != e.thread and t not in left and e.thread not in left and conflict(e, f) \
                    and path.same(e, False) and path.same(f, False):
                yield name(e, f), values
        if not path.same(e, False):
            left.add(e.thread)  # whatever it does from here on is not on the path
            if e.op == "write" or e.op not in ("read", "write"):
                values = False
        elif not path.same(e, True):
            values = False
        pending[e.thread] = follow[i]


def one(forerun, binary, folder, k, orders):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    a = f"{folder}/a"
    run([forerun, "record", "-q", "--order", "creation", "-o", a, "--", binary, str(k)])
    r = run([forerun, "predict", "--tier", "sliced", "--all", "--explain", "-k", "data-race", "--budget", "5,60", a])
    if r.returncode > 1:
        return f"predict: {r.stderr}"
    predicted = set()
    for f in run_folder.findings(a):
        if f["tier"] in SOUND:
            e = f["events"][:2]
            predicted.add(tuple(sorted((f"{os.path.basename(x['file'])}:{x['line']}", x["access"]) for x in e)))
    explained = {tuple(sorted(x)) for x in EXPLAINED.findall(r.stdout)}
    first = events(forerun, a)
    due, other = {}, {}
    for seed in range(orders):
        b = f"{folder}/b"
        shutil.rmtree(b, ignore_errors=True)
        run([forerun, "record", "-q", "--order", f"random:{seed}", "-o", b, "--", binary, str(k)])
        for race, strict in races(first, events(forerun, b)):
            (due if strict else other).setdefault(race, seed)
    shutil.rmtree(folder)
    return predicted, explained, due, {x: s for x, s in other.items() if x not in due}


def main():
    forerun, folder, seed, binaries, count, orders = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:7])
    levels = sys.argv[7:] or ["-O0", "-O1", "-O2", "-O3"]
    here = os.path.dirname(os.path.abspath(__file__))
    total = collections.Counter()
    os.makedirs(folder, exist_ok=True)
    for n in range(seed, seed + binaries):
        source, binary, level = f"{folder}/f{n}.c", f"{folder}/f{n}", levels[n % len(levels)]
        with open(source, "w") as f:
            f.write(run([sys.executable, f"{here}/slice_random.py", str(n), str(count)]).stdout)
        r = run([forerun, "cc", "-g", level, "-pthread", "-w", source, "-o", binary])
        if r.returncode:
            print(f"{source}: {r.stderr}")
            return 2
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda k: one(forerun, binary, f"{folder}/r{n}.{k}", k, orders), range(count)))
        for k, r in enumerate(results):
            if isinstance(r, str):
                print(f"seed {n} {level} program {k}: {r}")
                total["not run"] += 1
                continue
            predicted, explained, due, other = r
            total["predicted"] += len(predicted)
            total["due"] += len(due)
            total["with other values"] += len(other)
            total["with other values, predicted"] += len(set(other) & predicted)
            for race, order in [*due.items(), *other.items()]:
                if race in predicted:
                    continue
                places = tuple(sorted(line for line, _ in race))
                if race in other and places in explained:
                    total["explained"] += 1
                    continue
                total["missing"] += 1
                print(f"missing: seed {n} {level} program {k}, random:{order}: {race}"
                      + (", with other values" if race in other else ""))
    print(f"# {binaries * count} programs, {orders} random orders each; races: "
          + ", ".join(f"{total[x]} {x}" for x in ("predicted", "due", "missing", "with other values",
                                                  "with other values, predicted", "explained", "not run")))
    return 1 if total["missing"] or total["not run"] or not total["due"] else 0


sys.exit(main())
