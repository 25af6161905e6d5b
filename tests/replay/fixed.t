#!/bin/sh
# After a repair: fixed, still there, or cannot tell and why; never a pass by accident.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
mkdir "$T/tmp"
export TMPDIR="$T/tmp"

# Two threads add to a sum without a lock. VARIANT: 0 the bug; 1 repaired by a lock; 2 repaired by an atomic; 3 moved
# lines, the bug is there; 4 the function has another name; 5 ends otherwise; 6 not executed any more.
cat >sum.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#if VARIANT == 3
static int unused;

/* some lines
 * more
 */
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#if VARIANT == 2
static atomic_long sum;
#else
static long sum;
#endif

#if VARIANT == 4
#define add add_to_sum
#endif

static void add(long n)
{
#if VARIANT == 1
	pthread_mutex_lock(&m);
#endif
#if VARIANT == 6
	if (n > 100)
#endif
	sum += n;
#if VARIANT == 1
	pthread_mutex_unlock(&m);
#endif
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&m); /* orders them in the recorded run */
	pthread_mutex_unlock(&m);
	add(1);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", (long)sum);
#if VARIANT == 3
	unused++;
#endif
	return VARIANT == 5 ? 4 : 0;
}
EOF
build() { "$FORERUN" cc -g -O1 -pthread -DVARIANT="$1" sum.c -o sum; }

t_ok "builds" build 0
"$FORERUN" run --order creation -o run ./sum >run.out 2>&1
t_eq "the bug is confirmed" 1 "$?"
t_says "an unchanged program is replayed" 1 "has not changed since the recording" "$FORERUN" replay --expect fixed run/1
for v in 1 2; do
	build $v
	t_says "repaired, $v" 0 "fixed: the program still" "$FORERUN" replay --expect fixed run/1
done
build 3
t_says "the bug in moved lines is still there" 1 "still there: data-race on .sum., now at sum.c" "$FORERUN" replay --expect fixed run/1
build 4
t_says "the bug in a renamed function: cannot tell" 3 "cannot tell: what add\(\) did at sum.c:" "$FORERUN" replay --expect fixed run/1
build 5
t_says "another exit status and the bug: still there" 1 "still there" "$FORERUN" replay --expect fixed run/1
build 6
t_says "code that is not executed: cannot tell" 3 "cannot tell: .*not executed" "$FORERUN" replay --expect fixed run/1
rm sum
t_says "a missing program: cannot tell" 3 "cannot tell" "$FORERUN" replay --expect fixed run/1
printf 'int main(void) { return 0; }\n' >other.c && cc other.c -o sum
t_says "a program that is not instrumented: cannot tell" 3 "cannot tell" "$FORERUN" replay --expect fixed run/1
t_says "--expect with another word" 2 "--expect: expected fixed" "$FORERUN" replay --expect broken run/1
t_says "--expect without a finding" 2 "need a finding" "$FORERUN" replay --expect fixed run
t_eq "nothing is left in the folder for temporary files" "" "$(ls "$TMPDIR")"

# Names and patterns that the user gave to the recording are used again. The pattern's file may be named from another folder.
cat >box.c <<'EOF'
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int box, seen;

static void *put(void *arg)
{
	pthread_mutex_lock(&m);
	box = 1;
	pthread_mutex_unlock(&m);
	return arg;
}

static void look(void)
{
	pthread_mutex_lock(&m);
	seen = box;
	pthread_mutex_unlock(&m);
}

int main(void)
{
	pthread_t t;

#ifdef FIXED
	pthread_create(&t, NULL, put, NULL);
	pthread_join(t, NULL);
	look();
#else
	pthread_create(&t, NULL, put, NULL);
	look();
	pthread_join(t, NULL);
#endif
	return seen & 0;
}
EOF
cat >letter <<'EOF'
pattern late-letter
E   look  put
T   t     u
SV  x     x
AT  r     w
EOF
t_ok "a pattern: builds" "$FORERUN" cc -g -pthread box.c -o box
"$FORERUN" run --order 0+,1 -o box.run --kinds pattern --pattern letter --fail-on never --option private=0 ./box >box.out 2>&1
t_ok "a pattern: is found" grep -q '^1. pattern:late-letter on .box. — confirmed' box.out
sed -i '1i /* moved */' box.c
"$FORERUN" cc -g -pthread box.c -o box
mkdir elsewhere
t_says "a pattern: moved" 1 "still there: pattern:late-letter on .box." sh -c 'cd elsewhere && exec "$@"' sh "$FORERUN" replay --expect fixed ../box.run/1
"$FORERUN" cc -g -pthread -DFIXED box.c -o box
t_says "a pattern: repaired" 0 "fixed: the program still" "$FORERUN" replay --expect fixed box.run/1
rm letter
t_says "a pattern: its file is gone" 3 "cannot tell" "$FORERUN" replay --expect fixed box.run/1

# Two locks in two orders; repaired by one order.
cat >locks.c <<'EOF'
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forth(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *back(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&a);
	pthread_mutex_lock(&b);
#else
	pthread_mutex_lock(&b);
	pthread_mutex_lock(&a);
#endif
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, forth, NULL);
	pthread_create(&u, NULL, back, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
EOF
"$FORERUN" cc -g -pthread locks.c -o locks
"$FORERUN" run --order creation -o locks.run ./locks >run.out 2>&1
t_eq "a deadlock is confirmed" 1 "$?"
"$FORERUN" cc -g -pthread -DUNUSED locks.c -O1 -o locks
t_says "built otherwise" 1 "still there: deadlock" "$FORERUN" replay --expect fixed locks.run/1
"$FORERUN" cc -g -pthread -DFIXED locks.c -o locks
t_says "one order" 0 "fixed: the program still" "$FORERUN" replay --expect fixed locks.run/1

# The first thread only adds if the second one ran before it: the new run needs the order of the recorded one.
cat >turns.c <<'EOF'
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, sum;

static void *first(void *arg)
{
	int r;

	pthread_mutex_lock(&m);
	r = ready;
#ifndef FIXED
	pthread_mutex_unlock(&m);
#endif
	if (r)
		sum++;
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *second(void *arg)
{
	pthread_mutex_lock(&m);
	ready = 1;
	sum++;
	pthread_mutex_unlock(&m);
	return arg;
}

static void *third(void *arg)
{
	pthread_mutex_lock(&m);
	sum++;
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	void *(*const work[])(void *) = {first, second, third};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
EOF
"$FORERUN" cc -g -pthread turns.c -o turns
"$FORERUN" run --order 0,2,1 -o turns.run ./turns >run.out 2>&1
t_eq "a bug in a fixed order is confirmed" 1 "$?"
t_eq "run.json has the order" 0,2,1 "$(json turns.run/run.json 'j["order"]')"
"$FORERUN" cc -g -pthread turns.c -O1 -o turns
t_says "built otherwise: recorded in the same order" 1 "still there: data-race on .sum." "$FORERUN" replay --expect fixed turns.run/1
"$FORERUN" cc -g -pthread -DFIXED turns.c -o turns
t_says "repaired: recorded in the same order" 0 "fixed: the program still" "$FORERUN" replay --expect fixed turns.run/1
t_done
