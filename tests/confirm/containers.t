#!/bin/sh
# A container of C++ that threads use without a lock: the race is found although libstdc++ makes the accesses. The twin
# is silent. Programs: tests/programs/containers.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/containers

for s in "$P"/*.cpp; do
	for level in -O0 -O2; do
		n=$(basename "$s")$level
		try "$n" "$s" $level
		t_eq "$n: a race" True "$(json "$n.d" 'any(x["kind"] == "data-race" for x in c)')"
		try "$n.fixed" "$s" "$level -DFIXED"
		t_eq "$n, fixed: silent" "0 []" "$status $(found "$n.fixed.d")"
	done
done
t_done
