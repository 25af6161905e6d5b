#!/bin/sh
# Data and order that threads exchange through System V objects, signals, children, stdio, aio and futexes.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs objects
t_done
