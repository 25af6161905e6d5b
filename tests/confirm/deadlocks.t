#!/bin/sh
# Threads that wait for each other, at locks of any kind, semaphores, conditions, barriers, joins and once: the deadlock is
# confirmed as a hang, and its twin stays silent. Programs: tests/programs/deadlock. PROGRAMS='a*' chooses programs.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/deadlock

# try NAME SOURCE FLAGS: builds and runs it; sets status
try()
{
	case $2 in
	*.cpp) set -- "$1" "$2" "$3" c++ -std=c++20 ;;
	*) set -- "$1" "$2" "$3" cc ;;
	esac
	t_ok "$1: builds" "$FORERUN" $4 ${5:-} -g -Wall -pthread $3 "$2" -o "$1"
	"$FORERUN" run $(order "$2") -o "$1.d" "./$1" >"$1.out" 2>"$1.err" </dev/null
	status=$?
	t_ok "$1: the recorded run went well" recorded "$1.err"
}
# found DIR: kind and harm of each finding that counts
found() { json "$1" '[(x["kind"], x["harm"]) for x in c if not x.get("folded")]'; }

for s in "$P"/${PROGRAMS:-*}.c*; do
	n=$(basename "$s")
	try "$n" "$s" -O1
	t_eq "$n: a deadlock, and nothing else" "1 [('deadlock', 'hang')]" "$status $(found "$n.d")"
	t_status "$n: replays" 1 "$FORERUN" replay "$n.d/1"
	try "$n.fixed" "$s" "-O1 -DFIXED"
	t_eq "$n, fixed: silent" "0 []" "$status $(found "$n.fixed.d")"
done
t_done
