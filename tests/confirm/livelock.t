#!/bin/sh
# A program in which every thread repeats a loop for ever hangs. A loop that gives up, or that a thread, a timer, the
# time or a child ends, is no hang.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/livelock/wait.c
cd "$T" || exit 99

# lost_report WAIT OPTION...: prints the worst harm of the lost report, and its detail
lost_report()
{
	wait=$1
	shift
	"$FORERUN" cc -g -O1 -pthread -DWAIT="$wait" "$P" -o "$wait" || return
	"$FORERUN" run $(order "$P") --all -o "$wait.d" "$@" "./$wait" >"$wait.out" 2>"$wait.err" || [ $? -eq 1 ] ||
		return
	json "$wait.d" '" ".join(max((f["harm"], f["detail"] or "") for f in j["findings"]
		if f["kind"] == "atomicity-violation"))' |
		sed 's|[^ ]*/||; s/:[0-9]*//'
}
# two_report WAIT: the same, shortened, of a program in which thread 0.3 polls too
two_report() { lost_report "$@" | sed 's/; thread 0\.3 polls .*in all(), which no thread will change$/, nor will thread 0.3/'; }
polls() { echo "hang thread 0 polls \`$1\` at wait.c in $2(), which no thread will change"; }

t_eq "yields, and looks under a lock" "$(polls done all)" "$(lost_report for_ever_yield)"
t_eq "looks under a lock" "$(polls done all)" "$(lost_report for_ever_lock)"
t_eq "spins on an atomic" "$(polls reports for_ever_spin)" "$(lost_report for_ever_spin)"
t_eq "spins on a volatile" "$(polls flag for_ever_volatile)" "$(lost_report for_ever_volatile)"
t_eq "tries to exchange" "$(polls reports for_ever_exchange)" "$(lost_report for_ever_exchange)"
t_eq "sleeps" "$(polls done all)" "$(lost_report for_ever_sleep)"
t_eq "sleeps longer and longer" "$(polls done all)" "$(lost_report for_ever_back_off)"
t_eq "counts its rounds" "$(polls done all)" "$(lost_report for_ever_count)"
t_eq "tries a lock" "hang thread 0 repeats a loop that tries \`held\` at wait.c in for_ever_try(), which thread 0 holds" "$(lost_report for_ever_try)"
t_eq "waits with a timeout, again and again" "$(polls done for_ever_timed)" "$(lost_report for_ever_timed)"
t_eq "polls nothing" "$(polls done all)" "$(lost_report for_ever_poll)"
t_eq "two threads sleep for different times" "$(polls done all), nor will thread 0.3" "$(two_report for_ever_two)"
t_eq "two threads in loops of different lengths" "$(polls done all), nor will thread 0.3" "$(two_report for_ever_two_loops)"
t_eq "one thread sleeps much longer" "$(polls done all), nor will thread 0.3" "$(two_report for_ever_seldom)"
t_eq "now and then, the deadline is in the next second" "$(polls done for_ever_carry)" "$(lost_report for_ever_carry)"
for wait in retry retry_lock retry_spin retry_memory retry_sleep until_clock until_time compute another_thread handler \
	child retry_other retry_back_off until_deadline; do
	t_eq "$wait is no hang" "none seen " "$(lost_report $wait)"
done
t_eq "a run that a limit ended is unknown" "unknown forerun stopped the program after 2 seconds" \
	"$(lost_report endless --time-limit 2)"
for wait in for_ever_yield for_ever_spin for_ever_sleep for_ever_timed for_ever_two for_ever_carry; do
	t_ok "$wait: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED -DWAIT=$wait "$P" -o fixed
	t_status "$wait: the twin is silent" 0 "$FORERUN" run $(order "$P") -o $wait.fixed ./fixed
done
id=$(json for_ever_yield.d 'max((f["harm"], f["id"]) for f in j["findings"] if f["kind"] == "atomicity-violation")[1]')
for i in 1 2 3; do
	t_says "replayed, $i" 1 'atomicity violation on .done. happened: the program then hangs: thread 0 polls' \
		"$FORERUN" replay "for_ever_yield.d/$id"
done

# ---- time passes although a thread yields again and again ----
W=$SRC/tests/programs/livelock/workers.c
t_ok "workers: the program builds" "$FORERUN" cc -g -O1 -pthread "$W" -o workers
t_status "workers: found" 1 "$FORERUN" run $(order "$W") -o workers.d ./workers
t_eq "workers: main waits for ever" "[('confirmed', 'hang')]" \
	"$(json workers.d 'sorted({(f["verdict"], f["harm"]) for f in j["findings"]})')"
t_ok "workers: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED "$W" -o workers.fixed
t_status "workers: the twin is silent" 0 "$FORERUN" run $(order "$W") --all -o workers.fixed.d ./workers.fixed
t_eq "workers: each order of the twin comes to its end" "[]" \
	"$(json workers.fixed.d '[f["id"] for f in j["findings"] if "unknown" in (f["verdict"], f["harm"])]')"

# ---- a livelock on the way to the events ----
cat >lost.pattern <<'END'
pattern lost
E   read  change  write
T   t1    t2      t1
SV  x     x       x
AT  r     w       w
END
P=$SRC/tests/programs/livelock/polite.c
for flag in _Atomic volatile; do
	t_ok "polite, $flag: the program builds" "$FORERUN" cc -g -O1 -pthread -DFLAG=$flag "$P" -o polite
	t_status "polite, $flag: found" 1 "$FORERUN" run $(order "$P") --kinds pattern --pattern lost.pattern -o \
		polite$flag.d ./polite
	t_eq "polite, $flag: a hang" "confirmed hang" \
		"$(json polite$flag.d '[f["verdict"] + " " + f["harm"] for f in j["findings"]
		if f["kind"] == "failure"][0]')"
	t_says "polite, $flag: replayed" 1 'failure happened: .*polls' "$FORERUN" replay \
		"polite$flag.d/$(json polite$flag.d '[f["id"] for f in j["findings"] if f["kind"] == "failure"][0]')"
	t_ok "polite, $flag: the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED -DFLAG=$flag "$P" -o polite.fixed
	"$FORERUN" run $(order "$P") --kinds pattern --pattern lost.pattern -o fixed$flag.d \
		./polite.fixed >/dev/null 2>&1
	t_eq "polite, $flag: the twin does not hang" "[]" \
		"$(json fixed$flag.d '[f["id"] for f in j["findings"] if f["harm"] not in (None, "none seen")]')"
done
t_done
