#!/bin/sh
# For each kind of bad input, forerun prints an error that names the input and a remedy, and exits with 2 or 3. It never
# reports a clean result.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cat >ok.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *f(void *a) { x++; return a; }
int main(int argc, char **argv)
{
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	pthread_join(t, 0);
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
t_ok "a program builds" "$FORERUN" cc -g -pthread ok.c -o ok

t_says "a missing command is a usage error" 2 "command" "$FORERUN"
t_says "an unknown command is a usage error" 2 "'frobnicate'" "$FORERUN" frobnicate
t_says "record: a missing program is a usage error" 2 "no program given" "$FORERUN" record
t_says "record: unknown option" 2 "'--frobnicate'" "$FORERUN" record --frobnicate ./ok
t_says "record: unknown letter" 2 "'-z'" "$FORERUN" record -z ./ok
t_says "record: option without value" 2 "'-o'" "$FORERUN" record -o
t_says "record: unknown recorder option" 2 "'nonsense'" "$FORERUN" record --option nonsense=1 ./ok
t_says "record: recorder option without value" 2 "KEY=VALUE" "$FORERUN" record --option private ./ok
t_says "record: pool too small" 2 "pool_blocks" "$FORERUN" record --option pool_blocks=0 ./ok
FORERUN_OPTIONS=wrong=1 t_says "record: FORERUN_OPTIONS" 2 "FORERUN_OPTIONS.*'wrong'" env FORERUN_OPTIONS=wrong=1 \
	"$FORERUN" record ./ok
t_says "record: missing program" 2 "'./missing'" "$FORERUN" record ./missing
t_says "record: a program that is not in PATH" 2 "'no-such-program'" "$FORERUN" record no-such-program
t_says "record: empty name" 2 "empty" "$FORERUN" record ""
mkdir folder
t_says "record: a folder instead of a program" 2 "'./folder'.*folder" "$FORERUN" record ./folder
cp ok not-executable
chmod -x not-executable
t_says "record: not executable" 2 "'./not-executable'" "$FORERUN" record ./not-executable
t_says "record: not instrumented" 2 "'/bin/true' was not instrumented.*forerun-cc" "$FORERUN" record /bin/true
t_says "record: not instrumented, by PATH" 2 "was not instrumented" "$FORERUN" record true
mkdir exists
t_says "record: the folder exists" 2 "'exists' exists" "$FORERUN" record -o exists ./ok
t_says "record: a folder that cannot be created" 3 "'/proc/nope/x'|'/proc/nope'" "$FORERUN" record -o /proc/nope/x ./ok
t_says "record: empty folder name" 2 "empty" "$FORERUN" record -o "" ./ok
: >file
t_says "record: the folder's parent is a file" 3 "file" "$FORERUN" record -o file/x ./ok
t_says "record: a folder that is a file" 2 "'file' exists" "$FORERUN" record -o file ./ok
printf '#!/nonexistent/interpreter\n' >bad-script
chmod +x bad-script
t_says "record: a script without interpreter" 3 "bad-script" "$FORERUN" record -o r1 ./bad-script
t_fail "... leaves no folder behind" test -e r1
head -c 100 ok >broken
chmod +x broken
t_says "record: a broken ELF file" 2 "broken" "$FORERUN" record ./broken
t_fail "no folder is left behind" test -e forerun.d

# Nothing in it is instrumented: not a clean result.
printf '#!/bin/sh\nexit 0\n' >script
chmod +x script
t_says "record: a program that does not attach is an error" 3 "not recorded" "$FORERUN" record -o r2 ./script
t_fail "... and dump refuses its folder" "$FORERUN" dump r2

# Scripts and wrappers: the first instrumented program counts.
printf '#!/bin/sh\n./ok "$@"\n' >wrapper
printf './ok "$@"\n' >no-shebang
chmod +x wrapper no-shebang
t_status "record: a script that starts an instrumented program" 7 "$FORERUN" record -o r3 ./wrapper 7
t_ok "... records events" grep -q '"threads": 2' r3/run.json
t_status "record: a script without #!" 5 "$FORERUN" record -o r4 ./no-shebang 5
t_ok "... records events" grep -q '"threads": 2' r4/run.json
mkdir bin
cp ok bin/from-path
t_status "record: a program from PATH" 9 env PATH="$T/bin:$PATH" "$FORERUN" record -o r5 from-path 9
t_status "record: -- ends the options" 4 "$FORERUN" record -o r6 -- ./ok 4
t_status "record: options after the program are its own" 0 "$FORERUN" record -o r7 ./ok -q
t_ok "... and the program gets them" grep -q '"-q"' r7/run.json

# Numbers of default folders.
"$FORERUN" record ./ok 2>/dev/null
"$FORERUN" record -q ./ok 2>err
t_eq "two runs have two folders" "ok.1 ok.2" "$(ls forerun.d | tr '\n' ' ' | sed 's/ $//')"
t_eq "--quiet prints nothing" "" "$(cat err)"
"$FORERUN" record ./ok 3 2>err
t_eq "the last line of record" "forerun: recorded N events of 2 threads in forerun.d/ok.3 (exit status 3)" \
	"$(sed 's/recorded [0-9,]* events/recorded N events/' err)"

# Help.
for c in "" cc c++ run record import predict confirm report replay dump check doctor completion; do
	t_ok "forerun $c --help" "$FORERUN" $c --help
	"$FORERUN" $c --help >out 2>/dev/null
	t_ok "... begins with usage" grep -qi '^usage: forerun' out
	t_fail "... and has at most 80 columns" grep -qE "^.{81}" out
done
missing=
for c in run record import predict confirm report replay dump check; do
	for o in $("$FORERUN" $c --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
		sed 's/\\-/-/g' "$SRC/doc/man/forerun.1" | grep -q -e "$o\\b" || missing="$missing $c:$o"
	done
done
t_eq "the manual describes every option" "" "$missing"
t_eq "... and no line of its text is taken for a macro" "" \
	"$(grep -E "^(\.($|[^A-Zbfn\\])|')" "$SRC/doc/man/forerun.1")"
t_eq "forerun --version" "forerun" "$("$FORERUN" --version | cut -d' ' -f1)"
t_says "completion: unknown shell" 2 "no shell given" "$FORERUN" completion fish
t_eq "completion of bash: commands, options, kinds" "record --stacks --stats mutex-lock" \
	"$(bash -c 'eval "$("$0" completion bash)"; t() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _forerun; echo "${COMPREPLY[@]}"; }
	t forerun rec; t forerun dump --st; t forerun dump --kind mutex-l' "$FORERUN" | tr '\n' ' ' | sed 's/ $//')"
# The log of subsystems.
FORERUN_DEBUG=model,oracle "$FORERUN" predict r3 >out 2>err
t_ok "FORERUN_DEBUG prints the lines of a subsystem" grep -q '^forerun\[model\]: .* events of 2 threads' err
t_fail "... and no lines of other subsystems" grep -q '^forerun\[generate\]' err
t_says "FORERUN_DEBUG: an unknown subsystem is named" 0 "FORERUN_DEBUG: unknown subsystem 'orcale'" env \
	FORERUN_DEBUG=model,orcale "$FORERUN" --version
# Options that the runtime asks for are all known to the tool.
missing=
for key in $(cat "$SRC"/src/runtime/*/*.c | grep -oE 'frt_option_(bool|u64)\("[a-z_]+"' | grep -oE '"[a-z_]+"' | tr -d \
	'"' | sort -u); do
	"$FORERUN" record --help | grep -qE "^  $key " || missing="$missing $key"
done
t_eq "every option of the runtime is in the help" "" "$missing"

t_says "dump: no such folder" 3 "'nowhere/run.json'" "$FORERUN" dump nowhere
t_says "dump: two folders" 2 "more than one" "$FORERUN" dump r3 r4
t_says "dump: unknown kind" 2 "'nonsense'" "$FORERUN" dump --kind nonsense r3
t_says "dump: unknown thread" 2 "'0.7'" "$FORERUN" dump --thread 0.7 r3
t_says "dump: bad address" 2 "'0xzz'" "$FORERUN" dump --location 0xzz r3
t_says "dump: bad number" 2 "'many'" "$FORERUN" dump --limit many r3
mkdir empty
t_says "dump: no run folder in forerun.d" 2 "forerun record" sh -c 'cd empty && "$0" dump' "$FORERUN"
t_says "dump: a folder without a trace" 3 "'empty/run.json'" "$FORERUN" dump empty

t_done
