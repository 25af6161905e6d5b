# Sourced by the tests of confirming: `confirm_programs FOLDER` tests the programs of tests/programs/FOLDER. Every one
# has a bug. From a recorded run without a failure, forerun confirms the bug with the expected harm, and replays it
# alike twice. It finds nothing in the correct twins. A line ` * twin: WHY` in the head says why the output of the
# twin differs. PROGRAMS: only those that match, as for the shell ("w*.c"). TIER: the tier of the expectations,
# precise if it is not set.
P=$SRC/tests/programs

confirm_programs()
{
	for source in "$P/$1"/*.c "$P/$1"/*.cpp; do
		n=$(basename "$source")
		case $n in
		${PROGRAMS:-*}) ;;
		*) continue ;;
		esac
		n=${n%.*}
		flags=$(sed -n 's/^ \* build: //p' "$source")
		if [ "$flags" ] && { ! echo 'int main(void) { return 0; }' | "$FORERUN" cc $flags -x c - -o \
			probe >probe.log 2>&1 ||
			! ./probe >>probe.log 2>&1; }; then
			t_skip "$n" "programs with $flags do not run here"
			continue
		fi
		printf "$(sed -n 's/^ \* stdin: //p' "$source")" >"$n.in"
		for twin in "" fixed; do
			d=$n${twin:+.$twin}
			if ! "$FORERUN" "$(compiler "$source")" -g -O1 -pthread $flags ${twin:+-DFIXED} "$source" -o \
				"$d" >"$d.log" 2>&1; then
				t_miss "$d: the program builds"
				sed 's/^/# /' "$d.log"
				continue
			fi
			"$FORERUN" run $(order "$source") --kinds data-race,deadlock --tier ${TIER:-precise} -o "$d.d" \
				"./$d" <"$n.in" >"$d.out" 2>"$d.err"
			status=$?
			t_ok "$d: recorded without the bug, in the order that it gives" recorded "$d.err"
			t_eq "$d: status" "$([ "$twin" ] && echo 0 || echo 1)" $status
			t_ok "$d: ${twin:+no }findings" python3 "$SRC/tests/predict/predict_check.py" "$source" \
				"$d.d/findings.json" $twin
			t_ok "$d: ${twin:+none }confirmed" python3 "$HERE/confirm_check.py" "$source" \
				"$d.d/findings.json" $twin
			t_ok "$d: the recorded run is repeated" "$FORERUN" replay "$d.d"
			if [ "$twin" ]; then
				[ -z "$(order "$source")" ] || grep -q '^ \* twin: ' "$source" ||
					t_ok "$n: the recorded run prints what the twin prints" cmp "$n.d/stdout" \
						"$d.d/stdout"
				"$FORERUN" run $(order "$source") -o "$d.all" "./$d" <"$n.in" >"$d.out" 2>"$d.err"
				t_eq "$d: silent for every kind and tier" 0 $?
				continue
			fi
			"$FORERUN" replay "$d.d/1" >"$d.1" 2>"$d.err.1"
			t_eq "$d: replayed" 1 $?
			"$FORERUN" replay "$d.d/1" >"$d.2" 2>"$d.err.2"
			for i in 1 2; do
				sed 's/^==[0-9]*==/==/' "$d.err.$i" >>"$d.$i" # a sanitizer's process
			done
			t_ok "$d: replayed again with the same result" cmp "$d.1" "$d.2"
		done
	done
}
