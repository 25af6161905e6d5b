#!/bin/sh
# forerun doctor: fit or not, and what to do.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

printf 'int x;\nint main(void) { return x; }\n' >p.c
"$FORERUN" cc -g -pthread p.c -o p
cc p.c -o plain 2>/dev/null || clang-19 p.c -o plain

t_ok "this machine is fit" "$FORERUN" doctor
t_ok "an instrumented program is fit" "$FORERUN" doctor ./p
"$FORERUN" doctor ./p >out
t_ok "... it says so" grep -q "^ok .*'./p' is instrumented" out
t_ok "... with its build-id" grep -qE "^ok .*build-id [0-9a-f]+" out
t_status "one that is not instrumented is not" 1 "$FORERUN" doctor ./plain
t_ok "... what to do" sh -c '"$0" doctor ./plain | grep -q "^FAIL.*forerun cc"' "$FORERUN"
t_status "a missing program is not" 1 "$FORERUN" doctor ./missing
t_status "two programs are a usage error" 2 "$FORERUN" doctor ./p ./p
t_status "an unknown option, too" 2 "$FORERUN" doctor --nonsense
t_status "a compiler of another version" 1 env FORERUN_CC=/bin/false "$FORERUN" doctor
t_ok "... is named" sh -c 'FORERUN_CC=/bin/false "$0" doctor | grep -qE "^FAIL.*compiler"' "$FORERUN"
if (ulimit -v 3000000; "$FORERUN" --version >/dev/null 2>&1); then
	(ulimit -v 3000000; "$FORERUN" doctor >out 2>&1)
	t_eq "a small address space" 1 $?
	t_ok "... is named" grep -qE '^FAIL.*address space' out
else
	t_skip "a small address space" "this build of forerun needs more (a sanitizer's)"
fi
(ulimit -f 1000; "$FORERUN" doctor >out 2>&1)
t_ok "a small file size is a warning" grep -qE '^warn.*file size' out
cp p stripped
strip stripped
t_ok "a stripped program is still fit" "$FORERUN" doctor ./stripped
t_ok "a script is fit" sh -c 'printf "#!/bin/sh\n" >s; chmod +x s; "$0" doctor ./s' "$FORERUN"

t_done
