#!/bin/sh
# Patterns of the user: a file describes the events of a bug and their order, and forerun finds them and makes them
# happen. Errors in the file have line and column. The hybrid tier continues where data excludes the finding.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs
cd "$T" || exit 99

# fact NAME FILE EXPRESSION: the value of a Python expression over the findings j.

cat >letter <<'END'
# Three threads: a letter is cleared before it is taken.
pattern lost-letter
E   put  clear  take
T   a    b      c
SV  box  box    box
AT  w    w      r
END

for twin in "" -DFIXED; do
	n=relay${twin:+.fixed}
	t_ok "$n: the program builds" "$FORERUN" cc -g -pthread $twin "$P/pattern/relay.c" -o "$n"
	t_ok "$n: is recorded" "$FORERUN" record -q --order creation -o "$n.d" "./$n"
	t_ok "$n: predict accepts the pattern" "$FORERUN" predict --kinds pattern --pattern letter "$n.d"
	t_ok "$n: is confirmed" "$FORERUN" confirm --fail-on never "$n.d"
done
t_eq "the pattern is found, confirmed, and does harm" "pattern:lost-letter confirmed assert" \
	"$(json relay.d/findings.json '" ".join(next([f["kind"], f["verdict"], f["harm"]] for f in j["findings"]
	if f["harm"] == "assert"))')"
t_eq "the finding has its events in order" "event write sender, event write cleaner, event read receiver" \
	"$(json relay.d/findings.json '", ".join(" ".join((e["role"], e["access"], e["function"])) for e in next(f
	for f in j["findings"] if f["harm"] == "assert")["events"])')"
t_eq "the schedule names one place" "1 1 1" \
	"$(json relay.d/findings.json 'next(f for f in j["findings"] if f["harm"] == "assert")["schedule"]' |
		sed 's,^,relay.d/,' | xargs sed -n 's/^\(event\|target\) .* event \([0-9]*\)$/\2/p' | xargs)"
t_eq "the repaired program has no finding" 0 "$(json relay.fixed.d/findings.json 'len(j["findings"])')"
t_status "replay makes it happen again" 1 "$FORERUN" replay \
	"relay.d/$(json relay.d/findings.json 'next(f for f in j["findings"] if f["harm"] == "assert")["id"]')"

# Together with the other kinds; several files; all in one go.
cat >update <<'END'
pattern lost-update
E   look  other  change
T   t1    t2     t1
SV  x     x      x
AT  r     w      w
pattern any-two
E   a  b
T   t  u
SV  x  x
AT  *  w
END
t_ok "two files and the other kinds" "$FORERUN" predict --pattern letter -p update relay.d
t_eq "the patterns of both files and the race are found" "data-race pattern:any-two pattern:lost-letter" \
	"$(json relay.d/findings.json '" ".join(sorted({f["kind"]
	for f in j["findings"]} & {"data-race", "pattern:any-two", "pattern:lost-letter"}))')"
t_status "run confirms a pattern" 1 "$FORERUN" run --order creation -o once.d --pattern letter --json once.json -- \
	./relay
t_eq "run reports the pattern" True "$(json once.json 'any(f["kind"] == "pattern:lost-letter"
	and f["verdict"] == "confirmed" for f in j["findings"])')"

# The hybrid tier: an update is lost only if a read finds something else than it did.
# Without the graph of influence every read matters, so that the tier sliced finds nothing more.
t_ok "bank: the program builds" env FORERUN_PASS=influence=0 "$FORERUN" cc -g -pthread "$P/atomicity/bank.c" -o bank
t_ok "bank: is recorded" "$FORERUN" record -q $(order "$P/atomicity/bank.c") -o bank.d ./bank
t_ok "bank: precise" "$FORERUN" predict -k pattern -p update --tier precise bank.d
t_eq "bank: no update can be lost with the values of the run" False \
	"$(json bank.d/findings.json 'any(f["kind"] == "pattern:lost-update" for f in j["findings"])')"
t_ok "bank: hybrid" "$FORERUN" predict -k pattern -p update --tier hybrid bank.d
t_eq "bank: hybrid finds all five" 5 "$(json bank.d/findings.json 'sum(f["kind"] == "pattern:lost-update"
	for f in j["findings"])')"
t_eq "bank: findings name the tier and the reads that differ" True \
	"$(json bank.d/findings.json 'all(f["tier"] == "relaxed" and f["reads_relaxed"] == len(f["relaxed_reads"]) > 0
	and all(r["line"] and r["access"] == "read" for r in f["relaxed_reads"]) for f in j["findings"]
		if f["kind"] == "pattern:lost-update")')"
