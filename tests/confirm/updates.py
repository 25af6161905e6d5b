#!/usr/bin/env python3
"""updates.py COUNT FORM [HARM]: a program with COUNT updates that another thread can interrupt, each of a variable and
at lines of its own. FORM: rww, rwr, wrw or mixed, the accesses of the update and the one between. HARM: the number of
the update that fails an assertion if it is interrupted. With -DFIXED no update can be interrupted."""
import sys

count, form = int(sys.argv[1]), sys.argv[2]
harm = int(sys.argv[3]) if len(sys.argv) > 3 else -1
print("""#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#ifdef FIXED
#define BETWEEN (void)0
#else
#define BETWEEN pthread_mutex_unlock(&m), pthread_mutex_lock(&m)
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) struct { volatile int x, pad[15]; } v[%d];
static int seen;
#define NOINLINE static __attribute__((noinline)) void""" % count)
for i in range(count):
    f = ("rww", "rwr", "wrw")[i % 3] if form == "mixed" else form
    first, second, between = {
        "rww": ("a = v[%d].x", "v[%d].x = a + 1", "v[%d].x = 50"),
        "rwr": ("a = v[%d].x", "b = v[%d].x", "v[%d].x = 50"),
        "wrw": ("v[%d].x = 1", "v[%d].x = 2", "seen += v[%d].x"),
    }[f]
    print("NOINLINE update%d(void)\n{\n\tint a = 0, b = 0;\n\n\tpthread_mutex_lock(&m);" % i)
    print("\t%s;\n\tBETWEEN;\n\t%s;" % (first % i, second % i))
    if i == harm:
        print("\tassert(a == b);")
    print("\tpthread_mutex_unlock(&m);\n\t(void)a;\n\t(void)b;\n}")
    print("NOINLINE between%d(void)\n{\n\tpthread_mutex_lock(&m);\n\t%s;\n\tpthread_mutex_unlock(&m);\n}" %
          (i, between % i))
for name in ("update", "between"):
    print("static void *all_%s(void *arg)\n{" % name)
    for i in range(count):
        print("\t%s%d();" % (name, i))
    print("\treturn arg;\n}")
print("""int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, all_update, NULL);
	pthread_create(&b, NULL, all_between, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	puts("end");
	return 0;
}""")
