#!/usr/bin/env python3
"""predict_check.py SOURCE FINDINGS.json [fixed]: are the findings exactly those that the source expects?

Lines of the head comment: `expect: KIND SUBJECT ACCESS@MARK ...`, where `/* @MARK */` stands on the line that is
meant. SUBJECT: names separated by commas, in any order; alternatives by |; * for any. `alloc@MARK`: where the memory
was allocated. Prints nothing if they are; else both lists.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head  # noqa: E402
import run_folder  # noqa: E402


def expected(source):
    marks = program_head.marks(source)
    for key, value in program_head.lines(source):
        if key == "expect":
            kind, subject, places = value.split(None, 2)
            yield kind, subject, sorted(program_head.places(places, marks))


def found(source, findings):
    for f in findings["findings"]:
        places = ["%s@%d" % (e["access"], e["line"]) for e in f["events"]]
        if f["allocated"]:
            places.append("alloc@%d" % f["allocated"]["line"])
        files = {os.path.basename(e["file"]) for e in f["events"]}
        if files != {os.path.basename(source)}:
            places.append("in " + " ".join(sorted(files)))
        yield f["kind"], f["subject"], sorted(places)


def same(want, got):
    if want[0] != got[0] or want[2] != got[2]:
        return False
    names = sorted(n.strip() for n in got[1].split(","))
    return want[1] == "*" or any(sorted(a.split(",")) == names for a in want[1].split("|"))


def schedule_errors(path):
    """Turns of a thread grow, and each target is the next hook of its thread."""
    last = {}
    for words in (line.split() for line in open(path)):
        if words[0] == "turn":
            if int(words[2]) <= last.get(words[1], 0):
                yield "%s: a turn goes back: %s" % (path, words)
            last[words[1]] = int(words[2])
        elif words[0] == "target" and int(words[2]) != last.get(words[1], 0) + 1:
            yield "%s: not at the brink: %s" % (path, words)


def main():
    source, path = sys.argv[1:3]
    want = [] if "fixed" in sys.argv[3:] else expected(source)
    findings = run_folder.report(path)
    got = list(found(source, findings))
    left = list(got)
    missing = []
    for w in want:
        hit = next((g for g in left if same(w, g)), None)
        if hit:
            left.remove(hit)
        else:
            missing.append(w)
    for w in missing:
        print("missing:", *w)
    for g in left:
        print("not expected:", *g)
    wrong = [e for f in findings["findings"]
             for e in schedule_errors(os.path.join(os.path.dirname(path), f["schedule"]))]
    for e in wrong:
        print(e)
    s = findings["summary"]
    if s["undecided"] or s["untried"] or not s["complete"]:
        print("undecided:", s)
    return 1 if missing or left or wrong or s["undecided"] else 0


sys.exit(main())
