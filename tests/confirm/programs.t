#!/bin/sh
# Each program has another kind of synchronisation before its bug: forerun confirms the bug, with its harm.
. "$(dirname "$0")/../lib.sh"
. "$HERE/confirm_programs.sh"
cd "$T" || exit 99
confirm_programs confirm
t_done
