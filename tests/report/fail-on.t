#!/bin/sh
# --fail-on predicted counts the predictions that the command shows. It does not count findings that count only with
# harm.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs
cd "$T" || exit 99

# predicted SOURCE NAME KIND: builds, records, predicts this kind alone
predicted()
{
	t_ok "$2: the program builds" "$FORERUN" cc -g -w -pthread "$P/$1" -o "$2"
	t_ok "$2: recorded" "$FORERUN" record -q $(order "$P/$1") -o "$2.d" "./$2"
	"$FORERUN" predict --fail-on predicted -k "$3" "$2.d" >"$2.out" 2>"$2.err"
	echo $? >"$2.status"
	t_ok "$2: predicted" grep -q "$3" "$2.d/findings.json"
}

predicted null/static.c null null-dereference
t_ok "null: predict shows it" grep -q '^1\. null dereference' null.out
t_eq "null: predict counts it" 1 "$(cat null.status)"
"$FORERUN" report --fail-on predicted null.d >out
t_eq "null: report does not count it" 0 $?
t_fail "null: report hides it" grep -q '^1\.' out
t_status "null: confirmed with harm, it counts" 1 "$FORERUN" confirm null.d
t_status "null: then report counts it too" 1 "$FORERUN" report --fail-on predicted null.d

predicted order/state.c order order-violation
t_fail "order: predict hides it" grep -q '^1\.' order.out
t_eq "order: predict does not count it" 0 "$(cat order.status)"
t_status "order: report does not count it" 0 "$FORERUN" report --fail-on predicted order.d

predicted predict/hidden.c race data-race
t_ok "race: predict shows it" grep -q '^1\. data race' race.out
t_eq "race: predict counts it" 1 "$(cat race.status)"
t_status "race: report counts it" 1 "$FORERUN" report --fail-on predicted race.d
t_status "race: never" 0 "$FORERUN" report --fail-on never race.d
t_done
