#!/usr/bin/env python3
"""Writes a random program with lost updates whose paths depend on data: place_random.py SEED > x.c

Threads add to counters. Between the read and the write of a counter, which are under the same lock but not in one
region (with -DFIXED they are), a thread logs the value in decimal, walks a list that other threads make longer, waits
for tokens of a queue, or polls for them. At the end, each counter is what all threads added, if no update was lost.
"""
import random, sys

HEAD = r'''
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, q = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int tokens;
static char text[64];
static unsigned used;
static struct node { struct node *next; int v; } *head;
static int marks[16], seen;

static void lock(void) { pthread_mutex_lock(&m); }
static void unlock(void) { pthread_mutex_unlock(&m); }

static void digits(int v)
{
	pthread_mutex_lock(&q);
	do
		text[used++ % sizeof(text)] = (char)('0' + v % 10);
	while (v /= 10);
	pthread_mutex_unlock(&q);
}
static void marked(int v)
{
	for (int i = 0; i < v % 5; i++)
		__atomic_fetch_add(&marks[i], 1, __ATOMIC_RELAXED);
}
static void longer(int v)
{
	struct node *n = malloc(sizeof(*n));

	n->v = v;
	pthread_mutex_lock(&q);
	n->next = head;
	head = n;
	for (n = head; n; n = n->next)
		seen += n->v;
	pthread_mutex_unlock(&q);
}
static void put(int v)
{
	pthread_mutex_lock(&q);
	tokens += 1 + v % 2;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&q);
}
static void take(int v)
{
	(void)v;
	pthread_mutex_lock(&q);
	while (!tokens)
		pthread_cond_wait(&c, &q);
	tokens--;
	pthread_mutex_unlock(&q);
}
static void poll_for(int v)
{
	int got = 0;

	(void)v;
	while (!got) {
		pthread_mutex_lock(&q);
		got = tokens > 0;
		tokens -= got;
		pthread_mutex_unlock(&q);
		if (!got)
			sched_yield();
	}
}
'''


def main():
    r = random.Random(int(sys.argv[1]))
    counters, threads = r.randint(1, 2), r.randint(2, 3)
    waits = r.choice([None, "take", "poll_for"])
    out = [HEAD] + [f"static int count{i} = {r.choice([0, 3, 8, 95, 97])};" for i in range(counters)]
    start = [int(s.split("=")[1][:-1]) for s in out[1:]]
    total, body, taken = start[:], [], 0
    for t in range(threads):
        lines = []
        for _ in range(r.randint(1, 2)):
            k, add = r.randrange(counters), r.choice([1, 2, 5, 90])
            total[k] += add
            split = r.random() < 0.7
            middle = [r.choice(["digits", "marked", "longer", "put"]) for _ in range(r.randint(0, 2))]
            if waits and r.random() < 0.4 and t:
                middle.append(waits)
                taken += 1
            calls = " ".join(f"{f}(v);" for f in middle)
            gap = f"\n#ifndef FIXED\n\tunlock();\n\t{calls}\n\tlock();\n#endif\n" if split else "\n"
            after = "" if split else calls
            lines.append(f"\t{{\n\tint v;\n\tlock();\n\tv = count{k};{gap}\tcount{k} = v + {add};\n\tunlock();"
                         f"{after}\n#ifdef FIXED\n\t{calls if split else ''}\n#endif\n\t}}\n")
        body.append(lines)
    body[0].insert(0, "".join("\tput(0);\n" for _ in range(taken)))
    for t, lines in enumerate(body):
        out.append(f"static void *thread{t}(void *p)\n{{\n{''.join(lines)}\treturn p;\n}}")
    out.append("int main(void)\n{\n" + f"\tpthread_t t[{threads}];\n\n"
               + "".join(f"\tpthread_create(&t[{t}], 0, thread{t}, 0);\n" for t in range(threads))
               + f"\tfor (int i = 0; i < {threads}; i++)\n\t\tpthread_join(t[i], 0);\n"
               + "".join(f"\tassert(count{i} == {total[i]});\n" for i in range(counters)) + "\treturn 0;\n}")
    print("\n".join(out))


main()
