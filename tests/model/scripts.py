#!/usr/bin/env python3
"""scripts.py COUNT STEPS: COUNT scripts for race.c, each on a line with the output of race.c: SCRIPT|A|B|C. The same
ones each time."""
import sys

state = 12345


def rnd(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) & ((1 << 64) - 1)
    return (state >> 33) % n


for _ in range(int(sys.argv[1])):
    mem, seen, script = [0, 2], {"a": "", "b": "", "c": ""}, []
    for _ in range(int(sys.argv[2])):
        t, v = "abc"[rnd(3)], rnd(2)
        if rnd(5) < 3:
            script.append("%sr%d" % (t, v))
            seen[t] += str(mem[v])
        else:
            mem[v] = rnd(3)
            script.append("%sw%d%d" % (t, v, mem[v]))
    print("|".join([" ".join(script)] + [seen[t] for t in "abc"]))
