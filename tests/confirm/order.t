#!/bin/sh
# An order violation is confirmed by the failure that follows; the twin stays silent. Programs: tests/programs/order.
# PROGRAMS='a*' chooses programs, LEVELS='-O1 -O2' optimisation levels.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/order

for level in ${LEVELS:--O1}; do
	for s in "$P"/${PROGRAMS:-*}.c*; do
		n=$(basename "$s")$level
		try "$n" "$s" $level
		t_eq "$n: an order violation, and nothing else" "1 order-violation" "$status $(kinds "$n.d")"
		t_eq "$n: reported once" 1 "$(json "$n.d" 'len([x for x in c if not x["folded"]])')"
		t_ok "$n: names the failure" fails "$n.d" "$s" fails order-violation
		try "$n.fixed" "$s" "$level -DFIXED"
		t_eq "$n, fixed: silent" "0 " "$status $(kinds "$n.fixed.d")"
	done
done
t_done
