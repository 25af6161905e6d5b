#!/bin/sh
# Locks that the program builds from atomic accesses: forerun reports the data, never the word of the lock, and is
# silent on the twin. Programs: tests/programs/ownlock, all with the same account. PROGRAMS='a*' chooses programs;
# LEVELS='-O0 ...' tries each with and without -DFIXED at each level. By default, the program has -O0 (or the ` * level:`
# in its head) and its twin -O2.
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

# check_program SOURCE LEVEL FLAG WANT [SUFFIX]
check_program()
{
	id=$(basename "$1")$2$3${5:-}
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
		level=$(head_line level "$source")
		check_program "$source" "${level:--O0}" "" "audit bal"
		check_program "$source" -O2 -DFIXED ""
	fi
done

# Threads wait in the queue, which fixes the order of most sections.
if [ ! "${PROGRAMS:-}" ]; then
	for x in mcs_class.cpp:13:bal mcs_sync.c:5:bal mcs.c:5:bal array.c:13:"audit bal"; do
		name=${x%%:*} ORDER=${x#*:}
		ORDER=random:${ORDER%:*}
		check_program "$P/$name" -O1 "" "${x##*:}" .waits
		t_ok "$name: a thread waits" looks_twice "$name-O1.waits.d"
		check_program "$P/$name" -O1 -DFIXED "" .waits
	done
	ORDER=
fi

# Accesses have no stamps. The order in which the threads really ran must still be found.
if [ ! "${PROGRAMS:-}" ]; then
	ORDER=random:1
	check_program "$P/cas_weak.c" -O1 "" "audit bal" .random
fi
t_done
