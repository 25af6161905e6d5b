#!/usr/bin/env python3
"""confirm_check.py SOURCE FINDINGS.json [fixed]: is everything that was expected confirmed, with this harm? (fixed: nothing is.)

The source's head has a line ` * harm: HARM TEXT`: `crash`, `none seen` ...; TEXT is part of the detail, and @MARK in it is the line
marked so. ` * stdin: TEXT` is what the program reads, as for printf; ` * build: FLAGS` are for the compiler.
"""
import json
import re
import sys

HARMS = ("crash", "assert", "sanitizer", "hang", "exit", "output", "none seen")


def main():
    source, path = sys.argv[1:3]
    findings = json.load(open(path))["findings"]
    if "fixed" in sys.argv[3:]:
        wrong = [f for f in findings if f["verdict"] == "confirmed"]
    else:
        lines = open(source).read().split("\n")
        rest = next(m.group(1) for m in (re.match(r" \* harm: (.*)", s) for s in lines) if m)
        harm = next(h for h in HARMS if rest.startswith(h))
        marks = {m: n for n, s in enumerate(lines, 1) for m in re.findall(r"/\* @(\w+) \*/", s)}
        text = re.sub(r"@(\w+)", lambda m: str(marks[m.group(1)]), rest[len(harm):].strip())
        wanted = sum(s.startswith(" * expect:") for s in lines)
        wrong = [f for f in findings if f["verdict"] != "confirmed"]
        if len(findings) < wanted:
            print("%d findings, expected %d" % (len(findings), wanted))
            return 1
        if not any(f["harm"] == harm and text in (f["detail"] or "") for f in findings):
            print("no finding with harm '%s' and '%s'" % (harm, text))
            wrong = findings
    for f in wrong:
        print(f["id"], f["kind"], f["subject"], f["verdict"], f["harm"], f["detail"])
    return 1 if wrong else 0


sys.exit(main())
