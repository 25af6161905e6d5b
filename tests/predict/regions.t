#!/bin/sh
# Atomic regions: lock regions that a function splits around calls of others, loops that compare and exchange, harm
# before the last access.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/regions
cd "$T" || exit 99
# violations NAME: prints kind, region, harm of each finding that was confirmed
violations()
{
	json "$1.d/findings.json" '" ".join(sorted({f["kind"] + ":" + f["region"].replace(" ", "-") + ":"
		+ f["harm"].replace(" ", "-") for f in j["findings"] if f["verdict"] == "confirmed"}))'
}
# run_program NAME COMPILER OPTIONS SOURCE: builds and runs it; sets st
run_program()
{
	n=$1 c=$2
	shift 2
	t_ok "$n: the program builds" "$FORERUN" "$c" -g -pthread "$@" -o "$n"
	for source; do :; done
	turns=$(order "$source")
	"$FORERUN" run ${turns:---order creation} -o "$n.d" "./$n" >"$n.out" 2>"$n.err"
	st=$?
}

# A check and an act in two regions of one lock. The accesses are in functions of the library that the compiler inlines.
run_program checkact c++ -O1 "$P/checkact.cpp"
t_eq "check, then act: the violation is found" 1 $st
t_eq "... with its kind of region" "atomicity-violation:split-lock-regions:crash" "$(violations checkact)"
run_program checkact-twin c++ -O1 -DFIXED "$P/checkact.cpp"
t_eq "the correct twin is silent" "0 " "$st $(violations checkact-twin)"

# A lock around two accesses that another lock guards is weak evidence: the violation counts because it does harm.
# Without harm, correct programs do the same (programs/truth/nested_*.c).
run_program outer cc -O1 "$P/outer.c"
t_eq "an outer lock that one thread forgets: the violation is found" "1 atomicity-violation:outer-lock-region:assert" \
	"$st $(violations outer)"
run_program outer-twin cc -O1 -DFIXED "$P/outer.c"
t_eq "the correct twin is silent" "0 " "$st $(violations outer-twin)"

# A CAS that fails writes nothing.
run_program ticket-twin c++ -O1 -DFIXED "$P/ticket.cpp"
t_eq "tickets by compare-exchange: no finding" "0 " "$st $(violations ticket-twin)"
run_program ticket c++ -O1 "$P/ticket.cpp"
t_eq "tickets by load and store: the bug is found" "1 atomicity-violation:neighbourhood:output" \
	"$st $(violations ticket)"

# The program comes to harm on the way to the last access: in the remote's lock region, which it has to leave first.
for o in -O0 -O1; do
	for how in ASSERT CRASH; do
		n=halfpush$o-$how
		run_program $n cc $o -D$how "$P/halfpush.c"
		harm=$(echo $how | tr A-Z a-z)
		t_eq "$n: the violation is found" 1 $st
		t_ok "its harm is seen" sh -c \
			"echo '$(violations $n)' | grep -q 'atomic-set-violation:split-lock-regions:$harm'"
		id=$(json $n.d/findings.json "[f['id'] for f in j['findings'] if f['harm'] == '$harm'][0]")
		t_eq "replay makes it happen each time" "1 1 1 1 1" \
			"$(for i in 1 2 3 4 5; do "$FORERUN" replay $n.d/$id >/dev/null 2>&1; echo $?; done | xargs)"
	done
	run_program halfpush-twin$o cc $o -DFIXED "$P/halfpush.c"
	t_eq "the correct twin is silent" "0 " "$st $(violations halfpush-twin$o)"
done
"$FORERUN" cc -g -O1 -pthread -DFIXED "$P/halfpush.c" -o halfpush-O1-ASSERT
t_says "--expect fixed accepts the repair" 0 "fixed" "$FORERUN" replay --expect fixed \
	"halfpush-O1-ASSERT.d/$(json halfpush-O1-ASSERT.d/findings.json \
	"[f['id'] for f in j['findings'] if f['harm'] == 'assert'][0]")"

# Functions that lock by themselves, called one after the other; fields of one object.
for o in -O0 -O2; do
	for how in COUNTER=atomicity-violation:split-lock-regions RING=atomic-set-violation:split-lock-regions \
		PAIR=atomic-set-violation:split-lock-regions \
		FIELDS=atomic-set-violation:fields-of-one-object; do
		n=calls$o-${how%=*}
		run_program $n cc $o -D${how%=*} "$P/calls.c"
		t_eq "$n: the violation is found, with its kind of region" "1 ${how#*=}:assert" "$st $(violations $n)"
		run_program $n-twin cc $o -D${how%=*} -DFIXED "$P/calls.c"
		t_eq "the correct twin is silent" "0 " "$st $(violations $n)" # run_program sets n
	done
	run_program calls$o-TWICE cc $o -DTWICE "$P/calls.c"
	t_eq "two calls of one function do not belong together" "0 " "$st $(violations calls$o-TWICE)"
done
"$FORERUN" run --order creation --no-neighbourhood --kinds data-race,atomicity-violation,atomic-set-violation -o \
	fields.d ./calls-O0-FIELDS >fields.out 2>&1
t_eq "fields of one object are neighbours" "0 0" "$? $(json fields.d/findings.json 'len(j["findings"])')"

