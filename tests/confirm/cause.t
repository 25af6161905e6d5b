#!/bin/sh
# If the recorded run fails, a violation in it is the cause if the program ends well in an order without the
# violation. Otherwise forerun blames nothing. Programs: tests/programs/cause.
. "$(dirname "$0")/../lib.sh"
. "$HERE/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/cause

# run_cause NAME PROGRAM FLAGS: builds and runs P/PROGRAM.c; sets status
run_cause() { build_and_run "$1" "$P/$2.c" "-Wno-unused-variable $3"; }
# blamed NAME: prints kind, harm and good order of each confirmed violation that explains the failure
blamed() { json "$1.d" 'sorted((x["kind"], x["harm"], x["good_order"]) for x in c if x["good_order"])'; }
violations() { json "$1.d" 'sorted((x["kind"], x["harm"]) for x in c if x["kind"] != "failure")'; }

for opt in -O1 -O2; do
	run_cause "update$opt" update "$opt"
	t_eq "update $opt: the lost update is the cause" "1 [('atomicity-violation', 'assert', 'second-first')]" \
		"$status $(blamed "update$opt")"
	t_eq "update $opt: it explains the failure" "[2]" \
		"$(json "update$opt.d" '[x["explained_by"] for x in c if x["kind"] == "failure"]')"
	tr -s ' \n' ' ' <"update$opt.out" >joined # the report wraps lines
	t_ok "update $opt: says what failed" grep -q "Assertion \`balance == 0'" joined
	t_eq "update $opt: shows both orders" "T1 T2
T2 T1
T1 T1" "$(sed -n '/the order that fails/,/replay:/s/^     \(T.\) .* \(T.\) .*/\1 \2/p' "update$opt.out")"
	t_status "update $opt: the failure replays" 1 "$FORERUN" replay \
		"update$opt.d/$(json "update$opt.d" '[x["id"] for x in c if x["good_order"]][0]')"
	run_cause "other$opt" update "$opt -DUNRELATED"
	t_eq "update $opt, unrelated failure: not blamed" "[] [None]" \
		"$(blamed "other$opt") $(json "other$opt.d" '[x["explained_by"] for x in c if x["kind"] == "failure"]')"
	t_eq "update $opt, unrelated failure: no harm" "[('atomicity-violation', 'none seen')]" \
		"$(violations "other$opt")"
	run_cause "fixed$opt" update "$opt -DFIXED"
	t_eq "update $opt, fixed: silent" "0 []" "$status $(violations "fixed$opt")"

	run_cause "loop$opt" loop "$opt"
	t_eq "loop $opt: the bug that the run has several times is the cause" "1 ['atomicity-violation assert'] [True]" \
		"$status $(json "loop$opt.d" '[x["kind"] + " " + x["harm"] for x in c if x["good_order"]]') $(json \
		"loop$opt.d" '[x["explained_by"] is not None for x in c if x["kind"] == "failure"]')"
	run_cause "loopother$opt" loop "$opt -DUNRELATED"
	t_eq "loop $opt, unrelated failure: not blamed" "[]" "$(blamed "loopother$opt")"
	run_cause "loopfixed$opt" loop "$opt -DFIXED"
	t_eq "loop $opt, fixed: silent" "0 []" "$status $(violations "loopfixed$opt")"

	run_cause "checked$opt" checked "$opt"
	t_eq "checked $opt: the check in another region is the cause" \
		"1 [('atomicity-violation', 'crash', 'first-first')]" "$status $(blamed "checked$opt")"
	run_cause "checkedother$opt" checked "$opt -DUNRELATED"
	t_eq "checked $opt, unrelated failure: not blamed" "[]" "$(blamed "checkedother$opt")"
	run_cause "checkedfixed$opt" checked "$opt -DFIXED"
	t_eq "checked $opt, fixed: silent" "0 []" "$status $(violations "checkedfixed$opt")"

	run_cause "raced$opt" raced "$opt"
	t_eq "raced $opt: the race is the cause" "1 [('data-race', 'crash', 'other-order')]" \
		"$status $(blamed "raced$opt")"
	run_cause "racedother$opt" raced "$opt -DUNRELATED"
	t_eq "raced $opt, unrelated failure: not blamed" "[]" "$(blamed "racedother$opt")"
	t_eq "raced $opt, unrelated failure: no harm" "[('data-race', 'none seen')]" "$(violations "racedother$opt")"
