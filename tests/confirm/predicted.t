#!/bin/sh
# forerun confirms the bugs of the small programs for prediction, with their harm.
. "$(dirname "$0")/../lib.sh"
. "$HERE/confirm_programs.sh"
cd "$T" || exit 99
TIER=sliced
confirm_programs predict
t_done
