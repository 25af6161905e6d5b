#!/bin/sh
# The failure of a recorded run is a confirmed finding, the first of the report. An end caused by the user or the
# environment is no failure.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/failure
cd "$T" || exit 99

t_ok "the program builds" "$FORERUN" cc -g -O1 -w -pthread "$P/end.c" -o end

# ends NAME STATUS KINDS [OPTIONS...]: a run that ends so.
ends()
{
	e_name=$1 e_status=$2 e_kinds=$3
	shift 3
	t_status "$e_name: status" "$e_status" "$FORERUN" run -o "$e_name.run" "$@" ./end "$e_name"
	t_eq "$e_name: findings" "$e_kinds" "$(kind_harm "$e_name.run")"
}

ends crash 1 failure:crash
ends assert 1 failure:assert
ends abort 1 failure:crash
ends raise 1 failure:crash
ends pipe 0 ""
ends term 0 ""
ends killed 0 ""
ends exit 0 ""
ends fine 0 ""

t_eq "crash: the failing thread comes first, at its place" "0.1 fails $(line CRASH "$P/end.c") worker" \
	"$(json crash.run '"{0[path]} {0[role]} {0[line]} {0[function]}".format(c[0]["events"][0])')"
t_eq "crash: the lock that it holds" "lock $(line LOCK "$P/end.c")" \
	"$(json crash.run '"{0[name]} {0[line]}".format(c[0]["events"][0]["locks"][0])')"
t_eq "crash: the other thread" "0 main" "$(json crash.run '"{0[path]} {0[function]}".format(c[0]["events"][1])')"
t_eq "crash: nothing explains it" "None None True" \
	"$(json crash.run '"%s %s %s" % (c[0]["explained_by"], c[0]["schedule"], c[0]["recorded"])')"
t_eq "crash: the report begins with it" "1. failure — confirmed, the recorded run crashed" \
	"$("$FORERUN" report crash.run | head -n 1)"
t_eq "assert: the text" "$P/end.c:$(line ASSERT "$P/end.c"): Assertion \`three == 4' failed" \
	"$(json assert.run 'c[0]["detail"]')"

for step in predict confirm report; do
	t_status "crash: status of $step" 1 "$FORERUN" $step crash.run
done
t_status "crash: --fail-on never" 0 "$FORERUN" report --fail-on never crash.run
t_says "crash: the failure can be replayed" 1 "the failure of the recorded run happened again" \
	"$FORERUN" replay crash.run/1
t_says "assert: the failure can be replayed" 1 "the failure of the recorded run happened again" \
	"$FORERUN" replay assert.run/1

for option in --gdb "--expect fixed"; do
	t_says "crash: $option needs a schedule" 2 "need a finding with a schedule" "$FORERUN" replay $option \
		crash.run/1
done

# Without symbols, no place is known.
echo 'int main(void) { *(volatile int *)0 = 1; return 0; }' >stripped.c
t_ok "stripped: the program builds" "$FORERUN" cc -O1 -w stripped.c -o stripped
strip stripped
t_status "stripped: status" 1 "$FORERUN" run -o stripped.run ./stripped
t_eq "stripped: the failing thread has neither place nor stack" "0 fails 0 []" \
	"$(json stripped.run '"{0[path]} {0[role]} {0[line]} {0[stack]}".format(c[0]["events"][0])')"
t_ok "stripped: the report says so" sh -c '"$1" report stripped.run | grep -q "fails at an unknown source line"' sh \
	"$FORERUN"
t_says "stripped: the failure can be replayed" 1 "the failure of the recorded run happened again" \
	"$FORERUN" replay stripped.run/1

# The exit status that the user expects.
rm -rf ./*.run
ends exit 1 failure:exit --expect-exit 0
t_eq "exit: the text" "exit status 3, but 0 was expected" "$(json exit.run 'c[0]["detail"]')"
ends pipe 1 failure:exit --expect-exit 0
ends fine 1 failure:exit --expect-exit 3
ends crash 1 failure:crash --expect-exit 0
rm -rf ./*.run
ends exit 0 "" --expect-exit 3
ends fine 0 "" --expect-exit 0
t_status "an impossible exit status" 2 "$FORERUN" run --expect-exit 256 ./end fine
t_status "a text instead of an exit status" 2 "$FORERUN" record --expect-exit x ./end fine

# The user ends the program, which then does not end as expected.
mkfifo said
"$FORERUN" record -o asked.run --expect-exit 0 ./end wait >said 2>asked.log &
pid=$!
read -r answer <said
kill -TERM $pid
wait $pid
t_eq "asked: the program ran" waits "$answer"
t_ok "asked: predict" "$FORERUN" predict -q asked.run
t_eq "asked: findings" "" "$(kind_harm asked.run)"

# A trace without events: only its header is left.
t_status "empty: record" 139 "$FORERUN" record -q -o empty.run ./end crash
truncate -s 56 empty.run/trace
t_status "empty: status of predict" 1 "$FORERUN" predict -q empty.run
t_eq "empty: findings" "failure:crash" "$(kind_harm empty.run)"

# Several runs: one bug.
t_status "two runs: status" 1 "$FORERUN" run -n 2 -o both --json both.json ./end crash
t_eq "two runs: one finding" "1 2" "$(json both.json '"%d %d" % (len(f), len(f[0]["runs"]))')"

# Reports of sanitizers.
for fixed in "" -DFIXED; do
	t_ok "sanitizer $fixed: the program builds" "$FORERUN" cc -g -O1 -w -fsanitize=undefined $fixed -pthread \
		"$P/report.c" -o report
	rm -rf report.run
	"$FORERUN" run -o report.run ./report >/dev/null 2>&1
	t_eq "sanitizer $fixed: findings" "$([ "$fixed" ] || echo failure:sanitizer)" "$(kind_harm report.run)"
done
t_done
