#!/usr/bin/env python3
"""confirm_check.py SOURCE FINDINGS.json [fixed]: is everything that was expected confirmed, with this harm? (fixed:
nothing is.)

The source's head has a line ` * harm: HARM TEXT`: `crash`, `none seen` ...; TEXT is part of the detail, and @MARK in it
is the line marked so. ` * stdin: TEXT` is what the program reads, as for printf; ` * build: FLAGS` are for the
compiler.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_head  # noqa: E402
import run_folder  # noqa: E402

HARMS = ("crash", "assert", "sanitizer", "hang", "exit", "output", "unknown", "none seen")


def main():
    source, path = sys.argv[1:3]
    findings = run_folder.findings(path)
    if "fixed" in sys.argv[3:]:
        wrong = [f for f in findings if f["verdict"] == "confirmed"]
    else:
        rest = program_head.value(source, "harm")
        harm = next(h for h in HARMS if rest.startswith(h))
        marks = program_head.marks(source)
        text = re.sub(r"@(\w+)", lambda m: str(marks[m.group(1)]), rest[len(harm):].strip())
        wanted = sum(key == "expect" for key, _ in program_head.lines(source))
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
