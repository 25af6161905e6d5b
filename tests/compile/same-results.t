#!/bin/sh
# Random programs compute the same natively, instrumented, recorded and replayed (tests/compile/differ.py). PROGRAMS:
# their number; FIRST: the first; EACH: the number of ways for each.
. "$(dirname "$0")/../lib.sh"

: "${PROGRAMS:=12}" "${FIRST:=0}" "${EACH:=3}"
A=$SRC/tests/programs/abi
C=$SRC/tests/programs/cc/corpus
t_ok "$PROGRAMS random programs in $EACH ways each" \
	python3 "$HERE/differ.py" "$FORERUN" "$T" "$FIRST" "$PROGRAMS" "$EACH"
t_ok 'the programs of the corpus' python3 "$HERE/differ.py" "$FORERUN" "$T" "$C/flow.c" "$C/types.c" "$A/started.c" \
	"$A/conventions.c" "$A/formats.c" "$A/stacks.c"
t_fail 'a difference is found' python3 "$HERE/differ.py" "$FORERUN" "$T" "$A/differs.c"
t_done
