"""Reads the head comment of a test program: its ` * KEY: VALUE` lines, and the lines with a mark, `/* @MARK */`."""
import re


def lines(source):
    """Returns (KEY, VALUE) for each such line."""
    return re.findall(r"^(?: \*|/\*) (\w+): ?(.*?)(?: \*/)?$", open(source).read(), re.M)


def value(source, key):
    """Returns the first VALUE of KEY, or None."""
    return next((v for k, v in lines(source) if k == key), None)


def marks(source):
    """MARK -> number of the first line that has it."""
    found = {}
    for number, line in enumerate(open(source), 1):
        for mark in re.findall(r"/\* @(\w+) \*/", line):
            found.setdefault(mark, number)
    return found


def places(text, marks, file=""):
    """ACCESS@MARK ... with line numbers instead of marks, after FILE if one is given."""
    return ["%s@%s%d" % (a, file, marks[m]) for a, m in (p.split("@") for p in text.split())]
