#!/bin/sh
# The compiler invents no access: a program that is optimised accesses only bytes that it also accesses at -O0 in the
# same call. Each access has the line and column of an access of the source. Programs: tests/programs/cc/invent, and
# random ones (INVENT: their number; SEED: the first).
. "$(dirname "$0")/../lib.sh"

CLANG=clang-$(sed -n 's/.*FR_LLVM_MAJOR \([0-9]*\).*/\1/p' "$BUILD/src/pass/fr_llvm.h")
PASS=$BUILD/src/pass/forerun-pass.so
C=$SRC/tests/programs/cc
export CLANG PASS
cd "$T" || exit 99

"$CLANG" -O2 -fPIC -I"$SRC/src" -emit-llvm -c "$C/mock/hooks.c" -o hooks.bc
for f in "$C/invent/touch.c" "$SRC/src/runtime/core/strides.c" "$SRC/src/runtime/core/rt_nest.c"; do
	"$CLANG" -O1 -I"$SRC/src" -I"$C/invent" -c "$f" || exit 99
done
honest() { python3 "$HERE/invented.py" "$T" "$@"; }

# ---- the corpus ----
vector='-O3 -mavx512f -mprefer-vector-width=512'
t_ok 'snippets.c: no access is invented, and each has its line' \
	honest "$C/invent/snippets.c" -O1 -O2 -O3 -Os '-O2 -ffast-math' '-O3 -mavx2' "$vector"
t_ok 'snippets.cpp: no access is invented, and each has its line' honest "$C/invent/snippets.cpp" -O1 -O2 "$vector"
i=0
while [ $i -lt "${INVENT:-4}" ]; do
	seed=$((${SEED:-1} + i))
	python3 "$HERE/fuzz_touch.py" $seed >fuzz.c
	t_ok "random program $seed" honest "$T/fuzz.c" -O1 -O2 "$vector"
	i=$((i + 1))
done

# ---- lines, in larger files ----
placed() { # DRIVER FILE LEVEL FLAGS...: every access and call has a line, and every access a column
	driver=$1 file=$2 level=$3
	shift 3
	"$FORERUN" "$driver" -w -pthread $level "$@" -c "$file" -o placed.o && python3 \
		"$HERE/sites.py" placed.o >sites || return 1
	# Thunks, and the code that starts and ends a program, are the compiler's own: the source has no line for them. The
	# frame of a coroutine has no column.
	! grep -E '^(access|call) \S+ [^ ]*:0:[0-9]+ |^access \S+ [^ ]*:[0-9]+:0 ' sites | grep -v -E \
		' _ZT[hvc]| __clang_call_terminate | _GLOBAL__sub_I_|coro\.cpp:[1-9]'
}
for level in -O0 -O1 -O2 -O3; do
	for f in "$C/corpus/types.c" "$C/corpus/flow.c" "$C/loops.c" "$SRC/src/base/mem.c"; do
		t_ok "$(basename "$f") $level: every access has a line and a column" placed cc \
			"$f" $level -I"$SRC/src" -D_GNU_SOURCE
	done
done
for level in -O0 -O2; do
	for f in "$C/corpus/stl.cpp" "$C/corpus/coro.cpp"; do
		t_ok "$(basename "$f") $level: every access has a line and a column" placed c++ "$f" $level -std=c++20
	done
done
cat >merged.c <<'END'
#include <pthread.h>
int done, a, b;
pthread_mutex_t m;
void either(int c)
{
	if (c) {
		a = 1;
		done = 1;
		pthread_mutex_unlock(&m);
	} else {
		b = 2;
		done = 1;
		pthread_mutex_unlock(&m);
	}
}
int twice(int c, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += c ? a : a + i;
	return s;
}
END
for level in -O1 -O2 -O3; do
	t_ok "merged.c $level" placed cc merged.c $level
	t_ok "$level: a merged store has the line of one of them" sh -c \
		'grep "^access w.*\`done\`" sites | grep -q "merged.c:\(8\|12\):8 either"'
	t_ok "$level: a hoisted load has the line of one of them" sh -c \
		'grep "^access r.*\`a\`" sites | grep -q "merged.c:20:\(12\|16\) twice"'
	t_eq "$level: calls are not merged" 2 "$(grep -c '^call .*pthread_mutex_unlock' sites)"
done

# ---- the attribute ----
cat >attribute.cpp <<'END'
int g;
#if __has_feature(thread_sanitizer) || defined(__SANITIZE_THREAD__)
#error the program must not notice
#endif
static int global = g ? g : 1;
__attribute__((no_sanitize("thread"))) int plain(int c) { return c ? g : global; }
__attribute__((disable_sanitizer_instrumentation)) int left_alone(int c) { return c ? g : 2; }
int calls(int c) { return [&] { return plain(c) + left_alone(c); }(); }
END
cat >attributes.py <<'END'
import re, sys
text = open(sys.argv[1]).read()
sets = dict(re.findall(r'^attributes #(\d+) = \{(.*)\}$', text, re.M))
defined = [(n, a) for n, a in re.findall(r'^define .*?@"?([\w.$]+)"?\(.*?#(\d+)', text, re.M) if not n.startswith(('frt_', 'asan.', 'ubsan'))]
bad = [n for n, a in defined if 'sanitize_thread' not in sets[a]]
print(defined, bad)
sys.exit(bool(bad) or len(defined) < 3)
END
for flags in -O0 -O1 -O2 '-O2 -fsanitize=address,undefined' '-O1 -fsanitize=leak'; do
	t_ok "attribute.cpp $flags compiles" env FORERUN_PASS=verify=1 "$FORERUN" c++ $flags -S -emit-llvm \
		attribute.cpp -o attribute.ll
	t_ok "$flags: every function of the program forbids speculation" python3 attributes.py attribute.ll
	t_fail "$flags: nothing of ThreadSanitizer" grep -q tsan attribute.ll
done
t_done
