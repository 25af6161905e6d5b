#!/bin/sh
# "The recorded run was repeated" means: the same operations at the same places, also after the last switch, and the same values at
# every switch. A file that did not exist during the recording makes the program do or read something else.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cat >p.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, spare = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long there, sum, turn;

static void wait_for(long t)
{
	pthread_mutex_lock(&m);
	while (turn != t)
		pthread_cond_wait(&c, &m);
	turn++;
	pthread_cond_broadcast(&c);
	sum += there;
	pthread_mutex_unlock(&m);
}

static void *run(void *arg)
{
	for (long t = (long)arg; t < 6; t += 2)
		wait_for(t);
#ifdef TAIL
	if (arg && access("new", F_OK) == 0) /* @tail */
		pthread_mutex_destroy(&spare);
	else
		pthread_rwlock_destroy(&other); /* @destroy */
#endif
	return arg;
}

int main(void)
{
	pthread_t t, u;

#ifdef VALUE
	there = access("new", F_OK) == 0; /* @there */
#endif
	pthread_create(&t, NULL, run, (void *)0);
	pthread_create(&u, NULL, run, (void *)1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
#ifdef LAST
	if (access("new", F_OK) == 0) /* @look */
		pthread_mutex_destroy(&spare);
	else
		pthread_rwlock_destroy(&other); /* @last */
#endif
#ifdef LEFT
	if (access("new", F_OK) != 0) /* @alone */
		pthread_rwlock_destroy(&other); /* @left */
#endif
	printf("%ld\n", turn);
	return 0;
}
END
line() { grep -n "@$1 " p.c | cut -d: -f1; }

# differs MACRO REASON LINE: who looks for the file is at LINE
differs()
{
	rm -f new
	t_ok "$1: builds" "$FORERUN" cc -g -O1 -pthread -D"$1" p.c -o p."$1"
	t_ok "$1: recorded" "$FORERUN" record -q -o "$1" ./p."$1"
	for i in 1 2 3; do
		t_status "$1: repeated, $i" 0 "$FORERUN" replay "$1"
	done
	touch new
	t_says "$1: not repeated, with the reason" 3 "the program left the schedule: $2.*; a file is not as it was when the run was recorded \\(it did not exist then\\), first in thread 0.* at p.c:$(line "$3")" \
		"$FORERUN" replay "$1"
	rm -f new
	t_status "$1: repeated again" 0 "$FORERUN" replay "$1"
}
differs VALUE "thread 0\.[12] reads [1-9] at p.c:[0-9]+ in wait_for\(\), expected: 0" there
differs TAIL "thread 0.2 does mutex-destroy .*, expected: rwlock-destroy at p.c:$(line destroy) in run" tail
differs LAST "thread 0 does mutex-destroy .*, expected: rwlock-destroy at p.c:$(line last) in main" look
differs LEFT "thread 0 does read .*, expected: rwlock-destroy at p.c:$(line left) in main" alone

# Handlers: a signal that a thread sends to itself comes where it is sent, when its handler has been set.
t_ok "signal: builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/sync/signal.c" -o signal
"$FORERUN" record -q -o signal.d ./signal >signal.out 2>err </dev/null
for i in 1 2 3; do
	"$FORERUN" replay signal.d >out 2>err </dev/null
	t_eq "signal: repeated, $i" "0 $(cat signal.out)" "$? $(cat out)"
done

# A signal to the whole process: the same thread handles it again, whether or not it is the sender.
t_ok "process signal: builds" "$FORERUN" cc -g -O1 -pthread -D_GNU_SOURCE "$SRC/tests/programs/truth/split_process_signal.c" -o process
"$FORERUN" record -q --order creation -o process.d ./process >process.out 2>err </dev/null
t_eq "process signal: the main thread handles it" "2 0" "$("$FORERUN" dump process.d | awk '/^thread/ { t = $2 } /signal-begin/ { n++; by = t } END { print n, by }')"
t_ok "process signal: repeated" again process.d process.out 5
t_ok "process signal: no control fails" test "$("$FORERUN" run --order creation -o process.run ./process 2>&1 </dev/null | grep -c 'did not repeat')" -eq 0

# If forerun cannot repeat a run, it says why.
t_ok "cancel: builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/survive/cancel.c" -o cancel
"$FORERUN" record -q -o cancel.d ./cancel >out 2>err </dev/null
t_says "cancel: at any instruction" 3 "threads of the program can be cancelled at any instruction \(pthread_setcanceltype, calls: 1\)" \
	"$FORERUN" replay cancel.d

# Something else is written: that is no repetition, whatever the threads did.
cat >says.c <<'END'
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	return puts(access("new", F_OK) ? "one" : "two") < 0;
}
END
rm -f new
t_ok "says: builds" "$FORERUN" cc -g -O1 says.c -o says
t_ok "says: recorded" "$FORERUN" record -q -o says.d ./says
t_status "says: repeated" 0 "$FORERUN" replay says.d
touch new
t_says "says: not repeated" 3 "the recorded run was not repeated: standard output differs from line 1 on" "$FORERUN" replay says.d

