#!/bin/sh
# forerun ends a recorded run whose threads wait for each other for ever, and never another one.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

t_ok "the program builds" "$FORERUN" cc -g -O1 -w -pthread "$SRC/tests/programs/failure/hang.c" -o hang
t_ok "the program that polls builds" "$FORERUN" cc -g -O1 -w -pthread "$SRC/tests/programs/failure/polls.c" -o polls

# hangs NAME FINDINGS [OPTIONS...]
hangs()
{
	h_name=$1 h_found=$2
	shift 2
	rm -rf "$h_name.run"
	t_says "$h_name $*: forerun ends it" 1 "all threads of the program wait for each other for ever" \
		timeout 60 "$FORERUN" run -o "$h_name.run" "$@" ./"${h_program:-hang}" "$h_name"
	t_eq "$h_name $*: findings" "$h_found" "$(kind_harm "$h_name.run")"
}
# ends "NAME ARGUMENTS" [OPTIONS...]: ends by itself, with standard input from fd 0.
ends()
{
	e_name=$1
	shift
	rm -rf "$e_name.run"
	t_eq "$e_name $*: the output is right" end \
		"$(timeout 60 "$FORERUN" record -q -o "$e_name.run" "$@" ./"${h_program:-hang}" \
		$e_name 2>"$e_name.err")"
	t_eq "$e_name $*: it ended by itself" "0 False" \
		"$(json "$e_name.run/run.json" '"%s %s" % (j["exit"], j["hang"])')"
}

hangs abba "deadlock:hang failure:hang"
hangs sems "deadlock:hang failure:hang"
hangs self "deadlock:hang failure:hang"
hangs rwlock "deadlock:hang failure:hang"
hangs join "deadlock:hang failure:hang"
hangs joins "deadlock:hang failure:hang"
hangs pair "deadlock:hang failure:hang"
for name in wakeup futex sem barrier alarm exited pipe; do
	hangs $name "failure:hang"
done
# A handler ends no wait in a cycle of locks.
for name in handled handled_join; do
	hangs $name "deadlock:hang failure:hang"
	hangs $name "deadlock:hang failure:hang" --order creation
done
# Only the program can use these objects.
for name in sockets full epoll polls; do
	hangs $name "failure:hang"
done
# Another process has an epoll instance that watches nothing: it is another one.
python3 -c 'import select, time
e = select.epoll()
time.sleep(60)' &
other=$!
hangs epoll "failure:hang"
kill "$other"
hangs sockets "failure:hang" --order creation
hangs abba "deadlock:hang failure:hang" --order creation
hangs wakeup "failure:hang" --order creation
hangs futex "failure:hang" --order creation
# Only a timer is left: if it has a handler, that can end the wait.
hangs unalarmed "failure:hang" --order creation
hangs unalarmed "failure:hang" --order random:1
# In a fixed order, a loop that repeats a state that no thread will change is a hang.
h_program=polls
for order in creation random:1; do
	hangs yield "failure:hang" --order $order
	hangs usleep "failure:hang" --order $order
	for name in rounds time sleeper; do
		ends $name --order $order
	done
done
for name in plain mutex read write spin sem; do
	hangs $name "failure:hang" --order creation
done
# A count of rounds is a state, in a register and on the stack.
for opt in -O0 -O1; do
	t_ok "$opt: the program that counts builds" "$FORERUN" cc -g $opt -w -pthread \
		"$SRC/tests/programs/failure/polls.c" -o polls$opt
	h_program=polls$opt
	for name in counts attempts; do
		for first in 0 1 2 3; do
			ends "$name $first" --order creation
		done
	done
done
h_program=hang

for name in abba sems self rwlock join joins; do
	t_eq "$name: the deadlock explains the failure" "failure deadlock" \
		"$(json $name.run 'f[0]["kind"] + " " + next(x["kind"] for x in f if x["id"] == f[0]["explained_by"])')"
done
t_eq "wakeup: the condition that no thread signals" "waits wait cond" \
	"$(json wakeup.run '" ".join("{0[role]} {0[access]} {0[name]}".format(e) for e in f[0]["events"]
	if e["path"] == "0.1")')"
t_says "abba: the run can be repeated" 0 "the recorded run was repeated" "$FORERUN" replay abba.run
t_says "abba: the failure can be repeated" 1 "the failure of the recorded run happened again" \
	"$FORERUN" replay abba.run/1
t_says "join: the deadlock can be repeated" 1 "deadlock.*happened again" "$FORERUN" replay join.run/2
t_says "abba: the deadlock can be repeated" 1 "deadlock.*happened" "$FORERUN" replay abba.run/2
t_status "record: the program was killed" 137 "$FORERUN" record -q -o killed.run ./hang abba

for name in timed sleep handler killed child poll piped orphan shared sigwait watchdog limited paired notified; do
	ends $name
done
mkfifo in
(sleep 1; echo x) >in & # long enough to look like a hang
ends stdin <in
ends stdin --order creation </dev/null
ends handler --order creation
ends alarmed
ends alarmed --order creation
ends alarmed --order random:1
ends timed --order creation
t_done
