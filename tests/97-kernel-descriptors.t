#!/bin/sh
# Data and order that threads exchange through descriptors: pipes, sockets, queues, counters, timers.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs descriptors
t_done
