#!/bin/sh
# The findings that `forerun run` shows have the numbers 1, 2, 3, ...; folders, JSON and later commands use the same
# numbers.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# numbers FILE: prints the numbers of the findings of a report
numbers() { grep -o '^[0-9]*\. ' "$1" | tr -d '. ' | paste -sd' '; }
# from_1 FILE: succeeds if the numbers of a report are 1, 2, 3, ... in this order, at least one
from_1()
{
	n1=$(numbers "$1")
	[ -n "$n1" ] && [ "$n1" = "$(seq "$(echo "$n1" | wc -w)" | paste -sd' ')" ] || { echo "$n1"; false; }
}

cat >check.py <<'END'
"""Do the schedules of a run folder belong to the findings that name them, and does explained_by name a better one?"""
import json, os, sys
folder = sys.argv[1]
findings = json.load(open(folder + "/findings.json"))["findings"]
assert [x["id"] for x in findings] == list(range(1, len(findings) + 1)), "numbers"
assert not [x for x in os.listdir(folder) if x.endswith(".moves")], os.listdir(folder)
for x in findings:
    for w in [x] + x.get("interleavings", []):
        assert w["schedule"].split("/")[0] == str(x["id"]), w["schedule"]
        lines = [line.split() for line in open("%s/%s" % (folder, w["schedule"]))]
        assert ["kind", x["kind"]] in lines, w["schedule"]
        steps = {(e["path"], e["hook"]) for e in w["events"]}
        missing = {(p[1], int(p[2])) for p in lines if p[0] in ("event", "target")} - steps
        assert not missing, "%s: %s" % (w["schedule"], missing)
    if x.get("explained_by"):
        by = findings[x["explained_by"] - 1]
        assert by["id"] == x["explained_by"] and by["harm"] == x["harm"] and not by["folded"], x["id"]
END

# meaning FILE: prints number, kind and places of the events of each finding
meaning()
{
	json "$1" '"\n".join("%s %s %s" % (x["id"], x["kind"], [(e["file"], e["line"], e["column"])
		for e in x["events"]])
		for x in a)'
}

for p in bank startup; do
	t_ok "$p: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/examples/$p.c" -o $p
	t_status "$p: run finds bugs" 1 "$FORERUN" run --order creation -o $p.d --json $p.json ./$p
	"$FORERUN" report $p.d >$p.txt
	t_ok "$p: the report counts from 1" from_1 $p.txt
	t_ok "$p: it names the same finding for a replay" grep -q "replay: forerun replay $p.d/1 " $p.txt
	t_eq "$p: JSON has the numbers of the report" "$(numbers $p.txt)" \
		"$(json $p.json '" ".join(str(x["id"]) for x in c if not x.get("listed_under"))')"
	t_ok "$p: folders agree with numbers" python3 check.py $p.d
	"$FORERUN" report --all $p.d >$p.all
	t_ok "$p: --all counts from 1 too" from_1 $p.all
	t_status "$p: finding 1 can be replayed" 1 "$FORERUN" replay $p.d/1
	meaning $p.d/findings.json >before
	"$FORERUN" confirm $p.d >/dev/null 2>&1
	meaning $p.d/findings.json >after
	t_ok "$p: confirm keeps the numbers" cmp before after
done
# The deposit reads what the withdrawal has not yet written, and the schedule does not need that value.
t_ok "bank: a value that the schedule does not promise is not shown" grep -q 'bank.c:[0-9]*  read balance$' bank.txt
t_ok "bank: the report shows the values of targets" grep -q '\* bank.c:[0-9]*  write balance = ' bank.txt
t_ok "bank: the test has hidden findings" test "$(numbers bank.txt | wc -w)" -lt "$(numbers bank.all | wc -w)"

"$FORERUN" run --order creation --runs 2 -o two --json two.json ./bank >two.txt 2>/dev/null
t_ok "two runs: the report counts from 1" from_1 two.txt
t_eq "two runs: JSON has the same numbers" "$(numbers two.txt)" "$(json two.json '" ".join(str(x["id"]) for x in c)')"

t_ok "predict: recorded" "$FORERUN" record -q --order creation -o p.d ./bank
"$FORERUN" predict p.d >p.txt
t_ok "predict: the findings that it shows count from 1" from_1 p.txt
"$FORERUN" confirm p.d >c.txt 2>/dev/null
t_ok "predict: confirm uses the numbers that predict has shown" grep -q "^1\. atomicity violation" c.txt
t_done
