#!/bin/sh
# Instrumented code computes the same for every way to bind its calls of the runtime: several linkers, lazy binding,
# binding at load time, dlopen, static programs.
. "$(dirname "$0")/../lib.sh"

A=$SRC/tests/programs/abi
cd "$T" || exit 99
unset LD_BIND_NOW
cc() { "$FORERUN" cc "$@"; }

# recorded OUT PROG ARG...: prints the output of a recorded run, and a message if it fails
recorded() { d=$1; shift; "$FORERUN" record -o "$d" -- "$@" 2>"$d.err" </dev/null || echo "status $?"; }
# bound FILE: the runtime's functions that FILE binds at their first call
lazily() { readelf -rW "$1" | awk '/JUMP_SLO/ && / frt_/ { print $5 }'; }

# The output of the program built by clang is the expected output.
$CLANG -O0 -pthread -DLAZY_LINKED "$A/lazy.c" "$A/lazy_main.c" -o native || exit 99
WANT=$(./native)

t_ok 'a program for all libraries' cc -O1 -pthread "$A/lazy_main.c" -o loads -ldl

for O in 0 1 2 3; do
	cc -O$O -fPIC -c "$A/lazy.c" -o lib$O.o || exit 99
	cc -O$O -fPIC -shared lib$O.o -Wl,-z,lazy -o liblazy$O.so || exit 99
	t_eq "-O$O: no slow path is bound lazily" '' "$(lazily liblazy$O.so)"
	t_eq "-O$O: dlopen(RTLD_LAZY)" "$WANT" "$(recorded d$O ./loads ./liblazy$O.so)"
	t_ok "-O$O: linked" cc -O$O -pthread -DLAZY_LINKED "$A/lazy_main.c" -o linked$O -L. -llazy$O -Wl,-rpath,"$T" \
		-Wl,-z,lazy
	t_eq "-O$O: lazily bound" "$WANT" "$(recorded l$O ./linked$O)"
	t_eq "-O$O: bound at load time" "$WANT" "$(LD_BIND_NOW=1 recorded n$O ./linked$O)"
	t_eq "-O$O: not recorded" "$WANT" "$(./linked$O)"
	t_status "-O$O: repeats" 0 "$FORERUN" replay l$O
done

# The user links the library with each linker that exists here.
for how in "$CLANG -fuse-ld=bfd" "$CLANG -fuse-ld=gold" "$CLANG -fuse-ld=lld" gcc; do
	# shellcheck disable=SC2086
	if ! $how -shared -Wl,-z,lazy lib2.o -o "$T/theirs.so" 2>theirs.err; then
		t_skip "$how links it" "$(head -n 1 theirs.err)"
		continue
	fi
	t_eq "$how: nothing is bound lazily" '' "$(lazily theirs.so)"
	t_eq "$how links it" "$WANT" "$(recorded "u$t_n" ./loads ./theirs.so)"
done
for ld in ld.bfd ld.gold ld.lld; do
	if ! $ld -shared -z lazy lib2.o -o "$T/$ld.so" 2>ld.err; then
		t_skip "$ld" "$(head -n 1 ld.err)"
		continue
	fi
	t_eq "$ld alone" "$WANT" "$(recorded "u$t_n" ./loads ./$ld.so)"
done

# Options that decide how functions are called.
for o in -fno-plt -fvisibility=hidden -mcmodel=large -mcmodel=medium -fcf-protection=full -mretpoline -march=native \
	-fno-semantic-interposition '-ffunction-sections -Wl,--gc-sections' -fomit-frame-pointer; do
	# shellcheck disable=SC2086
	if ! cc -O2 -fPIC -shared -Wl,-z,lazy $o "$A/lazy.c" -o opt.so 2>opt.err; then
		t_skip "$o" "$(head -n 1 opt.err)"
		continue
	fi
	t_eq "$o: nothing is bound lazily" '' "$(lazily opt.so)"
	t_eq "$o: a library" "$WANT" "$(recorded "o$t_n" ./loads ./opt.so)"
done
for o in -static -static-pie -pie -no-pie '-no-pie -fno-plt' '-static -fuse-ld=lld' '-pie -fuse-ld=lld' \
	'-pie -fuse-ld=gold' \
	'-no-pie -mcmodel=large' '-pie -Wl,-z,lazy' '-pie -march=native'; do
	pic=; case $o in -no-pie*) pic=-fno-pie ;; esac
	# shellcheck disable=SC2086
	if ! cc -O2 -pthread -DLAZY_LINKED $o $pic "$A/lazy.c" "$A/lazy_main.c" -o prog 2>prog.err; then
		t_skip "$o" "$(head -n 1 prog.err)"
		continue
	fi
	t_eq "$o: a program" "$WANT" "$(recorded "p$t_n" ./prog)"
done
t_done
