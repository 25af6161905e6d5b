#!/usr/bin/env python3
"""Checks that longer runs of the kernels take no more memory.

Runs each kernel at 1, 4 and 16 times its length over the same memory, native and recorded. Recording may add 64 MiB and
1 MiB for each thread to the program's peak, at any length. Exit status 1 if it adds more.
"""
import argparse
import os
import shutil
import tempfile

from harness import (Failure, compile_kernel, forerun_binary, progress, run_plain, run_recorded, say, select, start)

BASE_MIB = 64
THREAD_MIB = 1


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--build", default="build", help="the build folder (default: build)")
    p.add_argument("--only", metavar="NAMES", help="only these kernels, separated by commas")
    p.add_argument("--lengths", default="1,4,16", help="multiples of the length (default 1,4,16)")
    opts = p.parse_args()
    forerun = forerun_binary(opts.build)
    work = tempfile.mkdtemp(prefix="forerun-bench.")
    broken = 0
    try:
        say("%-10s %7s %11s %12s %11s %12s %14s" % ("kernel", "length", "native MiB", "forerun MiB", "growth MiB",
                                                  "allowed MiB", "events kept"))
        for k in select(opts.only):
            native = compile_kernel(k, "native", forerun, work)
            recorded = compile_kernel(k, "forerun", forerun, work)
            for length in [int(n) for n in opts.lengths.split(",")]:
                progress("%s at length %d" % (k.name, length))
                args = k.long_args(length)
                plain = run_plain([native] + args, sample=True)
                r = run_recorded(forerun, os.path.join(work, "run"), recorded, args, sample=True)
                progress("")
                if r.output != plain.output:
                    raise Failure("%s printed %snot %s" % (k.name, r.output, plain.output))
                growth = (r.peak - plain.peak) / 1024
                allowed = BASE_MIB + THREAD_MIB * (k.threads + 1)
                over = growth > allowed
                broken += over
                say("%-10s %6dx %11.1f %12.1f %11.1f %12d %14d%s" % (
                    k.name, length, plain.peak / 1024, r.peak / 1024, growth, allowed, r.run["events"],
                    "  TOO MUCH" if over else ""))
    finally:
        shutil.rmtree(work, ignore_errors=True)
    say("%d runs grew by more than the limit" % broken if broken else "all runs are within the limit")
    return 1 if broken else 0


if __name__ == "__main__":
    start(main)
