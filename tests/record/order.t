#!/bin/sh
# --order: the threads run one at a time in a fixed order. The recording is as complete as any other.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

compile() { "$FORERUN" cc -g -O1 -pthread "$1.c" -o "$1" || exit 99; }
# record ORDER PROG ARGS: its output in one line. The folder is d.
record()
{
	order=$1
	shift
	rm -rf d
	timeout 60 "$FORERUN" record -o d --order "$order" -- "$@" 2>err | tr '\n' ' '
}
warning() { sed -n 's/^forerun: warning: --order: //p' err; }
# The findings of the recorded run, after confirmation: kind and harm.
findings()
{
	timeout 300 "$FORERUN" predict -q d >/dev/null 2>&1
	timeout 300 "$FORERUN" confirm d >/dev/null 2>&1
	"$FORERUN" report --format json d |
		json /dev/stdin '"\n".join("%s %s %s" % (x["kind"], x["verdict"], x["harm"]) for x in a)' | sort -u
}

# ---- which thread is next ----

cp "$SRC/tests/programs/record-order/relay.c" relay.c
compile relay
for i in 1 2 3; do
	t_eq "creation order ($i)" 'new new new join 1 2 2b 3 1b end ' "$(record creation ./relay)"
done
t_eq "the recorded run is repeated" 0 "$(timeout 60 "$FORERUN" replay d >/dev/null 2>&1; echo $?)"
t_eq "turns of a list, then the order of creation" 'new new new join 3 2 2b 1 1b end ' "$(record 0,3,2 ./relay)"
t_eq "no warning" '' "$(warning)"
t_eq "a turn that ends when a thread has been created" 'new 1 new 2 2b new join 1b 3 end ' \
	"$(record 0+,1,0+,2,0 ./relay)"
t_eq "a thread that must wait is skipped" 'new new new join 1 2 2b 1b 3 end ' "$(record 0,1,1,0,2,1 ./relay)"
t_eq "... with a warning" 'the thread of turn 3 could not run; turns skipped: 2' "$(warning)"
t_eq "a thread that does not exist is skipped" 'new new new join 1 2 2b 3 1b end ' "$(record 0,9 ./relay)"
t_eq "... with a warning" 'the thread of turn 2 could not run; turns skipped: 1' "$(warning)"
record 0,1,2,3,1,0,0 ./relay >/dev/null
t_eq "turns after the end of the program" 'the program ended before turn 7' "$(warning)"
for order in '' x 1,0 0, 0,,1 0+1 -1 0,99999999; do
	t_says "not an order: '$order'" 2 'order' "$FORERUN" record --order "$order" ./relay
done
printf '#!/bin/sh\n./relay\n' >script
chmod +x script
t_eq "a program that a script starts" 'new new new join 3 1 2 2b 1b end ' "$(record 0,3 ./script)"

# ---- waits for objects that the controller does not own ----

cp "$SRC/tests/programs/record-order/waits.c" waits.c
compile waits
t_eq "a loop that waits for another thread" 'hello spun end ' "$(record creation ./waits spin)"
t_eq "sleeps end in the order of their times, at once" 'slept 900 slept 1000 end ' "$(record creation ./waits sleep)"
t_eq "a loop that waits for a thread that sleeps" 'set yielded end ' "$(record creation ./waits yield)"
t_eq "a socket with a timeout" 'hello nothing received end ' "$(record creation ./waits receive)"
t_eq "the only thread waits for a timer" 'caught end ' "$(record creation ./waits alarm)"
t_eq "a thread in a system call loses its turn" 'hello unlocks locked end ' "$(record creation ./waits lock)"
t_eq "a child process" 'child 5 hello hello end ' "$(record creation ./waits child)"
mkfifo input
(exec 3>input; until grep -q hello out 2>/dev/null; do sleep 0.05; done; echo from outside >&3) &
feeder=$!
timeout 60 "$FORERUN" record -o read.d --order creation ./waits read <input >out 2>err
t_eq "others run while a thread waits for input" 'hello from outside end ' "$(tr '\n' ' ' <out)"
kill "$feeder" 2>/dev/null

# signal NAME ARG: the output and exit status of a recording that gets a signal when the program pauses.
signalled()
{
	rm -rf s out
	timeout --foreground -k 1 60 "$FORERUN" record -o s --order creation ./waits "$2" >out 2>err &
	recorder=$!
	until grep -q pauses out 2>/dev/null; do sleep 0.05; done
	sleep 0.2 # the program prints before it waits, and nothing shows that it waits
	kill -s "$1" "$recorder"
	wait "$recorder"
	echo "$? $(tr '\n' ' ' <out)"
}
t_eq "a handler runs while no thread can run" '0 pauses caught continues end ' "$(signalled TERM pause)"
t_eq "a handler runs while threads wait for each other" '15 pauses hello ' "$(signalled TERM wait)"
t_eq "a signal ends a program that waits for ever" '143 pauses ' "$(signalled TERM 'for ever')"
t_ok "... and the folder is complete" grep -q '"complete": *true' s/run.json

