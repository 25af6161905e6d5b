#!/bin/sh
# Calls of functions that the user names are regions, by the name of the function or of the file. One call is a
# region, two calls are not.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/regions/atomic_call.c
regions()
{
	"$FORERUN" predict --kinds atomicity-violation --no-neighbourhood "$@" run.d >out 2>err || cat err
	json run.d/findings.json '" ".join(sorted(f["region"] for f in j["findings"]))'
}
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread "$P" -o prog
t_ok "is recorded" "$FORERUN" record --order creation -o run.d ./prog
t_eq "without --atomic, nothing is predicted" "" "$(regions)"
t_eq "--atomic with a function" "named function" "$(regions --atomic audit)"
t_eq "--atomic with another function" "named function" "$(regions --atomic watch)"
t_eq "two functions with one place are one finding" "named function" "$(regions --atomic 'a*t' --atomic watch)"
t_eq "two calls of a helper are two regions" "" "$(regions --atomic get)"
t_eq "--atomic with a file; a wait ends the region of main" "named function" "$(regions --atomic atomic_call.c)"
t_eq "--atomic with an unknown function predicts nothing" "" "$(regions --atomic nothing)"
t_says "... and predict warns" 0 "no function and no file 'nothing'" "$FORERUN" predict --atomic audit --atomic \
	nothing run.d
t_says "... and run warns" 0 "no function and no file 'nothing'" "$FORERUN" run --no-neighbourhood --kinds deadlock \
	--atomic nothing -o run2.d ./prog
t_fail "a function that exists causes no warning" sh -c \
	'"$1" predict --atomic audit run.d 2>&1 | grep -q "no function"' sh "$FORERUN"

# One that is inlined, with calls of others above it and of one that is not.
for o in -O0 -O1 -O2; do
	t_ok "$o: the program builds" "$FORERUN" cc -g $o -pthread "$SRC/tests/programs/regions/atomic_inline.c" -o \
		inline
	rm -rf run.d
	t_ok "$o: is recorded" "$FORERUN" record --order creation -o run.d ./inline
	t_eq "$o: without --atomic, nothing is predicted" "" "$(regions)"
	regions --atomic bump >regions.out
	t_eq "$o: the read and the write of one call are the region" "get set" \
		"$(json run.d/findings.json '" ".join(sorted({f["events"][0]["function"] + " "
		+ f["events"][-1]["function"] for f in j["findings"]}))')"
done
t_done
