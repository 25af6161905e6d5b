#!/bin/sh
# The runtime never calls a function of the program that has a name of libc. The test checks the undefined names of the
# archives, and runs programs that define many of these names.
. "$(dirname "$0")/../lib.sh"

A=$SRC/tests/programs/abi
cd "$T" || exit 99

# ---- undefined names ----

# Exempt are the tables through which calls of the program are passed on (public.o, interpose_*.o),
# and weak names of sanitizers.
undefined() { # KIND ARCHIVE
	nm -A "$2" 2>/dev/null | awk -v kind="$1" -v allow="$HERE/names.allow" '
		BEGIN {
			while ((getline l < allow) > 0) {
				n = split(l, w, " ")
				if (l ~ /^#/ || !n) continue
				if (n == 1 || w[1] == kind) ok[w[n]] = 1
			}
		}
		{ split($1, at, ":"); name = $NF; type = $(NF - 1); file = at[2] }
		type != "U" && type != "w" { next }
		name ~ /^frt_/ || name in ok { next }
		file ~ /^public/ { next }
		file ~ /^interpose_static/ { next }
		type == "w" && name ~ /(sanitizer|asan|hwasan|msan|interceptor)/ { next }
		{ print file, name }' | sort -u
}
t_eq 'the dynamic archive needs no public name' '' "$(undefined dynamic "$BUILD/src/runtime/libforerun_rt.a")"
t_eq 'the static archive needs no public name' '' "$(undefined static "$BUILD/src/runtime/libforerun_rt_static.a")"
t_ok 'the list is read' sh -c 'nm "$1" | grep -q "U dlsym" && grep -q "dynamic dlsym" "$2"' - \
	"$BUILD/src/runtime/libforerun_rt.a" "$HERE/names.allow"
# The targets of the program's calls are the functions that the pass redirects and the wrapped ones.
passed=$(nm -u "$BUILD/src/runtime/public.o" | awk '{ print $2 }')
t_eq 'public.o passes on every function that the pass redirects' '' "$(for n in $passed; do
	grep -qw "X($n)" "$SRC/src/format/hook_abi.h" || echo "$n"
done)"

# ---- programs ----

# same NAME NATIVE PROG: PROG does the same as NATIVE: not recorded, recorded, and recorded again
same() {
	"$2" >want 2>&1; echo "status $?" >>want
	"$3" >got 2>&1; echo "status $?" >>got
	t_ok "$1: not recorded" diff want got
	"$FORERUN" record -o "$3.run" -- "$3" >got 2>"$3.err"; echo "status $?" >>got
	t_ok "$1: recorded" diff want got
	t_status "$1: repeats" 0 "$FORERUN" replay "$3.run"
}
compile() { "$@" || { t_miss "$*"; return 1; }; }
F='-fno-builtin -w -pthread'
# shellcheck disable=SC2086
for O in 0 2; do
	for how in '' -no-pie '-static -DOWN_STATIC' '-static-pie -DOWN_STATIC'; do
		compile $CLANG $F $how -O$O "$A/own_names.c" "$A/own_names_main.c" -o "native$O${how%% *}"
		compile "$FORERUN" cc $F $how -O$O "$A/own_names.c" "$A/own_names_main.c" -o "own$O${how%% *}" &&
			same "-O$O $how" "./native$O${how%% *}" "./own$O${how%% *}"
	done
	# All of it in one file: calls and definitions meet in the compiler.
	for how in '' '-static -DOWN_STATIC'; do
		compile $CLANG $F $how -O$O "$A/own_names_one.c" -o "nativeone$O${how%% *}"
		compile "$FORERUN" cc $F $how -O$O "$A/own_names_one.c" -o "one$O${how%% *}" &&
			same "-O$O $how, one file" "./nativeone$O${how%% *}" "./one$O${how%% *}"
	done
	# The functions are in an object file of another compiler.
	for how in '' '-static -DOWN_STATIC'; do
		compile $CLANG $F $how -O$O -DOWN_RAW -c "$A/own_names.c" -o plain.o
		compile "$FORERUN" cc $F $how -O$O "$A/own_names_main.c" plain.o -o "plain$O${how%% *}" &&
			same "-O$O $how, not instrumented" "./native$O${how%% *}" "./plain$O${how%% *}"
	done
	# C++ has the same names.
	for how in '' -static; do
		compile clang++-19 $F $how -O$O "$A/own_names_cxx.cpp" -o "nativecxx$O$how"
		compile "$FORERUN" c++ $F $how -O$O "$A/own_names_cxx.cpp" -o "cxx$O$how" &&
			same "-O$O $how, C++" "./nativecxx$O$how" "./cxx$O$how"
	done
	# In a library: exported, or for itself.
	for hide in '' -DOWN_HIDDEN; do
		compile $CLANG $F -O$O $hide -DOWN_RAW -fPIC -shared "$A/own_names.c" "$A/own_names_lib.c" -o \
			"native$O$hide.so"
		compile $CLANG $F -O$O "$A/own_names_user.c" "./native$O$hide.so" -Wl,-rpath,"$T" -o "user$O$hide"
		compile "$FORERUN" cc $F -O$O $hide -DOWN_RAW -fPIC -shared "$A/own_names.c" "$A/own_names_lib.c" -o \
			"lib$O$hide.so" &&
			compile "$FORERUN" cc $F -O$O "$A/own_names_user.c" "./lib$O$hide.so" -Wl,-rpath,"$T" -o \
				"fruser$O$hide" &&
			same "-O$O library $hide" "./user$O$hide" "./fruser$O$hide"
	done
done
t_done
