#!/bin/sh
# Counters, log numbers, progress fields and prints hide no bug: the tier sliced predicts it, precise does not, and the
# program confirms it. LEVELS: levels of optimisation (default: -O0 -O1 -O2); PROGRAMS: shell pattern.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/slices
cd "$T" || exit 99

# head SOURCE FIELD: the field of the head comment
head_of() { sed -n "s/^ \* $2: //p" "$1"; }

# found FOLDER SUBJECT: "tier verdict" of each finding about the subject, each pair once
found()
{
	python3 -c 'import json, sys
print(" ".join(sorted({x["tier"] + " " + x["verdict"] for x in json.load(open(sys.argv[1] + "/findings.json"))["findings"]
                       if sys.argv[2] in x["subject"]})))' "$1" "$2"
}

for source in "$P"/${PROGRAMS:-*}.c; do
	name=$(basename "$source" .c)
	kinds=$(head_of "$source" kinds)
	subject=$(head_of "$source" subject)
	for level in ${LEVELS:--O0 -O1 -O2}; do
		id=$name$level
		t_ok "$id: builds" "$FORERUN" cc -g $level -pthread "$source" -o "$id"
		t_ok "$id: the twin builds" "$FORERUN" cc -g $level -DFIXED -pthread "$source" -o "$id.fixed"
		t_ok "$id: is recorded" "$FORERUN" record -q $(order "$source") -o "$id.d" "./$id"
		"$FORERUN" predict -q -k "$kinds" --tier precise "$id.d" >log 2>&1
		t_eq "$id: precise does not find it" "" "$(found "$id.d" "$subject")"
		"$FORERUN" predict -q -k "$kinds" --tier sliced "$id.d" >log 2>&1
		t_eq "$id: sliced predicts it" "sliced predicted" "$(found "$id.d" "$subject")"
		"$FORERUN" confirm --trust "$id.d" >log 2>&1
		t_eq "$id: the program confirms it" "sliced confirmed" "$(found "$id.d" "$subject")"
		t_ok "$id: the twin is recorded" "$FORERUN" record -q $(order "$source") -o "$id.fixed.d" "./$id.fixed"
		"$FORERUN" predict -q -k "$kinds" --tier sliced "$id.fixed.d" >log 2>&1
		t_eq "$id: sliced is silent on the twin" "" "$(found "$id.fixed.d" "$subject")"
	done
done
t_done
