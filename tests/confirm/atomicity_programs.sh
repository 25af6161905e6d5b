# Sourced by the tests of atomicity violations: `atomicity_programs NAME...` tests these programs of tests/programs/atomicity.
# From a recorded run without a failure, forerun confirms every bug with all its interleavings and the expected harm,
# and replays it alike twice. It finds nothing in the correct twins. The hybrid tier: a thread that comes between
# reads the writes of others, so values differ from the recorded run. PROGRAMS: only those that match, as for the
# shell ("p*").
A=$SRC/tests/programs/atomicity

atomicity_programs()
{
	for n in "$@"; do
		case $n in
		${PROGRAMS:-*}) ;;
		*) continue ;;
		esac
		source=$A/$n.c
		[ -f "$source" ] || source=$A/$n.cpp
		for twin in "" fixed; do
			d=$n${twin:+.$twin}
			if ! "$FORERUN" "$(compiler "$source")" -g -O1 -pthread ${twin:+-DFIXED} "$source" -o \
				"$d" >"$d.log" 2>&1; then
				t_miss "$d: the program builds"
				sed 's/^/# /' "$d.log"
				continue
			fi
			"$FORERUN" run $(order "$source") -o "$d.d" "./$d" >"$d.out" 2>"$d.err" </dev/null
			status=$?
			t_ok "$d: recorded without the bug, in the order that it gives" recorded "$d.err"
			t_eq "$d: status" "$([ "$twin" ] && echo 0 || echo 1)" $status
			t_ok "$d: ${twin:+nothing is }confirmed" python3 "$HERE/atomicity_check.py" "$source" \
				"$d.d/findings.json" $twin
			t_ok "$d: the recorded run is repeated" "$FORERUN" replay "$d.d"
			if [ "$twin" ]; then
				[ -z "$(order "$source")" ] ||
					t_ok "$n: the recorded run prints what the twin prints" cmp "$n.d/stdout" \
						"$d.d/stdout"
				continue
			fi
			for i in 1 2; do
				"$FORERUN" replay "$d.d/1" >"$d.$i" 2>"$d.err.$i" </dev/null
				t_eq "$d: replayed, $i" 1 $?
				cat "$d.err.$i" >>"$d.$i" # in between they come as they come
			done
			t_ok "$d: alike" cmp "$d.1" "$d.2"
		done
	done
}
