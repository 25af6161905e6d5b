#!/bin/sh
# Programs with each kind of synchronisation on the way to a bug: it is confirmed, with the harm that it does.
. "$(dirname "$0")/../lib.sh"
. "$HERE/confirm_programs.sh"
cd "$T" || exit 99
confirm_programs confirm
t_done
