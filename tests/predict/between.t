#!/bin/sh
# Each program with an atomicity violation lists the accesses that can come between two others. A search through all
# schedules of a recorded run finds the same list, so the lists with which tests compare findings are correct.
. "$(dirname "$0")/../lib.sh"
A=$SRC/tests/programs/atomicity
cd "$T" || exit 99
for source in "$A"/*.c "$A"/*.cpp; do
	n=$(basename "$source")
	case $n in
	${PROGRAMS:-*}) ;;
	*) continue ;;
	esac
	grep -q '^ \* between:' "$source" || continue
	n=${n%.*}
	t_ok "$n: the program builds" "$FORERUN" "$(compiler "$source")" -g -O1 -pthread "$source" -o "$n"
	t_ok "$n: is recorded" "$FORERUN" record $(order "$source") -o "$n.d" "./$n"
	"$FORERUN" dump "$n.d" >"$n.dump"
	python3 "$HERE/exhaust.py" "$source" "$n.dump" >"$n.log" 2>&1
	case $? in
	0) t_pass "$n: exactly the expected accesses come between" ;;
	77) t_skip "$n: exactly the expected accesses come between" "$(cat "$n.log")" ;;
	*) t_miss "$n: exactly the expected accesses come between" && sed 's/^/# /' "$n.log" ;;
	esac
done
# A list that is too short, or too long, is seen.
sed 's/^ \* between: write@deposit write@interest$/ * between: write@interest/' "$A/bank.c" >bank.c
t_status "a missing interleaving is noticed" 1 python3 "$HERE/exhaust.py" bank.c bank.dump
sed 's/^ \* between: write@interest$/ * between: write@interest write@pay/' "$A/bank.c" >bank.c
t_status "an additional interleaving is noticed" 1 python3 "$HERE/exhaust.py" bank.c bank.dump
sed '/^ \* expect:.*@interest/,/^ \* harm/s/.*/ */' "$A/bank.c" >bank.c
t_status "a missing bug is noticed" 1 python3 "$HERE/exhaust.py" bank.c bank.dump
cp "$A/bank.c" .
t_ok "the complete list is accepted" python3 "$HERE/exhaust.py" bank.c bank.dump
t_done
