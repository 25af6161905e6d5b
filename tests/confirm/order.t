#!/bin/sh
# An order violation is confirmed by the failure that follows; the twin stays silent. Programs: tests/programs/order.
# PROGRAMS='a*' chooses programs, LEVELS='-O1 -O2' optimisation levels.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/order

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
# kinds DIR: the kinds of the findings that count
kinds() { json "$1" '" ".join(sorted(set(x["kind"] for x in c if not x["folded"])))'; }
# fails DIR SOURCE MARK: does the finding say that the program fails in the line with the mark?
fails()
{
	json "$1" '[x["detail"] for x in c if x["kind"] == "'"$4"'" and not x["folded"]][0]' >fails.txt
	grep -q "$(basename "$2"):$(grep -n "@$3" "$2" | cut -d: -f1)[: ]" fails.txt || { cat fails.txt; return 1; }
}

for level in ${LEVELS:--O1}; do
	for s in "$P"/${PROGRAMS:-*}.c*; do
		n=$(basename "$s")$level
		try "$n" "$s" $level
		t_eq "$n: an order violation, and nothing else" "1 order-violation" "$status $(kinds "$n.d")"
		t_eq "$n: reported once" 1 "$(json "$n.d" 'len([x for x in c if not x["folded"]])')"
		t_ok "$n: names the failure" fails "$n.d" "$s" fails order-violation
		try "$n.fixed" "$s" "$level -DFIXED"
		t_eq "$n, fixed: silent" "0 " "$status $(kinds "$n.fixed.d")"
	done
done
t_done
