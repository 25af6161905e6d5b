#!/bin/sh
# A race that does no harm is tried with other instances, and with other threads first, until harm appears.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cat >setters.c <<'END'
/* Two threads set both variables, one checks them. After one of the setters, the other changes nothing. */
#include <assert.h>
#include <pthread.h>

static int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define IN pthread_mutex_lock(&m)
#define OUT pthread_mutex_unlock(&m)
#else
#define IN (void)m
#define OUT (void)0
#endif

static void *set(void *arg)
{
	IN;
	a = 1;
	b = -1;
	OUT;
	return arg;
}

static void *check(void *arg)
{
	IN;
	assert((a == 0 && b == 0) || (a == 1 && b == -1));
	OUT;
	return arg;
}

int main(void)
{
	pthread_t t, u, v;

	pthread_create(&t, NULL, set, NULL);
	pthread_create(&u, NULL, set, NULL);
	pthread_create(&v, NULL, check, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	pthread_join(v, NULL);
	return 0;
}
END
cat >door.c <<'END'
/* The visitor is harmed only if it looks before `x` is set, and goes on before the door is closed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int open;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *host(void *arg)
{
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	atomic_store(&open, 1);
	x = 1;
	atomic_store(&open, 0);
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *visitor(void *arg)
{
	int was;

#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	was = x;
	assert(was || !atomic_load(&open));
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

	(void)m;
	pthread_create(&t, NULL, host, NULL);
	pthread_create(&u, NULL, visitor, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
END
# harms RUN: number of findings with a failed assertion, and their number with other threads first
harms() { json "$1" '"%d %d" % (sum(f["harm"] == "assert" for f in c), sum(f["harm"] == "assert" and f["others_first"] for f in c))'; }
for n in setters door; do
	t_ok "$n: builds" "$FORERUN" cc -g -O1 -pthread $n.c -o $n
	t_ok "$n: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED $n.c -o $n.right
	t_status "$n: the twin is silent" 0 "$FORERUN" run --order creation -o $n.right.d ./$n.right
done
for order in creation 0,1,3,2 0,2,1,3 0,2,3,1 0,3,1,2; do
	"$FORERUN" run --order $order --kinds data-race -o setters.$order ./setters >out 2>err
	t_eq "setters, $order: the races are confirmed" 1 $?
	t_ok "setters, $order: an assertion fails" test "$(harms setters.$order | cut -d' ' -f1)" -ge 2
done
"$FORERUN" run --order creation --kinds data-race -o door.d ./door >out 2>err
t_eq "door: the race is confirmed" 1 $?
t_eq "door: the assertion fails if the visitor goes on first" "1 1" "$(harms door.d)"
for i in 1 2 3; do
	t_says "door: replayed, $i" 1 "Assertion .*open.* failed" "$FORERUN" replay door.d/1
done
t_done
