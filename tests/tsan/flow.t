#!/bin/sh
# Objects of -fsanitize=thread: frames that end without a hook, signals, unmapped memory, annotations, objects of both
# sorts in one program, and one program with both kinds of instrumentation.
. "$(dirname "$0")/../lib.sh"
. "$HERE/tsan.sh"

# stack NAME MARK FUNCTION: functions of the stack of the access on that line.
stack()
{
	"$FORERUN" dump -s -k write -l "$2" "$T/$1.run" | awk '
	/^ *[0-9]+  / { if (on) exit; on = 1; next }
	on && /#[0-9]/ { print $3 }' | paste -sd ' '
}

for c in gcc clang; do
	[ $c = gcc ] && cc=$gnuc || cc=$llvmc
	for o in O0 O2; do
		n=jump-$c-$o
		t_ok "$n: is recorded" eval "program $n jump.c $cc -$o && record $n"
		t_eq "$n: the output is right" "0 3 21" "$(cat "$T/$n.out")"
		t_eq "$n: before longjmp" "down jumps main" "$(stack $n "jump.c:$(tsan_line jump.c DEPTH)")"
		t_eq "$n: the deepest call before it" "down down down down jumps main" \
			"$("$FORERUN" dump -s -k write -l "jump.c:$(tsan_line jump.c DEPTH)" "$T/$n.run" |
				awk '/^ *[0-9]+  / { on = / = 0 /; next } on && /#[0-9]/ { print $3 }' | paste -sd ' ')"
		t_eq "$n: after longjmp" "jumps main" "$(stack $n "jump.c:$(tsan_line jump.c AFTER)")"
		t_eq "$n: in a handler" "fault faults main" "$(stack $n "jump.c:$(tsan_line jump.c HANDLED)")"
		t_eq "$n: after the handler was left" "faults main" "$(stack $n "jump.c:$(tsan_line jump.c RECOVERED)")"
		t_eq "$n: in a handler with its own stack" "tick ticks ticker" \
			"$(stack $n "jump.c:$(tsan_line jump.c TICK)")"
		t_eq "$n: after that" "ticks ticker" "$(stack $n "jump.c:$(tsan_line jump.c TICKED)")"
		t_eq "$n: at the end" "main" "$(stack $n "jump.c:$(tsan_line jump.c DONE)")"
		t_eq "$n: the write that faulted did not happen" "" \
			"$(events $n -k write -l "jump.c:$(tsan_line jump.c FAULT)")"
	done

	n=barrier-$c
	t_ok "$n: is recorded" eval "program $n barrier.c $cc -O1 && record $n"
	t_eq "$n: the output is right" "5 11" "$(cat "$T/$n.out")"
	t_eq "$n: the write happens after the handler that let it" "0 signal-begin
0 write 4 = 11 barrier.c:$(tsan_line barrier.c HANDLER)
0 signal-end
0 write 4 = 5 barrier.c:$(tsan_line barrier.c WRITE)" \
		"$(events $n | sed 's/ [a-z]*$//' | grep -E ' (signal|write 4 = (11|5|0) )' | sed \
		's/\(signal-[a-z]*\).*/\1/')"

	n=gone-$c
	t_ok "$n: the program survives the unmapped memory" eval \
		"program $n gone.c $cc -O1 && $T/$n >$T/$n.want && record $n"
	t_eq "$n: the output is right" "alive" "$(cat "$T/$n.out")"
	t_ok "$n: the lost write is counted" grep -q "writes lost" "$T/$n.err"

	n=annotate-$c
	t_ok "$n: is recorded" eval "program $n annotate.c $cc -O1 && record $n"
	f=annotate.c
	t_eq "$n: annotations are events" "0 rwlock-wrlock $f:$(tsan_line $f LOCK) main
0 write 4 = 1 $f:$(tsan_line $f SEEN) main
0 rwlock-unlock $f:$(tsan_line $f UNLOCK) main
0 rwlock-rdlock $f:$(tsan_line $f TRY) main
0 release $f:$(tsan_line $f RELEASE) main
0 acquire $f:$(tsan_line $f ACQUIRE) main
0 release $f:$(tsan_line $f BEFORE) main
0 acquire $f:$(tsan_line $f AFTER) main
0 rwlock-rdlock $f:$(tsan_line $f RDLOCK) main
0 benign $f:$(tsan_line $f BENIGN) main
0 write 4 = 2 $f:$(tsan_line $f SEEN2) main" \
		"$(events $n | grep -E " (rwlock-..lock|rwlock-unlock|release|acquire|benign|write 4.*) .*" |
			sed -n "/:$(tsan_line $f LOCK) /,\$p" | awk '!/rwlock-unlock/ || !seen++')"
	t_eq "$n: ignored accesses are not recorded" "" "$(events $n -k write -l "$f:$(tsan_line $f UNSEEN)")"
	t_ok "$n: a try that failed" eval "$FORERUN dump -k rwlock-rdlock $T/$n.run | grep -q 'try.*busy'"
	t_ok "$n: unmodelled calls are named" grep -q AnnotateCondVarSignal "$T/$n.err"
