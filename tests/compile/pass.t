#!/bin/sh
# The pass: programs behave in the same way with and without it, at every level of optimisation. The site table names the
# accessed variables. The way to record a loop does not change the recorded accesses.
. "$(dirname "$0")/../lib.sh"

C=$SRC/tests/programs/cc
PASS=$BUILD/src/pass/forerun-pass.so
cd "$T" || exit 99

# ---- the same behaviour ----
behaves() { # DRIVER PLAIN FILE PASS-OPTIONS FLAGS...
	driver=$1 plain=$2 file=$3 options=$4
	shift 4
	"$plain" -w -pthread "$@" "$file" -o plain && ./plain >want || return 1
	FORERUN_PASS=verify=1$options "$FORERUN" "$driver" -w -pthread "$@" "$file" -o hooked && ./hooked >got ||
		return 1
	cmp want got
}
for level in -O0 -O1 -O2 -O3 -Os; do
	for f in types flow atomics; do
		t_ok "$f.c $level" behaves cc "$CLANG" "$C/corpus/$f.c" '' $level
	done
	t_ok "coro.cpp $level" behaves c++ "clang++${CLANG#clang}" "$C/corpus/coro.cpp" '' $level -std=c++20
done
t_ok "stl.cpp" behaves c++ "clang++${CLANG#clang}" "$C/corpus/stl.cpp" '' -O2 -std=c++20
for level in -O0 -O2; do
	t_ok "flow.c $level without inlining" behaves cc "$CLANG" "$C/corpus/flow.c" :inline=0 $level
	for f in types flow atomics; do
		t_ok "$f.c $level without filters" behaves cc "$CLANG" "$C/corpus/$f.c" :locals=0:redundant=0:ranges=0 \
			$level
	done
done
for level in -O0 -O2; do
	for f in types flow atomics; do
		t_ok "$f.c $level with every call recorded" behaves cc "$CLANG" "$C/corpus/$f.c" ':calls=*' $level
	done
	t_ok "coro.cpp $level with every call recorded" behaves c++ "clang++${CLANG#clang}" "$C/corpus/coro.cpp" \
		':calls=*' $level -std=c++20
done
t_ok "stl.cpp with every call recorded" behaves c++ "clang++${CLANG#clang}" "$C/corpus/stl.cpp" \
	':calls=*' -O0 -std=c++20
t_ok "flow.c with branches" behaves cc "$CLANG" "$C/corpus/flow.c" :branches=1 -O2
t_ok 'atomics.c with 16-byte atomics' behaves cc "$CLANG" "$C/corpus/atomics.c" '' -O2 -mcx16
if grep -q avx2 /proc/cpuinfo 2>/dev/null; then
	for level in -O0 -O2 -O3; do
		t_ok "simd.c $level" behaves cc "$CLANG" "$C/corpus/simd.c" '' $level -mavx2
	done
else
	t_skip simd.c 'no AVX2 on this machine'
fi
t_ok 'without debug information' behaves cc "$CLANG" "$C/corpus/flow.c" '' -O2 -g0
t_ok 'with line tables only' behaves cc "$CLANG" "$C/corpus/flow.c" '' -O2 -g1
t_ok 'with the address sanitizer' behaves cc "$CLANG" "$C/corpus/types.c" '' -O1 -fsanitize=address,undefined
t_ok 'code for any address (-fPIC, large)' behaves cc "$CLANG" "$C/corpus/types.c" '' -O2 -fPIC -mcmodel=large

