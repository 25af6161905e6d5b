#!/bin/sh
# The optimiser changes the recorded events, not the findings. Each buggy program of tests/programs has its bug
# confirmed at -O2 too (the tests of each kind build with -O1). Each correct twin is silent at -O0, at -O2 and at -O3
# for this machine's processor.
#
# By default, the test takes every twelfth program, each at one of these levels in turn. LEVELS=all: every program at
# every level (make check-levels).
# PROGRAMS: all programs that match a shell pattern ("null/*"), and no others.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
P=$SRC/tests/programs
# Folders whose bugs `forerun run` finds without special options. Of the other folders, the test tries only the twins.
FOUND='predict confirm atomicity lifetime deadlock null wakeup order failing property ready'
TWINS='regions cause place slices own livelock instances again pattern fixed files failure box outside signals sync'
cd "$T" || exit 99

# Prints SOURCE:OPTION for each option of the line ` * variants:`, or SOURCE: alone.
each_variant()
{
	for s in "$@"; do
		[ -e "$s" ] || continue
		v=$(head_line variants "$s")
		for o in ${v:-''}; do
			echo "$s:$o"
		done
	done
}
run_at() # SOURCE LEVEL [FLAG]: sets status
{
	builds program "$1" $variant ${3-} $2 >log 2>&1 || return 1
	runs program "$1"
	case " $FOUND " in
	*" $folder "*) t_ok "$folder/$n $2: recorded without the bug, in the order that it gives" recorded \
		program.err ;;
	*) t_ok "$folder/$n $2: recorded without a failure" grep -q '(exit status 0)$' program.err ;;
	esac
}
turn=0 number=0
for pair in $(for f in $FOUND $TWINS; do each_variant "$P/$f"/*.c "$P/$f"/*.cpp; done); do
	source=${pair%:*} variant=${pair##*:}
	n=$(basename "$source")$variant
	folder=$(basename "$(dirname "$source")")
	case $folder/$n in
	${PROGRAMS:-*}) ;;
	*) continue ;;
	esac
	grep -q FIXED "$source" || continue
	number=$((number + 1))
	[ "${LEVELS:-}${PROGRAMS:-}" ] || [ $((number % 12)) -eq 1 ] || continue
	flags=$(head_line build "$source")
	if [ "$flags" ] && { ! echo 'int main(void) { return 0; }' | "$FORERUN" cc $flags -x c - -o probe >log 2>&1 ||
		! ./probe >log 2>&1; }; then
		t_skip "$n" "programs with $flags do not run here"
		continue
	fi
	turn=$((turn % 3 + 1))
	at=1
	for level in -O0 -O2 '-O3 -march=native'; do
		if [ "${LEVELS:-}" = all ] || [ $turn -eq $at ]; then
			run_at "$source" "$level" -DFIXED || { t_miss "$folder/$n $level: the twin builds"; continue; }
			t_eq "$folder/$n $level: the twin is silent" '0 []' "$status $(json program.d 'sorted({x["kind"] for x in s})')"
		fi
		at=$((at + 1))
	done
	case " $FOUND " in
	*" $folder "*) ;;
	*) continue ;;
	esac
	if [ "${LEVELS:-}" = all ] || [ $turn -eq 1 ]; then
		run_at "$source" -O2 || { t_miss "$folder/$n -O2: the program builds"; continue; }
		t_ok "$folder/$n -O2: the bug is confirmed" [ $status -eq 1 ]
	fi
done
t_done