# A file that is longer now, or gone.
cat >grows.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
	struct stat st;
	FILE *f = fopen("there", "r");

	for (int i = 0; f && stat("there", &st) == 0 && i < st.st_size; i++)
		pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
	return 0;
}
END
t_ok "grows: builds" "$FORERUN" cc -g -O1 grows.c -o grows
printf 12345 >there
t_ok "grows: recorded" "$FORERUN" record -q -o grows.d ./grows
printf 67890 >there
t_status "grows: another file of the same length is noticed" 0 "$FORERUN" replay grows.d
printf 123 >there
t_says "grows: a shorter file is noticed" 3 "a file is not as it was when the run was recorded \(it has changed\), first in thread 0 at grows.c:10" "$FORERUN" replay grows.d
rm there
t_says "grows: a missing file is noticed" 3 "a file is not as it was when the run was recorded \(it no longer exists\), first in thread 0 at grows.c:10" "$FORERUN" replay grows.d

# The reader of the output is slow: a program that does not wait for it finds the pipe full or partly full, as often as in the recording.
cat >hurry.c <<'END'
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char block[30000];

int main(void)
{
	unsigned full = 0, part = 0;

	fcntl(1, F_SETFL, O_NONBLOCK);
	memset(block, 'x', sizeof(block));
	for (size_t at = 0; at < 40 * sizeof(block);) {
		size_t n = sizeof(block) - at % sizeof(block);
		ssize_t r = write(1, block, n);

		if (r < 0 && errno == EAGAIN) {
			pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
			full++;
			poll(&(struct pollfd){.fd = 1, .events = POLLOUT}, 1, -1);
			continue;
		}
		if (r < 0)
			return 1;
		part += (size_t)r < n;
		at += (size_t)r;
	}
	fprintf(stderr, "full %d partly %d\n", full > 0, part > 0);
	return 0;
}
END
t_ok "hurry: builds" "$FORERUN" cc -g -O1 -pthread hurry.c -o hurry
mkfifo slow
(
	sleep 1
	exec cat
) <slow >seen &
"$FORERUN" record -q -o hurry.d ./hurry >slow 2>err
wait $!
t_eq "hurry: the pipe was full during the recording" "1200000 full 1 partly 1" "$(wc -c <seen) $(cat err)"
for i in 1 2 3; do
	"$FORERUN" replay hurry.d >again 2>err
	t_eq "hurry: repeated, $i" "0 1200000 full 1 partly 1" "$? $(wc -c <again) $(head -n 1 err)"
done

# Standard streams are of the kind that they were: pipes, whatever forerun's own are (xz -d asks). More is printed than a pipe holds.
cat >looks.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char line[100];