cp "$SRC/tests/programs/record-order/timer.c" timer.c
compile timer
t_eq "a signal of a thread outside, after 300 others" 'end ' "$(record creation ./timer)"

# ---- the last access of a thread that gets no other turn ----

cp "$SRC/tests/programs/record-order/last_write.c" last_write.c
compile last_write
for kind in plain wide atomic; do
	ends=
	for seed in 32 58 69 100 115 116 137; do
		record "random:$seed" ./last_write "$kind" >/dev/null
		timeout 60 "$FORERUN" predict -q d >/dev/null 2>&1
		ends="$ends $("$FORERUN" report d 2>&1 |
			awk '/the recorded run crashed/ { c = 1 } /no recorded write/ { w = 1 } END { print c + 0 w + 0 }')"
	done
	t_eq "$kind: each run crashes, and the trace has the write that the reader saw" ' 10 10 10 10 10 10 10' "$ends"
done

# ---- the bug does not happen in the recording, and is found ----

cat >inversion.c <<'END_C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	pthread_mutex_lock(x);
	pthread_mutex_lock(y);
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
}
static void *f(void *p) { both(&a, &b); return p; }
static void *g(void *p) { both(&b, &a); return p; }
int main(void)
{
	pthread_t t, u;

	pthread_create(&t, 0, f, 0);
	pthread_create(&u, 0, g, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
END_C
cat >update.c <<'END_C'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static int get(void) { pthread_mutex_lock(&m); int v = n; pthread_mutex_unlock(&m); return v; }
static void set(int v) { pthread_mutex_lock(&m); n = v; pthread_mutex_unlock(&m); }
static void *add(void *p) { set(get() + 1); return p; }
int main(void)
{
	pthread_t t, u;

	pthread_create(&t, 0, add, 0);
	pthread_create(&u, 0, add, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(n == 2);
	return 0;
}
END_C
cat >early.c <<'END_C'
#include <assert.h>
#include <pthread.h>
static int closed;
static void *use(void *p) { assert(!closed); return p; }
int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, use, 0);
	closed = 1;
	pthread_join(t, 0);
	return 0;
}
END_C
cat >wakeup.c <<'END_C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waits(void *p)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, waits, 0);
	pthread_mutex_lock(&m);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
END_C
for p in inversion update early wakeup; do compile $p; done
record creation ./inversion
t_eq "lock order inversion" 'deadlock confirmed hang' "$(findings)"
record creation ./update
t_eq "lost update" 'atomicity-violation confirmed assert' "$(findings | grep assert)"
record 0+,1 ./early
t_eq "use after the end" 'data-race confirmed assert' "$(findings)"
record 0+,1,0 ./wakeup
t_eq "a wait that begins before its signal" 0 "$(timeout 60 "$FORERUN" replay d >/dev/null 2>&1; echo $?)"
t_status "forerun run takes an order, too" 1 timeout 300 "$FORERUN" run -o r --order 0+,1 ./early
t_ok "the option is completed" sh -c '"$1" completion bash | grep -q -- --order' sh "$FORERUN"
# ---- random orders ----

cat >steps.c <<'END_C'
#include <pthread.h>
#include <stdio.h>
static int n, seen[3];
static void *step(void *p)
{
	int *mine = p;
	for (int i = 0; i < 40; i++)
		*mine = __atomic_add_fetch(&n, 1, __ATOMIC_RELAXED);
	return p;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, step, &seen[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%d %d %d\n", seen[0], seen[1], seen[2]);
	return 0;
}
END_C
compile steps
t_eq "one thread after the other in the order of creation" "40 80 120 " "$(record creation ./steps)"
for seed in 0 1 2 3 4 5; do
	record random:$seed ./steps >first
	for again in 1 2 3; do
		record random:$seed ./steps
		echo
	done | sort -u >more
	t_eq "random order $seed: the same again" "$(cat first)" "$(cat more)"
	t_eq "random order $seed: no warning" "" "$(warning)"
	cat first >>all
	echo >>all
done
t_ok "random orders differ" test "$(sort -u all | wc -l)" -ge 5
t_eq "in random orders, threads interrupt each other" 0 "$(grep -cw 40 all)"
for bad in random random: random:x random:1x random:-1 random:99999999999999999999; do
	t_says "order $bad" 2 "--order: expected 'creation', 'random:SEED', or turns .*: not '$bad'" \
		"$FORERUN" record -o bad --order "$bad" ./steps
done
t_done
