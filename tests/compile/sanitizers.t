#!/bin/sh
# The sanitizers of clang beside forerun: their reports and the end of the program are the same with and without forerun,
# recorded or not. The recording is the same as without the sanitizers.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/sanitizers
CXX=clang++-${CLANG#clang-}
cd "$T" || exit 99
unset ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS

if ! echo 'int main(void) { return 0; }' | "$CLANG" -fsanitize=address -x c - -o probe >probe.log 2>&1 ||
	! ./probe >>probe.log 2>&1; then
	sed 's/^/# /' probe.log
	t_skip "sanitizers" "programs with the address sanitizer do not run here"
	t_done
	exit 0
fi

# The parts of a report that matter: kinds of error, and the program's own lines and functions.
gist() { # FILE
	sed -nE 's/^==[0-9]+==(ERROR: [A-Za-z]+: [a-z A-Z-]+).*/\1/p; s/^((READ|WRITE) of size [0-9]+).*/\1/p
		s/^ *#[0-9]+ 0x[0-9a-f]+ in ([A-Za-z_:~]+).*(bugs\.(c|cpp):[0-9]+).*/\1 \2/p
		s/^.*(bugs\.c:[0-9:]+ runtime error: [a-z ]+).*/\1/p; s/^SUMMARY: ([A-Za-z]+: [a-z0-9()-]+).*/\1/p
		/^==/!{/^forerun:/!s/^([0-9a-z]+ [0-9]+)$/\1/p}' "$1" | sed 's/ on address.*//; s/ on unknown.*//'
}

same() { # PROGRAM ERROR [WORD]: the report holds the word
	timeout 120 ./"$1.alone" "$2" >alone.out 2>&1 </dev/null
	alone=$?
	timeout 120 ./"$1" "$2" >not.out 2>&1 </dev/null
	not=$?
	rm -rf run.d
	timeout 120 "$FORERUN" record -o run.d ./"$1" "$2" >recorded.out 2>&1 </dev/null
	recorded=$?
	for f in alone not recorded; do gist $f.out >$f.gist; done
	if [ $alone -ne $not ] || [ $alone -ne $recorded ]; then
		echo "status $alone, with forerun $not, recorded $recorded"
		return 1
	fi
	diff alone.gist not.gist && diff alone.gist recorded.gist || return 1
	grep -q "forerun: recorded .* events of" recorded.out || { cat recorded.out; return 1; }
	if [ "${3-}" ]; then grep -q -e "$3" recorded.gist || { cat recorded.out; return 1; }; else ! grep -q ERROR \
		recorded.out; fi
}

build() { # COMPILER FORERUN-COMMAND SOURCE NAME OPTIONS...
	compiler=$1 command=$2 source=$3 name=$4
	shift 4
	"$compiler" -g -w -pthread "$@" "$P/$source" -o "$name.alone" && "$FORERUN" $command -w -pthread "$@" \
		"$P/$source" -o "$name"
}

for o in -O0 -O2; do
	t_ok "bugs.c builds, $o" build "$CLANG" cc bugs.c bugs $o -fsanitize=address,undefined
	t_ok "$o: no error" same bugs none
	t_ok "$o: memory used after free, by threads" same bugs use-after-free heap-use-after-free
	t_ok "$o: memory freed twice" same bugs double-free double-free
	t_ok "$o: freed in the middle" same bugs inner-free bad-free
	t_ok "$o: realloc of freed memory" same bugs bad-realloc 'attempting double-free'
	t_ok "$o: beyond the stack" same bugs stack stack-buffer-overflow
	t_ok "$o: beyond a global" same bugs global global-buffer-overflow
	t_ok "$o: a local after return" same bugs return stack-use-after-return
	t_ok "$o: memcpy" same bugs memcpy heap-buffer-overflow
	t_ok "$o: strcpy" same bugs strcpy heap-buffer-overflow
	t_ok "$o: strcat" same bugs strcat heap-buffer-overflow
	t_ok "$o: strlen" same bugs strlen heap-buffer-overflow
	t_ok "$o: beyond calloc's" same bugs calloc heap-buffer-overflow
	t_ok "$o: a null pointer" same bugs null SEGV
	t_ok "$o: overflow" same bugs overflow 'runtime error: signed integer overflow'
	t_ok "$o: abort" same bugs abort
done
if ASAN_OPTIONS=detect_leaks=1 ./probe >probe.log 2>&1; then
	t_ok "a leak" same bugs leak LeakSanitizer
else
	t_skip "a leak" "leaks cannot be looked for here"
fi

t_ok "bugs.cpp builds" build "$CXX" c++ bugs.cpp bugs -O0 -fsanitize=address
t_ok "C++: no error" same bugs none
t_ok "C++: new and free" same bugs mismatch alloc-dealloc-mismatch
t_ok "C++: the size of delete" same bugs size new-delete-type-mismatch
t_ok "C++: use after delete" same bugs use-after-delete heap-use-after-free
told() { "$FORERUN" dump run.d | grep -E " $1 .*/bugs.cpp:$2:" || { "$FORERUN" dump run.d | head -60; return 1; }; }
t_ok "operator new is recorded" told alloc "$(grep -n 'new Derived;' "$P/bugs.cpp" | head -1 | cut -d: -f1)"
t_ok "operator delete is recorded" told free "$(grep -n 'struct Derived' "$P/bugs.cpp" | cut -d: -f1)"

lib=$("$CLANG" -print-resource-dir)/lib/linux
if "$CLANG" -fsanitize=address -shared-libasan "-Wl,-rpath,$lib" -x c -o probe2 "$P/freed.c" >probe.log 2>&1 &&
	./probe2 >>probe.log 2>&1; then
	t_ok "-shared-libasan" build "$CLANG" cc bugs.c bugs -O1 -fsanitize=address -shared-libasan "-Wl,-rpath,$lib"
	t_ok "shared: no error" same bugs none
	t_ok "shared: used after free" same bugs use-after-free heap-use-after-free
	t_ok "shared: memory freed twice" same bugs double-free double-free
else
	t_skip "-shared-libasan" "the shared runtime of the sanitizer is not here"
fi
t_ok "-fsanitize=undefined alone" build "$CLANG" cc bugs.c bugs -O1 -fsanitize=undefined
t_ok "undefined: no error" same bugs none
t_ok "undefined: overflow" same bugs overflow 'runtime error: signed integer overflow'
t_ok "-fsanitize=undefined, fatal, static" build "$CLANG" cc bugs.c bugs -O1 -static -fsanitize=undefined \
	-fno-sanitize-recover=all
t_ok "static: overflow" same bugs overflow 'runtime error: signed integer overflow'
t_ok "-fsanitize=leak alone" build "$CLANG" cc bugs.c bugs -O1 -fsanitize=leak
t_ok "leak: no error" same bugs none

t_ok "-fsanitize=memory" "$FORERUN" cc -fsanitize=memory "$P/freed.c" -o memory -pthread
t_ok "-fsanitize=memory is not recorded, with a message" sh -c \
	'"$1" record -o m.d ./memory 2>&1 | grep -q "cannot be recorded.*-fsanitize=memory"' - "$FORERUN"

# A use after free that did not happen in the recorded run.
t_ok "freed.c" "$FORERUN" cc -O1 -g -fsanitize=address "$P/freed.c" -o freed -pthread
"$FORERUN" run --order creation -o freed.d ./freed >freed.out 2>&1
t_ok "the bug happens under a schedule, and the sanitizer reports it" grep -q 'AddressSanitizer: heap-use-after-free' \
	freed.out
t_ok "not in the recorded run" sh -c '! grep -q "^==.*ERROR" freed.out'

# A report in the recorded run is the failure of that run. It does not hide another one under a schedule.
t_ok "second.c" "$FORERUN" cc -O1 -g -fsanitize=undefined "$P/second.c" -o second -pthread
"$FORERUN" run --order creation -o second.d ./second >second.out 2>second.err
t_eq "the first report is in the recorded run, the second is not" "1 0" \
	"$(grep -c ': runtime error: signed integer overflow' second.d/stderr) $(grep -c \
	': runtime error: shift' second.d/stderr)"
t_eq "the first is the failure" "failure sanitizer" "$(json second.d 'f[0]["kind"] + " " + f[0]["harm"]')"
t_eq "the second is the harm" "sanitizer second.c:$(grep -n second "$P/second.c" | head -1 |
	cut -d: -f1) shift exponent" \
	"$(json second.d 'f[1]["harm"] + " " + f[1]["detail"]' | sed -E \
	's#/.*/(second.c:[0-9]+):[0-9]+: runtime error: (shift exponent).*#\1 \2#')"

