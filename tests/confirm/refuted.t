#!/bin/sh
# Interleavings that forerun refutes do not happen in random orders of the program either. REFUTED: programs, as shell
# patterns (default: a few); RUNS: random orders of each; JOBS: programs at a time; FLAGS: for the compiler.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
: "${REFUTED:=predict/equal.c predict/flag.c predict/reset.c confirm/drain.c atomicity/pbunzip.c}"
set -f
for p in $REFUTED; do
	set +f
	grep -l 'main(' "$SRC"/tests/programs/$p
done >list
exec python3 "$HERE/refuted.py" "$FORERUN" "${RUNS:-4}" "${JOBS:-2}" "${FLAGS:--O1}" $(cat list)
