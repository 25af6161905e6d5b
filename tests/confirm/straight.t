#!/bin/sh
# In random programs without branches that depend on data, forerun confirms every prediction of every kind, and
# refutes none. SEED: the first seed (2). PROGRAMS: number of programs (1), each with SCENARIOS (24).
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cat >patterns <<'END'
pattern stale-check
E   check  change  act
T   t1     t2      t1
SV  x      x       x
AT  r      w       w

pattern crossed
E   a1  b2  b1  a2
T   t1  t2  t2  t1
SV  s1  s2  s1  s2
AT  *   *   *   *

pattern replaced
E   put  replace  look
T   a    b        c
SV  x    x        x
AT  w    w        r
END
: "${SEED:=2}" "${PROGRAMS:=1}" "${SCENARIOS:=24}"
seed=$SEED
while [ "$seed" -lt $((SEED + PROGRAMS)) ]; do
	python3 "$HERE/straight.py" "$seed" "$SCENARIOS" >straight.c
	t_ok "seed $seed: the program builds" "$FORERUN" cc -g -O1 -pthread straight.c -o straight
	: >all
	for n in $(seq 0 $((SCENARIOS - 1))); do
		rm -rf d
		"$FORERUN" run --order creation --all --pattern patterns --atomic 'u*' -o d ./straight "$n" >out 2>err
		status=$?
		[ "$status" -le 1 ] || sed "s/^/scenario $n, status $status: /" err >>all
		python3 "$HERE/straight.py" --check d/findings.json | sed "s/^[ru]/scenario $n: &/" >>all
	done
	t_eq "seed $seed: no prediction is refuted or unknown" "" "$(grep '^scenario' all)"
	cat all >>every
	seed=$((seed + 1))
done
for kind in data-race atomicity-violation atomic-set-violation deadlock order-violation null-dereference \
	use-after-free double-free lost-wakeup \
	pattern:stale-check pattern:crossed; do
	t_ok "$kind is predicted and confirmed" grep -q "^confirmed $kind " every
done
awk '$1 == "confirmed" { n[$2] += $3 } END { for (k in n) print "#", n[k], k }' every
t_done
