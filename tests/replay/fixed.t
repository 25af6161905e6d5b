#!/bin/sh
# After a repair, --expect fixed says that the bug is fixed, that it is still there, or that forerun cannot tell, and
# why. It never passes by accident.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
mkdir "$T/tmp"
export TMPDIR="$T/tmp"

# Two threads add to a sum without a lock. VARIANT: 0 the bug; 1 repaired by a lock; 2 repaired by an atomic; 3 moved
# lines, the bug is not repaired; 4 the function has another name; 5 ends otherwise; 6 not executed any more.
cp "$SRC/tests/programs/fixed/sum.c" sum.c
build() { "$FORERUN" cc -g -O1 -pthread -DVARIANT="$1" sum.c -o sum; }

t_ok "the program builds" build 0
"$FORERUN" run --order creation -o run ./sum >run.out 2>&1
t_eq "the bug is confirmed" 1 "$?"
t_says "an unchanged program is replayed" 1 "has not changed since the recording" "$FORERUN" replay --expect fixed run/1
for v in 1 2; do
	build $v
	t_says "repaired, $v" 0 "fixed: the program still" "$FORERUN" replay --expect fixed run/1
done
build 3
t_says "the bug in moved lines is still there" 1 "still there: data-race on .sum., now at sum.c" \
	"$FORERUN" replay --expect fixed run/1
build 4
t_says "the bug in a renamed function: cannot tell" 3 "cannot tell: the read of .sum. in add\(\) at sum.c:" \
	"$FORERUN" replay --expect fixed run/1
build 5
t_says "another exit status and the bug: still there" 1 "still there" "$FORERUN" replay --expect fixed run/1
build 6
t_says "code that is not executed: cannot tell" 3 "cannot tell: .*not executed" "$FORERUN" replay --expect fixed run/1
rm sum
t_says "a missing program: cannot tell" 3 "cannot tell" "$FORERUN" replay --expect fixed run/1
printf 'int main(void) { return 0; }\n' >other.c && cc other.c -o sum
t_says "a program that is not instrumented: cannot tell" 3 "cannot tell" "$FORERUN" replay --expect fixed run/1
t_eq "and says why" 1 "$(grep -v 'cannot tell' "$T/.err" | grep -c "was not instrumented")"
t_says "--expect with another word" 2 "--expect: expected fixed" "$FORERUN" replay --expect broken run/1
t_says "--expect without a finding" 2 "need a finding" "$FORERUN" replay --expect fixed run
t_eq "nothing is left in the folder for temporary files" "" "$(ls "$TMPDIR")"

# Names and patterns that the user gave to the recording are used again. The pattern's file may be named from another
# folder.
cp "$SRC/tests/programs/fixed/box.c" box.c
cat >letter <<'EOF'
pattern late-letter
E   look  put
T   t     u
SV  x     x
AT  r     w
EOF
t_ok "a pattern: the program builds" "$FORERUN" cc -g -pthread box.c -o box
"$FORERUN" run --order 0+,1 -o box.run --kinds pattern --pattern letter --fail-on never --option private=0 \
	./box >box.out 2>&1
t_ok "a pattern: is found" grep -q '^1. pattern:late-letter on .box. — confirmed' box.out
sed -i '1i /* moved */' box.c
"$FORERUN" cc -g -pthread box.c -o box
mkdir elsewhere
t_says "a pattern: moved" 1 "still there: pattern:late-letter on .box." sh -c 'cd elsewhere && exec "$@"' sh \
	"$FORERUN" replay --expect fixed ../box.run/1
"$FORERUN" cc -g -pthread -DFIXED box.c -o box
t_says "a pattern: repaired" 0 "fixed: the program still" "$FORERUN" replay --expect fixed box.run/1
rm letter
t_says "a pattern: its file is gone" 3 "cannot tell" "$FORERUN" replay --expect fixed box.run/1

# Two locks in two orders; repaired by one order.
cp "$SRC/tests/programs/fixed/locks.c" locks.c
"$FORERUN" cc -g -pthread locks.c -o locks
"$FORERUN" run --order creation -o locks.run ./locks >run.out 2>&1
t_eq "a deadlock is confirmed" 1 "$?"
"$FORERUN" cc -g -pthread -DUNUSED locks.c -O1 -o locks
t_says "other options of the compiler: the deadlock is still there" 1 "still there: deadlock" "$FORERUN" replay --expect fixed locks.run/1
"$FORERUN" cc -g -pthread -DFIXED locks.c -o locks
t_says "one order of the locks: fixed" 0 "fixed: the program still" "$FORERUN" replay --expect fixed locks.run/1

# The first thread only adds if the second one ran before it: the new run needs the order of the recorded one.
cp "$SRC/tests/programs/fixed/turns.c" turns.c
"$FORERUN" cc -g -pthread turns.c -o turns
"$FORERUN" run --order 0,2,1 -o turns.run ./turns >run.out 2>&1
t_eq "a bug in a fixed order is confirmed" 1 "$?"
t_eq "run.json has the order" 0,2,1 "$(json turns.run/run.json 'j["order"]')"
"$FORERUN" cc -g -pthread turns.c -O1 -o turns
t_says "built otherwise: recorded in the same order" 1 "still there: data-race on .sum." "$FORERUN" replay --expect \
	fixed turns.run/1
"$FORERUN" cc -g -pthread -DFIXED turns.c -o turns
t_says "repaired: recorded in the same order" 0 "fixed: the program still" "$FORERUN" replay --expect fixed turns.run/1
t_done