# ---- names ----
named() { # FILE NAME... : every name is the name of an access
	for n in "$@"; do
		grep -q "^access .* \`$n\`" sites || { echo "no access is called $n"; cat sites; return 1; }
	done
}
for level in -O0 -O2; do
	t_ok "names.c $level compiles" env FORERUN_PASS=verify=1 "$FORERUN" cc $level -c "$C/names.c" -o names.o
	python3 "$HERE/sites.py" names.o >sites
	for n in 'queue.head' 'queue.head->next->pos.y' 'conn->buf\[\]' 'conn\[\].n' 'conn->grid\[\]\[\]' '\*\*pp' \
		'(\*pp)\[\]' '\*queue.tail' '(\*queue.tail)->pos.x' 'table\[\]' mine elsewhere 'find()->pos.x' \
		'conn->low' \
		queue.inner '\*conn' 'conn->buf' 'typed->pos.x' queue.inner.n seen; do
		case $level$n in
		-O2'queue.head->next->pos.y') n='conn->next->pos.y\|queue.head->next->pos.y' ;;
		esac
		t_ok "$level: \`$n\`" named "$n"
	done
	t_fail "$level: a local that does not escape is not recorded" named hidden
	t_ok "$level: types" grep -q '`queue.head` (struct node \*)' sites
	t_ok "$level: a field has its record and its offset" grep -q '`(\*queue.tail)->pos.x` (int) {node.pos 8}' sites
	t_ok "$level: a fetch-and-add is an atomic read and write" grep -q '^access rwa.*`queue.inner.n` (int)' sites
	t_ok "$level: a copy is a range" grep -q '^access wg.*`queue.inner` (struct node)' sites
	t_ok "$level: an escaping local is marked" grep -q '^access rl.*`seen` (int)' sites
	t_ok "$level: calls have their callee" grep -q '^call .* names `find`' sites
	t_ok "$level: functions" grep -q '^function .* names `names`' sites
done
t_ok 'inlined: the place in the inner function, and where it was inlined' \
	grep -q 'names.c:[0-9]*:[0-9]* bump `counter` (int) < names ' sites
t_ok 'names.cpp compiles' env FORERUN_PASS=verify=1 "$FORERUN" c++ -O0 -c "$C/names.cpp" -o names.o
python3 "$HERE/sites.py" names.o >sites
for n in 'this->head\[\]' 'this->o\[\]' 'this->id' all r.x 'c->y' 'v\[\]' r.y 'this->stopping' 'get<1>(both)' \
	'\*made()' \
	'\*operator new()'; do
	t_ok "c++: \`$n\`" named "$n"
done
t_fail 'c++: captured variables have their own names' grep -q '`\**this->\(this\|r\)' sites
t_ok 'c++: functions have their namespace and class' grep -q 'space::Queue<int>::push `this->id`' sites
t_ok 'c++ -O2 compiles' env FORERUN_PASS=verify=1 "$FORERUN" c++ -O2 -c "$C/names.cpp" -o names.o
python3 "$HERE/sites.py" names.o >sites
t_ok 'c++ -O2: a member' named 'this->id'

printf '#include <string.h>\nchar to[64];\nvoid f(const char *s, int n) { memcpy(to, s, (size_t)n); }\n' >fort.c
"$FORERUN" cc -O2 -D_FORTIFY_SOURCE=2 -c fort.c -o fort.o
python3 "$HERE/sites.py" fort.o >sites
t_ok 'a copy that _FORTIFY_SOURCE checks is a range' sh -c \
	'nm fort.o | grep -q __memcpy_chk && grep -q "^access wg" sites && grep -q "^access rg" sites'

# files as the compiler was given them
mkdir -p sub
cp "$C/names.c" sub/n.c
"$FORERUN" cc -c sub/n.c -o n.o
t_ok 'a relative name' sh -c 'python3 "$1/sites.py" n.o | grep -q " sub/n.c:"' - "$HERE"
"$FORERUN" cc -c "$T/sub/n.c" -o n.o
t_ok 'an absolute name' sh -c 'python3 "$1/sites.py" n.o | grep -q " $2/sub/n.c:"' - "$HERE" "$T"
echo '#include "h.h"
int g; void f(void) { set(); }' >sub/i.c
echo 'extern int g; static inline void set(void) { g = 1; }' >sub/h.h
"$FORERUN" cc -O1 -c sub/i.c -o n.o
t_ok 'a header' sh -c 'python3 "$1/sites.py" n.o | grep -q " sub/h.h:1:"' - "$HERE"

# ---- options ----
count() { FORERUN_PASS=$1 "$FORERUN" cc -O0 -c "$C/names.c" -o n.o && python3 "$HERE/sites.py" n.o | grep -c \
	"^access"; }
