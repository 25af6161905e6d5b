#!/usr/bin/env python3
"""atomicity_check.py SOURCE FINDINGS.json [fixed]: are the atomicity violations confirmed that the source expects, in all
their interleavings? (fixed: nothing is confirmed, except what the report folds: neighbours, without harm.)

Lines of the head comment, where `/* @MARK */` stands on the line that is meant:
  expect: atomicity-violation SUBJECT ACCESS@MARK ACCESS@MARK   the two accesses of one thread that should be atomic, and
  between: ACCESS@MARK ...                                      exactly the remote accesses that can come between, then
  expect: atomic-set-violation SUBJECT+SUBJECT A1 A2 B1 B2      one unit's accesses and the other's, each ACCESS@MARK
  harm: HARM TEXT      of the worst interleaving; TEXT is part of the detail, @MARK in it is a line. `any`: whatever it does
  only:                there are no other atomicity violations than these
SUBJECT: alternatives separated by |; * for any. Findings of other kinds are not looked at.
Prints nothing if all is as expected.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head  # noqa: E402
import run_folder  # noqa: E402

HARMS = ("crash", "assert", "sanitizer", "hang", "exit", "output", "unknown", "none seen")  # worst first
KINDS = ("atomicity-violation", "atomic-set-violation")


class Expected:
    def __init__(self, kind, subject, places):
        self.kind, self.subject, self.places = kind, subject, places
        self.between, self.harm = None, None

    def __str__(self):
        return "%s %s %s" % (self.kind, self.subject, " ".join(self.places))


def expected(source):
    marks = program_head.marks(source)
    want, only = [], False
    for key, rest in program_head.lines(source):
        if key == "expect":
            kind, subject, rest = rest.split(None, 2)
            want.append(Expected(kind, subject, program_head.places(rest, marks)))
        elif key == "between":
            want[-1].between = set(program_head.places(rest, marks))
        elif key == "harm":
            harm = next(h for h in HARMS + ("any",) if rest.startswith(h))
            text = re.sub(r"@(\w+)", lambda m: str(marks[m.group(1)]), rest[len(harm):].strip())
            want[-1].harm = (harm, text)
        elif key == "only":
            only = True
    if not want or any(w.harm is None or (w.kind == KINDS[0]) != bool(w.between) for w in want):
        sys.exit("%s: the head is not complete" % source)
    return want, only


def place(e):
    return "%s@%d" % (e["access"], e["line"])


def by_role(way, role):
    return [place(e) for e in way["events"] if e["role"] == role]


def confirmed(f):
    """The ways in which a finding was seen to happen."""
    ways = [f] + f["interleavings"]
    return [w for w in ways if w["verdict"] == "confirmed"]


def named(subject, f):
    names = {n for n in re.split(r"[,+\s]+", f["subject"] or "") if n and n != "and"}
    return all(part == "*" or names & set(part.split("|")) for part in subject.split("+"))


def has_places(w, way):
    if w.kind == KINDS[0]:
        return by_role(way, "local-first") + by_role(way, "local-second") == w.places
    units = [sorted(w.places[:2]), sorted(w.places[2:])]
    got = [sorted(by_role(way, "first-unit")), sorted(by_role(way, "second-unit"))]
    return sorted(got) == sorted(units)


def matching(w, findings):
    """The findings of this bug; it can have several, with different callers."""
    return [f for f in findings if f["kind"] == w.kind and named(w.subject, f) and
            any(has_places(w, way) for way in confirmed(f))]


def errors(w, found):
    ways = [way for f in found for way in confirmed(f) if has_places(w, way)]
    if not ways:
        yield "not confirmed"
        return
    if w.between is not None:
        got = {p for way in ways for p in by_role(way, "remote")}
        if w.between - got:
            yield "does not come between: " + " ".join(sorted(w.between - got))
        if got - w.between:
            yield "comes between, but is not expected: " + " ".join(sorted(got - w.between))
    harm, text = w.harm
    worst = min((way["harm"] for way in ways), key=HARMS.index)
    if harm == "any":
        return
    if worst != harm:
        yield "the worst harm is '%s', expected '%s'" % (worst, harm)
    elif not any(way["harm"] == harm and text in (way["detail"] or "") for way in ways):
        yield "no interleaving with harm '%s' and '%s': %s" % (harm, text, [way["detail"] for way in ways])


def show(f):
    print("#", f["id"], f["kind"], f["subject"], f.get("region"))
    for way in [f] + f["interleavings"]:
        print("#    ", " ".join("%s:%s" % (e["role"], place(e)) for e in way["events"]), way["verdict"], way["harm"],
              way["detail"])


def main():
    source, path = sys.argv[1:3]
    findings = run_folder.findings(path)
    if "fixed" in sys.argv[3:]:
        wrong = [f for f in findings if confirmed(f) and not f.get("folded")]
        for f in wrong:
            show(f)
        return 1 if wrong else 0
    want, only = expected(source)
    bad, seen = False, []
    for w in want:
        found = matching(w, findings)
        seen += [f["id"] for f in found]
        for e in errors(w, found):
            print("%s: %s" % (w, e))
            bad = True
    others = [f for f in findings if f["kind"] in KINDS and confirmed(f) and f["id"] not in seen]
    if only and others:
        print("not expected:", *("%s %s," % (f["kind"], f["subject"]) for f in others))
        bad = True
    if bad:
        for f in findings:
            show(f)
    return 1 if bad else 0


sys.exit(main())
