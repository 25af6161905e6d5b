#!/bin/sh
# The recorded thread looked at a taken lock several times. That hides no order in which it comes first: forerun
# predicts the bug there without a guess, and the program confirms it. LEVELS: levels of optimisation (default: -O0
# -O2); PROGRAMS: shell pattern.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/looks
cd "$T" || exit 99

for source in "$P"/${PROGRAMS:-*}.c*; do
	name=$(basename "$source")
	only=$(head_line level "$source")
	for level in ${LEVELS:-${only:--O0 -O2}}; do
		id=$name$level
		t_ok "$id: the program builds" "$FORERUN" "$(compiler "$source")" -g $level -pthread "$source" -o "$id"
		t_ok "$id: is recorded" "$FORERUN" record -q --order creation -o "$id.d" "./$id"
		t_ok "$id: a thread looks in vain" looks_twice "$id.d"
		t_eq "$id: the look is no step" 0 "$("$FORERUN" dump --model "$id.d" | grep -c acquire-failed)"
		"$FORERUN" predict -q -k null-dereference "$id.d" >log 2>&1
		"$FORERUN" confirm --trust "$id.d" >log 2>&1
		t_eq "$id: the user comes first" "sync confirmed table" \
			"$(json "$id.d" '" ".join(x["tier"] + " " + x["verdict"] + " " + x["subject"] for x in a)')"
		t_ok "$id: the recorded run is replayed" "$FORERUN" replay --trust "$id.d"
		t_ok "$id: the twin builds" "$FORERUN" "$(compiler "$source")" -g $level -DFIXED -pthread "$source" -o "$id.fixed"
		t_ok "$id: nothing is reported on the twin" "$FORERUN" run --order creation -o "$id.fixed.d" "./$id.fixed"
	done
done
t_done