done
# ---- other orders of a correct queue avoid the failure by chance ----
for opt in -O0 -O1 -O2; do
	run_cause "pool$opt" pool "$opt"
	t_eq "pool $opt: the lost update is the cause" "1 [('atomicity-violation', 'assert')]" \
		"$status $(json "pool$opt.d" 'sorted({(x["kind"], x["harm"]) for x in c
		if not x["folded"] and x["kind"] != "failure"})')"
	t_eq "pool $opt: no null dereference, double free or lost wakeup" "[]" \
		"$(json "pool$opt.d" '[x["kind"] for x in c if x["good_order"] and
		x["kind"] in ("null-dereference", "double-free", "lost-wakeup")]')"
	run_cause "poolfixed$opt" pool "$opt -DFIXED"
	t_eq "pool $opt, fixed: silent" "0 []" "$status $(violations "poolfixed$opt")"
done

# ---- without the violation, the second thread takes another path ----

# path NAME KIND HARM GOOD FLAGS
path()
{
	run_cause "$1" paths "$5"
	t_eq "$1: the cause" "1 [('$2', '$3', '$4')]" "$status $(blamed "$1")"
	t_eq "$1: it explains the failure" "[True]" \
		"$(json "$1.d" '[x["explained_by"] in [y["id"] for y in c if y["good_order"]] for x in c
		if x["kind"] == "failure"]')"
	t_status "$1: the failure replays" 1 "$FORERUN" replay \
		"$1.d/$(json "$1.d" '[x["id"] for x in c if x["good_order"]][0]')"
	run_cause "$1.other" paths "$5 -DUNRELATED -DFIXED"
	t_eq "$1, unrelated failure: not blamed" "[]" "$(blamed "$1.other")"
	run_cause "$1.fixed" paths "$5 -DFIXED"
	t_eq "$1, fixed: silent" "0 []" "$status $(violations "$1.fixed")"
}
path longer atomicity-violation assert first-first -O1
t_ok "longer: the report says so" grep -q 'takes another path' longer.out
path twice atomicity-violation crash first-first "-O1 -DTWICE"
# The sanitizer stops the program before the access is recorded.
path stale order-violation sanitizer other-order "-O1 -DSTALE -fsanitize=address"

# ---- events that have one order: the recorded run has it, or the predicted order ends well ----

# pair NAME KIND HARM FLAGS [PROGRAM]
pair()
{
	program=${5:-closed}
	run_cause "$1" "$program" "$4"
	t_eq "$1: the cause" "1 [('$2', '$3', 'other-order')]" "$status $(blamed "$1")"
	t_eq "$1: it explains the failure" "[True]" \
		"$(json "$1.d" '[x["explained_by"] in [y["id"] for y in c if y["good_order"]] for x in c
		if x["kind"] == "failure"]')"
	t_eq "$1: shows both orders" "T1 T2
T2 T1" "$(sed -n '/the order that fails/,/replay:/s/^     \(T.\) .* \(T.\) .*/\1 \2/p' "$1.out")"
	t_status "$1: the failure replays" 1 "$FORERUN" replay \
		"$1.d/$(json "$1.d" '[x["id"] for x in c if x["good_order"]][0]')"
	"$FORERUN" confirm "$1.d" >/dev/null 2>&1
	t_eq "$1: a second confirmation finds it again" "[('$2', '$3', 'other-order')]" "$(blamed "$1")"
	run_cause "$1.other" "$program" "$4 -DUNRELATED"
	t_eq "$1, unrelated failure: not blamed" "[]" "$(blamed "$1.other")"
	run_cause "$1.fixed" "$program" "$4 -DFIXED"
	t_eq "$1, fixed: silent" "0 []" "$status $(violations "$1.fixed")"
}
for opt in -O1 -O2; do
	pair "flag$opt" order-violation assert "$opt"
	pair "freed$opt" use-after-free assert "$opt -DFREED"
	pair "nothing$opt" order-violation crash "$opt -DNOTHING"
	pair "woken$opt" lost-wakeup hang "$opt -DWOKEN"
	pair "refused$opt" order-violation assert "$opt" refused
	pair "rw$opt" order-violation assert "$opt -DRW" refused
