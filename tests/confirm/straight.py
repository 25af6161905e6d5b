#!/usr/bin/env python3
"""Random programs without a branch that depends on shared data.

straight.py SEED COUNT    writes one C program with COUNT scenarios; its argument chooses one
straight.py --check JSON  prints each interleaving that is not confirmed, and then the numbers of confirmed ones by kind

In such a program, a schedule that respects locks, creation and joins is always possible: every prediction must be
confirmed. Only a use of a null pointer is a branch of its own: it may end the program before the events of a guess.
"""
import collections
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import run_folder  # noqa: E402

HEAD = """#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
static pthread_mutex_t l[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t k = PTHREAD_RWLOCK_INITIALIZER;

static NOINLINE void renew(volatile int *volatile *p)
{
	free((void *)*p);
	*p = malloc(64);
}
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
    return ("%s = %d;" % (name, rng.randint(1, 9)) if c < .35 else "%s = s;" % name if c < .45 else "%s++;" % name
            if c < .55 else
            "memset(&%s, 1, sizeof(int));" % name if c < .6 else "((char *)&%s)[1] = 2;" % name
            if c < .65 else "s += %s;" % name)


def body(rng, var, locks):
    lines, held = [], []
    for _ in range(rng.randint(3, 8)):
        c = rng.random()
        free = [i for i in range(locks + 1) if i not in [h[0] for h in held]]
        if c < .27 and free:
            i = rng.choice(free)
            kind = "pthread_mutex_lock(&l[%d]);" % i if i < locks else "pthread_rwlock_%slock(&k);" % rng.choice(["rd",
                    "wr"])
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


def locked(rng, lines):
    """The lines in a lock region, in regions of their own, or without a lock."""
    take, give = "pthread_mutex_lock(&l[0]);", "pthread_mutex_unlock(&l[0]);"
    c = rng.random()
    return [take] + lines + [give] if c < .4 else [x for i in lines for x in (take, i, give)] if c < .7 else lines


def special(rng, n, kind):
    """Bodies of threads in which a pointer may be null or stale, or a wake-up may come too early. In the order of
    creation all is well."""
    around = ["x%d++;" % n, "s += x%d;" % n, "sched_yield();", "x%d = 3;" % n]
    print("static volatile int x%d, cell%d = 4, *volatile p%d;\nstatic pthread_cond_t c%d = PTHREAD_COND_INITIALIZER;" %
          (n, n, n, n))
    if kind == "wakeup":
        bodies = [["pthread_mutex_lock(&l[1]);", "pthread_cond_wait(&c%d, &l[1]);" % n, "pthread_mutex_unlock(&l[1]);"],
                  locked(rng, [rng.choice(["pthread_cond_signal(&c%d);", "pthread_cond_broadcast(&c%d);"]) % n])]
    elif kind == "null":
        bodies = [locked(rng, ["p%d = &cell%d;" % (n, n)]), locked(rng, [rng.choice(["s += *p%d;", "*p%d = 2;"]) % n])]
    elif kind == "freed":
        bodies = [locked(rng, [rng.choice(["s += *p%d;", "*p%d = 2;"]) % n]), locked(rng, ["free((void *)p%d);" % n])]
    else:
        bodies = [["renew(&p%d);" % n] for _ in range(2)]
    start = "" if kind in ("null", "wakeup") else "p%d = malloc(8);\n\t*p%d = 1;" % (n, n)
    for b in bodies:
        for _ in range(rng.randint(0, 2)):
            b.insert(rng.choice([0, len(b)]), rng.choice(around))
    return [[b] for b in bodies], start


def scenario(rng, n):
    start = ""
    if n % 5 < 2:
        work, start = special(rng, n, ["null", "freed", "twice", "wakeup"][n // 5 * 2 % 4 + n % 5])
    else:
        var = variables(rng, n)
        locks = rng.choice([1, 2, 2, 3])
        work = [[body(rng, var, locks) for _ in range(rng.choice([1, 1, 2]))] for _ in range(rng.choice([2, 2, 3]))]
    threads = len(work)
    for t, units in enumerate(work):
        for u, lines in enumerate(units):
            print("static NOINLINE int u%d_%d_%d(int s)\n{\n\t%s\n\treturn s;\n}" % (n, t, u, "\n\t".join(lines)))
        print("static void *f%d_%d(void *a)\n{\n\tint s = 0;\n" % (n, t))
        for u in range(len(units)):
            print("\ts = u%d_%d_%d(s);" % (n, t, u))
        print("\treturn a;\n}")
    print("static void run%d(void)\n{\n\tpthread_t t[3];\n\n\t%s" % (n, start))
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
    for f in run_folder.findings(path):
        for w in [f] + f.get("interleavings", []):
            if w["verdict"] == "confirmed":
                confirmed[f["kind"]] += 1
            elif f["tier"] not in ("relaxed", "hybrid") or w["harm_before"] is None:
                print("%s %s %s, tier %s: %s" % (w["verdict"], f["kind"], f.get("shape") or "", f["tier"],
                                                 w.get("detail")))
    for k in sorted(confirmed):
        print("confirmed %s %d" % (k, confirmed[k]))


if sys.argv[1] == "--check":
    check(sys.argv[2])
else:
    generate(int(sys.argv[1]), int(sys.argv[2]))
