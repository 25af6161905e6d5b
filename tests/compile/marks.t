#!/bin/sh
# The pass marks the reads that decide whether the program fails, with the values that do, and pointers that are read.
# Program: tests/programs/cc/marks.c. LEVELS='-O1' chooses levels.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# marks OBJECT: the marks, without those of the local v; a test of one bit is left out if a comparison is before it
marks() { python3 "$HERE/sites.py" "$1" marks | grep -v ' v ' | sed 's/ t1\]/]/g' | sort -n; }
# at PATTERN: the line with the pattern
at() { grep -nF "$1" "$SRC/tests/programs/cc/marks.c" | head -1 | cut -d: -f1; }

fatal=$(at 'assert(a == 1)')
cat >want <<END
$fatal a $fatal [=1 ^1]
$(at 'if (a < 3') a $(at 'exit(2)') [s20 L3]
$(at 'if (a < 3') b $(at 'exit(2)') [s20 G5]
$(at 'if (flag)') flag $(($(at 'if (flag)') + 1)) [=0 ^1]
$(at 'switch (mode)') mode $(($(at 'default:') + 1)) [o1 o2 o7 ^1]
$(at 'if (a > b)') a $(($(at 'if (a > b)') + 1)) []
$(at 'if (a > b)') b $(($(at 'if (a > b)') + 1)) []
$(at 'if (total & 1)') total $(at 'exit(1);') [&1 t40 =0 ^1]
$(at 'return a;') a $(($(at 'if (get()') + 1)) [=4 ^1]
$(at 'if (w < 1)') w $(at 'exit(6)') [s20 L1]
$(at '*p = mode') mode $(at 'exit(8)') [s20 G6]
$(at 'check(b)') b $(($(at 'if (v < 0)') + 1)) [s20 L0]
$(at 'if (u == 7)') u $(at 'fail();') [=7]
$(at 'if (w == 9)') w $(at 'die(1);') [=9]
$(at 'return head->v') head pointer dereferenced
$(at 'n = third') third pointer checked
$(at 'sink(ptr)') ptr pointer
$(at 'n = other') other pointer checked
$(at 'first(other)') other pointer dereferenced
END
for o in ${LEVELS:--O0 -O1 -O2}; do
	t_ok "$o: the program builds" env FORERUN_PASS=verify=1 "$FORERUN" cc -g $o --forerun-fails=fail -c \
		"$SRC/tests/programs/cc/marks.c" -o m.o
	marks m.o >got
	t_eq "$o: the marks" "$(cat want)" "$(cat got)"
done
t_ok "without the option, fail() does not count" sh -c \
	'"$0" cc -g -O1 -c "$1" -o n.o && ! python3 "$2" n.o marks | grep "=7"' "$FORERUN" \
	"$SRC/tests/programs/cc/marks.c" "$HERE/sites.py"
t_ok "the same from the environment" sh -c \
	'FORERUN_PASS="fails=f?il" "$0" cc -g -O1 -c "$1" -o n.o && python3 "$2" n.o marks | grep -q "=7"' "$FORERUN" \
	"$SRC/tests/programs/cc/marks.c" "$HERE/sites.py"
t_eq "the option is not clang's" "" "$("$FORERUN" cc '-###' --forerun-fails=f -c \
	"$SRC/tests/programs/cc/marks.c" 2>&1 | grep forerun-fails)"
t_ok "--help describes --forerun-fails" sh -c '"$0" cc --help | grep -q -- --forerun-fails' "$FORERUN"
t_done
