#!/bin/sh
# Threads wait for signals without a handler (sigwait and its like, descriptors for signals): the wait comes after the
# call that sent the signal. A race after the wait is confirmed, and accesses that the signal orders do not race.
# Recorded runs can be repeated, and forerun reports a wait in vain.
. "$(dirname "$0")/../lib.sh"
cp "$SRC/tests/programs/replay/saver.c" "$T" && cd "$T" || exit 99

# places RUN: of its races, and their verdicts
places()
{
	json "$1" '"\n".join(" ".join([x["verdict"]] + [str(n) for n in sorted(e["line"] for e in x["events"])])
		for x in f)' | sort -u | paste -sd,
}

for how in "" -static; do
	t_ok "the program builds${how:+, $how}" "$FORERUN" cc -g -O1 -pthread $how saver.c -o "saver$how"
	"$FORERUN" record -q $(order saver.c) -o "r$how" "./saver$how" wk >out 2>err </dev/null
	t_eq "recorded${how:+, $how}" "0 got 2, ready 1," "$? $(cut -d' ' -f-4 out | head -1)"
	t_ok "repeated${how:+, $how}: 20 of 20" again "r$how" out 20
done

# The wait, and the sender. The clock is set after `ready`, too.
for how in wk wp wq ik ip tk tq fk fp pk wa ia; do
	"$FORERUN" record -q $(order saver.c) -o r.$how ./saver $how >out 2>err </dev/null
	t_eq "$how: recorded" 0 $?
	t_ok "$how: repeated" again r.$how out 3
	"$FORERUN" predict -q -k data-race --tier precise r.$how >predict.out 2>&1
	"$FORERUN" confirm --fail-on never r.$how >confirm.out 2>&1
	t_fail "$how: no execution reached its time limit" grep -q "forerun stopped the program" confirm.out
	races=$(places r.$how)
	t_ok "$how: the race behind the wait is confirmed" expr ",$races," : \
		".*,confirmed $(line work saver.c) $(line save saver.c),"
	t_fail "$how: data written before the signal is no race" expr ",$races," : \
		".* $(line seen saver.c) $(line ready saver.c),"
	t_fail "$how: no verdict is unknown" expr "$races" : '.*\(predicted\|unknown\|refuted\)'
done
t_ok "the signal orders the threads in the model" sh -c \
	'"$FORERUN" dump --model r.wk | grep -q "acquire-all .* signal 2 "'

# The signal is sent first, and waits for the descriptor.
t_ok "pending: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/replay/pending.c" -o pending
t_status "pending: data written before the signal is no race" 0 "$FORERUN" run --order creation -o r.pending ./pending
t_eq "pending: nothing is predicted" 0 "$(json r.pending 'len(f)')"

# A handler runs in two threads.
F=$SRC/tests/programs/signals/flag.c
t_ok "flag: the program builds" "$FORERUN" cc -g -O1 -pthread "$F" -o flag
t_status "flag: a plain variable has a race" 1 "$FORERUN" run $(order "$F") -o r.flag ./flag
t_eq "flag: a data race" "['data-race']" "$(json r.flag '[x["kind"] for x in f]')"
t_ok "flag: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED "$F" -o flag.fixed
t_status "flag: a volatile sig_atomic_t has none" 0 "$FORERUN" run $(order "$F") -o r.fixed ./flag.fixed
t_eq "flag: nothing is predicted" 0 "$(json r.fixed 'len(f)')"

# No thread sends: main cancels the thread in its wait.
"$FORERUN" record -q $(order saver.c) -o r.wc ./saver wc >out 2>err </dev/null
t_eq "cancelled: recorded" 0 $?
t_ok "cancelled: repeated" again r.wc out 5

# The wait comes after the targets.
"$FORERUN" predict -q -k data-race --tier precise r.wk >predict.out 2>&1
n=$(json r.wk "next(x['id'] for x in f if $(line begun saver.c) in [e['line'] for e in x['events']])")
"$FORERUN" replay r.wk/$n >first.out 2>err </dev/null
t_eq "after a race: happens" 1 $?
for i in 1 2 3; do
	"$FORERUN" replay r.wk/$n >out 2>err </dev/null
	t_eq "after a race: happens again, $i" "1 $(cat first.out)" "$? $(cat out)"
done

# No thread receives a signal before it is sent.
cp -r r.wk vain
[ $n = 1 ] || cp vain/$n/schedule vain/1/schedule
cat >lines <<'END'
kind data-race
meeting either-order
turn 0 {0:thread-create:3}
turn 0.1 {0.1:acquire:1}
turn 0.2 {0.2:mutex-lock:1}
expect 0.1 {0.1:acquire:1} acquire {0.1:acquire:1!}
target 0.1 20 write 1 first 1
target 0.2 20 write 1 second 1
END
python3 "$SRC/tests/schedule.py" "$FORERUN" vain <lines >made && cp made vain/1/schedule
"$FORERUN" replay --trust vain/1 >out 2>err </dev/null
t_eq "a wait without a sender: status" 0 $?
t_eq "a wait without a sender: the message" \
	"forerun: the program left the schedule: thread 0.1 has to wait for signal 2 at saver.c:$(
	grep -n 'sigwait(&set, &sig);' saver.c | cut -d: -f1) in wait_for(), but the schedule expects it to continue" \
		"$(grep "left the schedule" err)"

# The only thread waits for a handler, after the targets. Only a timer can end the wait.
cp "$SRC/tests/programs/signals/alone.c" alone.c
for how in "" -static; do
	t_ok "the only thread waits: the program builds${how:+, $how}" "$FORERUN" cc -g -O1 -pthread $how alone.c -o \
		"alone$how"
	for call in sigsuspend pause; do
		"$FORERUN" run -k data-race -o "r.$call$how" "./alone$how" $call >out 2>err </dev/null
		t_eq "$call${how:+, $how}: the race is confirmed" 1 $?
		t_fail "$call${how:+, $how}: no execution reached its time limit" grep -q \
			"forerun stopped the program" out
	done
done
t_done
