#!/bin/sh
# Threads that talk through pipes and sockets: forerun repeats the recorded run exactly, again and again, under load.
# Reads come after the writes of their data. After a race, the same threads continue in the same way each time.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

load()
{
	while :; do :; done &
	loads="${loads-} $!"
}

t_ok "talk: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/replay/talk.c" -o talk
t_ok "server: the program builds" "$FORERUN" cc -g -O2 -pthread "$SRC/bench/kernels/server.c" -o server
t_ok "server, static: the program builds" "$FORERUN" cc -g -O2 -pthread -static "$SRC/bench/kernels/server.c" -o \
	server.static
load
load
for i in 1 2 3 4; do
	"$FORERUN" record -q -o talk.$i ./talk >talk.out 2>err </dev/null
	t_eq "talk $i: recorded" 0 $?
	t_ok "talk $i: repeated" again talk.$i talk.out 5
done
for n in server server.static; do
	"$FORERUN" record -q -o $n.d ./$n 1 1 4 >$n.out 2>err </dev/null
	t_eq "$n: recorded" 0 $?
	t_ok "$n: repeated" again $n.d $n.out 10
done
t_ok "big: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/replay/big.c" -o big
"$FORERUN" record -q -o big.d ./big >big.out 2>err </dev/null
t_eq "big: recorded" 0 $?
t_ok "big: repeated" again big.d big.out 5
kill $loads

# ORDERED: the reader comes after everything that the writer did before its write. Otherwise the writes come after it.
cp "$SRC/tests/programs/streams/pipe.c" pipe.c
t_ok "pipe: the program builds, ordered" "$FORERUN" cc -g -O1 -pthread -DORDERED pipe.c -o ordered
t_ok "pipe: the program builds, not ordered" "$FORERUN" cc -g -O1 -pthread pipe.c -o unordered
for how in "" pipe; do
	n=${how:-socket}
	t_status "$n: nothing is predicted if the stream orders the threads" 0 "$FORERUN" run --order creation \
		--fail-on predicted -o ordered.$n ./ordered $how
	"$FORERUN" run --order creation -o unordered.$n ./unordered $how >out 2>err </dev/null
	t_eq "$n: the race is confirmed if it does not" 1 $?
	t_ok "$n: the steps show the stream" grep -q "release-all stream 1" out
done

# A race, and a long talk after it.
sed 's/^static void \*serve(void \*arg)$/static long raced;\n&/; s/int open = CLIENTS;/&\n\n\traced++;/
	s/^	fcntl(job.*/	raced++;\n&/' "$SRC/tests/programs/replay/talk.c" >late.c
t_ok "late: the program builds" "$FORERUN" cc -g -O1 -pthread late.c -o late
t_status "late: confirmed" 1 "$FORERUN" run --order creation -o late.d ./late
"$FORERUN" replay late.d/1 >first.out 2>err </dev/null
t_eq "late: happens" 1 $?
for i in 1 2 3 4 5; do
	"$FORERUN" replay late.d/1 >out 2>err </dev/null
	t_eq "late: the same, $i" "1 $(cat first.out)" "$? $(cat out)"
done

# Two threads write to one pipe. Both are delayed in the middle of the write, as on a busy machine. The recorded order
# is the order in the pipe.
cat >both.c <<'END2'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int end[2];

static void *give(void *arg)
{
	for (int i = 0; i < 50; i++)
		if (write(end[1], arg, 1) != 1)
			return arg;
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	char c;

	if (pipe(end))
		return 2;
	pthread_create(&t, NULL, give, "a");
	pthread_create(&u, NULL, give, "b");
	for (int i = 0; i < 100 && read(end[0], &c, 1) == 1; i++)
		putchar(c);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
END2
cat >held.c <<'END2'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

ssize_t write(int fd, const void *p, size_t n)
{
	static unsigned calls;

	if (__atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) % 7 == 0)
		syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = 1000000}, NULL);
	return syscall(SYS_write, fd, p, n);
}
END2
t_ok "both: the program builds" sh -c 'cc -fPIC -shared held.c -o libheld.so && "$1" cc -g -O1 -pthread both.c -L. -lheld -Wl,-rpath,"$PWD" -o both' sh "$FORERUN"
for i in 1 2 3; do
	"$FORERUN" record -q -o both.$i ./both >both.out 2>err </dev/null
	t_ok "both $i: repeated" again both.$i both.out 2
done
t_done