done


# ---- both sorts of objects in one program ----

mixed()
{
	n=$1
	shift
	compile $n-tsan mixed_tsan.c "$@" &&
		(cd "$P" && "$FORERUN" cc -g -O1 -c mixed_native.c -o "$T/$n-native.o") &&
		"$FORERUN" cc "$T/$n-native.o" "$T/$n-tsan.o" -o "$T/$n" -pthread && record $n
}

for c in gcc clang; do
	[ $c = gcc ] && cc=$gnuc || cc="$llvmc"
	n=mixed-$c
	t_ok "$n: is recorded" mixed $n $cc -O1
	want=
	a=0 b=1
	for t in 0 0.1 0.1 0.1; do
		a=$((b + 10))
		want="$want${want:+
}$t read 8 = $b mixed_tsan.c:$(tsan_line mixed_tsan.c TSAN) tsan_step
$t write 4 = $a mixed_tsan.c:$(tsan_line mixed_tsan.c TSAN) tsan_step
$t read 4 = $a mixed_native.c:$(tsan_line mixed_native.c NATIVE) native_step
$t write 8 = $((a + 1)) mixed_native.c:$(tsan_line mixed_native.c NATIVE) native_step"
		b=$((a + 1))
	done
	t_eq "$n: one thread's accesses are in order, from both kinds of objects" "$want" \
		"$(events $n -k read -k write | grep -E ':(5|10) ' | sed 1,2d)"
	t_eq "$n: stacks go through both" "tsan_step native_step tsan_step run" \
		"$("$FORERUN" dump -s -t 0.1 -k write -l tsan_step "$T/$n.run" | awk \
		'/= 33 / { on = 1; next } on && /#[0-9]/ { print $3 } on && /^ *[0-9]+  / { exit }' | paste -sd ' ')"
done

# ---- the same program by both front ends ----

# shared NAME: THREAD KIND SIZE VARIABLE+OFFSET VALUE of accesses to the program's globals.
shared()
{
	nm "$T/$1" | awk '$3 ~ /^(counter|total|table|point|turn)$/ { print $1, $3 }' >"$T/$1.vars"
	base=$(sed -n 's/.*"bias": "\{0,1\}\(0x[0-9a-f]*\|[0-9]*\).*/\1/p' "$T/$1.run/run.json" | head -n 1)
	"$FORERUN" dump -k access "$T/$1.run" | python3 "$HERE/shared.py" "$T/$1.vars" "$base"
}

(cd "$P" && "$FORERUN" cc -g -O0 same.c -o "$T/same-native" -pthread)
t_ok "same: recorded by the pass" record same-native
want=$(shared same-native)
t_ok "same: it has accesses" [ "$(echo "$want" | wc -l)" -ge 40 ]
t_ok "same: recorded from gcc" eval "program same-gcc same.c $gnuc -O0 && record same-gcc"
t_eq "same: gcc's instrumentation records the same" "$want" "$(shared same-gcc)"
t_ok "same: recorded from clang" eval "program same-clang same.c $llvmc -O0 -mllvm -tsan-instrument-read-before-write=1 && record same-clang"
t_eq "same: clang's instrumentation records the same" "$want" "$(shared same-clang)"

# ---- the runtime's filters lose nothing here either ----

for c in gcc clang; do
	[ $c = gcc ] && cc=$gnuc || cc=$llvmc
	n=share-$c
	t_ok "$n: the program builds" eval \
		"$cc -w -g -O1 -fsanitize=thread -fno-pie -c $SRC/tests/programs/filter/share.c -o $T/$n.o &&
		$FORERUN cc $T/$n.o -o $T/share -pthread -no-pie -Wl,-Tdata=0x4000000 -Wl,-Tbss=0x5000000"
	"$FORERUN" record -q -o "$T/$c.full" --option private=0 --option repeat=0 "$T/share" >/dev/null
	"$FORERUN" record -q -o "$T/$c.dflt" "$T/share" >/dev/null
	"$FORERUN" record -q -o "$T/$c.hot1" --option hot=1 "$T/share" >/dev/null
	for k in dflt hot1; do
		t_ok "$n: $k against everything" python3 "$SRC/tests/record/filter_check.py" "$FORERUN" "$T/$c.full" \
			"$T/$c.$k"
	done
done

t_done
