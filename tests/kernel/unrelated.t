#!/bin/sh
# Kernel objects that pass nothing between the threads of a bug neither order the threads nor end a region.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/regions
cd "$T" || exit 99
# confirmed FOLDER: kind, region and harm of each confirmed finding
confirmed() { json "$1" '" ".join(x["kind"] + ":" + x["region"].replace(" ", "-") + ":" + x["harm"] for x in c)'; }
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread "$P/unrelated.c" -o bug
t_ok "the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED "$P/unrelated.c" -o twin
for sort in none pwrite write log stderr own-file own-pipe own-socket own-eventfd stat open; do
	"$FORERUN" run --order creation -o $sort.d ./bug $sort >$sort.out 2>&1
	t_eq "$sort: the bug is confirmed" "1 atomicity-violation:split-lock-regions:assert" "$? $(confirmed $sort.d)"
	t_status "$sort: the twin is silent" 0 "$FORERUN" run --order creation --fail-on predicted -o $sort.twin.d \
		./twin $sort
done
t_status "a message orders the threads: silent" 0 "$FORERUN" run --order creation --fail-on predicted -o handed.d \
	./bug handed
t_done
