#!/bin/sh
# A program leaves a relaxed schedule because of one read. Then forerun asks the oracle again with that read fixed, at
# most three times, and confirms the finding with another read that differs. The twin is silent.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/again
cd "$T" || exit 99

# get FIELD DIR: of the race
get() { json "$2" '[x for x in f if x["kind"] == "data-race" and x["subject"] == "score"][0]["'"$1"'"]'; }
# differs DIR: the functions and values of the reads that differ
differs() { json "$1" '["%s %s" % (x["function"], x["path"]) for y in f if y["subject"] == "score"
	for x in y["relaxed_reads"]]'; }

for n in 1 2 3; do
	t_ok "$n: the program builds" "$FORERUN" cc -g -pthread -DHOPS=$n "$P/relay.c" -o relay$n
	"$FORERUN" run -k data-race $(order "$P/relay.c") -o $n.d ./relay$n >$n.out 2>$n.err
	t_eq "$n: run finds it" 1 $?
	t_ok "$n: recorded without the bug" recorded $n.err
	t_eq "$n: run asks again" "confirmed relaxed $n False" \
		"$(get verdict $n.d) $(get tier $n.d) $(get asked_again $n.d) $(get other_path $n.d)"
	t_eq "$n: the judge's read differs" "['receive 0.$((n + 2))']" "$(differs $n.d)"
	t_status "$n: replay shows it" 1 "$FORERUN" replay $n.d/1
	t_ok "$n: predicted once more" "$FORERUN" predict -q --tier relaxed -k data-race $n.d
	t_eq "$n: the first answer lets a runner's read differ" "['receive 0.2']" "$(differs $n.d)"
	t_status "$n: confirm finds it" 1 "$FORERUN" confirm --exact $n.d
	t_eq "$n: confirm asks again" "confirmed $n" "$(get verdict $n.d) $(get asked_again $n.d)"
	t_eq "$n: the judge's read differs after confirm" "['receive 0.$((n + 2))']" "$(differs $n.d)"
	t_status "$n: replay shows that too" 1 "$FORERUN" replay $n.d/1
	t_status "$n: a second confirmation too" 1 "$FORERUN" confirm --exact $n.d
	t_ok "$n.fixed: the program builds" "$FORERUN" cc -g -pthread -DFIXED -DHOPS=$n "$P/relay.c" -o fixed$n
	t_status "$n.fixed: silent" 0 "$FORERUN" run $(order "$P/relay.c") -o fixed$n.d ./fixed$n
done

t_ok "4: the program builds" "$FORERUN" cc -g -pthread -DHOPS=4 "$P/relay.c" -o relay4
t_ok "4: recorded" "$FORERUN" record $(order "$P/relay.c") -o 4.d ./relay4
t_ok "4: predicted" "$FORERUN" predict -q --tier relaxed -k data-race 4.d
t_status "4: confirm finds no bug" 0 "$FORERUN" confirm --exact 4.d
t_eq "4: refuted, because the oracle is asked three times at most" refuted "$(get verdict 4.d)"

# A branch compares two reads: both must differ.
t_ok "version: the program builds" "$FORERUN" cc -g -O1 -pthread "$P/version.c" -o version
t_status "version: run finds the race" 1 "$FORERUN" run $(order "$P/version.c") -o version.d ./version
t_eq "version: confirmed, and two reads differ" "['data-race'] 2" \
	"$(json version.d '[x["kind"] for x in c]') $(json version.d 'len(c[0]["relaxed_reads"])')"
t_status "version: replays" 1 "$FORERUN" replay version.d/1
t_ok "version, fixed: the program builds" "$FORERUN" cc -g -O1 -pthread -DFIXED "$P/version.c" -o version-fixed
t_status "version, fixed: silent" 0 "$FORERUN" run $(order "$P/version.c") -o version-fixed.d ./version-fixed

# Reads that do not matter need no permission to differ when the oracle is asked again: more than --relax of them are
# here.
t_ok "counters: the program builds" "$FORERUN" cc -g -pthread -DCOUNT "$P/relay.c" -o count
t_ok "counters: recorded" "$FORERUN" record $(order "$P/relay.c") -o count.d ./count
t_ok "counters: predicted" "$FORERUN" predict -q --tier relaxed -k data-race count.d
t_status "counters: confirm finds it" 1 "$FORERUN" confirm --exact count.d
t_eq "counters: confirm asks again" "confirmed 1" "$(get verdict count.d) $(get asked_again count.d)"
t_eq "counters: the judge's read alone differs" "['receive 0.3']" "$(differs count.d)"

# A candidate that does not fit the run is not asked about.
t_ok "damaged: predicted" "$FORERUN" predict -q --tier relaxed -k data-race 1.d
t_ok "damaged: another event" python3 "$SRC/tests/schedule.py" --edit 1.d/1/schedule '^pending .*' 'pending 1'
t_status "damaged: nothing happens" 0 "$FORERUN" confirm --exact 1.d
t_eq "damaged: refuted" refuted "$(get verdict 1.d)"
t_done