done

# ---- the allocator has overwritten freed memory before a thread uses it ----
for opt in -O1 -O2; do
	run_cause "garbage$opt" garbage "$opt"
	t_eq "garbage $opt: the cause" "1 [('use-after-free', 'assert', 'other-order')]" \
		"$status $(blamed "garbage$opt")"
	run_cause "garbage$opt.fixed" garbage "$opt -DFIXED"
	t_eq "garbage $opt, fixed: silent" "0 []" "$status $(violations "garbage$opt.fixed")"
	run_cause "key$opt" garbage "$opt -DKEY"
	t_eq "garbage $opt, libc's random number: the cause" "1 [('use-after-free', 'assert', 'other-order')]" \
		"$status $(blamed "key$opt")"
done

# ---- what is not the order of two accesses ----
for opt in -O1 -O2; do
	run_cause "forgets$opt" forgets "$opt"
	t_eq "forgets $opt: no order of two accesses is the cause" "1 []" "$status $(blamed "forgets$opt")"
	run_cause "forgets$opt.fixed" forgets "$opt -DFIXED"
	t_eq "forgets $opt, fixed: silent" "0 []" "$status $(violations "forgets$opt.fixed")"
	run_cause "dangling$opt" dangling "$opt"
	t_eq "dangling $opt: the use after free is the cause, and no order of other accesses" \
		"1 [('use-after-free', 'crash', 'other-order')]" "$status $(json "dangling$opt.d" 'sorted((x["kind"],
		x["harm"], x["good_order"]) for x in c if x["kind"] != "failure" and not x["folded"])')"
	run_cause "dangling$opt.fixed" dangling "$opt -DFIXED"
	t_eq "dangling $opt, fixed: silent" "0 []" "$status $(violations "dangling$opt.fixed")"
done

# ---- the crash is the use after free, which has no event ----
for opt in -O1 -O2; do
	run_cause "unmapped$opt" unmapped "$opt"
	t_eq "unmapped $opt: the cause" "1 [('use-after-free', 'crash', 'other-order')]" \
		"$status $(blamed "unmapped$opt")"
	t_eq "unmapped $opt: it explains the failure" "[2]" \
		"$(json "unmapped$opt.d" '[x["explained_by"] for x in c if x["kind"] == "failure"]')"
	run_cause "unmapped$opt.fixed" unmapped "$opt -DFIXED"
	t_eq "unmapped $opt, fixed: silent" "0 []" "$status $(violations "unmapped$opt.fixed")"
done

# ---- a pattern: without the other thread's write in between, the program ends well ----
cat >lost.pattern <<'END'
pattern lost
E   read  change  write
T   t1    t2      t1
SV  x     x       x
AT  r     w       w
END
for variant in '' -DUNRELATED; do
	t_ok "pattern $variant: the program builds" "$FORERUN" cc -g -O1 -pthread $variant "$P/update.c" -o \
		"pattern$variant"
	"$FORERUN" run $(order "$P/update.c") --kinds pattern --pattern lost.pattern -o "pattern$variant.d" \
		"./pattern$variant" >out 2>err
done
t_eq "pattern: the cause" "[('pattern:lost', 'assert', 'first-first')]" "$(blamed pattern)"
t_eq "pattern, unrelated failure: not blamed" "[]" "$(blamed pattern-DUNRELATED)"

# ---- of many instances, those in the order of the recorded run come first ----
for opt in -O1 -O2; do
	run_cause "limit$opt" limit "$opt"
	t_eq "limit $opt: the pair of the last thread is the cause" "1 [('atomicity-violation', 'crash', 'second-first')]" \
		"$status $(blamed "limit$opt")"
	run_cause "limitother$opt" limit "$opt -DUNRELATED"
	t_eq "limit $opt, unrelated failure: not blamed" "[]" "$(blamed "limitother$opt")"
	run_cause "limitfixed$opt" limit "$opt -DFIXED"
	t_eq "limit $opt, fixed: silent" "0 []" "$status $(violations "limitfixed$opt")"
done
t_done