all=$(count locals=0:redundant=0)
t_ok 'locals=0 records more' [ "$all" -gt "$(count redundant=0)" ]
t_eq 'skip=GLOB by function' 0 "$(FORERUN_PASS='skip=*' "$FORERUN" cc -c "$C/names.c" -o n.o; python3 \
	"$HERE/sites.py" n.o | wc -l)"
t_ok 'only=GLOB by function' sh -c 'FORERUN_PASS=only=loc* "$1" cc -c "$2/names.c" -o n.o && python3 "$3/sites.py" n.o | grep -q " local " && ! python3 "$3/sites.py" n.o | grep -q " names "' - "$FORERUN" "$C" "$HERE"
t_ok 'skip=GLOB by file' sh -c 'FORERUN_PASS="skip=*/h.h" "$1" cc -O0 -c sub/i.c -o n.o && ! python3 "$2/sites.py" n.o | grep -q h.h' - "$FORERUN" "$HERE"
t_ok 'an unknown option is named' sh -c 'FORERUN_PASS=rangs=0 "$1" cc -c "$2/names.c" -o n.o 2>&1 | grep -q rangs' - \
	"$FORERUN" "$C"
t_ok 'inline=0 makes it smaller' sh -c 'for n in 0 100; do FORERUN_PASS=inline=$n:verify=1 "$1" cc -O2 -c "$2/corpus/types.c" -w -o i$n.o || exit 1; done
	[ "$(size i0.o | awk "NR==2{print \$1}")" -lt "$(size i100.o | awk "NR==2{print \$1}")" ]' - "$FORERUN" "$C"
t_ok 'verbose=1 counts' sh -c 'FORERUN_PASS=verbose=1 "$1" cc -c "$2/names.c" -o n.o 2>&1 | grep -q "functions instrumented"' - "$FORERUN" "$C"
t_ok 'a unit without accesses is left alone' sh -c \
	'echo "int x;" >e.c && "$1" cc -c e.c -o e.o && ! nm e.o | grep -q frt_' - "$FORERUN"

# ---- loops ----
# With a runtime that keeps the reads and writes of every byte: the same with and without ranges.
"$CLANG" -O2 -fPIC -I"$SRC/src" -emit-llvm -c "$C/mock/hooks.c" -o hooks.bc
"$CLANG" -O1 -I"$SRC/src" -c "$C/mock/mock.c" -o mock.o
"$CLANG" -O1 -I"$SRC/src" -c "$SRC/src/runtime/core/strides.c" -o strides.o
"$CLANG" -O1 -I"$SRC/src" -c "$SRC/src/runtime/core/rt_nest.c" -o nest.o
mocked() { # OUT OPTION FILE FLAGS...
	o=$1 option=$2 file=$3
	shift 3
	FORERUN_HOOKS=hooks.bc FORERUN_PASS=verify=1:$option "$CLANG" -g "$@" -fpass-plugin="$PASS" "$file" \
		mock.o strides.o nest.o -o "$o" && "./$o" >"$o.out" 2>"$o.err" && MOCK_SUMMARY=1 \
		"./$o" >"$o.sum" 2>/dev/null
}
# Without tiles and nests, exactly the same; with them, repetitions of an iteration are left out.
loops_agree() { # FILE FLAGS...
	mocked each ranges=0 "$@" && mocked loop tiles=0:nests=0 "$@" && cmp each.out loop.out &&
		mocked tile tiles=1 "$@" && cmp each.sum tile.sum
}
events() { sed 's/ .*//' "$1.err"; }
for level in -O0 -O1 -O2 -O3 '-O2 -fno-vectorize' '-O2 -fno-unroll-loops'; do
	t_ok "loops.c $level: the same accesses of every byte, in the same order" loops_agree "$C/loops.c" $level
	case $level in
	-O0) ;;
	*) t_ok "loops.c $level: far fewer events" [ "$(events tile)" -lt "$(($(events each) / 2))" ] ;;
	esac
done
for seed in 1 2 3; do
	python3 "$HERE/fuzz_loops.py" $seed >fuzz.c
	for level in -O1 -O2; do
		t_ok "random loops $seed $level" loops_agree fuzz.c $level -w -fno-strict-aliasing
	done
done
t_done
