#!/usr/bin/env python3
"""assertions.py SOURCE-TREE: has each module enough assertions? Counts fr_assert, fr_assert_slow,
frt_assert and _Static_assert. Prints each module that has too few for its lines; exit status 0 if there is none.

The runtime's folders count one by one, without the code that runs for every access (HOT). runtime/wrap needs half as
many: half of its lines are wrappers that keep no state, one after the other.
"""
import glob
import os
import re
import sys

LEAST = 10  # for a thousand lines
LEAST_OF = {"runtime/wrap": 5}
HOT = {"runtime/core": "hooks.c emit.c emit.h rt_access.c rt_access.h shadow.c shadow.h strides.c strides.h slow.h "
                       "rt_atomic.c rt_nest.c",
       "runtime/tsan": "tsan_abi.c tsan_atomic.c tsan_fast.h"}
ASSERTION = re.compile(r"^(?!#define).*\b(?:frt?_assert(?:_slow)?|_Static_assert)\(", re.M)


def modules(src):
    for folder in sorted(glob.glob(os.path.join(src, "*/"))):
        name = os.path.basename(folder[:-1])
        if name == "runtime":
            yield from (os.path.join(name, f) for f in sorted(os.listdir(folder)) if os.path.isdir(folder + f))
        else:
            yield name


def main():
    src, poor = os.path.join(sys.argv[1], "src"), 0
    for module in modules(src):
        lines = found = 0
        for path in glob.glob(os.path.join(src, module, "*.[ch]")):
            if os.path.basename(path) in HOT.get(module, "").split():
                continue
            with open(path, encoding="utf-8") as f:
                text = f.read()
            lines += text.count("\n")
            found += len(ASSERTION.findall(text))
        rate = 1000 * found / max(lines, 1)
        if "-v" in sys.argv:
            print("%-16s %4d in %6d lines: %.1f" % (module, found, lines, rate))
        if round(rate) < LEAST_OF.get(module, LEAST):
            print("%s: %.1f assertions in a thousand lines" % (module, rate))
            poor += 1
    return poor > 0


sys.exit(main())
