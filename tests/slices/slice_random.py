#!/usr/bin/env python3
"""Writes random threaded programs for the tests of slicing: slice_random.py SEED COUNT > x.c

The file holds COUNT programs; the argument of the binary chooses one. Each has shared variables, mutexes, a lock of its
own (test-and-set or ticket), branches, bounded loops, helper functions, calls through pointers and pointers into a
small heap. Some variables are counters, which are read and written everywhere and decide nothing; others decide
branches, addresses or values of other variables. Main reads all of them at the end. No program waits for another thread
except at locks, and all locks are taken in one order, so every schedule ends.
"""
import random
import sys

HEAD = r'''
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define VARS 4
#define COUNTERS 3
static int var[VARS];
static int stat0, stat1, stat2, progress, last_value;
static long log_number;
static struct cell { int value; struct cell *next; } *head;
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int own, ticket, serving;

static void own_lock(void) { while (atomic_exchange(&own, 1)) sched_yield(); }
static void own_unlock(void) { atomic_store(&own, 0); }
static void ticket_lock(void)
{
	int mine = atomic_fetch_add(&ticket, 1);

	while (atomic_load(&serving) != mine)
		sched_yield();
}
static void ticket_unlock(void) { atomic_fetch_add(&serving, 1); }

__attribute__((noinline)) static void note(int n) { last_value = n; log_number++; }
__attribute__((noinline)) static int twice(int n) { stat2++; return 2 * n; }
__attribute__((noinline)) static int clamp(int n) { return n > 3 ? 3 : n < 0 ? 0 : n; }
__attribute__((noinline)) static void trace(const char *text, int n)
{
	log_number++;
	if (n > 1000)
		printf("%s %d\n", text, n);
}
__attribute__((noinline)) static void step_forward(int n) { if (n > progress) progress = n; }
static int plus(int n) { return n + 1; }
static int minus(int n) { return n - 1; }
static int (*const function[2])(int) = {plus, minus};
'''


class Body:
    def __init__(self, r, thread):
        self.r, self.thread, self.out, self.depth, self.held = r, thread, [], 1, []

    def put(self, text):
        self.out.append("\t" * self.depth + text)

    def var(self):
        return f"var[{self.r.randrange(4)}]"

    def value(self):
        r = self.r
        return r.choice([str(r.randrange(4)), "a", "b", "a + 1", "b + a", "twice(a)", "clamp(b)", f"{self.var()} + 1"])

    def quiet(self):
        """A statement that only counts, logs or reports progress."""
        r = self.r
        return r.choice(["stat0++;", "stat1 += a & 1;", "stat0 = stat0 + 1;", "note(a);", "log_number++;",
                         "trace(\"value\", stat0);", "step_forward(a);", "if (stat1 > 2) stat1 = 0;",
                         "last_value = stat0;", "c = stat0 + (int)log_number;", "if (progress < b) progress = b;",
                         "if (!stat1) sched_yield();", "stat2 = last_value;", "c = c + stat2;",
                         "if (stat0 > stat1) c = 1; else c = 2;"])

    def statement(self):
        r, k = self.r, self.r.randrange(22)
        if k < 7:
            self.put(self.quiet())
        elif k < 10:
            self.put(f"{self.r.choice('ab')} = {self.var()};")
        elif k < 13:
            self.put(f"{self.var()} = {self.value()};")
        elif k == 13:
            self.put(f"{self.var()}++;")
        elif k == 14:
            self.put(f"var[a & 3] = {self.value()};")
        elif k == 15:
            self.put(f"a = function[{r.choice(['a & 1', '0', 'stat0 & 1'])}](b);")
        elif k == 16:
            self.put("if (head) { struct cell *p = head; b = p->value; p->value = a; head = p->next ? p->next : p; }")
        elif k == 17:
            self.put(f"{r.choice(['b', 'a', 'c'])} = {r.choice(['stat0', 'last_value', 'progress'])};")
        elif k < 20 and self.depth < 3:
            cond = r.choice(["a > 1", "b == a", "c & 1", f"{self.var()} > 1", "stat0 > 3", f"{self.var()} == 0"])
            self.block(f"if ({cond}) {{")
        elif self.depth < 3 and not self.held:
            self.block(f"for (int i = 0; i < {r.choice(['2', 'a & 3', '3'])}; i++) {{")
        else:
            self.put("c ^= a;")

    def block(self, opening):
        self.put(opening)
        self.depth += 1
        for _ in range(self.r.randrange(1, 4)):
            self.statement()
        self.depth -= 1
        self.put("}")

    def section(self):
        r = self.r
        take, give = r.choice([("pthread_mutex_lock(&lock[0]);", "pthread_mutex_unlock(&lock[0]);"),
                               ("pthread_mutex_lock(&lock[1]);", "pthread_mutex_unlock(&lock[1]);"),
                               ("own_lock();", "own_unlock();"), ("ticket_lock();", "ticket_unlock();")])
        self.held.append(take)
        self.put(take)
        for _ in range(r.randrange(1, 4)):
            self.statement()
        self.put(give)
        self.held.pop()

    def thread_body(self):
        for _ in range(self.r.randrange(2, 6)):
            if self.r.random() < 0.35:
                self.section()
            else:
                self.statement()
        return "\n".join(self.out)


def program(seed, k):
    r = random.Random(seed * 1000003 + k)
    threads = r.choice([2, 2, 3])
    text = []
    for t in range(threads):
        text.append(f"static void *p{k}_{t}(void *arg)\n{{\n\tint a = {r.randrange(3)}, b = {r.randrange(3)}, c = 0;\n\n"
                    f"\t(void)arg; (void)c;\n{Body(r, t).thread_body()}\n\treturn NULL;\n}}\n")
    text.append(f"static void *(*const program{k}[])(void *) = {{"
                + ", ".join(f"p{k}_{t}" for t in range(threads)) + ", NULL};\n")
    return "\n".join(text)


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    print(HEAD)
    for k in range(count):
        print(program(seed, k))
    print("static void *(*const *const programs[])(void *) = {" + ", ".join(f"program{k}" for k in range(count)) + "};")
    print(r'''
int main(int argc, char **argv)
{
	void *(*const *p)(void *) = programs[argc > 1 ? atoi(argv[1]) : 0];
	static struct cell cells[3];
	pthread_t t[3];
	int n;

	for (int i = 0; i < 3; i++) {
		cells[i].value = i;
		cells[i].next = i < 2 ? &cells[i + 1] : NULL;
	}
	head = cells;
	for (n = 0; p[n]; n++)
		pthread_create(&t[n], NULL, p[n], NULL);
	while (n--)
		pthread_join(t[n], NULL);
	printf("%d %d %d %d %ld\n", stat0, stat1, stat2, progress, log_number);
	printf("%d %d %d %d\n", var[0], var[1], var[2], var[3]);
	return 0;
}''')


main()
