#!/bin/sh
# The bugs of the test programs do not show by themselves: five runs of each here, a hundred in `make check-native`.
. "$(dirname "$0")/../lib.sh"
t_ok "fewer than one run in a hundred shows a bug" python3 "$HERE/native.py" "${RUNS:-5}" "$T"
t_done
