#!/bin/sh
# Data and order that threads exchange through files: names, contents, locks.
. "$(dirname "$0")/../lib.sh"
. "$HERE/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs files
t_done
