#!/bin/sh
# forerun cc and c++ as compilers: probes, modes, links, build systems.
. "$(dirname "$0")/../lib.sh"

CXX=clang++${CLANG#clang}
C=$SRC/tests/programs/cc
cd "$T" || exit 99
cp "$C"/*.c "$C"/*.h .
cc() { "$FORERUN" cc "$@"; }
instrumented() { nm "$1" | grep -q frt_unit_ctor; }
has_runtime() { nm "$1" | grep -q ' T frt_register_unit'; }
same() { # same as clang: output and exit status
	"$CLANG" "$@" >want 2>want.err </dev/null; w=$?
	"$FORERUN" cc "$@" >got 2>got.err </dev/null; g=$?
	[ $w = $g ] && cmp want got && cmp want.err got.err
}

# Probes print the same as clang.
for probe in --version -v -dumpversion -dumpmachine -print-prog-name=ld -print-search-dirs \
	-print-file-name=libc.so -print-libgcc-file-name -print-resource-dir; do
	t_ok "$probe is clang's" same $probe
done
t_ok '-E -dM is clang'\''s' same -E -dM -x c /dev/null
t_ok 'no input files is clang'\''s error' same -O2
t_ok 'a missing file is clang'\''s error' same -c nowhere.c
t_ok 'a syntax error is clang'\''s error' same -fsyntax-only little.h -x c /dev/null -DX=
t_ok '-Wl,--version with no input' same -Wl,--version
t_ok '--help is forerun'\''s' sh -c '"$1" cc --help | grep -q "forerun cc"' - "$FORERUN"

# one step, two steps, from standard input, with -x
t_ok 'compile and link in one' cc -O2 -pthread main.c static.c shared.c -o one
t_eq 'the program runs' '9900 100' "$(./one)"
t_ok 'it is instrumented' instrumented one
t_ok 'it has the runtime' has_runtime one
t_ok '-c' cc -O1 -c main.c -o main.o
t_ok 'the object is instrumented' instrumented main.o
t_fail 'the object has no runtime' has_runtime main.o
t_ok 'several sources with -c' cc -c static.c shared.c
t_ok 'link only' cc main.o static.o shared.o -o two -pthread
t_eq 'the program runs' '9900 100' "$(./two)"
t_ok 'debug information is added' sh -c 'readelf -S main.o | grep -q debug_info'
t_ok '-g0 stays' sh -c '"$1" cc -g0 -c main.c -o g0.o && ! readelf -S g0.o | grep -q debug_info' - "$FORERUN"
t_ok '-g0 is instrumented all the same' instrumented g0.o
t_ok '-x c from standard input' sh -c '"$1" cc -x c - -c -o stdin.o <main.c' - "$FORERUN"
t_ok 'a source from standard input is instrumented' instrumented stdin.o
t_ok '-x applies to files, not to the runtime' cc -x c main.c static.c shared.c -o withx
t_eq 'the program runs' '9900 100' "$(./withx)"
t_ok '-S' cc -S main.c -o main.s
t_ok 'the assembly is instrumented' grep -q frt_unit_ctor main.s
t_ok 'assembling and linking it' cc main.s static.c shared.c -o froms
t_eq 'the program runs' '9900 100' "$(./froms)"
t_ok 'preprocessed source' sh -c '"$1" cc -E main.c -o main.i && "$1" cc -c main.i -o maini.o' - "$FORERUN"
t_ok 'instrumented' instrumented maini.o
t_ok 'bitcode is not instrumented twice' sh -c '"$1" cc -O1 -emit-llvm -c main.c -o m.bc && "$1" cc -c m.bc -o m.o &&
	[ "$(nm m.o | grep -c frt_unit_ctor)" = 1 ]' - "$FORERUN"
t_ok '-save-temps' cc -O1 -save-temps -c main.c -o saved.o
t_eq '-save-temps does not instrument twice' 1 "$(nm saved.o | grep -c frt_unit_ctor)"
t_ok 'dependencies with the code' sh -c '"$1" cc -MMD -MF d.d -c main.c -o d.o && grep -q little.h d.d' - "$FORERUN"
t_ok 'dependencies alone' sh -c '"$1" cc -MM main.c | grep -q little.h' - "$FORERUN"
t_fail 'a source with an error fails' sh -c 'echo "int x = ;" >bad.c; "$1" cc -c bad.c' - "$FORERUN"
printf -- '-O1 "-c"\nmain.c -o from_response.o\n' >args
t_ok 'a response file with -c in it' cc @args
t_ok 'instrumented' instrumented from_response.o
printf -- '-shared -fPIC shared.c -o libresp.so' >inner
printf -- '@inner' >outer
t_ok 'a nested response file with -shared in it' cc @outer
t_fail 'no runtime in the library' has_runtime libresp.so

# kinds of links
t_ok 'a shared library' cc -O2 -fPIC -shared shared.c -o libshared.so
t_ok 'instrumented' instrumented libshared.so
t_fail 'without a runtime of its own' has_runtime libshared.so
t_ok 'a shared library with -z defs' cc -fPIC -shared -Wl,-z,defs shared.c -o libdefs.so
t_ok 'a shared library with --no-undefined' cc -fPIC -shared -Wl,--no-undefined shared.c -o libdefs2.so
t_ok 'a program that uses it' cc main.c static.c -L. -lshared -Wl,-rpath,"$T" -o dyn -pthread
t_eq 'the program runs' '9900 100' "$(./dyn)"
t_ok 'no-pie' cc -no-pie -fno-pie -O2 main.c static.c shared.c -o nopie
t_eq 'the program runs' '9900 100' "$(./nopie)"
t_ok 'pie' cc -pie -fPIE main.c static.c shared.c -o pie
t_eq 'the program runs' '9900 100' "$(./pie)"
t_ok '-static' cc -static -O2 main.c static.c shared.c -o stat
t_eq 'the program runs' '9900 100' "$(./stat)"
t_ok '-static-pie' cc -static-pie -fPIE main.c static.c shared.c -o statpie
t_eq 'the program runs' '9900 100' "$(./statpie)"
t_ok '-r' cc -r main.o static.o -o both.o
t_fail 'without a runtime' has_runtime both.o
t_ok 'the output of -r links' cc both.o shared.o -o three
t_eq 'the program runs' '9900 100' "$(./three)"
t_ok '-nostdlib without libc is left alone' sh -c \
	'echo "void _start(void) { __asm__(\"mov \$60,%eax; xor %edi,%edi; syscall\"); }" >n.c
	"$1" cc -nostdlib -static n.c -o n && ./n' - "$FORERUN"
t_ok '-Wl,--gc-sections' cc -O2 -ffunction-sections -fdata-sections -Wl,--gc-sections main.c static.c shared.c -o gc
t_eq 'the program runs' '9900 100' "$(./gc)"
t_ok 'a folder with blanks and a comma' sh -c \
	'mkdir "a b,c" && cp main.c static.c shared.c little.h "a b,c" && cd "a b,c" &&
	"$1" cc main.c static.c shared.c -o prog && ./prog' - "$FORERUN"

# C++
cat >x.cpp <<'EOF'
#include <iostream>
#include <stdexcept>
#include <thread>
int main() { int n = 0; std::thread t([&] { n = 42; }); t.join();
try { throw std::runtime_error("x"); } catch (std::exception &e) { std::cout << n << e.what() << "\n"; } }
EOF
t_ok 'c++' "$FORERUN" c++ -O2 x.cpp -o x -pthread
t_eq 'the program runs' 42x "$(./x)"
t_ok 'c++ -static' "$FORERUN" c++ -O1 -static x.cpp -o xs
t_eq 'the program runs' 42x "$(./xs)"

# the header and the macro
printf '#include <forerun.h>\n#ifndef __FORERUN__\n#error no macro\n#endif\nint main(void) { return 0; }\n' >h.c
t_ok 'forerun.h is found, __FORERUN__ is set' cc h.c -o h
t_ok 'forerun.h compiles to nothing without forerun' sh -c \
	'sed s/#error/\\/\\//\;s/#ifndef.*/#if\ 0/ h.c >h2.c && "$1" -I"$2/include" -Wall -Werror h2.c -o h2 && ! nm h2 | grep -q forerun' - "$CLANG" "$SRC"
t_ok 'forerun.h causes no warning with -Wall -Wextra -pedantic' cc -std=c99 -Wall -Wextra -pedantic -Werror h.c -o h
t_ok 'no warnings of our own with -Werror' cc -Wall -Wextra -Weverything -Wno-everything \
	-Werror=unused-command-line-argument main.c static.c shared.c -o werror
t_ok 'no warnings of our own when only linking' cc -Werror main.o static.o shared.o -o werror2

# refused options, and the messages
refuses() { # WHAT ARGS...
	what=$1; shift
	"$@" >out 2>&1 && return 1
	grep -q -e "$what" out || { cat out; return 1; }
}
t_ok '-flto is refused by name' refuses "'-flto'" "$FORERUN" cc -flto main.c -c
t_ok '-flto=thin too' refuses "'-flto=thin'" "$FORERUN" cc -flto=thin main.c -c
t_ok '-fno-lto takes it back' cc -flto -fno-lto -c main.c -o lto.o
t_ok '-fsanitize=thread is refused by name' refuses "'-fsanitize=address,thread'" \
	"$FORERUN" cc -fsanitize=address,thread main.c -c
t_ok '-m32 is refused' refuses "'-m32'" "$FORERUN" cc -m32 main.c -c
t_ok 'gcc is refused, and the message says what to install' refuses "apt install $CLANG" env FORERUN_CC=gcc \
	"$FORERUN" cc -c main.c
t_ok 'FORERUN_CC names a missing compiler: refused' refuses 'missing or not clang' env FORERUN_CC=/nowhere/clang \
	"$FORERUN" cc -c main.c
t_ok 'FORERUN_CC by path' env FORERUN_CC="$(command -v "$CLANG")" "$FORERUN" cc -c main.c -o bypath.o
t_ok 'FORERUN_CXX by name' env FORERUN_CXX="$CXX" "$FORERUN" c++ -c x.cpp -o bypath.o

# a compiler cache behind forerun sees a change of the pass, the hooks and their options in the words that it gets
cat >words <<EOF
#!/bin/sh
case "\$*" in --version) exec $CLANG --version ;; esac
for w; do case "\$w" in -fplugin-arg*) echo "\$w" ;; esac; done
EOF
chmod +x words
mkdir same hooks pass
cp "$BUILD/src/runtime/hooks.bc" same
(cat "$BUILD/src/runtime/hooks.bc"; echo) >hooks/hooks.bc
(cat "$BUILD/src/pass/forerun-pass.so"; echo) >pass/forerun-pass.so
words() { env FORERUN_CC="$T/words" "$@" -c main.c -o words.o; }
words "$FORERUN" cc >all
t_eq 'a cache: one word' 1 "$(wc -l <all)"
words FORERUN_LIBDIR=same "$FORERUN" cc >>all
t_eq 'a cache: the same pass is the same word' 1 "$(sort -u all | wc -l)"
words FORERUN_LIBDIR=hooks "$FORERUN" cc >>all
words FORERUN_LIBDIR=pass "$FORERUN" cc >>all
words FORERUN_PASS=locals=0 "$FORERUN" cc >>all
words FORERUN_PASS=calls=f "$FORERUN" cc >>all
words "$FORERUN" cc --forerun-calls=g >>all
t_eq 'a cache: other hooks, passes and options are other words' 6 "$(sort -u all | wc -l)"
t_ok 'a missing pass is named' sh -c 'mkdir bare && cp "$1" bare/forerun && ! bare/forerun cc -c main.c 2>err && grep -q forerun-pass.so err' - "$FORERUN"
t_ok 'the address sanitizer passes through' cc -fsanitize=address,undefined -O1 main.c static.c shared.c -o san
t_eq 'the program runs' '9900 100' "$(./san 2>&1)"
t_ok 'coverage passes through' sh -c '"$1" cc --coverage main.c static.c shared.c -o cov && ./cov' - "$FORERUN"

