#!/bin/sh
# Correct programs stay silent: forerun confirms nothing in them. `make check` runs the programs that
# programs/truth/short.txt names, at -O2; `make check-truth` runs all of them, at -O1 and at -O2.
. "$(dirname "$0")/../lib.sh"
if [ -n "${TRUTH-}" ]; then
	python3 "$HERE/truth_check.py" "$T" -O1 -O2 $TRUTH
else
	python3 "$HERE/truth_check.py" "$T" -O2 $(cat "$SRC/tests/programs/truth/short.txt")
fi
