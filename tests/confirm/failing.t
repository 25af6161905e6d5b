#!/bin/sh
# A read that decides a failure: the program ends in the failing call, at all levels of optimisation. The twin stays
# silent. Programs: tests/programs/failing; the line ` * flags:` has options for the compiler, ` * harm:` is what happens.
# PROGRAMS='a*' chooses programs, LEVELS='-O1' levels.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/failing

# try NAME SOURCE FLAGS: builds and runs it; sets status
try()
{
	cc=cc
	case $2 in *.cpp) cc='c++ -std=c++20' ;; esac
	t_ok "$1: builds" "$FORERUN" $cc -g -Wall -pthread $(sed -n 's/^ \* flags: //p' "$2") $3 "$2" -o "$1"
	"$FORERUN" run $(order "$2") -o "$1.d" "./$1" >"$1.out" 2>"$1.err" </dev/null
	status=$?
	t_ok "$1: the recorded run went well" recorded "$1.err"
}
# shown DIR: kinds and harms of the findings that count
shown() { json "$1" '" ".join(sorted(x["kind"] + " " + x["harm"] for x in c if not x["folded"]))'; }
# fails DIR SOURCE: does the finding name a line with the mark @fails?
fails()
{
	json "$1" '[x["detail"] for x in c if not x["folded"]][0]' >fails.txt
	for line in $(grep -n "@fails" "$2" | cut -d: -f1); do
		! grep -q "$(basename "$2"):$line[: ]" fails.txt || return 0
	done
	cat fails.txt
	return 1
}

for s in "$P"/${PROGRAMS:-*}.c*; do
	for o in ${LEVELS:--O0 -O1 -O2}; do
		n=$(basename "$s")$o
		try "$n" "$s" "$o"
		t_eq "$n: one finding" "1 order-violation $(sed -n 's/^ \* harm: //p' "$s")" "$status $(shown "$n.d")"
		t_ok "$n: names the failing call" fails "$n.d" "$s"
		try "$n.fixed" "$s" "$o -DFIXED"
		t_eq "$n, fixed: silent" "0 " "$status $(shown "$n.fixed.d")"
	done
done
t_done
