#!/bin/sh
# --stats prints the work of prediction; --no-prune lets the solver search the whole run, and changes no answer.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs
cd "$T" || exit 99

# build SOURCE NAME: compiles and records
build()
{
	"$FORERUN" "$(compiler "$1")" -g -O1 -w -pthread "$1" -o "$2" >"$2.log" 2>&1 &&
		"$FORERUN" record -q $(order "$1") -o "$2.d" "./$2" >>"$2.log" 2>&1 </dev/null
}

# answers FILE: prints the findings, without numbers of events, times and schedules
answers()
{
	json "$1" '(j["summary"]["candidates"], j["summary"]["predicted"], j["summary"]["refuted"], sorted((x["kind"], x["subject"], x["shape"], x["tier"], sorted((e["access"], e["line"]) for e in x["events"])) for x in j["findings"]))'
}

# Many failed waits of one semaphore: their number, not its square, decides how much memory prediction needs.
t_ok "trywait: the program builds and is recorded" build "$P/regions/trywait.c" trywait
# A program with sanitizers reserves terabytes and does not start with a limit.
(ulimit -v 1000000; "$FORERUN" --version >/dev/null 2>&1) && most=1000000 || most=unlimited
(ulimit -v $most; "$FORERUN" predict --tier hybrid --kinds atomicity-violation,order-violation trywait.d >text 2>err)
t_eq "trywait: prediction ends in a gigabyte" 0 $?
t_status "trywait: the bug is confirmed" 1 "$FORERUN" confirm trywait.d

t_ok "long: the program builds and is recorded" build "$P/predict/long.c" long
"$FORERUN" predict --stats long.d >text 2>err
t_eq "long: predict" 0 $?
for line in '^steps: reading [0-9.]* s, causality [0-9.]* s, candidates [0-9.]* s, oracle [0-9.]* s$' \
	'^candidates: [0-9]*, instances asked: [0-9]*, solver calls: [1-9]' \
	'^segments: [1-9][0-9]*; events: mean [0-9]*, max [0-9]* of [0-9,]* ([0-9.]* times fewer); enlarged: [0-9]*$' \
	'^tier refuter  asked [1-9]' '^tier precise  asked [1-9][0-9]*, feasible [1-9]'; do
	t_ok "long: the text has $line" grep -q "$line" text
done
"$FORERUN" predict -k data-race long.d >text 2>err
t_fail "long: no statistics without the option" grep -q '^steps: ' text
t_eq "long: JSON has the statistics" "True True True" \
	"$(json long.d 'j["summary"]["stats"]["pruned"], j["summary"]["stats"]["segments"] > 0, 8 * j["summary"]["stats"]["segment_max"] < j["summary"]["stats"]["events"]' | tr -d '(,)')"
t_ok "long: not pruned" "$FORERUN" predict -k data-race --no-prune --stats long.d
t_eq "long: the whole run is searched" "False True" \
	"$(json long.d 'j["summary"]["stats"]["pruned"], j["summary"]["stats"]["segment_max"] == j["summary"]["stats"]["events"]' | tr -d '(,)')"
"$FORERUN" run --stats -k data-race $(order "$P/predict/long.c") -o run.d ./long >text 2>err
t_ok "long: run prints the statistics" grep -q '^tier precise' text
"$FORERUN" run --stats --runs 2 -k data-race $(order "$P/predict/long.c") -o runs.d ./long >text 2>err
t_eq "long: run prints a heading for each of two runs" 2 "$(grep -c '^prediction in runs.d.[12]:$' text)"
t_eq "long: run prints the tiers for each of two runs" 2 "$(grep -c '^tier precise' text)"

for source in "$P"/predict/*.c "$P"/predict/*.cpp "$P"/null/*.c; do
	n=$(basename "$(dirname "$source")")-$(basename "$source")
	build "$source" "$n.exe" || continue
	"$FORERUN" predict -q --tier precise --budget 20 "$n.exe.d" >/dev/null 2>&1
	answers "$n.exe.d" >pruned
	"$FORERUN" predict -q --tier precise --budget 20 --no-prune "$n.exe.d" >/dev/null 2>&1
	answers "$n.exe.d" >whole
	t_ok "$n: the same answers" cmp pruned whole
done
t_done
