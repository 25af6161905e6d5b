#!/bin/sh
# A thread that waits for something outside forerun's control, before, at or after the targets, is no divergence.
# Other threads continue meanwhile, and the run comes to its end.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/outside
cd "$T" || exit 99
cp "$P"/*.c .

# WAIT: the way in which one thread waits for the other before the race; LATER: also after it. The bytes come from the
# other thread or from a child.
for when in BEFORE AFTER; do
	t_ok "$when: the program builds" "$FORERUN" cc -g -O1 -pthread -D$when waits.c -o p.$when
	[ $when = BEFORE ] && order=creation || order=0+,0+,2,1,2
	for how in pipe socket poll flock sleep; do
		d=$how.$when
		"$FORERUN" run --order $order -o "$d" ./p.$when $how >out 2>err </dev/null
		status=$?
		t_eq "$d: confirmed" 1 $status
		t_eq "$d: the race, and its harm" "data-race a confirmed output" \
			"$(json "$d" '" ".join(x[k] for x in f for k in ("kind", "subject", "verdict", "harm"))')"
		t_status "$d: the recorded run is repeated" 0 "$FORERUN" replay "$d"
		"$FORERUN" replay "$d/1" >out 2>err </dev/null
		t_eq "$d: happens again, to the end" "1 0 0" "$? $(cat out)"
	done
done

# Something that never comes: unknown, and why; not refuted, and no hang.
mkfifo fifo
t_ok "never: the program builds" "$FORERUN" cc -g -O1 -pthread never.c -o never
echo x >fifo &
"$FORERUN" record -q $(order never.c) -o never.d ./never >out 2>&1 </dev/null
t_status "recorded with a byte: a prediction" 1 "$FORERUN" predict --fail-on predicted never.d
"$FORERUN" confirm --no-box never.d >out 2>err
t_eq "never: nothing is confirmed" 0 "$?"
t_eq "never: the verdict is unknown, with the reason" "unknown thread 0.1 waits for something outside the program" \
	"$(json never.d '" ".join(x["verdict"] + " " + x["detail"] for x in f)')"

# In a box, a ghost writes the byte.
if boxes; then
	"$FORERUN" confirm never.d >out 2>err
	t_eq "never: with a ghost, the finding is confirmed" "1 confirmed" "$? $(json never.d 'f[0]["verdict"]')"
fi

# A thread waits in the kernel for a long time, and no other thread can end the wait: the others wait for it.
t_ok "slow: the program builds" "$FORERUN" cc -g -O1 -pthread slow.c -o slow
t_ok "slow: recorded" "$FORERUN" record -q --order creation -o slow.d ./slow
for i in 1 2 3; do
	"$FORERUN" replay slow.d >out 2>err </dev/null
	t_eq "slow: the recorded run is repeated, $i" "0 2" "$? $(cat out)"
done

# A thread takes long to begin. Its creator waits for it, and the other threads wait for both.
t_ok "late: the program builds" sh -c 'cc -fPIC -shared begin.c -o libbegin.so && "$1" cc -g -O1 -pthread late.c -L. -lbegin -Wl,-rpath,"$PWD" -o late' sh "$FORERUN"
t_ok "late: recorded" "$FORERUN" record -q $(order late.c) -o late.d ./late
t_eq "late: both waits for a thread that has not started are recorded" 2 \
	"$("$FORERUN" dump -k thread-join late.d | grep -c thread-join)"
for i in 1 2 3; do
	"$FORERUN" replay late.d >out 2>err </dev/null
	t_eq "late: the recorded run is repeated, $i" "0 1" "$? $(cat out)"
done

# A thread waits for a signal and then wakes another: a thread that is ahead of the schedule waits for it.
t_ok "sigwait: the program builds" "$FORERUN" cc -g -O1 -pthread sig.c -o sig
t_ok "sigwait: recorded" "$FORERUN" record -q -o sig.d ./sig
for i in 1 2 3; do
	"$FORERUN" replay sig.d >out 2>err </dev/null
	t_eq "sigwait: the recorded run is repeated, $i" "0 3" "$? $(cat out)"
done

# A lock that only the processor knows, and the same without it. Where the lock is, a thread that the schedule holds to
# its turn loops until the other one leaves the lock. forerun ends that early, and says that it does not know.
for l in 0 1; do
	t_ok "bolt $l: the program builds" "$FORERUN" cc -g -O1 -pthread -DLOCKED=$l bolt.c -o bolt
	# A limit that a loaded machine does not reach before the loop has used its second of processor time.
	t_status "bolt $l: runs" $((1 - l)) "$FORERUN" run --time-limit 1000 -o bolt$l.d ./bolt
done
"$FORERUN" report --all bolt1.d >out 2>&1
t_ok "a thread that loops for another one is named" grep -q 'thread 0.[12] does not reach the end of its turn' out

# ---- both ends of a socketpair are inside ----
t_ok "inside: the program builds" "$FORERUN" cc -g -O1 -pthread "$P/inside.c" -o inside
t_status "inside: found" 1 "$FORERUN" run $(order "$P/inside.c") -o inside.d ./inside
t_eq "inside: main waits for ever" "[('confirmed', 'hang')]" \
	"$(json inside.d 'sorted({(f["verdict"], f["harm"]) for f in j["findings"]})')"
t_ok "inside: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED "$P/inside.c" -o inside.fixed
t_status "inside: the twin is silent" 0 "$FORERUN" run $(order "$P/inside.c") -o inside.fixed.d ./inside.fixed
t_done
