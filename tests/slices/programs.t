#!/bin/sh
# Counters, log numbers, progress fields and prints hide no bug: the tier sliced predicts it, the tier precise does
# not, and the program confirms it. LEVELS: levels of optimisation (default: -O0 -O1 -O2); PROGRAMS: shell pattern.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/slices
cd "$T" || exit 99

# tiers FOLDER SUBJECT: prints "tier verdict" of each finding about the subject, each pair once
tiers()
{
	json "$1" '" ".join(sorted({x["tier"] + " " + x["verdict"] for x in a if "'"$2"'" in x["subject"]}))'
}

for source in "$P"/${PROGRAMS:-*}.c; do
	name=$(basename "$source" .c)
	kinds=$(head_line kinds "$source")
	subject=$(head_line subject "$source")
	for level in ${LEVELS:--O0 -O1 -O2}; do
		id=$name$level
		t_ok "$id: the program builds" "$FORERUN" cc -g $level -pthread "$source" -o "$id"
		t_ok "$id: the twin builds" "$FORERUN" cc -g $level -DFIXED -pthread "$source" -o "$id.fixed"
		t_ok "$id: is recorded" "$FORERUN" record -q $(order "$source") -o "$id.d" "./$id"
		"$FORERUN" predict -q -k "$kinds" --tier precise "$id.d" >log 2>&1
		t_eq "$id: precise does not find it" "" "$(tiers "$id.d" "$subject")"
		"$FORERUN" predict -q -k "$kinds" --tier sliced "$id.d" >log 2>&1
		t_eq "$id: sliced predicts it" "sliced predicted" "$(tiers "$id.d" "$subject")"
		"$FORERUN" confirm --trust "$id.d" >log 2>&1
		t_eq "$id: the program confirms it" "sliced confirmed" "$(tiers "$id.d" "$subject")"
		t_ok "$id: the twin is recorded" "$FORERUN" record -q $(order "$source") -o "$id.fixed.d" "./$id.fixed"
		"$FORERUN" predict -q -k "$kinds" --tier sliced "$id.fixed.d" >log 2>&1
		t_eq "$id: sliced is silent on the twin" "" "$(tiers "$id.fixed.d" "$subject")"
	done
done
t_done
