#!/bin/sh
# A program leaves its schedule but still reaches the places of the finding: forerun confirms the finding on another
# path, and replays it exactly (REPLAYS times). An impossible finding stays refuted, with the read that sent the
# program elsewhere. A failure on that path is a finding.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/place
cd "$T" || exit 99
order='--order creation'
: "${REPLAYS:=100}"

# other NAME KIND SUBJECT HARM OPTION...: confirmed on another path, and not by the hooks of the schedule; the twin is
# silent
other()
{
	n=$1
	kind=$2
	subject=$3
	harm=$4
	shift 4
	t_ok "$n: the program builds" "$FORERUN" cc -g -pthread "$@" "$P/${n%%-*}.c" -o "$n"
	"$FORERUN" run $order -o "$n.d" "./$n" >"$n.out" 2>"$n.err"
	t_eq "$n: status" 1 $?
	t_ok "$n: recorded without the bug" recorded "$n.err"
	id=$(json "$n.d/findings.json" '[f["id"] for f in j["findings"]
		if f["kind"] == "'$kind'" and f["subject"] == "'"$subject"'" and f["other_path"]][0]')
	t_eq "$n: confirmed with harm" "confirmed $harm" \
		"$(json "$n.d/findings.json" '["%s %s" % (f["verdict"], f["harm"]) for f in j["findings"]
		if f["id"] == '$id'][0]')"
	t_ok "$n: the report says so" grep -q \
		'^[0-9]*\. '"$(echo $kind | tr - ' ')"' on `'"$subject"'` — confirmed on another path' "$n.out"
	t_ok "$n: the new schedule is saved" grep -qE '^(leaves |meeting harm$)' "$n.d/$id/schedule"
	t_eq "$n: each replay shows it" "$REPLAYS" \
		"$(i=0; while [ $i -lt "$REPLAYS" ]; do i=$((i + 1)); "$FORERUN" replay "$n.d/$id" >out 2>err; echo \
		$?; done | grep -c '^1$')"
	t_status "$n: a second confirmation too" 1 "$FORERUN" confirm "$n.d"
	# A new prediction numbers the findings anew.
	places='sorted([e["line"], e["column"]] for e in f["events"])'
	at=$(json "$n.d/findings.json" '['"$places"' for f in j["findings"] if f["id"] == '$id'][0]')
	"$FORERUN" predict --tier hybrid "$n.d" >/dev/null 2>&1
	"$FORERUN" confirm --exact "$n.d" >/dev/null 2>&1
	t_eq "$n: not by hooks" refuted "$(json "$n.d/findings.json" '[f["verdict"] for f in j["findings"]
		if f["kind"] == "'$kind'" and '"$places"' == '"$at"'][0]')"
	t_ok "$n.fixed: the program builds" "$FORERUN" cc -g -pthread -DFIXED "$@" "$P/${n%%-*}.c" -o "$n.fixed"
	t_status "$n.fixed: silent" 0 "$FORERUN" run $order -o "$n.fixed.d" "./$n.fixed"
}
other digits atomicity-violation hits assert -O1
other node atomicity-violation head assert -O0
other waits atomicity-violation total assert -O1
other waits-less atomicity-violation total assert -O0 -DLESS
other waits-poll atomicity-violation total assert -O1 -DPOLL
other waits-poll-less atomicity-violation total assert -O2 -DPOLL -DLESS
other late atomicity-violation progress assert -O1
other locks deadlock 'left, right' hang -O1

# ---- impossible findings ----
t_ok "elsewhere: the program builds" "$FORERUN" cc -g -O0 -pthread "$P/elsewhere.c" -o elsewhere
t_status "elsewhere: nothing is confirmed" 0 "$FORERUN" run $order -o elsewhere.d ./elsewhere
t_eq "elsewhere: refuted" "refuted False" \
	"$(json elsewhere.d/findings.json '"%s %s" % (j["findings"][0]["verdict"], j["findings"][0]["other_path"])')"
t_ok "elsewhere: the variable, the column and the values" sh -c \
	'grep -q "thread 0.2 reads 0 from .full. at [^ ]*elsewhere.c:[0-9]*:[0-9]* in look(), but 1 in the recorded run; then " elsewhere.d/findings.json'

# ---- a failure on that way ----
t_ok "failure: the program builds" "$FORERUN" cc -g -O0 -pthread -DASSERT "$P/elsewhere.c" -o failure
# The order of the two accesses would be a finding too, and explain the failure.
t_status "failure: found" 1 "$FORERUN" run $order --kinds atomic-set-violation -o failure.d ./failure
t_eq "failure: a finding of its own" "failure confirmed assert, atomic-set-violation refuted None" \
	"$(json failure.d/findings.json '", ".join("%s %s %s" % (f["kind"], f["verdict"], f["harm"])
	for f in j["findings"])')"
