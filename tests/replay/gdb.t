#!/bin/sh
# A finding under gdb: it stops where the accesses meet, and shows both threads; functions of the program can be
# called there and later, and the replay goes on as if they had not been.
. "$(dirname "$0")/../lib.sh"

if ! command -v gdb >/dev/null; then
	t_skip "gdb" "there is no gdb"
	t_done
fi
cp "$SRC/tests/programs/gdb/late.c" "$T/late.c"
made=$(grep -n '/\* made' "$T/late.c" | cut -d: -f1)
used=$(grep -n '/\* used' "$T/late.c" | cut -d: -f1)
cd "$T" || exit 99
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread late.c -o late
"$FORERUN" run --kinds data-race --order creation -o run ./late >run.out 2>&1
t_eq "the bug is confirmed" 1 "$?"
t_ok "... and fails the assertion" grep -q "confirmed, the program then fails an assertion" run.out

# gdb COMMANDS: runs gdb; its output is in $T/gdb.out
debug()
{
	printf '%s\n' "$@" | "$FORERUN" replay --gdb run/1 >"$T/gdb.out" 2>&1
}
shows() { # shows DESC REGEX
	if grep -qE "$2" "$T/gdb.out"; then
		t_pass "$1"
	else
		t_miss "$1"
		sed 's/^/# /' "$T/gdb.out" | head -60
	fi
}

debug 'info threads' 'print room' 'continue'
t_eq "the status says that it happened" 1 "$?"
shows "gdb prints one target" "forerun: next: .*late.c:$made in maker\(\)"
shows "gdb prints the other target" "forerun: next: .*late.c:$used in user\(\)"
shows "gdb shows the line of the first thread" "^$made[[:space:]]+table = &room"
shows "gdb shows the line of the second thread" "^$used[[:space:]]+assert"
shows "gdb shows the frame of the first thread" "in maker \("
shows "gdb shows the frame of the second thread" "in user \("
shows "info threads shows three threads" "3 +Thread"
shows "print shows a variable" '= 7$'
shows "the harm follows" "SIGABRT"
# Some versions of gdb cannot write the registers of newer processors, and then call no function of any program.
clang-19 -g -pthread late.c -o native || exit 99
if gdb -nx -q -batch -ex 'break main' -ex run -ex 'print looked(1)' ./native 2>&1 </dev/null | grep -q '= 1$'; then
	debug 'print looked(1)' 'call looked(2)' 'break looked' 'continue' 'print calls'
	t_eq "function calls in gdb do not prevent the bug" 1 "$?"
	shows "... with their results" '= 8$'
	shows "... and the next" '= 9$'
	shows "... and then the harm" "SIGABRT"
	debug 'break maker' 'delete' 'thread 1' 'print looked(1)' 'thread 2' 'print looked(3)' 'continue'
	t_eq "function calls in another thread do not prevent the bug" 1 "$?"
	shows "... with its result" '= 10$'
	shows "... and the harm" "SIGABRT"
else
	t_skip "functions are called under gdb" "this gdb cannot call functions of native programs on this machine"
fi
debug 'kill'
t_eq "killed before the targets meet: status 0" 0 "$?"

# If any of forerun, gdb and the program is killed, none of them stays, nor does the child of the program.
cat >child.c <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int x;

static void *first(void *arg)
{
	x = 1;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (!fork()) {
		setsid();
		execl("./sleeper", "./sleeper", "100", argv[argc - 1], (char *)0);
	}
	pthread_create(&t, NULL, first, NULL);
	printf("%d\n", x);
	pthread_join(t, NULL);
	return 0;
}
EOF
printf '#!/bin/sh\nsleep "$1"\n' >sleeper
chmod +x sleeper
mkfifo keys
OURS='forerun replay |^gdb|[.]/child|sleeper|^sleep'
end_ours() # until a look finds none: some may only just begin
{
	while p=$(ours "$OURS"); [ "$p" ]; do
		kill -9 $p 2>/dev/null
	done
}
named() { for p in $(ours "$OURS"); do [ "$(cat "/proc/$p/comm" 2>/dev/null)" = "$1" ] && echo "$p"; done; }
t_ok "a program with a child" "$FORERUN" cc -g -O1 -pthread child.c -o child
"$FORERUN" record -q --order 0+,1,0 -o crun ./child mark >/dev/null 2>&1
end_ours
"$FORERUN" predict -q crun >/dev/null 2>&1
for victim in forerun gdb child; do
	{
		[ $victim = forerun ] && trap '' HUP # as under nohup
		exec <keys
		exec "$FORERUN" replay --gdb crun/1
	} >gdb.out 2>&1 &
	pid=$!
	exec 8>keys
	i=0
	while [ "$(grep -c 'forerun: next: ' gdb.out)" != 2 ] && [ $i -lt 300 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	case $victim in
	forerun) kill -KILL $pid ;;
	*) kill -KILL $(named $victim) ;;
	esac
	[ $victim = child ] && exec 8>&- # gdb goes on, and ends with its input
	wait $pid 2>/dev/null
	s=$?
	i=0
	while [ -n "$(ours "$OURS")" ] && [ $i -lt 100 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	t_eq "$victim is killed: no process is left" "" "$(ours "$OURS")"
	[ $victim = forerun ] || t_eq "... and it did not happen" 0 $s
	exec 8>&-
	end_ours
done

t_says "a run folder has no targets" 2 "need a finding" "$FORERUN" replay --gdb run
PATH=$T/none "$FORERUN" replay --gdb run/1 >"$T/gdb.out" 2>&1
t_eq "no gdb: status" 3 "$?"
shows "no gdb: the message says what to install" "install it"
t_done
