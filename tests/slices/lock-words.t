#!/bin/sh
# Locks that the program makes of atomic accesses: forerun reports the data, never the word of the lock, and is silent on
# the twin. Programs: tests/programs/ownlock, all with the same account. PROGRAMS='a*' chooses programs; LEVELS='-O0 ...'
# tries each with and without -DFIXED at each level. By default, the program has -O0 and its twin -O2.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/ownlock
cd "$T" || exit 99

# subjects FOLDER: "subject tiers..." of all findings; a tier that guesses, and a finding that is not confirmed, are named
subjects()
{
	python3 -c 'import json, sys
x = json.load(open(sys.argv[1] + "/findings.json"))["findings"]
print(" ".join(sorted({f["subject"] for f in x} | {f["tier"] for f in x if f["tier"] not in ("sync", "precise", "sliced")} |
                      {f["verdict"] for f in x if f["verdict"] != "confirmed"})))' "$1"
}

# try SOURCE LEVEL FLAG WANT
try()
{
	id=$(basename "$1")$2$3
	case $1 in
	*.cpp) cc=c++ ;;
	*) cc=cc ;;
	esac
	t_ok "$id: builds" "$FORERUN" $cc -g $2 $3 -pthread "$1" -o "$id"
	t_ok "$id: is recorded" "$FORERUN" record -q --order "${ORDER:-creation}" -o "$id.d" "./$id"
	"$FORERUN" predict -q -k data-race,atomicity-violation,atomic-set-violation,deadlock --tier sliced "$id.d" >log 2>&1
	if [ "$4" ]; then "$FORERUN" confirm --trust "$id.d" >log 2>&1; fi
	t_eq "$id: the data, confirmed, and nothing else" "$4" "$(subjects "$id.d")"
}

for source in "$P"/${PROGRAMS:-*}.c*; do
	if [ "${LEVELS:-}" ]; then
		for level in $LEVELS; do
			try "$source" $level "" "audit bal"
			try "$source" $level -DFIXED ""
		done
	else
		try "$source" -O0 "" "audit bal"
		try "$source" -O2 -DFIXED ""
	fi
done

# Accesses have no stamps. The order in which the threads really ran must still be found.
if [ ! "${PROGRAMS:-}" ]; then
	ORDER=random:1
	try "$P/cas_weak.c" -O1 "" "audit bal"
fi
t_done
