#!/bin/sh
# Threads that wait for something outside of forerun's knowledge, before, at and after the targets: told apart from a divergence; others
# go on meanwhile, and the run comes to its end.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# WAIT: how one thread waits for the other before the race; LATER: after it as well. The bytes come from the other thread, or a child.
cat >p.c <<'END'
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int end[2], lock_a, lock_b;
static long a, b, rounds;
static const char *how;

static void wait_outside(void)
{
	char c = 0;

	if (!strcmp(how, "pipe") || !strcmp(how, "socket")) {
		if (read(end[0], &c, 1) != 1)
			rounds += 100;
	} else if (!strcmp(how, "poll")) {
		struct pollfd f = {.fd = end[0], .events = POLLIN};

		while (poll(&f, 1, -1) != 1 || read(end[0], &c, 1) != 1)
			;
	} else if (!strcmp(how, "flock")) {
		flock(lock_b, LOCK_EX);
	} else {
		for (int i = 0; i < 5; i++)
			nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
}

static void let_go(void)
{
	if (!strcmp(how, "flock"))
		flock(lock_a, LOCK_UN);
	else if (strcmp(how, "sleep") != 0 && write(end[1], "x", 1) != 1)
		rounds += 1000;
}

static void *taker(void *arg)
{
#ifdef BEFORE
	wait_outside();
#endif
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	b = a; /* @take */
#ifdef AFTER
	wait_outside();
#endif
	return arg;
}

static void *giver(void *arg)
{
#ifdef BEFORE
	let_go();
#endif
	a = 1; /* @give */
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
#ifdef AFTER
	sched_yield(); /* the taker waits */
	let_go();
#endif
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	how = argc > 1 ? argv[1] : "pipe";
	if (strcmp(how, "socket") ? pipe(end) : socketpair(AF_UNIX, SOCK_STREAM, 0, end))
		return 2;
	lock_a = open("lock", O_RDWR | O_CREAT, 0600);
	lock_b = open("lock", O_RDWR);
	if (!strcmp(how, "flock") && flock(lock_a, LOCK_EX))
		return 2;
	pthread_create(&t, NULL, taker, NULL);
	pthread_create(&u, NULL, giver, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld %ld\n", b, rounds);
	return 0;
}
END
for when in BEFORE AFTER; do
	t_ok "builds, $when" "$FORERUN" cc -g -O1 -pthread -D$when p.c -o p.$when
	[ $when = BEFORE ] && order=creation || order=0+,0+,2,1,2
	for how in pipe socket poll flock sleep; do
		d=$how.$when
		"$FORERUN" run --order $order -o "$d" ./p.$when $how >out 2>err </dev/null
		status=$?
		t_eq "$d: confirmed" 1 $status
		t_eq "$d: the race, and its harm" "data-race a confirmed output" "$(json "$d" '" ".join(x[k] for x in f for k in ("kind", "subject", "verdict", "harm"))')"
		t_status "$d: the recorded run is repeated" 0 "$FORERUN" replay "$d"
		"$FORERUN" replay "$d/1" >out 2>err </dev/null
		t_eq "$d: happens again, to the end" "1 0 0" "$? $(cat out)"
	done
done

# Something that never comes: unknown, and why; not refuted, and no hang.
cat >never.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long a, b;

static void *one(void *arg)
{
	int fd = open("fifo", O_RDONLY);
	char c;

	if (read(fd, &c, 1) == 1)
		a = 1;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *two(void *arg)
{
	usleep(200000);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
END
mkfifo fifo
t_ok "builds, never" "$FORERUN" cc -g -O1 -pthread never.c -o never
echo x >fifo &
"$FORERUN" record -q -o never.d ./never >out 2>&1 </dev/null
t_status "recorded with a byte: a prediction" 1 "$FORERUN" predict --fail-on predicted never.d
"$FORERUN" confirm never.d >out 2>err
t_eq "never: nothing is confirmed" 0 "$?"
t_eq "never: the verdict is unknown, with the reason" "unknown thread 0.1 waits for something outside the program" "$(json never.d '" ".join(x["verdict"] + " " + x["detail"] for x in f)')"

# One that waits in the kernel for what needs nobody of the program, and for long: the others wait for it.
cat >slow.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long a, b;

static void *one(void *arg)
{
	struct timespec t = {.tv_nsec = 300000000};
	pid_t pid;

	a = 1;
	pid = vfork();
	if (!pid) {
		syscall(SYS_nanosleep, &t, NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	a = 2;
	return arg;
}

static void *two(void *arg)
{
	sleep(2);
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
END
t_ok "builds, slow" "$FORERUN" cc -g -O1 -pthread slow.c -o slow
t_ok "slow: recorded" "$FORERUN" record -q -o slow.d ./slow
for i in 1 2 3; do
	"$FORERUN" replay slow.d >out 2>err </dev/null
	t_eq "slow: the recorded run is repeated, $i" "0 2" "$? $(cat out)"
done

# A thread that takes long to begin: who creates it waits for it, and the others for both.
cat >late.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static long a, b;

static void *one(void *arg)
{
	return arg;
}

static void *two(void *arg)
{
	usleep(400000);
	b = a;
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&u, NULL, two, NULL);
	usleep(500000); /* it has begun, and reads before the next one begins */
	pthread_create(&t, NULL, one, NULL);
	a = 1;
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	return 0;
}
END
cat >begin.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct thread {
	void *(*start)(void *);
	void *arg;
};

static void *begin(void *arg)
{
	struct thread *t = arg;

	syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 300000000}, NULL);
	return t->start(t->arg);
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	static struct thread all[2];
	static int n;
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");

	all[n] = (struct thread){start, arg};
	return next(handle, attr, begin, &all[n++]);
}
END
t_ok "builds, late" sh -c 'cc -fPIC -shared begin.c -o libbegin.so && "$1" cc -g -O1 -pthread late.c -L. -lbegin -Wl,-rpath,"$PWD" -o late' sh "$FORERUN"
t_ok "late: recorded" "$FORERUN" record -q -o late.d ./late
t_eq "late: both waits for a thread that has not started are recorded" 2 "$("$FORERUN" dump -k thread-join late.d | grep -c thread-join)"
for i in 1 2 3; do
	"$FORERUN" replay late.d >out 2>err </dev/null
	t_eq "late: the recorded run is repeated, $i" "0 1" "$? $(cat out)"
done

# A thread that waits for a signal, and one that is told by it: who runs ahead of it waits for it, as the schedule says later.
cat >sig.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sigset_t set;
static int done;

static void *hears(void *arg)
{
	int sig = 0;

	sigwait(&set, &sig);
	if (sig == SIGUSR1)
		done |= 2;
	return arg;
}

static void *waits(void *arg)
{
	pthread_mutex_lock(&m);
	while (!(done & 1))
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, hears, NULL);
	pthread_create(&u, NULL, waits, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	pthread_mutex_lock(&m);
	done |= 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(u, NULL);
	printf("%d\n", done);
	return 0;
}
END
t_ok "builds, sigwait" "$FORERUN" cc -g -O1 -pthread sig.c -o sig
t_ok "sigwait: recorded" "$FORERUN" record -q -o sig.d ./sig
for i in 1 2 3; do
	"$FORERUN" replay sig.d >out 2>err </dev/null
	t_eq "sigwait: the recorded run is repeated, $i" "0 3" "$? $(cat out)"
done

# A lock that only the processor knows, and the same without it. Where the lock is, a thread that the schedule holds to
# its turn loops until the other one leaves the lock. forerun ends that early, and says that it does not know.
cat >bolt.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static volatile int bolt;
static int n;

static void *work(void *unused)
{
	int v = 1;

	if (LOCKED)
		for (; __extension__({ __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(bolt)::"memory"); v; }); v = 1)
			sched_yield();
	n++;
	if (LOCKED)
		__asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(bolt)::"memory");
	return unused;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, work, NULL);
	pthread_create(&u, NULL, work, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%d\n", n);
	return 0;
}
END
for l in 0 1; do
	t_ok "bolt $l: builds" "$FORERUN" cc -g -O1 -pthread -DLOCKED=$l bolt.c -o bolt
	# A limit that a loaded machine does not reach before the loop has used its second of processor time.
	t_status "bolt $l: runs" $((1 - l)) "$FORERUN" run --time-limit 1000 -o bolt$l.d ./bolt
done
"$FORERUN" report --all bolt1.d >out 2>&1
t_ok "a thread that loops for another one is named" grep -q 'thread 0.[12] does not reach the end of its turn' out
t_done