# by another name
ln -s "$FORERUN" forerun-cc
ln -s "$FORERUN" forerun-c++
t_ok 'as forerun-cc' ./forerun-cc main.c static.c shared.c -o alias
t_eq 'the program runs' '9900 100' "$(./alias)"
t_ok 'as forerun-c++' ./forerun-c++ x.cpp -o aliasxx

# build systems
mkdir proj && cp -r "$C"/cmake "$C"/meson "$C"/autotools "$C"/little.h "$C"/main.c "$C"/static.c "$C"/shared.c proj
built() { # DESC PROGRAM LIBRARY
	t_eq "$1: it runs" '9900 100' "$("$2")"
	t_ok "$1: the program is instrumented" instrumented "$2"
	t_ok "$1: the library is instrumented" instrumented "$3"
}
if command -v cmake >/dev/null; then
	t_ok 'cmake configures' cmake -S proj/cmake -B bc -DCMAKE_C_COMPILER="$T/forerun-cc" \
		-DCMAKE_CXX_COMPILER="$T/forerun-c++"
	t_ok 'cmake builds' cmake --build bc
	built cmake bc/little bc/liblittle_shared.so
	t_ok 'cmake with CC="forerun cc"' env CC="$FORERUN cc" CXX="$FORERUN c++" cmake -S proj/cmake -B bc2 \
		-DCMAKE_BUILD_TYPE=Release
	t_ok 'cmake builds' cmake --build bc2
	built 'cmake, CC' bc2/little bc2/liblittle_shared.so