t_eq "bank: schedules that guess expect no values" "" \
	"$(json bank.d/findings.json '"\n".join("bank.d/" + f["schedule"] for f in j["findings"]
	if f["tier"] == "relaxed")' | xargs grep -h '^expect.* 0x')"
cp -r bank.d blind.d
t_ok "bank: without the relaxed tier" "$FORERUN" predict -k pattern -p update --tier hybrid --relax 0 blind.d
t_eq "bank: then the hybrid tier finds them" "hybrid 5" \
	"$(json blind.d/findings.json '" ".join(("hybrid", str(sum(f["tier"] == "hybrid" and f["reads_relaxed"] > 0
	and not f["relaxed_reads"] for f in j["findings"] if f["kind"] == "pattern:lost-update"))))')"
t_status "bank: too many reads" 2 "$FORERUN" predict --relax 17 blind.d
t_ok "bank: confirm" "$FORERUN" confirm --fail-on never bank.d
t_eq "bank: each finding is confirmed, with harm" "confirmed assert 5" \
	"$(json bank.d/findings.json '" ".join(("confirmed", "assert", str(sum((f["verdict"], f["harm"]) == ("confirmed", "assert") for f in j["findings"] if f["kind"] == "pattern:lost-update"))))')"

# Those of the document, as they stand there.
sed -n 's/^    //p' "$SRC/doc/patterns.md" >documented
t_eq "doc/patterns.md contains seven patterns" 7 "$(grep -c '^pattern ' documented)"
t_ok "the documented patterns are valid" "$FORERUN" predict --pattern documented relay.d

# At once and consecutive: the lock and atomic accesses exclude both, but no order.
cat >meet <<'END'
pattern once
E   a || b
T   t    u
SV  x    x
AT  *    w
pattern next
E   a ; b
T   t   u
SV  x   x
AT  w   r
pattern pecan
E   a  b
T   t  u
SV  x  x
AR  v  w
AT  r  w
pattern inside
E   a ; b ; c
T   t   u   t
SV  x   x   x
AT  r   w   w
pattern order
E   a  b
T   t  u
SV  x  x
AT  w  *
END
for twin in "" -DFIXED -DATOMIC; do
	n=gauge$twin
	t_ok "$n: the program builds" "$FORERUN" cc -g -pthread $twin "$P/pattern/gauge.c" -o "$n"
	t_ok "$n: is recorded" "$FORERUN" record -q $(order "$P/pattern/gauge.c") -o "$n.d" "./$n"
	t_ok "$n: predict" "$FORERUN" predict -k pattern -p meet "$n.d"
	t_ok "$n: confirm" "$FORERUN" confirm --fail-on never "$n.d"
	json "$n.d/findings.json" '"\n".join(sorted({"%s %s %s %s" % (f["kind"][8:], f["verdict"], f["harm"], ",".join(e["access"] + "@" + e["function"] for e in f["events"])) for f in j["findings"]}))' >"$n.found"
done
t_eq "races are found in both directions once, lost updates with their harm" \
	"inside confirmed assert read@reset,write@set,write@reset
inside confirmed assert read@set,write@reset,write@set
next confirmed none seen write@reset,read@set
next confirmed none seen write@set,read@reset
next confirmed none seen write@set,read@show
once confirmed assert read@reset,write@set
once confirmed assert read@set,write@reset
once confirmed assert write@set,write@reset
once confirmed none seen read@show,write@set
pecan confirmed assert read@reset,write@set
pecan confirmed assert read@set,write@reset
pecan confirmed none seen read@show,write@set" "$(grep -v ^order gauge.found)"
for twin in -DFIXED -DATOMIC; do
	t_eq "$twin: nothing is at once or consecutive" "" "$(grep -v ^order "gauge$twin.found")"
	t_eq "$twin: the order alone is possible" True "$(grep -q '^order confirmed' "gauge$twin.found" && echo True)"
done
awk '/^pattern/ { race = /race/ } race' documented >races
t_eq "two documented patterns are races" 2 "$(grep -c '^pattern' races)"
t_ok "the locked program has no documented race" "$FORERUN" run --order creation -o doc.d -k pattern -p races -- ./gauge-DFIXED
t_status "the program without the lock has them" 1 "$FORERUN" run --order creation -o doc1.d -k pattern -p races -- ./gauge
t_eq "each of the two patterns is a finding" "pattern:race-read-then-write pattern:race-read-write" \
	"$(json doc1.d/findings.json '" ".join(sorted({f["kind"] for f in j["findings"]}))')"

