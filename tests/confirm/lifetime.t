#!/bin/sh
# Uses of objects that no longer exist, and objects that are freed twice: found in a run in which nothing went wrong,
# and confirmed; the correct twins are silent. LEVELS: optimisation levels. PROGRAMS: a pattern for programs.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# Compiles a program of tests/programs/lifetime, and its library if it has one.
build()
{
	library=$(head_line library "$1")
	if [ "$library" ]; then
		"$FORERUN" cc -g -fPIC -shared -DLIB "$1" -o "lib$library.so" || return 1
	fi
	source_file=$1
	shift
	"$FORERUN" "$(compiler "$source_file")" -g -pthread "$@" "$source_file"
}

# uses_after_free DIR: prints the kinds of the confirmed uses and frees of freed blocks
uses_after_free() { json "$1" '" ".join(sorted({x["kind"] for x in c if x["kind"].endswith("-free")}))'; }

for level in ${LEVELS:--O1}; do
	for source in "$SRC"/tests/programs/lifetime/*.c "$SRC"/tests/programs/lifetime/*.cpp; do
		n=$(basename "$source")
		case $n in
		${PROGRAMS:-*}) ;;
		*) continue ;;
		esac
		kind=$(head_line expect "$source")
		harm=$(head_line harm "$source")
		n=$n$level
		t_ok "$n: the program builds" build "$source" $level -o "$n"
		"$FORERUN" run $(order "$source") -o "$n.d" "./$n" >"$n.out" 2>"$n.err" </dev/null
		t_eq "$n: status" 1 $?
		t_ok "$n: recorded without the bug" recorded "$n.err"
		t_eq "$n: confirmed" True "$(json "$n.d" "any(x['kind'] == '$kind' for x in c)")"
		[ -z "$harm" ] || t_eq "$n: harm" True \
			"$(json "$n.d" "any(x['kind'] == '$kind' and x['harm'] == '$harm' for x in c)")"
		[ "$kind" != double-free ] || t_eq "$n: reported once" 1 \
			"$(json "$n.d" "len([x for x in c if x['kind'] == '$kind' and not x['folded']])")"
		t_eq "$n: no block of a system header" False \
			"$(json "$n.d" "any('/include/' in x['subject'] for x in c if x['kind'] == '$kind')")"
		t_eq "$n: roles" True "$(json "$n.d" \
			"all([e['role'] for e in x['events']] == (['free', 'use'] if x['kind'] == 'use-after-free' else ['first', 'second']) for x in c if x['kind'] == '$kind')")"
		t_status "$n: replayed" 1 "$FORERUN" replay \
			"$n.d/$(json "$n.d" "[x['id'] for x in c if x['kind'] == '$kind'][0]")"
		t_ok "$n.fixed: the program builds" build "$source" $level -DFIXED -o "$n.fixed"
		"$FORERUN" run $(order "$source") -o "$n.fixed.d" "./$n.fixed" >"$n.out" 2>"$n.err" </dev/null
		t_eq "$n.fixed: silent" "0 " "$? $(uses_after_free "$n.fixed.d")"
	done
done
# The address sanitizer sees the use or the second free; it ends the program before the hook of the access.
if "$FORERUN" cc -fsanitize=address -x c -o probe - <<'END' >probe.log 2>&1 && ./probe; then
int main(void) { return 0; }
END
	for n in timeout.c:use-after-free array.c:use-after-free string.c:use-after-free unmapped.c:use-after-free \
		replace.c:double-free; do
		kind=${n#*:} n=${n%:*}
		source=$SRC/tests/programs/lifetime/$n
		t_ok "$n, sanitizer: the program builds" build "$source" -O1 -fsanitize=address -o "$n.san"
		"$FORERUN" run $(order "$source") -o "$n.san.d" "./$n.san" >"$n.out" 2>"$n.err" </dev/null
		t_eq "$n, sanitizer: confirmed" "1 True" \
			"$? $(json "$n.san.d" "any(x['kind'] == '$kind' and x['harm'] == 'sanitizer' for x in c)")"
		t_ok "$n.fixed, sanitizer: the program builds" build "$source" -O1 -fsanitize=address -DFIXED -o \
			"$n.fixed.san"
		"$FORERUN" run $(order "$source") -o "$n.fixed.san.d" "./$n.fixed.san" >"$n.out" 2>"$n.err" </dev/null
		t_eq "$n.fixed, sanitizer: silent" "0 " "$? $(uses_after_free "$n.fixed.san.d")"
	done
else
	t_skip "sanitizer" "the address sanitizer does not run here"
fi
# The stack of a new thread, and its thread-local variables, are none of the objects that ended at these addresses.
for n in memory_stack_from_block memory_tls_reuse; do
	t_ok "$n: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/truth/$n.c" -o "$n"
	t_ok "$n: recorded" "$FORERUN" record -q -o "$n.d" "./$n"
	"$FORERUN" predict --kinds use-after-free -q "$n.d" 2>"$n.err"
	t_eq "$n: no use after free is predicted" "0 True" \
		"$(json "$n.d" '"%d %s" % (len(j["findings"]), j["summary"]["complete"])')"
done
t_done
