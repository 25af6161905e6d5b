#!/bin/sh
# Some harm comes only if other threads than that of the last target continue first. A second try finds it, and replay
# repeats it.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cp "$SRC/tests/programs/others-first/till.c" till.c
# of RUN: of the finding on `stock`, if it is confirmed: its number, region, harm, whether the others were first
of() { "$FORERUN" report --all --format json "$1" | json /dev/stdin \
	'"\n".join("%s %s %s %s" % (x["id"], x["region"], x["harm"], x["others_first"]) for x in c if x["subject"] == "stock")'; }
t_ok "the program builds" "$FORERUN" cc -g -O1 -DHARMLESS=0 -pthread till.c -o till
"$FORERUN" run --order creation --kinds atomicity-violation --no-neighbourhood -o till.d ./till >out 2>&1
t_eq "the violation is confirmed" 1 $?
t_eq "the harm is seen with the other threads first" "annotated region assert True" "$(of till.d | cut -d' ' -f2-)"
id=$(of till.d | cut -d' ' -f1)
for i in 1 2 3; do
	t_says "replayed, $i" 1 "Assertion .*counting.* failed" "$FORERUN" replay "till.d/$id"
done
t_ok "the program without harm builds" "$FORERUN" cc -g -O1 -DHARMLESS=1 -pthread till.c -o mild
"$FORERUN" run --order creation --kinds atomicity-violation --no-neighbourhood -o mild.d ./mild >out 2>&1
t_eq "the violation is confirmed in the harmless program" 1 $?
t_eq "no harm is seen in either order" "annotated region none seen False" "$(of mild.d | cut -d' ' -f2-)"
t_done
