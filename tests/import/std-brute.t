#!/bin/sh
# import and predict against brute force over STD traces (which shares no code with forerun): known traces, then random
# ones. STD_TRACES: the number of random traces; STD_SEED: the first.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

brute() { python3 "$HERE/std_brute.py" "$FORERUN" "$T" "$@"; }

t_ok "traces from the literature" brute --known
t_ok "random traces" brute "${STD_SEED:-1}" "${STD_TRACES:-300}"
t_done
