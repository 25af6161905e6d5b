#!/bin/sh
# Correct programs stay silent: forerun confirms nothing in them, at -O1 and at -O2. `make check` runs the programs
# that programs/truth/short.txt names; `make check-truth` runs all of them.
. "$(dirname "$0")/../lib.sh"
if [ -n "${TRUTH-}" ]; then
	python3 "$HERE/truth_check.py" "$T" -O1 -O2 $TRUTH
else
	python3 "$HERE/truth_check.py" "$T" -O1 -O2 $(cat "$SRC/tests/programs/truth/short.txt")
fi
