#!/bin/sh
# If the recorded run hangs, its deadlock or lost wakeup is the cause, and the report shows an order that ends well
# beside it. Program: tests/programs/cause/hung.c.
. "$(dirname "$0")/../lib.sh"
. "$HERE/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/cause/hung.c

# bugs NAME: prints the confirmed bugs with their harm and good order
bugs() { json "$1.d" 'sorted((x["kind"], x["harm"], x["good_order"]) for x in c if x["kind"] != "failure")'; }

# cause VARIANT KIND: the bug is the cause, with a good order
cause()
{
	for opt in -O1 -O2; do
		n=$1$opt
		build_and_run "$n" "$P" "-w $opt -D$1"
		t_eq "$n: the failure comes first" "1 failure hang" \
			"$status $(json "$n.d" '"%s %s" % (f[0]["kind"], f[0]["harm"])')"
		t_eq "$n: a $2 with a good order" "[('$2', 'hang', True)]" \
			"$(json "$n.d" 'sorted((x["kind"], x["harm"], bool(x["good_order"])) for x in c
			if x["kind"] != "failure")')"
		t_eq "$n: it explains the failure" "[True]" \
			"$(json "$n.d" '[x["explained_by"] in [y["id"] for y in c if y["good_order"]] for x in c
			if x["kind"] == "failure"]')"
		t_ok "$n: both orders side by side" grep -q '^ *the order that fails:  *a good order:' "$n.out"
		t_status "$n: replayed" 1 "$FORERUN" replay \
			"$n.d/$(json "$n.d" '[x["id"] for x in c if x["good_order"]][0]')"
		t_status "$n: a second confirmation" 1 "$FORERUN" confirm "$n.d"
		build_and_run "$n.fixed" "$P" "-w $opt -D$1 -DFIXED"
		t_eq "$n, fixed: silent" "0 []" "$status $(bugs "$n.fixed")"
	done
}
for v in ABBA SEMS RWLOCK RING JOIN NESTED; do
	cause $v deadlock
done
for v in EARLY BETWEEN OTHER; do
	cause $v lost-wakeup
done
t_eq "ABBA: the good order" "T2 acquire thing[1] | T2 acquire thing[1]
T1 acquire thing[0] | T2 acquire thing[0]
T2 acquire thing[0] | T1 acquire thing[0]
T1 acquire thing[1] | T1 acquire thing[1]" \
	"$(sed -n '/the order that fails/,/replay:/{s/ [a-z.]*c:[0-9]* / /g; s/^ *\(T.*[^ ]\)  *\(T.*\)/\1 | \2/; s/  */ /g; /^T/p;}' ABBA-O1.out)"

# ---- a wait that never ends because an update got lost ----
P=$SRC/tests/programs/cause/pending.c
build_and_run pending "$P" -O1
t_ok "pending: the lost update is shown, although a wake-up is missed too" json pending.d \
	'1 / (("atomicity-violation", "hang") in [(x["kind"], x["harm"]) for x in c if not x["folded"]])'
build_and_run pending.fixed "$P" '-O1 -DFIXED'
t_eq "pending, fixed: silent" "0 []" "$status $(bugs pending.fixed)"
build_and_run lost "$P" '-O1 -DHUNG'
t_eq "lost: the recorded run hangs, and the lost update is the cause" "1 [('atomicity-violation', 'hang', True)] [True]" \
	"$status $(json lost.d 'sorted((x["kind"], x["harm"], bool(x["good_order"])) for x in c
	if x["kind"] != "failure" and not x["folded"])') $(json lost.d '[x["explained_by"] in
	[y["id"] for y in c if y["kind"] == "atomicity-violation"] for x in c if x["kind"] == "failure"]')"
build_and_run never "$P" '-O1 -DNEVER'
t_eq "never: forerun blames no finding for a wait that no order ends" "1 [] [None]" \
	"$status $(bugs never) $(json never.d '[x["explained_by"] for x in c if x["kind"] == "failure"]')"

# ---- no order ends well ----
P=$SRC/tests/programs/cause/hung.c
build_and_run barrier "$P" '-w -O1 -DBARRIER'
t_eq "barrier: a deadlock without a good order" "1 [('deadlock', 'hang', None)]" "$status $(bugs barrier)"
build_and_run barrier.fixed "$P" '-w -O1 -DBARRIER -DFIXED'
t_eq "barrier, fixed: silent" "0 []" "$status $(bugs barrier.fixed)"
build_and_run missing "$P" '-w -O1 -DMISSING'
t_eq "missing: no good order" "1 []" "$status $(json missing.d '[x["kind"] for x in c if x["good_order"]]')"
t_eq "missing: nothing explains it" "[None]" \
	"$(json missing.d '[x["explained_by"] for x in c if x["kind"] == "failure"]')"
t_done
