#!/bin/sh
# "The recorded run was repeated" means: the same operations at the same places, also after the last switch, and the
# same values at every switch. A file that did not exist during the recording makes the program do or read something
# else.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cp "$SRC/tests/programs/repeated/p.c" p.c

# differs MACRO REASON MARK: the line with the mark looks for the file
differs()
{
	rm -f new
	t_ok "$1: the program builds" "$FORERUN" cc -g -O1 -pthread -D"$1" p.c -o p."$1"
	t_ok "$1: recorded" "$FORERUN" record -q -o "$1" ./p."$1"
	for i in 1 2 3; do
		t_status "$1: repeated, $i" 0 "$FORERUN" replay "$1"
	done
	touch new
	t_says "$1: not repeated, with the reason" 3 \
		"the program left the schedule: $2.*; a file is not as it was when the run was recorded \\(it did not exist then\\), first in thread 0.* at p.c:$(line "$3" p.c)" \
		"$FORERUN" replay "$1"
	rm -f new
	t_status "$1: repeated again" 0 "$FORERUN" replay "$1"
}
differs VALUE "thread 0\.[12] reads [1-9] at p.c:[0-9]+ in wait_for\(\), expected: 0" there
differs TAIL "thread 0.2 does mutex-destroy .*, expected: rwlock-destroy at p.c:$(line destroy p.c) in run" tail
differs LAST "thread 0 does mutex-destroy .*, expected: rwlock-destroy at p.c:$(line last p.c) in main" look
differs LEFT "thread 0 does read .*, expected: rwlock-destroy at p.c:$(line left p.c) in main" alone

# Handlers: a signal that a thread sends to itself comes where it is sent, when its handler has been set.
t_ok "signal: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/sync/signal.c" -o signal
"$FORERUN" record -q -o signal.d ./signal >signal.out 2>err </dev/null
for i in 1 2 3; do
	"$FORERUN" replay signal.d >out 2>err </dev/null
	t_eq "signal: repeated, $i" "0 $(cat signal.out)" "$? $(cat out)"
done

# A signal to the whole process: the same thread handles it again, whether or not it is the sender.
t_ok "process signal: the program builds" "$FORERUN" cc -g -O1 -pthread -D_GNU_SOURCE \
	"$SRC/tests/programs/truth/split_process_signal.c" -o process
"$FORERUN" record -q --order creation -o process.d ./process >process.out 2>err </dev/null
t_eq "process signal: the main thread handles it" "2 0" \
	"$("$FORERUN" dump process.d | awk '/^thread/ { t = $2 } /signal-begin/ { n++; by = t } END { print n, by }')"
t_ok "process signal: repeated" again process.d process.out 5
t_ok "process signal: no control fails" test \
	"$("$FORERUN" run --order creation -o process.run ./process 2>&1 </dev/null | grep -c 'did not repeat')" -eq 0

# If forerun cannot repeat a run, it says why.
t_ok "cancel: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/survive/cancel.c" -o cancel
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
t_ok "says: the program builds" "$FORERUN" cc -g -O1 says.c -o says
t_ok "says: recorded" "$FORERUN" record -q -o says.d ./says
t_status "says: repeated" 0 "$FORERUN" replay says.d
touch new
t_says "says: not repeated" 3 "the recorded run was not repeated: standard output differs from line 1 on" \
	"$FORERUN" replay says.d

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
t_ok "grows: the program builds" "$FORERUN" cc -g -O1 grows.c -o grows
printf 12345 >there
t_ok "grows: recorded" "$FORERUN" record -q -o grows.d ./grows
printf 67890 >there
t_status "grows: another file of the same length is noticed" 0 "$FORERUN" replay grows.d
printf 123 >there
t_says "grows: a shorter file is noticed" 3 \
	"a file is not as it was when the run was recorded \(it has changed\), first in thread 0 at grows.c:10" \
	"$FORERUN" replay grows.d
rm there
t_says "grows: a missing file is noticed" 3 \
	"a file is not as it was when the run was recorded \(it no longer exists\), first in thread 0 at grows.c:10" \
	"$FORERUN" replay grows.d

# The reader of the output is slow: a program that does not wait for it finds the pipe full or partly full, as often as
# in the recording.
cp "$SRC/tests/programs/repeated/hurry.c" hurry.c
t_ok "hurry: the program builds" "$FORERUN" cc -g -O1 -pthread hurry.c -o hurry
mkfifo slow
(
	sleep 1 # the program fills the pipe meanwhile; it never waits, so nothing shows that it has
	exec cat
) <slow >seen &
"$FORERUN" record -q -o hurry.d ./hurry >slow 2>err
wait $!
t_eq "hurry: the pipe was full during the recording" "1200000 full 1 partly 1" "$(wc -c <seen) $(cat err)"
for i in 1 2 3; do
	"$FORERUN" replay hurry.d >again 2>err
	t_eq "hurry: repeated, $i" "0 1200000 full 1 partly 1" "$? $(wc -c <again) $(head -n 1 err)"
done

# Standard streams are of the kind that they were: pipes, whatever forerun's own are (xz -d asks). More is printed than
# a pipe holds.
cp "$SRC/tests/programs/repeated/looks.c" looks.c
t_ok "looks: the program builds" "$FORERUN" cc -g -O1 -pthread looks.c -o looks
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
cp "$SRC/tests/programs/repeated/tries.c" tries.c
# While the file `recording` exists.
cp "$SRC/tests/programs/repeated/held.c" held.c
t_ok "tries: the program builds" sh -c 'cc -fPIC -shared -w held.c -o libheld.so && "$1" cc -g -O1 -pthread tries.c -L. -lheld -Wl,-rpath,"$PWD" -o tries' sh "$FORERUN"
: >recording
"$FORERUN" record -q -o tries.d ./tries >tries.out 2>err </dev/null
t_eq "tries: recorded" "0 6" "$? $(cat tries.out)"
rm recording
for i in 1 2; do
	"$FORERUN" replay tries.d >out 2>err </dev/null
	t_eq "tries: repeated, $i" "0 6" "$? $(cat out)"
done
t_done
