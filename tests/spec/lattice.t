#!/bin/sh
# The lattice engine finds violations beyond the limits of candidates: matches of more than 32 events, and instances of
# more than 16 threads. They are confirmed, correct twins have no finding, and the summary says what was covered.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/property
cd "$T" || exit 99

for name in long crowd; do
	for twin in "" -DFIXED; do
		n=$name${twin:+.fixed}
		t_ok "$n: the program builds" "$FORERUN" cc -g -pthread $twin "$P/$name.c" -o "$n"
		"$FORERUN" run --kinds property --spec "$P/$name.spec" $([ "$twin" ] || order "$P/$name.c") --stats -o "$n.d" -- "./$n" \
			>"$n.log" 2>&1
		t_eq "$n: status" "$([ "$twin" ] && echo 0 || echo 1)" "$?"
	done
	t_eq "$name: the twin has no finding" 0 "$(json "$name.fixed.d" 'len(f)')"
	t_eq "$name: the lattice finds it" "1 property confirmed" \
		"$(json "$name.d" '" ".join((str(len(c)), c[0]["kind"].split(":")[0], c[0]["verdict"]))')"
	t_eq "$name: nothing was cut off" 0 "$(json "$name.fixed.d" 'sum(x["name"] == "candidates_cut_off" for x in j["summary"]["missing"])')"
done
t_eq "long: the last 32 events of the match" "32 end/1 stop/2" \
	"$(json long.d '" ".join([str(len(c[0]["events"]))] + ["%s/%d" % (e["name"], e["thread"]) for e in c[0]["events"][-2:]])')"
t_eq "crowd: its events" "close/0 use" \
	"$(json crowd.d '"%s/%d %s" % (c[0]["events"][0]["name"], c[0]["events"][0]["thread"], c[0]["events"][1]["name"])')"
t_eq "the summary counts walks" True "$(json long.d 'j["summary"]["stats"]["lattice"]["found"] > 0')"
t_ok "the text counts them too" grep -q "^lattice: 1 walks, 0 complete, 1 with a violation; [0-9,]* cuts in [0-9,]* levels" \
	long.log
t_ok "walks without a violation cover every order" grep -q "^lattice: 2 walks, 2 complete, 0 with a violation" \
	crowd.fixed.log
t_eq "--tier sync does not walk" False \
	"$("$FORERUN" predict --fail-on never --tier sync --kinds property --spec "$P/long.spec" long.d >/dev/null 2>&1
	json long.d '"lattice" in j["summary"]["stats"]')"
t_done
