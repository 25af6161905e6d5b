#!/bin/sh
# Small programs with a race or a deadlock that did not happen in the recorded run, and their twins. forerun finds
# exactly the expected findings, by place and name, and none in the twins.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/predict
cd "$T" || exit 99

for source in "$P"/*.c "$P"/*.cpp; do
	n=$(basename "$source")
	n=${n%.*}
	for twin in "" fixed; do
		d=$n${twin:+.$twin}
		if ! "$FORERUN" "$(compiler "$source")" -g -O1 -pthread ${twin:+-DFIXED} "$source" -o "$d" >"$d.log" 2>&1 ||
			! "$FORERUN" record -q $(order "$source") -o "$d.d" "./$d" >>"$d.log" 2>&1 </dev/null; then
			t_miss "$d: the program builds and is recorded"
			sed 's/^/# /' "$d.log"
			continue
		fi
		t_ok "$d: predict" "$FORERUN" predict --kinds data-race,deadlock "$d.d"
		t_ok "$d: ${twin:+no }findings" python3 "$HERE/predict_check.py" "$source" "$d.d/findings.json" $twin
		t_status "$d: --fail-on predicted" $([ "$twin" ] && echo 0 || echo 1) \
			"$FORERUN" report --fail-on predicted "$d.d"
	done
done
t_done
