#!/bin/sh
# What forerun refutes does not happen in random orders of the program either.
# REFUTED: which programs, as shell patterns (default: a few); RUNS: random orders of each.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
: "${REFUTED:=equal.c flag.c reset.c crowd.c drain.c index.c}"
for p in $REFUTED; do
	ls "$SRC"/tests/programs/predict/$p "$SRC"/tests/programs/confirm/$p "$SRC"/tests/programs/anomaly/$p
done 2>/dev/null >list
exec python3 "$HERE/refuted.py" "$FORERUN" "${RUNS:-4}" $(cat list)
