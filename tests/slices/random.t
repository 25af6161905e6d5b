#!/bin/sh
# Random threaded programs at -O0 to -O3: no prediction of the tiers sync, precise and sliced is refuted. FILES: files
# of COUNT programs; SEED: the first.
. "$(dirname "$0")/../lib.sh"
python3 "$HERE/slice_soak.py" "$FORERUN" "$T/r" "${SEED:-1}" "${FILES:-4}" "${COUNT:-25}" >"$T/out" 2>&1
t_eq "no sound prediction is refuted" 0 $?
sed 's/^#* */# /' "$T/out"
t_ok "sliced predictions were confirmed" grep -q '^# sliced confirmed' "$T/out"
t_done
