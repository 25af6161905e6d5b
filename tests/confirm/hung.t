#!/bin/sh
# If the recorded run hangs, its deadlock or lost wakeup is the cause, and the report shows an order that ends well beside it.
# Program: tests/programs/cause/hung.c.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/cause/hung.c

# try NAME FLAGS: builds and runs it; sets status
try()
{
	t_ok "$1: builds" "$FORERUN" cc -g -w -pthread $2 "$P" -o "$1"
	"$FORERUN" run $(order "$P") -o "$1.d" "./$1" >"$1.out" 2>"$1.err" </dev/null
	status=$?
}
# bugs NAME: the confirmed bugs with their harm and good order
bugs() { json "$1.d" 'sorted((x["kind"], x["harm"], x["good_order"]) for x in c if x["kind"] != "failure")'; }

# cause VARIANT KIND: the bug is the cause, with a good order
cause()
{
	for opt in -O1 -O2; do
		n=$1$opt
		try "$n" "$opt -D$1"
		t_eq "$n: the failure comes first" "1 failure hang" "$status $(json "$n.d" '"%s %s" % (f[0]["kind"], f[0]["harm"])')"
		t_eq "$n: a $2 with a good order" "[('$2', 'hang', True)]" "$(json "$n.d" 'sorted((x["kind"], x["harm"], bool(x["good_order"])) for x in c if x["kind"] != "failure")')"
		t_eq "$n: it explains the failure" "[True]" "$(json "$n.d" '[x["explained_by"] in [y["id"] for y in c if y["good_order"]] for x in c if x["kind"] == "failure"]')"
		t_ok "$n: both orders side by side" grep -q '^ *the order that fails:  *a good order:' "$n.out"
		t_status "$n: replayed" 1 "$FORERUN" replay "$n.d/$(json "$n.d" '[x["id"] for x in c if x["good_order"]][0]')"
		t_status "$n: a second confirmation" 1 "$FORERUN" confirm "$n.d"
		try "$n.fixed" "$opt -D$1 -DFIXED"
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

# ---- no order ends well ----
try barrier '-O1 -DBARRIER'
t_eq "barrier: a deadlock without a good order" "1 [('deadlock', 'hang', None)]" "$status $(bugs barrier)"
try barrier.fixed '-O1 -DBARRIER -DFIXED'
t_eq "barrier, fixed: silent" "0 []" "$status $(bugs barrier.fixed)"
try missing '-O1 -DMISSING'
t_eq "missing: no good order" "1 []" "$status $(json missing.d '[x["kind"] for x in c if x["good_order"]]')"
t_eq "missing: nothing explains it" "[None]" "$(json missing.d '[x["explained_by"] for x in c if x["kind"] == "failure"]')"
t_done