# The recording of a program is the same with and without: of C, event by event; the sanitizers' code makes clang inline
# other functions of C++.
export ASAN_OPTIONS=detect_leaks=0 # some leak when the bug happens
events() { "$FORERUN" dump "$1" 2>/dev/null | tail -1 | sed -E "$2"; }
for source in "$SRC"/tests/programs/predict/*.c "$SRC"/tests/programs/predict/*.cpp; do
	n=$(basename "$source")
	compiler=$(compiler "$source") what=
	[ $compiler = cc ] || what='s/.* of //'
	rm -rf plain.d san.d
	if ! "$FORERUN" $compiler -g -O1 -pthread "$source" -o plain >log 2>&1 ||
		! "$FORERUN" record -q $(order "$source") -o plain.d ./plain >>log 2>&1 </dev/null ||
		! "$FORERUN" $compiler -g -O1 -pthread -fsanitize=address,undefined "$source" -o san >>log 2>&1 ||
		! "$FORERUN" record -q $(order "$source") -o san.d ./san >>log 2>&1 </dev/null || grep -q \
			"ERROR\|runtime error" log; then
		t_miss "$n: the program builds and is recorded"
		sed 's/^/# /' log
		continue
	fi
	t_eq "$n: the same recording" "$(events plain.d "$what")" "$(events san.d "$what")"
done
t_done
