#!/bin/sh
# Threads that wait for each other, at locks of any kind, semaphores, conditions, barriers, joins and once: the deadlock
# is confirmed as a hang, and its twin stays silent. Programs: tests/programs/deadlock. PROGRAMS='a*' chooses programs.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/deadlock

for s in "$P"/${PROGRAMS:-*}.c*; do
	n=$(basename "$s")
	try "$n" "$s" -O1
	t_eq "$n: a deadlock, and nothing else" "1 [('deadlock', 'hang')]" "$status $(found "$n.d")"
	t_status "$n: replays" 1 "$FORERUN" replay "$n.d/1"
	try "$n.fixed" "$s" "-O1 -DFIXED"
	t_eq "$n, fixed: silent" "0 []" "$status $(found "$n.fixed.d")"
done
t_done
