#!/bin/sh
# Locks that the program builds from atomic accesses: forerun reports the data, never the word of the lock, and is
# silent on the twin. Programs: tests/programs/ownlock, all with the same account. PROGRAMS='a*' chooses programs;
# LEVELS='-O0 ...' tries each with and without -DFIXED at each level. By default, the program has -O0 and its twin
# -O2.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/ownlock
cd "$T" || exit 99

# subjects FOLDER: prints the subjects of all findings, the tiers that guess, and the verdicts other than confirmed
subjects()
{
	json "$1" '" ".join(sorted({x["subject"] for x in a} | {x["verdict"] for x in a
		if x["verdict"] != "confirmed"} |
		{x["tier"] for x in a if x["tier"] not in ("sync", "precise", "sliced")}))'
}

# check_program SOURCE LEVEL FLAG WANT
check_program()
{
	id=$(basename "$1")$2$3
	case $1 in
	*.cpp) cc=c++ ;;
	*) cc=cc ;;
	esac
	t_ok "$id: the program builds" "$FORERUN" $cc -g $2 $3 -pthread "$1" -o "$id"
	t_ok "$id: is recorded" "$FORERUN" record -q --order "${ORDER:-creation}" -o "$id.d" "./$id"
	"$FORERUN" predict -q -k data-race,atomicity-violation,atomic-set-violation,deadlock --tier sliced \
		"$id.d" >log 2>&1
	if [ "$4" ]; then "$FORERUN" confirm --trust "$id.d" >log 2>&1; fi
	t_eq "$id: the data, confirmed, and nothing else" "$4" "$(subjects "$id.d")"
}

for source in "$P"/${PROGRAMS:-*}.c*; do
	if [ "${LEVELS:-}" ]; then
		for level in $LEVELS; do
			check_program "$source" $level "" "audit bal"
			check_program "$source" $level -DFIXED ""
		done
	else
		check_program "$source" -O0 "" "audit bal"
		check_program "$source" -O2 -DFIXED ""
	fi
done

# Accesses have no stamps. The order in which the threads really ran must still be found.
if [ ! "${PROGRAMS:-}" ]; then
	ORDER=random:1
	check_program "$P/cas_weak.c" -O1 "" "audit bal"
fi
t_done
