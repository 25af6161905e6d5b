#!/usr/bin/env python3
"""Records, predicts and confirms random programs (slice_random.py): no sound prediction is ever refuted.

slice_soak.py FORERUN FOLDER SEED BINARIES COUNT [LEVEL...]: BINARIES files of COUNT programs, each compiled at the next
of the levels. Prints a line for each refutation, and the numbers of findings by tier and verdict at the end. Exits with
1 if a prediction of the tiers sync, precise or sliced was refuted.
"""
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

SOUND = ("sync", "precise", "sliced")


def run(command, **how):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def one(forerun, binary, folder, k):
    """Returns the findings of program k, or a text about the failure."""
    shutil.rmtree(folder, ignore_errors=True)
    order = ["creation", "0,2,1", f"random:{k}", "0,1+,2,1", "0,2+,1", f"random:{k}"][k % 6]
    r = run([forerun, "record", "--order", order, "-o", folder, "--", binary, str(k)])
    if r.returncode:
        return f"record: {r.stderr}"
    r = run([forerun, "predict", "--tier", "sliced", "--all", "-q", "--budget", "2,20", folder])
    if r.returncode > 1:
        return f"predict: {r.stderr}"
    r = run([forerun, "confirm", "--trust", "-j", "1", "--format", "json", folder])
    if r.returncode > 1:
        return f"confirm: {r.stderr}"
    found = json.loads(r.stdout)["findings"]
    if not any(f["verdict"] == "refuted" and f["tier"] in SOUND for f in found):
        shutil.rmtree(folder)
    return found


def main():
    forerun, folder, seed, binaries, count = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    levels = sys.argv[6:] or ["-O0", "-O1", "-O2", "-O3"]
    here = os.path.dirname(os.path.abspath(__file__))
    total, bad, failed = collections.Counter(), 0, 0
    os.makedirs(folder, exist_ok=True)
    for n in range(binaries):
        source, binary = f"{folder}/s{seed + n}.c", f"{folder}/s{seed + n}"
        with open(source, "w") as f:
            f.write(run([sys.executable, f"{here}/slice_random.py", str(seed + n), str(count)], check=True).stdout)
        level = levels[n % len(levels)]
        r = run([os.environ.get("COMPILER", forerun), "cc", "-g", level, "-pthread", "-w", source, "-o", binary])
        if r.returncode:
            print(f"{source}: {r.stderr}")
            return 2
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda k: one(forerun, binary, f"{folder}/r{seed + n}.{k}", k), range(count)))
        for k, found in enumerate(results):
            if isinstance(found, str):
                print(f"seed {seed + n} {level} program {k}: {found}")
                failed += 1
                continue
            for f in found:
                total[f["tier"], f["verdict"]] += 1
                if f["verdict"] == "refuted" and f["tier"] in SOUND:
                    bad += 1
                    print(f"refuted: seed {seed + n} {level} program {k}, finding {f['id']}, {f['kind']} on "
                          f"{f['subject']}, tier {f['tier']}: {f.get('detail')}")
    for (tier, verdict), n in sorted(total.items()):
        print(f"# {tier} {verdict}: {n}")
    print(f"# {binaries * count} programs, {failed} not run, {bad} refuted")
    return 1 if bad or failed else 0


sys.exit(main())