id=$(json failure.d/findings.json '[f["id"] for f in j["findings"] if f["kind"] == "failure"][0]')
t_ok "failure: its place" grep -q '"detail": *"[^"]*elsewhere.c:[0-9]*: Assertion' failure.d/findings.json
t_says "failure: replayed" 1 'failure happened: .*Assertion' "$FORERUN" replay failure.d/$id
t_says "failure: still there in the same program" 1 'failure happened: .*Assertion' "$FORERUN" replay --expect fixed \
	failure.d/$id
if command -v gdb >/dev/null; then
	t_status "failure: under gdb" 1 sh -c 'echo where | "$1" replay --gdb failure.d/$2 >gdb.out 2>&1' sh \
		"$FORERUN" $id
	t_ok "failure: gdb stops where the program fails" grep -q 'look (p=' gdb.out
fi
cp failure recorded
t_ok "failure: rebuilt with other code before it" "$FORERUN" cc -g -O0 -pthread -DASSERT -Dnumber=amount \
	"$P/elsewhere.c" -o failure
# The new run predicts all kinds: another finding leads to the same failure.
t_says "failure: still there" 1 "still there: order-violation on .full., now at [^ ]*elsewhere.c:[0-9]+ in look" \
	"$FORERUN" replay --expect fixed failure.d/$id
t_ok "failure: repaired" "$FORERUN" cc -g -O0 -pthread "$P/elsewhere.c" -o failure
t_says "failure: fixed" 0 "fixed: " "$FORERUN" replay --expect fixed failure.d/$id
cp recorded failure
t_status "failure: a second confirmation" 1 "$FORERUN" confirm failure.d
t_eq "failure: still one" 1 "$(json failure.d/findings.json 'sum(f["kind"] == "failure" for f in j["findings"])')"
for f in text json; do
	t_ok "failure: a report as $f" sh -c '"$1" report --format $2 failure.d >out.$2; [ $? -le 1 ]' sh "$FORERUN" $f
done
t_ok "hang: the program builds" "$FORERUN" cc -g -O0 -pthread -DWAIT "$P/elsewhere.c" -o hang
t_status "hang: found" 1 "$FORERUN" run $order --kinds atomic-set-violation -o hang.d ./hang
t_eq "hang: a finding of its own, in the thread that waits" "failure confirmed hang 0.2" \
	"$(json hang.d/findings.json '" ".join(str(x) for x in [j["findings"][0][k]
	for k in ("kind", "verdict", "harm")] + [j["findings"][0]["events"][0]["path"]])')"
t_says "hang: replayed" 1 'failure happened: .*waits for a signal' "$FORERUN" replay \
	"hang.d/$(json hang.d/findings.json '[f["id"] for f in j["findings"] if f["kind"] == "failure"][0]')"

# ---- two calls of a function ----
for variant in UNUSED:unknown BUGGY:confirmed; do
	t_ok "calls, ${variant%:*}: the program builds" "$FORERUN" cc -g -O1 -pthread -D${variant%:*} \
		"$P/calls.c" -o calls
	rm -rf calls.d
	"$FORERUN" run --order creation --atomic step --kinds atomicity-violation -o calls.d ./calls >calls.out 2>&1
	t_eq "calls, ${variant%:*}: a region is in one call" "${variant#*:}" \
		"$(json calls.d '" ".join(x["verdict"] for x in f if x["region"] == "named function"
		and x["subject"] == "value")')"
done

# ---- random programs ----
found=0
for seed in ${SEEDS:-4 5 8 10 13 17}; do
	python3 "$SRC/tests/confirm/place_random.py" $seed >r.c || t_miss "seed $seed: written"
	"$FORERUN" cc -g -O1 -w -pthread r.c -o r && "$FORERUN" cc -g -O1 -w -pthread -DFIXED r.c -o r.fixed || t_miss \
		"seed $seed: built"
	rm -rf r.d f.d
	"$FORERUN" run $order -o r.d ./r >out 2>err
	found=$((found + $(json r.d/findings.json 'sum(f["verdict"] == "confirmed" and w["other_path"]
		for f in j["findings"] for w in [f] + f["interleavings"])')))
	for s in $(json r.d/findings.json '" ".join(w["schedule"] for f in j["findings"] for w in [f]
		+ f["interleavings"] if w["verdict"] == "confirmed" and (w["other_path"]
			or f["kind"] == "failure"))'); do
		"$FORERUN" replay "r.d/$s" >out 2>err
		[ $? -eq 1 ] || t_miss "seed $seed: replay of $s"
	done
	t_status "seed $seed: the twin is silent" 0 "$FORERUN" run $order -o f.d ./r.fixed
done
t_ok "random programs: some on another path" [ $found -gt 3 ]
t_done
