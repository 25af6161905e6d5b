#!/usr/bin/env python3
"""edit.py SCHEDULE PATTERN REPLACEMENT: changes the lines of a schedule file that match a regular expression, and makes the checksum fit again."""
import re
import sys


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


path, pattern, replacement = sys.argv[1:]
old = open(path).read()
lines = [re.sub(pattern, replacement, s) for s in old.split("\n")[:-2]]
text = "".join(s + "\n" for s in lines if s)
if text == "".join(s + "\n" for s in old.split("\n")[:-2]):
    sys.exit("nothing matches " + pattern)
open(path, "w").write(text + "end %08x\n" % crc32c(text.encode()))
