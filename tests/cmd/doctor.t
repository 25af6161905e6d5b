#!/bin/sh
# forerun doctor says whether this machine can run forerun, and how to install missing parts.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

printf 'int x;\nint main(void) { return x; }\n' >p.c
"$FORERUN" cc -g -pthread p.c -o p
cc p.c -o plain 2>/dev/null || clang-19 p.c -o plain

t_ok "doctor accepts this machine" "$FORERUN" doctor
t_ok "doctor accepts an instrumented program" "$FORERUN" doctor ./p
"$FORERUN" doctor ./p >out
t_ok "... and prints that it is instrumented" grep -q "^ok .*'./p' is instrumented" out
t_ok "... and prints its build-id" grep -qE "^ok .*build-id [0-9a-f]+" out
t_status "doctor rejects a program that is not instrumented" 1 "$FORERUN" doctor ./plain
t_ok "... and says how to build it" sh -c '"$0" doctor ./plain | grep -q "^FAIL.*forerun-cc"' "$FORERUN"
t_status "doctor rejects a missing program" 1 "$FORERUN" doctor ./missing
t_status "two programs are a usage error" 2 "$FORERUN" doctor ./p ./p
t_status "an unknown option is a usage error" 2 "$FORERUN" doctor --nonsense
t_status "doctor rejects a compiler of another version" 1 env FORERUN_CC=/bin/false "$FORERUN" doctor
t_ok "... and names the problem" sh -c 'FORERUN_CC=/bin/false "$0" doctor | grep -qE "^FAIL.*compiler"' "$FORERUN"
if (ulimit -v 3000000; "$FORERUN" --version >/dev/null 2>&1); then
	(ulimit -v 3000000; "$FORERUN" doctor >out 2>&1)
	t_eq "doctor rejects a small limit of the address space" 1 $?
	t_ok "... and names the problem" grep -qE '^FAIL.*address space' out
else
	t_skip "doctor rejects a small limit of the address space" "this build of forerun needs more (a sanitizer's)"
fi
(ulimit -f 1000; "$FORERUN" doctor >out 2>&1)
t_ok "doctor warns about a small limit of the file size" grep -qE '^warn.*file size' out
cp p stripped
strip stripped
t_ok "doctor accepts a stripped program" "$FORERUN" doctor ./stripped
t_ok "doctor accepts a script" sh -c 'printf "#!/bin/sh\n" >s; chmod +x s; "$0" doctor ./s' "$FORERUN"

t_done
