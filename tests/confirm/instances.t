#!/bin/sh
# A race that does no harm is tried with other instances, and with other threads first, until harm appears.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cp "$SRC/tests/programs/instances/setters.c" setters.c
cp "$SRC/tests/programs/instances/door.c" door.c
# harms RUN: number of findings with a failed assertion, and their number with other threads first
harms() { json "$1" '"%d %d" % (sum(f["harm"] == "assert" for f in c), sum(f["harm"] == "assert" and f["others_first"]
	for f in c))'; }
for n in setters door; do
	t_ok "$n: the program builds" "$FORERUN" cc -g -O1 -pthread $n.c -o $n
	t_ok "$n: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED $n.c -o $n.right
	t_status "$n: the twin is silent" 0 "$FORERUN" run --order creation -o $n.right.d ./$n.right
done
for order in creation 0,1,3,2 0,2,1,3 0,2,3,1 0,3,1,2; do
	"$FORERUN" run --order $order --kinds data-race -o setters.$order ./setters >out 2>err
	t_eq "setters, $order: the races are confirmed" 1 $?
	t_ok "setters, $order: an assertion fails" test "$(harms setters.$order | cut -d' ' -f1)" -ge 2
done
"$FORERUN" run --order creation --kinds data-race -o door.d ./door >out 2>err
t_eq "door: the race is confirmed" 1 $?
t_eq "door: the assertion fails if the visitor goes on first" "1 1" "$(harms door.d)"
for i in 1 2 3; do
	t_says "door: replayed, $i" 1 "Assertion .*open.* failed" "$FORERUN" replay door.d/1
done
t_done
