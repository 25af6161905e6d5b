#!/bin/sh
# The races that happen in other orders of random programs, as long as the threads follow their path, are predicted; or
# --explain names the read that stands in the way. FILES: files of COUNT programs; SEED: the first; ORDERS: random orders
# of each program.
. "$(dirname "$0")/../lib.sh"
python3 "$HERE/slice_found.py" "$FORERUN" "$T/r" "${SEED:-1}" "${FILES:-4}" "${COUNT:-20}" "${ORDERS:-4}" >"$T/out" 2>&1
t_eq "no race is missing" 0 $?
sed 's/^#* */# /' "$T/out"
t_ok "races were due" grep -q ' [1-9][0-9]* due, 0 missing, ' "$T/out"
t_done