static void *print(void *arg)
{
	for (int i = 0; i < 10000; i++) {
		pthread_mutex_lock(&m);
		fwrite(line, 1, sizeof(line), arg);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	struct stat s;

	for (int i = 0; i < 3; i++) {
		int pipe = fstat(i, &s) == 0 && S_ISFIFO(s.st_mode);

		for (int k = 0; k < 10 + pipe; k++)
			pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
		printf("%d %d %d\n", i, pipe, lseek(i, 0, SEEK_CUR) < 0);
	}
	memset(line, 'x', sizeof(line));
	line[99] = '\n';
	pthread_create(&t, NULL, print, stdout);
	pthread_create(&u, NULL, print, stderr);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
END
t_ok "looks: builds" "$FORERUN" cc -g -O1 -pthread looks.c -o looks
printf x | "$FORERUN" record -q -o looks.d ./looks >out 2>err
t_eq "looks: pipes" "0 1 1,1 1 1,2 1 1," "$(head -n 3 looks.d/stdout | tr '\n' ,)"
t_eq "looks: the whole output" "1000018 1000000" "$(wc -c <looks.d/stdout) $(wc -c <looks.d/stderr)"
for i in 1 2 3; do
	"$FORERUN" replay looks.d >again 2>err </dev/null
	t_eq "looks: repeated, $i" "0 same" "$? $(cmp again looks.d/stdout && echo same)"
	head -c 1000000 err | cmp -s - looks.d/stderr
	t_eq "looks: the same error output, $i" 0 "$?"
done
"$FORERUN" record -q -o closed.d ./looks >&- 2>err </dev/null
t_status "looks: repeated with a closed stream" 0 "$FORERUN" replay closed.d

# Attempts that are refused, by threads that then are held up until the lock is free: in the order of the stamps it was.
cat >tries.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

void await_refused(int n);
void set_held(void);
void await_held(void);
void set_free(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t l;
static mtx_t c;
static sem_t s;
static int refused;

static void *holder(void *arg)
{
	pthread_mutex_lock(&m);
	mtx_lock(&c);
	pthread_spin_lock(&l);
	pthread_rwlock_wrlock(&r);
	pthread_rwlock_rdlock(&w);
	set_held();
	await_refused(6);
	sem_post(&s);
	pthread_rwlock_unlock(&w);
	pthread_rwlock_unlock(&r);
	pthread_spin_unlock(&l);
	mtx_unlock(&c);
	pthread_mutex_unlock(&m);
	set_free();
	return arg;
}

static void *trier(void *arg)
{
	int n;

	await_held();
	switch (*(int *)arg) {
	case 0: n = pthread_mutex_trylock(&m); break;
	case 1: n = mtx_trylock(&c); break;
	case 2: n = pthread_spin_trylock(&l); break;
	case 3: n = pthread_rwlock_tryrdlock(&r); break;
	case 4: n = pthread_rwlock_trywrlock(&w); break;
	default: n = sem_trywait(&s); break;
	}
	__atomic_add_fetch(&refused, n != 0, __ATOMIC_SEQ_CST);
	return NULL;
}

int main(void)
{
	pthread_t h, t[6];
	int which[6];

	pthread_spin_init(&l, 0);
	mtx_init(&c, mtx_plain);
	sem_init(&s, 0, 0);
	pthread_create(&h, NULL, holder, NULL);
	for (int i = 0; i < 6; i++) {
		which[i] = i;
		pthread_create(&t[i], NULL, trier, &which[i]);
	}
	pthread_join(h, NULL);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", refused);
	return 0;
}
END
# While the file `recording` exists.
cat >held.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static int on;
static _Atomic int held, refused, is_free;

__attribute__((constructor)) static void start(void) { on = !syscall(SYS_faccessat, AT_FDCWD, "recording", F_OK); }
void await_refused(int n) { while (on && refused < n) sched_yield(); }
void set_held(void) { held = 1; }
void await_held(void) { while (on && !held) sched_yield(); }
void set_free(void) { is_free = 1; }

#define HELD(name)                                                                                \
	int name(void *lock)                                                                      \
	{                                                                                         \
		int (*next)(void *) = dlsym(RTLD_NEXT, #name), r = next(lock);                    \
		refused += r != 0;                                                                \
		while (on && r && !is_free)                                                       \
			sched_yield();                                                            \
		return r;                                                                         \
	}
HELD(pthread_mutex_trylock)
HELD(mtx_trylock)
HELD(pthread_spin_trylock)
HELD(pthread_rwlock_tryrdlock)
HELD(pthread_rwlock_trywrlock)
HELD(sem_trywait)
END
t_ok "tries: builds" sh -c 'cc -fPIC -shared -w held.c -o libheld.so && "$1" cc -g -O1 -pthread tries.c -L. -lheld -Wl,-rpath,"$PWD" -o tries' sh "$FORERUN"
: >recording
"$FORERUN" record -q -o tries.d ./tries >tries.out 2>err </dev/null
t_eq "tries: recorded" "0 6" "$? $(cat tries.out)"
rm recording
for i in 1 2; do
	"$FORERUN" replay tries.d >out 2>err </dev/null
	t_eq "tries: repeated, $i" "0 6" "$? $(cat out)"
done
t_done