# A write between two writes is lost: shown if that does harm.
# shapes NAME: prints the shapes in the JSON report, and the number of folded findings
shapes()
{
	json "$1.json" '" ".join(sorted(f["shape"] for f in j["findings"])) + " " + str(j["summary"]["folded"])'
}
for how in "" -DATOMIC; do
	region=$([ "$how" ] && echo neighbourhood || echo split-lock-regions)
	for o in -O0 -O2; do
		n=lostwrite$o$how
		run_program $n cc $o $how "$P/lostwrite.c"
		t_eq "$n: the violation is found" "1 atomicity-violation:$region:assert" "$st $(violations $n)"
		t_eq "the shape of the finding" "W-W-W 0" \
			"$("$FORERUN" report --format json --fail-on never $n.d >$n.json && shapes $n)"
		run_program $n-harmless cc $o $how -DHARMLESS "$P/lostwrite.c"
		t_eq "without harm, it is confirmed" "0 atomicity-violation:$region:none-seen" "$st $(violations $n)"
		t_eq "the finding is folded" " 1" "$("$FORERUN" report --format json --fail-on never $n.d >$n.json && shapes $n)"
		run_program $n-twin cc $o $how -DFIXED "$P/lostwrite.c"
		t_eq "the correct twin has no harm" 0 $st
		t_eq "no finding has this shape" False \
			"$(json $n.d/findings.json 'any(f["shape"] == "W-W-W" for f in j["findings"])')"
	done
done

# Locations that one thread uses together; another changes them in several regions of one function or call.
for o in -O0 -O2; do
	for how in TEXT CALLS SAME LOOP TURNS SEMS COUNTERS GETTERS BUMPS; do
		n=units$o-$how
		run_program $n cc $o -D$how "$P/units.c"
		t_eq "$n: the violation is found" 1 $st
		t_eq "its kind of region" "atomic-set-violation:joined-locations:assert" \
			"$("$FORERUN" report --format json --fail-on never $n.d >$n.json && json $n.json \
			'" ".join(f["kind"] + ":" + f["region"].replace(" ", "-") + ":" + f["harm"] for f in j["findings"])')"
		run_program $n-harmless cc $o -D$how -DHARMLESS "$P/units.c"
		t_eq "without harm, it is confirmed and folded" "0 atomic-set-violation:joined-locations:none-seen" \
			"$st $(violations $n)"
		run_program $n-twin cc $o -D$how -DFIXED "$P/units.c"
		t_eq "the correct twin has no harm" 0 $st
	done
done
for o in -O0 -O2; do
	for how in ADD STORE; do
		n=members$o-$how
		run_program $n c++ $o -D$how "$P/members.cpp"
		t_ok "$n: the functions of the library belong to their callers" sh -c "test $st -eq 1 &&
			echo '$(violations $n)' | grep -q atomic-set-violation:joined-locations:assert"
	done
	run_program members$o-twin c++ $o -DFIXED "$P/members.cpp"
	t_eq "the correct twin has no harm" 0 $st
done
"$FORERUN" run --order creation --no-neighbourhood --kinds data-race,atomicity-violation,atomic-set-violation -o \
	joined.d ./units-O0-TEXT >joined.out 2>&1
t_eq "--no-neighbourhood does not join locations" "0 0" "$? $(json joined.d/findings.json 'len(j["findings"])')"

# Semaphores that the program uses as locks make lock regions. Those that it uses as signals do not.
for o in -O0 -O2; do
	for how in NEW GIVEN TRY; do
		n=semaphore$o-$how
		run_program $n cc $o -D$how "$P/semaphore.c"
		t_eq "$n: the violation is found" "1 atomicity-violation:split-lock-regions:assert" "$st $(violations $n)"
		run_program $n-twin cc $o -D$how -DFIXED "$P/semaphore.c"
		t_eq "the correct twin is silent" "0 " "$st $(violations $n)"
	done
	n=semaphore_cpp$o
	run_program $n c++ -std=c++20 $o "$P/semaphore.cpp"
	t_eq "$n: the violation is found, and none of the word" "1 atomicity-violation:split-lock-regions:assert" \
		"$st $(violations $n)"
	run_program $n-twin c++ -std=c++20 $o -DFIXED "$P/semaphore.cpp"
	t_eq "the correct twin is silent" "0 " "$st $(violations $n)"
done

# A loop over an array, or the copy of a struct, is one event of the run. It comes between the two regions of a unit.
for o in -O0 -O2; do
	for how in OWN ONE COPY FILL; do
		n=loops$o-$how
		run_program $n cc $o -D$how "$P/loops.c"
		t_eq "$n: the violation is found" 1 $st
		t_ok "$n: it does harm" sh -c "echo '$(violations $n)' | grep -q 'atomic-set-violation:[a-z-]*:crash'"
		run_program $n-twin cc $o -D$how -DFIXED "$P/loops.c"
		t_eq "the correct twin is silent" "0 " "$st $(violations $n)"
	done
done

# In a macro, all accesses have one line and column.
for o in -O0 -O2; do
	for how in TWICE BACK MARKS CALLS INLINE; do
		n=macro$o-$how
		run_program $n cc $o -D$how "$P/macro.c"
		t_eq "$n: the violation is found" "1 atomicity-violation:split-lock-regions:assert" \
			"$st $(violations $n)"
		run_program $n-twin cc $o -D$how -DFIXED "$P/macro.c"
		t_eq "the correct twin is silent" "0 " "$st $(violations $n)"
	done
	run_program macro$o-LOOP cc $o "$P/macro.c"
	t_eq "two rounds of a loop do not belong together" "0 " "$st $(violations macro$o-LOOP)"
done

# Copies of an inlined function are one place.
for o in -O0 -O2; do
	run_program copies$o cc $o "$P/copies.c"
	t_eq "copies$o: the violation is found" "1 atomicity-violation:split-lock-regions:assert" \
		"$st $(violations copies$o)"
	t_eq "... as one finding" 1 "$(json copies$o.d/findings.json 'len(j["findings"])')"
done
t_done
