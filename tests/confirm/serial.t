#!/bin/sh
# The output and exit status of a serial order of the two regions are no harm of an atomicity violation. Neither is other
# output if no update is lost. Effects that no serial order has are harm, even if a control shows them because threads
# interrupt each other in it. Programs: tests/programs/serial.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/serial

# record DIR PROGRAM LINE FLAGS: builds the program, and runs forerun; the recorded run must print LINE
record()
{
	t_ok "$1: the program builds" "$FORERUN" cc -g -Wall -pthread $4 "$P/$2.c" -o "$1"
	FORERUN_DEBUG=model "$FORERUN" run $(order "$P/$2.c") -o "$1.d" "./$1" >"$1.out" 2>"$1.err" </dev/null
	status=$?
	t_ok "$1: recorded in the order that it gives" recorded "$1.err"
	t_ok "$1: recorded without the bug" grep -qx "$3" "$1.d/stdout"
}
# field DIR EXPR: json, with c its confirmed violations of atomicity
field()
{
	json "$1.d" "(lambda c: $2)([x for x in c if x['kind'].startswith('atomic')])"
}
excused='; a serial order of the two regions shows the same'
intended='; no update is lost, and the program may intend that order'

for opt in -O1 -O2; do
	record "monitor$opt" monitor "4 done" "$opt"
	t_eq "monitor $opt: no harm" "0 ['none seen']" "$status $(field "monitor$opt" '[x["harm"] for x in c]')"
	t_eq "monitor $opt: why" "['standard output differs from line 1 on$intended']" \
		"$(field "monitor$opt" '[x["detail"] for x in c]')"
	# Prediction, the control and the serial controls need the model of the run.
	t_eq "monitor $opt: one load of the model" 1 "$(grep -c '^forerun\[model\].* events of ' "monitor$opt.err")"
	"$FORERUN" replay "monitor$opt.d/$(field "monitor$opt" 'c[0]["id"]')" >out 2>err </dev/null
	t_eq "monitor $opt: replayed, no harm either" "1 1" \
		"$? $(grep -c "happened: no harm was seen: .*$intended" err)"
	record "mark$opt" monitor "4 done" "$opt -DMARK"
	t_eq "mark $opt: no harm" "0 True" \
		"$status $(field "mark$opt" 'len(c) > 0 and all(x["harm"] == "none seen" for x in c)')"
	t_eq "mark $opt: why" True "$(field "mark$opt" \
		"'standard output differs from line 1 on$excused' in [x['detail'] for x in c]")"
	t_ok "mark $opt: controls are counted" test "$(field "mark$opt" 'r["control"]["runs"]')" -gt 2
	record "status$opt" monitor "all 4" "$opt -DSTATUS"
	t_eq "status $opt: no harm" "0 ['exit status 1, but 0 in the recorded run$excused']" \
		"$status $(field "status$opt" '[x["detail"] for x in c]')"
	record "both$opt" monitor "4 done, 0 left" "$opt -DBOTH"
	t_eq "both $opt: no harm" "0 ['none seen']" "$status $(field "both$opt" '[x["harm"] for x in c]')"
	record "exit$opt" monitor "all 4" "$opt -DBUGGY=1"
	t_eq "exit $opt: harm" "1 ['exit']" "$status $(field "exit$opt" '[x["harm"] for x in c]')"
	record "assert$opt" monitor "4 done" "$opt -DBUGGY=2"
	t_eq "assert $opt: harm" "1 ['assert']" "$status $(field "assert$opt" '[x["harm"] for x in c]')"

	record "poll$opt" poll "all 6" "$opt"
	t_eq "poll $opt: no harm" "0 True" \
		"$status $(field "poll$opt" 'len(c) > 0 and all(x["harm"] == "none seen" for x in c)')"
	record "pollbug$opt" poll "all 6" "$opt -DBUGGY"
	t_eq "poll $opt, buggy: harm" "1 True" "$status $(field "pollbug$opt" '"exit" in [x["harm"] for x in c]')"

	# Only an interrupted update starts again, so no serial order prints that number.
	t_ok "retries $opt: the program builds" "$FORERUN" cc -g -pthread -D_GNU_SOURCE "$opt" \
		"$SRC/tests/programs/truth/count_version_retries.c" -o "retries$opt"
	t_status "retries $opt: no harm" 0 "$FORERUN" run --order creation -o "retries$opt.d" "./retries$opt"
	t_eq "retries $opt: why" "['standard output differs from line 1 on$intended']" \
		"$(field "retries$opt" '[x["detail"] for x in c]')"

	for way in 1 2 3 4; do
		record "lost$way$opt" lost "9 of 9" "$opt -DWAY=$way"
		t_eq "lost $way $opt: harm" "1 True" \
			"$status $(field "lost$way$opt" '"output" in [x["harm"] for x in c]')"
		t_eq "lost $way $opt: nothing is excused" 0 "$(grep -c "$excused" "lost$way$opt.d/findings.json")"
		record "loststatus$way$opt" lost "9 of 9" "$opt -DWAY=$way -DSTATUS"
		t_eq "lost $way $opt: harm, exit status" "1 True" \
			"$status $(field "loststatus$way$opt" '"exit" in [x["harm"] for x in c]')"
	done

	record "later$opt" later right "$opt"
	t_eq "later $opt: both are harm" "1 ['output', 'output']" \
		"$status $(field "later$opt" '[x["harm"] for x in c]')"
done
FORERUN_DEBUG=model "$FORERUN" confirm monitor-O1.d >out 2>err
t_eq "confirm alone loads the model once" 1 "$(grep -c '^forerun\[model\].* events of ' err)"
t_done
