#!/usr/bin/env python3
"""Random programs without a branch that depends on shared data.

straight.py SEED COUNT    writes one C program with COUNT scenarios; its argument chooses one
straight.py --check JSON  prints each interleaving that is not confirmed, and then the numbers of confirmed ones by kind

In such a program, a schedule that respects locks, creation and joins is always possible: every prediction must be confirmed.
"""
import collections
import json
import random
import sys

HEAD = """#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
static pthread_mutex_t l[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t k = PTHREAD_RWLOCK_INITIALIZER;
"""


def variables(rng, n):
    """Three variables, each plain, atomic, or a part of one structure."""
    style = rng.choice(["plain", "atomic", "mixed", "fields"])
    if style == "fields":
        print("static struct { int x, y, z; } o%d;" % n)
        return {v: ("o%d.%s" % (n, v), False) for v in "xyz"}
    r = {}
    for v in "xyz":
        atomic = style == "atomic" or (style == "mixed" and rng.random() < .5)
        print("static _Alignas(64) %s %s%d;" % ("atomic_int" if atomic else "int", v, n))
        r[v] = ("%s%d" % (v, n), atomic)
    return r


def access(rng, var):
    name, atomic = var[rng.choice("xyz")]
    c = rng.random()
    if atomic:
        return ("atomic_store(&%s, %d);" % (name, rng.randint(1, 9)) if c < .4 else
                "atomic_fetch_add(&%s, 1);" % name if c < .55 else "s += atomic_load(&%s);" % name)
    return ("%s = %d;" % (name, rng.randint(1, 9)) if c < .35 else "%s = s;" % name if c < .45 else "%s++;" % name if c < .55 else
            "memset(&%s, 1, sizeof(int));" % name if c < .6 else "((char *)&%s)[1] = 2;" % name if c < .65 else "s += %s;" % name)


def body(rng, var, locks):
    lines, held = [], []
    for _ in range(rng.randint(3, 8)):
        c = rng.random()
        free = [i for i in range(locks + 1) if i not in [h[0] for h in held]]
        if c < .27 and free:
            i = rng.choice(free)
            kind = "pthread_mutex_lock(&l[%d]);" % i if i < locks else "pthread_rwlock_%slock(&k);" % rng.choice(["rd", "wr"])
            held.append((i, "pthread_mutex_unlock(&l[%d]);" % i if i < locks else "pthread_rwlock_unlock(&k);"))
            lines.append(kind)
        elif c < .45 and held:
            lines.append(held.pop(rng.randrange(len(held)) if rng.random() < .2 else -1)[1])
        elif c < .55:
            lines.append("sched_yield();")
        else:
            lines.append(access(rng, var))
    lines += [h[1] for h in reversed(held)]
    return lines


def scenario(rng, n):
    var = variables(rng, n)
    threads, locks = rng.choice([2, 2, 3]), rng.choice([1, 2, 2, 3])
    for t in range(threads):
        units = [body(rng, var, locks) for _ in range(rng.choice([1, 1, 2]))]
        for u, lines in enumerate(units):
            print("static NOINLINE int u%d_%d_%d(int s)\n{\n\t%s\n\treturn s;\n}" % (n, t, u, "\n\t".join(lines)))
        print("static void *f%d_%d(void *a)\n{\n\tint s = 0;\n" % (n, t))
        for u in range(len(units)):
            print("\ts = u%d_%d_%d(s);" % (n, t, u))
        print("\treturn a;\n}")
    print("static void run%d(void)\n{\n\tpthread_t t[3];\n" % n)
    for t in range(threads):
        print("\tpthread_create(&t[%d], NULL, f%d_%d, NULL);" % (t, n, t))
        if rng.random() < .3:
            print("\tsched_yield();")
    for t in range(threads):
        print("\tpthread_join(t[%d], NULL);" % t)
    print("}")


def generate(seed, count):
    rng = random.Random(seed)
    print(HEAD)
    for n in range(count):
        scenario(rng, n)
    print("int main(int argc, char **argv)\n{\n\tswitch (argc > 1 ? atoi(argv[1]) : 0) {")
    for n in range(count):
        print("\tcase %d:\n\t\trun%d();\n\t\tbreak;" % (n, n))
    print("\t}\n\treturn 0;\n}")


def check(path):
    confirmed = collections.Counter()
    for f in json.load(open(path))["findings"]:
        for w in [f] + f.get("interleavings", []):
            if w["verdict"] == "confirmed":
                confirmed[f["kind"]] += 1
            else:
                print("%s %s %s, tier %s: %s" % (w["verdict"], f["kind"], f.get("shape") or "", f["tier"], w.get("detail")))
    for k in sorted(confirmed):
        print("confirmed %s %d" % (k, confirmed[k]))


if sys.argv[1] == "--check":
    check(sys.argv[2])
else:
    generate(int(sys.argv[1]), int(sys.argv[2]))
