#!/bin/sh
# Ctrl-C during `forerun run` keeps everything recorded, predicted and confirmed so far.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

python3 "$HERE/many.py" 30 1000 >many.c && "$FORERUN" cc -g -O1 -pthread many.c -o many || exit 99
# interrupt LOG COUNT AWAITED RUN: interrupts `forerun run`; its output is in out and err
interrupt()
{
	python3 "$HERE/interrupt.py" "$1" "$2" "$3" sh -c 'exec "$@" >out' sh "$FORERUN" run --order 0+,1,0 --kinds \
		data-race --time-limit 1000 -o "$4" ./many >err
}
count() { json "$1" "sum(x['verdict'] == '$2' for x in f)"; }

# ---- prediction ----
interrupt oracle 10 'p.run/findings.json="interrupted"' p.run
t_eq "prediction: status" 130 $?
t_eq "prediction: the message names the saved findings" \
	"forerun: interrupted: the findings so far (9) are saved in 'p.run'" \
	"$(grep '^forerun: interrupted' err)"
t_ok "prediction: the count says that it is not finished" grep -q \
	'^forerun: predicted 9 bugs out of 30 candidates in .*; not finished: interrupted$' err
t_eq "prediction: nothing is confirmed" 0 "$(grep -c '^forerun: confirmed' err)"
t_eq "prediction: the findings are saved" "9 False interrupted" \
	"$(json p.run '"%d %s %s" % (len(f), j["summary"]["complete"], j["summary"]["reason"])')"
t_ok "prediction: the report says so" sh -c '"$1" report --all p.run | grep -q "^not finished: interrupted"' sh \
	"$FORERUN"
t_eq "prediction: the recording is complete" True "$(json p.run/run.json 'j["complete"]')"
t_status "prediction: the findings so far can be confirmed" 1 "$FORERUN" confirm p.run
t_eq "prediction: each of them is confirmed" 9 "$(count p.run confirmed)"
t_ok "prediction: a new prediction finds the rest" "$FORERUN" predict -q --kinds data-race p.run
t_eq "prediction: all are found" 30 "$(json p.run 'len(f)')"

# ---- confirmation ----
interrupt confirm 10 "" c.run
t_eq "confirmation: status" 130 $?
t_eq "confirmation: the message names the saved verdicts" \
	"forerun: interrupted: the verdicts so far are saved in 'c.run'" \
	"$(grep '^forerun: interrupted' err)"
done=$(count c.run confirmed)
t_eq "confirmation: all findings are kept" "30 True" "$(json c.run '"%d %s" % (len(f), j["summary"]["complete"])')"
t_ok "confirmation: some are confirmed" test "$done" -gt 0
t_ok "confirmation: some are not tried" test "$(count c.run predicted)" -gt 0
t_eq "confirmation: the count says so" "forerun: confirmed $done of 30 findings in  s (0 refuted, 0 unknown, $((30 - done)) not tried)" \
	"$(sed -n '/^forerun: confirmed/s/in [0-9.]* s/in  s/p' err)"
t_eq "confirmation: the confirmed findings are reported" "$done" "$(grep -cE '^[0-9]+\. data race' out)"
t_status "confirmation: a second one completes the verdicts" 1 "$FORERUN" confirm c.run
t_eq "confirmation: each is confirmed" 30 "$(count c.run confirmed)"
t_done
