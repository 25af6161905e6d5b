#!/bin/sh
# Waits that a time limit, a timer or another process ends are no deadlock and no hang, and take the right time. forerun
# still confirms the bugs beside them.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/time
cd "$T" || exit 99

# The confirmed findings that a report shows: "KIND HARM" each.
shown()
{
	json "$1" '"\n".join(["the status of the program is %s" % r["exit"]] * (r["exit"] != 0) +
		["%s %s" % (x["kind"], x["harm"]) for x in s])'
}

# NAME PROG [CASE [ORDER]]: nothing is confirmed.
silent() {
	mkdir -p "w.$1" && cd "w.$1" || exit 1
	timeout 120 "$FORERUN" run ${4:+--order "$4"} --json ../out.json -o "../r.$1" -- \
		"../$2" ${3-} >../out 2>&1 </dev/null
	echo "status $?" >../seen
	cd .. || exit 1
	shown out.json >>seen
	t_eq "$1: nothing is confirmed" "status 0" "$(cat seen)"
	case $1 in
	clocks-*-O1 | timers-alarm-O1 | timers-descriptor-O1) # the recorded run is repeated, too
		t_ok "$1: repeated" "$FORERUN" replay "r.$1"
		;;
	esac
}

# NAME PROG CASE ORDER WANT: such a finding is confirmed.
finds()
{
	timeout 120 "$FORERUN" run --order "$4" --json out.json -o "r.$1" -- "./$2" $3 >out 2>&1 </dev/null
	shown out.json >seen
	t_ok "$1: $5" grep -qx "$5" seen
}

for o in -O1 -O2; do
	for p in timed timers outside clocks; do
		t_ok "$p $o: the program builds" "$FORERUN" cc -g $o -w -std=gnu17 -D_GNU_SOURCE -pthread \
			"$P/$p.c" -o $p$o
	done
	t_ok "timed.cpp $o: the program builds" "$FORERUN" c++ -g $o -std=c++20 -pthread "$P/timed.cpp" -o timedcpp$o
	for c in timedlock clocklock trylock rwlock c11 timedjoin clockjoin tryjoin semaphore; do
		silent timed-$c$o timed$o $c 0,1,2+,3
	done
	silent timed-cpp$o timedcpp$o "" 0+,0+,1,2
	for c in alarm interval posix thread descriptor fetched interrupts watched; do
		silent timers-$c$o timers$o $c
	done
	for c in posts timed signals unlocks arrives writes answers kills exits polled; do
		silent outside-$c$o outside$o $c
	done
	for c in sleeps expires monotone files processor; do
		silent clocks-$c$o clocks$o $c
	done
done
finds timed-deadlock timed-O1 deadlock 0,1,2+,3 "deadlock hang"
finds timers-watchdog timers-O1 watchdog 0,1,2+,3 "deadlock hang"
finds timers-stuck timers-O1 stuck creation "data-race hang"
finds outside-gone outside-O1 gone creation "data-race hang"

# The limit of the wait for something outside the program.
for l in 0 x -1; do
	t_says "an outside limit of '$l'" 2 "outside-limit" "$FORERUN" confirm --outside-limit="$l" r.timed-deadlock
done

# Recorded: one thread asks for the time, then the other sleeps. Replayed the other way round, by a schedule made by
# hand: the recorded answer would be earlier than the end of the sleep.
t_ok "asks: the program builds" "$FORERUN" cc -g -O1 -pthread "$P/asks.c" -o asks
t_ok "asks: is recorded" "$FORERUN" record -q --order creation -o r.asks ./asks
t_eq "asks: the recorded answer" "asked before its end" "$(cat r.asks/stdout)"
t_ok "asks: predict" "$FORERUN" predict --fail-on never r.asks
cat >lines <<'END'
kind data-race
meeting either-order
turn 0 {0:thread-create:2}
turn 0.2 {0.2:write:1}
turn 0.1 {0.1:write:1}
target 0.1 {0.1:write:2} write {0.1:write:2!} first 1
target 0.2 {0.2:write:2} write {0.2:write:2!} second 1
END
python3 "$SRC/tests/schedule.py" "$FORERUN" r.asks <lines >made && cp made r.asks/1/by-hand
t_eq "asks: not earlier than the end of another thread's sleep" "asked after the sleep" \
	"$("$FORERUN" replay r.asks/1/by-hand 2>err </dev/null)"
t_done
