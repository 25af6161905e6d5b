#!/bin/sh
# The program is killed, the recorder is killed, or a limit ends the run: the folder is always usable, and the status
# is the program's.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cp "$SRC/tests/programs/killed/work.c" work.c
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread work.c -o work
ulimit -c 0

usable() { "$FORERUN" dump --stats "$1" >dump.out 2>dump.err; }
# started FILE: waits until the program has printed that it has started
started()
{
	tries=0
	while ! grep -q ready "$1" 2>/dev/null && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
}

"$FORERUN" record -q -o r1 ./work 100 segv >o 2>e
t_eq "a program that crashes: status" 139 $?
t_ok "... and the folder is usable" usable r1
t_ok "... and the trace is complete" grep -q '"complete": true' r1/run.json

# The caller of the tests may ignore it.
listens=
env --default-signal=HUP true 2>/dev/null && listens="env --default-signal=HUP"
for pair in TERM:15 INT:2 HUP:1; do
	sig=${pair%:*}
	$listens "$FORERUN" record -q -o r.$sig ./work 100 wait >o.$sig 2>e.$sig </dev/null &
	pid=$!
	started o.$sig
	# A shell starts background jobs with SIGINT ignored, and an ignored signal stays ignored.
	kill -$sig $pid
	if [ $sig = INT ]; then
		sleep 0.3 # nothing shows that SIGINT came: it may be ignored
		kill -TERM $pid 2>/dev/null
		wait $pid
		t_ok "SIGINT, then SIGTERM: the recorder ends" test $? -ge 128
	else
		wait $pid
		t_eq "SIG$sig is passed on" $((128 + ${pair#*:})) $?
	fi
	t_ok "... and the folder is usable" usable r.$sig
done

"$FORERUN" record -q -o r3 ./work 100 ignore >o3 2>e3 </dev/null &
pid=$!
started o3
kill -TERM $pid
i=0
while ! grep -q caught o3 && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
t_ok "a signal that the program catches does not end it" kill -0 $pid
kill -TERM $pid
wait $pid
t_eq "a second signal kills the program" 137 $?
t_ok "... and the folder is usable" usable r3

# An ignored signal stays ignored.
(trap '' HUP; exec "$FORERUN" record -q -o r3b ./work 100 wait >o3b 2>e3b </dev/null) &
pid=$!
started o3b
kill -HUP $pid
kill -HUP $pid
kill -HUP $pid
sleep 0.2 # nothing must happen: so long it has time to
t_ok "nohup: SIGHUP is ignored" kill -0 $pid
kill -TERM $pid
wait $pid
t_eq "... and SIGTERM counts as the first signal" 143 $?
(trap '' CHLD; exec "$FORERUN" record -q -o r3c ./work 100 >o3c 2>e3c </dev/null)
t_eq "SIGCHLD ignored: the exit status is known" 0 $?

# The recorder itself is killed: forerun reads the pool afterwards.
killed=0 good=0 i=0
while [ $i -lt 12 ]; do
	i=$((i + 1))
	rm -f o
	"$FORERUN" record -q -o k$i ./work 300000 wait >o 2>e </dev/null &
	pid=$!
	started o
	sleep 0.0$((i % 10))
	child=$(ps -o pid= --ppid $pid | tr -d ' ')
	kill -KILL $pid
	wait $pid 2>/dev/null
	[ -n "$child" ] && kill -KILL $child
	killed=$((killed + 1))
	# the program dies a moment later than kill returns
	tries=0
	while { ! usable k$i || ! grep -q 'incomplete' dump.out; } && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	if [ $tries -lt 100 ]; then
		good=$((good + 1))
	else
		sed 's/^/# /' dump.err dump.out | head -5
	fi
done
t_eq "the recorder killed at random moments: always usable, always said to be incomplete" $killed $good

# ... and the program does not hang without it.
"$FORERUN" record -q -o k0 --option pool_blocks=4 ./work 2000000 >o 2>e </dev/null &
pid=$!
i=0
until [ "$(wc -c 2>/dev/null <k0/trace || echo 0)" -gt 10000 ] || [ $i -ge 600 ]; do sleep 0.1; i=$((i + 1)); done
child=$(ps -o pid= --ppid $pid | tr -d ' ')
kill -KILL $pid
wait $pid 2>/dev/null
i=0
while [ -n "$child" ] && kill -0 $child 2>/dev/null && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
t_fail "the program ends by itself without the recorder" kill -0 ${child:-1000000000}
t_ok "... and the folder is usable" usable k0

# No room: a limit on files.
(ulimit -f 24000; exec "$FORERUN" record -o r4 ./work 1500000 >o 2>e </dev/null)
t_eq "a limit on file size: the program continues" 0 $?
t_eq "... to the same result" 3000000 "$(cat o)"
if grep -q '"complete": false' r4/run.json; then
	t_pass "... and forerun says that the trace is incomplete"
	t_ok "... with the reason" grep -qi 'incomplete.*file' e
else
	t_skip "... and the trace is marked incomplete" "it fits into the limit"
	t_skip "... with the reason" "it fits into the limit"
fi
t_ok "... and the folder is usable" usable r4
(ulimit -f 1000; exec "$FORERUN" record -o r5 ./work 10 >o 2>e </dev/null)
t_eq "a limit below the least: an error" 3 $?
t_ok "... with a message" grep -q "^forerun: cannot reserve" e
t_fail "... and no folder" test -e r5

# Another process reads the folder during the recording.
"$FORERUN" record -q -o r6 ./work 1000 wait >o6 2>e6 </dev/null &
pid=$!
started o6
# The recorder looks for full blocks at least every tenth of a second.
usable_soon() { for i in $(seq 100); do usable "$1" && return 0; sleep 0.2; done; return 1; }
t_ok "a running recording can be read" usable_soon r6
t_ok "... and dump says that it has not ended" grep -q "has not ended" dump.out
kill -TERM $pid
wait $pid

# A process that outlives the command.
printf '#!/bin/sh\n./work 20000 &\nexit 5\n' >leave
chmod +x leave
"$FORERUN" record -q -o r7 ./leave >o 2>e </dev/null
t_eq "a script that leaves it in the background: the script's status" 5 $?
t_ok "... and the whole program is recorded" grep -q '"complete": true' r7/run.json
usable r7
t_ok "... with the ends of its threads" grep -qE 'thread-exit +2' dump.out

# run.json has the environment and the command line.
FOO="a b" "$FORERUN" record -q -o r8 ./work 10 'x"y' >/dev/null 2>&1 </dev/null
t_ok "run.json: environment" grep -q '"FOO=a b"' r8/run.json
t_ok "run.json: arguments" grep -q '"x\\"y"' r8/run.json
t_ok "run.json: working folder" grep -q "\"cwd\": \"$T\"" r8/run.json
t_ok "run.json: build-ids" grep -q '"build_id": "[0-9a-f]' r8/run.json
t_fail "run.json: FORERUN_POOL is ours, not the program's" grep -q FORERUN_POOL r8/run.json
t_ok "run.json is JSON" json r8/run.json 'len(j)'

t_done
