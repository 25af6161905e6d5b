#!/bin/sh
# A lost wakeup is confirmed as a hang, at its wait; the twin in which nothing is lost stays silent. Programs:
# tests/programs/wakeup.
# PROGRAMS='a*' chooses programs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/wakeup

# waits DIR SOURCE: does the finding say that a thread waits in a line with the mark @wait?
waits()
{
	json "$1" '[x["detail"] for x in c if x["kind"] == "lost-wakeup"][0]' >waits.txt
	for w in $(grep -n '@wait' "$2" | cut -d: -f1); do
		grep -q "waits for .* at [^ ]*:$w " waits.txt && return
	done
	cat waits.txt
	return 1
}

for s in "$P"/${PROGRAMS:-*}.c*; do
	n=$(basename "$s")
	try "$n" "$s" -O1
	t_eq "$n: a lost wakeup, and nothing else" "1 [('lost-wakeup', 'hang')]" "$status $(found "$n.d")"
	t_ok "$n: names the wait" waits "$n.d" "$s"
	[ "$n" != either.c ] || t_eq "$n: both signals may come first, in any order" "confirmed confirmed" \
		"$(json "$n.d" '" ".join(i["verdict"] for f in c for i in [f] + f["interleavings"])')"
	t_status "$n: replays" 1 "$FORERUN" replay "$n.d/1"
	try "$n.fixed" "$s" "-O1 -DFIXED"
	t_eq "$n, fixed: silent" "0 []" "$status $(found "$n.fixed.d")"
done
t_done