# An invalid file: FILE:LINE:COLUMN: message, and nothing else; exit status 2.
wrong() # DESCRIPTION WHERE MESSAGE: of the file `bad`
{
	"$FORERUN" predict --pattern bad relay.d >out 2>err
	t_eq "$1: exit status" 2 $?
	t_eq "$1" "bad:$2: $3" "$(cat err)"
}
head="pattern a
E  e1 e2 e3
T  t1 t2 t1
SV x  x  x"
: >bad
wrong "empty file" 1:1 "the file contains no property and no pattern"
printf 'E a b\n' >bad
wrong "row without a pattern" 1:1 "row E before the first 'pattern NAME'"
printf 'pattern\n' >bad
wrong "no name" 1:1 "the pattern has no name: write pattern NAME"
printf 'pattern a b\n' >bad
wrong "two names" 1:11 "the name of a pattern is one word"
printf 'pattern a:b\n' >bad
wrong "an invalid name" 1:9 "'a:b' is not a name: letters, digits, _ . -"
printf 'pattern %065d\n' 0 >bad
wrong "a long name" 1:9 "a name has at most 64 characters"
printf 'pattern a\nE a b\nT t u\nSV x x\n' >bad
wrong "a row is missing" 1:9 "the pattern 'a' has no row AT"
printf '%s\nAT r w\n' "$head" >bad
wrong "too short" 5:1 "row AT has 2 symbols, row E has 3"
printf '%s\nAT r w r w\n' "$head" >bad
wrong "too long" 5:10 "row AT has 4 symbols, row E has 3"
printf '%s\nAT r x r\n' "$head" >bad
wrong "an invalid access" 5:6 "'x' is not an access: r, w or *"
printf '%s\nAR u u u\nAT r w r\n' "$head" >bad
wrong "a region of two threads" 5:6 "region 'u' has events of two threads"
printf '%s\nSV x x x\n' "$head" >bad
wrong "a row twice" 5:1 "two rows SV"
printf '%s\n  XY a b c\n' "$head" >bad
wrong "an unknown row" 5:3 "'XY' is not a row: pattern, E, O, T, SV, AR or AT"
printf '%s\nAT r w r\n%s\n' "$head" "$head" >bad
wrong "two patterns of one name" 6:9 "two patterns are called 'a'"
printf 'pattern a\nE e e\nT t u\nSV x x\nAT r w\n' >bad
wrong "an event twice" 2:5 "two events are called 'e'"
printf 'pattern a\nE e f\nT t t\nSV x x\nAT r w\n' >bad
wrong "one thread" 3:1 "a pattern needs at least two threads"
printf 'pattern a\nE e\nT t\nSV x\nAT r\n' >bad
wrong "one event" 2:1 "a pattern needs at least two events"
printf 'pattern a\nE e | f\n' >bad
wrong "an invalid operator" 2:5 "'|' is not an operator: || or ;"
printf 'pattern a\nE || f\n' >bad
wrong "an operator before all events" 2:3 "no event before '||'"
printf 'pattern a\nE e f ;\n' >bad
wrong "an operator after all events" 2:7 "no event after ';'"
printf 'pattern a\nE e||f\nT t t\nSV x x\nAT r w\n' >bad
wrong "at once in one thread" 3:1 "a pattern needs at least two threads"
printf 'pattern a\nE e||f g\nT t t u\nSV x x x\nAT r w w\n' >bad
wrong "at once in one of two threads" 2:4 "'e' and 'f' are of one thread, never at once"
printf 'pattern a\nE e||f;g\nT t u t\nSV x x x\nAT r w w\n' >bad
wrong "two operators" 2:7 "'||' and ';' cannot share the event 'f'"
printf 'pattern a\nE e f\nT t -\nSV x x\nAT r w\n' >bad
wrong "an invalid symbol" 3:5 "'-' is not a symbol: letters, digits, _ . '"
printf 'pattern a\nE e \351\n' >bad
wrong "a file that is not text" 2:5 "unexpected character"
many=$(seq -s ' ' 17)
printf 'pattern a\nE %s\nT %s\nSV %s\nAT %s\n' "$many" "$many" "$many" "$(yes r | head -17 | xargs)" >bad
wrong "too many events" 2:42 "more than 16 events"
"$FORERUN" predict --pattern nowhere relay.d >out 2>err
t_eq "no file: exit status" 2 $?
t_eq "no file" "forerun: --pattern: cannot open 'nowhere': No such file or directory" "$(cat err)"
"$FORERUN" run --pattern nowhere -- ./relay >out 2>err
t_eq "run, no file: exit status" 2 $?
t_eq "run, no file: before anything is recorded" "forerun: --pattern: cannot open 'nowhere': No such file or directory" "$(cat err)"
t_says "--kinds pattern without a file" 2 "predict: --kinds: unknown kind 'pattern'" "$FORERUN" predict --kinds \
	pattern relay.d
t_done