else
	t_skip cmake 'not installed'
fi
if command -v meson >/dev/null && command -v ninja >/dev/null; then
	t_ok 'meson configures' env CC="$FORERUN cc" meson setup bm proj/meson
	t_ok 'meson builds' ninja -C bm
	built meson bm/little bm/liblittle_shared.so
else
	t_skip meson 'not installed'
fi
if command -v autoreconf >/dev/null && command -v libtoolize >/dev/null; then
	mkdir proj/autotools/src && cp proj/*.c proj/little.h proj/autotools/src
	t_ok 'autoreconf' sh -c 'cd proj/autotools && autoreconf -i'
	mkdir ba
	t_ok 'configure' sh -c 'cd ba && ../proj/autotools/configure CC="$1 cc"' - "$FORERUN"
	t_ok 'the probes of configure give the right answers' sh -c \
		'grep -q "ac_cv_func_mempcpy=yes" ba/config.log && grep -q "ac_cv_func_no_such_function=no" ba/config.log && grep -q "ac_cv_sizeof_long=8" ba/config.log'
	t_ok 'make' make -C ba
	t_eq 'autotools: it runs' '9900 100' "$(ba/little)"
	t_ok 'autotools: the program is instrumented' instrumented ba/.libs/little
	t_ok 'autotools: the library is instrumented' instrumented ba/.libs/liblittle_shared.so
else
	t_skip autotools 'not installed'
fi
printf 'CC = %s cc\nlittle: main.o static.o shared.o\n\t$(CC) $^ -pthread -o $@\n' "$FORERUN" >Makefile
rm -f main.o static.o shared.o
t_ok make make little
t_eq 'the program runs' '9900 100' "$(./little)"
t_done
