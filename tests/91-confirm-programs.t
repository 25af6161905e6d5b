#!/bin/sh
# Every small program with a bug: from a recorded run in which nothing went wrong, the bug is confirmed with the harm that is expected, and replayed
# alike twice; in the correct twins nothing is confirmed.
. "$(dirname "$0")/lib.sh"
P=$SRC/tests/programs
cd "$T" || exit 99

for source in "$P"/predict/*.c "$P"/predict/*.cpp "$P"/confirm/*.c; do
	n=$(basename "$source")
	n=${n%.*}
	compiler=cc
	case $source in
	*.cpp) compiler=c++ ;;
	esac
	case $source in
	*/confirm/*) harm=- ;;
	*/once.c | */overlap.c) harm="none seen" ;;
	*) grep -q '^ \* expect: deadlock' "$source" && harm=hang || harm=output ;;
	esac
	for twin in "" fixed; do
		d=$n${twin:+.$twin}
		if ! "$FORERUN" $compiler -g -O1 -pthread ${twin:+-DFIXED} "$source" -o "$d" >"$d.log" 2>&1; then
			t_miss "$d: builds"
			sed 's/^/# /' "$d.log"
			continue
		fi
		seq 1 5 | "$FORERUN" run -o "$d.d" "./$d" >"$d.out" 2>"$d.err"
		t_eq "$d: status" "$([ "$twin" ] && echo 0 || echo 1)" $?
		t_ok "$d: ${twin:+no }confirmed findings" python3 "$P/confirm/check.py" "$source" "$d.d/findings.json" "${twin:-$harm}"
		t_ok "$d: the recorded run is repeated" "$FORERUN" replay "$d.d"
		[ -z "$twin" ] || continue
		"$FORERUN" replay "$d.d/1" >"$d.1" 2>&1
		t_eq "$d: replayed" 1 $?
		"$FORERUN" replay "$d.d/1" >"$d.2" 2>&1
		t_ok "$d: again, alike" cmp "$d.1" "$d.2"
	done
done
t_done
