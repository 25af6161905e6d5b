#!/bin/sh
# The small programs of prediction: it is confirmed, with the harm that it does.
. "$(dirname "$0")/../lib.sh"
. "$HERE/confirm_programs.sh"
cd "$T" || exit 99
TIER=sliced
confirm_programs predict
t_done
