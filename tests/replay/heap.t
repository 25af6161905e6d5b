#!/bin/sh
# Heap objects have other addresses in every run; schedules identify them by their allocation. Of other values, schedules
# only know that they are addresses.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cp "$SRC/tests/programs/heap/list.c" list.c
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread list.c -o list
for i in 1 2 3 4; do
	"$FORERUN" record -q --order creation -o "rec$i" ./list >/dev/null
	"$FORERUN" dump --kind alloc "rec$i" | sed -n 's/.*\(0x5[0-9a-f]*\).*list.c:19.*/\1/p' | head -1 >"addr$i"
done
t_ok "the program prints an address" test -s addr1
t_ok "the address differs between runs" test "$(cat addr* | sort -u | wc -l)" -gt 1
for i in 1 2 3; do
	"$FORERUN" run --order creation -o "run$i" ./list >"out$i" 2>&1
	t_eq "run $i: a bug is confirmed" 1 "$?"
	t_ok "run $i: the schedule has addresses" grep -q '^expect .* read .* 0x5' "run$i/1/schedule"
	"$FORERUN" replay "run$i/1" >/dev/null 2>&1
	t_eq "run $i: replayed" 1 "$?"
	t_ok "run $i: the recorded run is repeated" "$FORERUN" replay "run$i"
done

# So do the stacks of threads, and the memory above them: handles of threads, and thread-local memory, here more than
# one page.
cp "$SRC/tests/programs/heap/stacks.c" stacks.c
t_ok "stacks: the program builds" "$FORERUN" cc -g -O1 -pthread stacks.c -o stacks
t_ok "stacks: recorded" "$FORERUN" record -q --order creation -o stacks.d ./stacks
for i in 1 2 3; do
	t_ok "stacks: the recorded run is repeated, $i" "$FORERUN" replay stacks.d
done
t_done
