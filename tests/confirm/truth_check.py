#!/usr/bin/env python3
"""truth_check.py FOLDER [-O1 -O2 ...] [NAME ...]: does forerun stay silent on the correct programs?

Builds each program of programs/truth (or those that match a NAME, a shell pattern) in FOLDER at each optimisation level
and runs it with `forerun run`, two at a time. It passes if the recorded program and forerun both end with status 0 and
forerun confirms nothing that it does not fold into another finding. Prints TAP. Comment lines at the head of a program
add to the command lines: ` * build: FLAGS`, ` * link: FLAGS`, ` * stdin: TEXT`, ` * options: OPTIONS OF forerun run`.
` * library: NAME` builds the same source with -DLIB as libNAME.so in the program's working folder.
RANDOM_ORDERS in the environment: how often to run each program, each time in another random order (0: once, in its own).
FIRST_ORDER: the seed of the first one (1).
"""
import concurrent.futures
import fnmatch
import glob
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head  # noqa: E402
import run_folder  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FORERUN = os.environ.get("FORERUN") or os.path.join(os.environ["BUILD"], "forerun")
LIMIT = 600  # seconds for one run: only a run that never ends takes longer, also on a busy machine


def head(source, key):
    return program_head.value(source, key) or ""


def build(source, level, cwd, exe):
    """Compiles SOURCE; returns the compiler's message if it fails, or ''."""
    cpp = source.endswith(".cpp")
    tool = [FORERUN, "c++" if cpp else "cc", "-g", "-pthread", "-std=c++20" if cpp else "-std=gnu17", "-D_GNU_SOURCE",
            level]
    tool += head(source, "build").split()
    link = head(source, "link").split()
    library = head(source, "library")
    steps = [tool + [source, "-o", exe] + link]
    if library:
        lib = os.path.join(cwd, "lib%s.so" % library)
        steps.insert(0, tool + ["-fPIC", "-shared", "-DLIB", source, "-o", lib])
        if "-ldl" not in link:
            steps[1] += ["-L" + cwd, "-l" + library, "-Wl,-rpath," + cwd]
    for s in steps:
        done = subprocess.run(s, capture_output=True, text=True)
        if done.returncode:
            return "does not compile: " + done.stderr.strip()[-2000:]
    return ""


def judge(status, path):
    """Returns a description of the failure of a run, or ''."""
    try:
        report = run_folder.report(path)
    except (OSError, ValueError) as e:
        return "status %d, no report: %s" % (status, e)
    run = report["run"]
    said = ["%s on %s, harm %s" % (f["kind"], f.get("subject"), f.get("harm")) for f in run_folder.shown(path)]
    if said:
        return "confirmed " + "; ".join(said)
    if status or run["exit"] != 0:
        return "status %d, the program's %s (signal %s)" % (status, run["exit"], run.get("signal"))
    return ""


def check_levels(job):
    """One level after the other: a program may use names that exist once on the machine (shared memory, ports)."""
    source, levels, folder = job
    return [check(source, level, folder) for level in levels]


def check(source, level, folder):
    name = os.path.basename(source)
    base = os.path.join(folder, name + level)
    cwd = base + ".cwd"
    os.makedirs(cwd)
    why = build(source, level, cwd, base)
    options = head(source, "options").split()
    first, count = int(os.environ.get("FIRST_ORDER", "1")), int(os.environ.get("RANDOM_ORDERS", "0"))
    orders = ["random:%d" % s for s in range(first, first + count)] if "--order" not in options else []
    for order in orders or [None]:
        if not why:
            why = run(source, base, cwd, options + (["--order", order] if order else []))
            subprocess.run(["find", cwd, "-mindepth", "1", "!", "-name", "lib*.so", "-delete"])
            subprocess.run(["rm", "-rf", base + ".d"])
    return name, level, why


def run(source, base, cwd, options):
    """Returns a description of the failure of one run of the program, or ''."""
    command = [FORERUN, "run", "-o", base + ".d", "--json", base + ".json"] + options + ["--", base]
    with subprocess.Popen(command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True) as p:
        try:
            said, _ = p.communicate(head(source, "stdin").encode().decode("unicode_escape").encode(), timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            return "forerun has not ended after %d seconds: %s" % (LIMIT, " ".join(command))
    why = judge(p.returncode, base + ".json")
    return why + "\n" + " ".join(command) + "\n" + said.decode(errors="replace") if why else ""


def main():
    folder = sys.argv[1]
    levels = [a for a in sys.argv[2:] if a.startswith("-")] or ["-O1", "-O2"]
    names = [a for a in sys.argv[2:] if not a.startswith("-")]
    sources = sorted(s for e in ("c", "cpp") for s in glob.glob(os.path.join(HERE, "../programs/truth/*." + e)))
    if names:
        unknown = [n for n in names if not any(fnmatch.fnmatch(os.path.basename(s), n) for s in sources)]
        if unknown:
            sys.exit("no such program: " + " ".join(unknown))
        sources = [s for s in sources if any(fnmatch.fnmatch(os.path.basename(s), n) for n in names)]
    jobs = [(s, levels, folder) for s in sources]
    failed = n = 0
    print("1..%d" % (len(sources) * len(levels)))
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for results in pool.map(check_levels, jobs):
            for name, level, why in results:
                n += 1
                failed += bool(why)
                print("%s %d - %s %s is silent" % ("not ok" if why else "ok", n, name, level))
                for l in why[:4000].splitlines():
                    print("# " + l)
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
