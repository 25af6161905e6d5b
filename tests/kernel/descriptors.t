#!/bin/sh
# Data and order that threads exchange through descriptors: pipes, sockets, queues, counters, timers.
. "$(dirname "$0")/../lib.sh"
. "$HERE/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs descriptors
# Each counter has its own key, whatever number names it: the order is known, not only kept by the kernel.
for name in eventfd eventfd-dup eventfd-fcntl eventfd-dup2 eventfd-again eventfd-nested timerfd; do
	"$FORERUN" record -o "predicted.$name" ./descriptors.O1 $name >/dev/null 2>&1
	t_eq "$name: nothing is predicted" " 0 predicted" \
		"$("$FORERUN" predict "predicted.$name" | grep -o ' [0-9]* predicted$\| [0-9]* predicted,' | tr -d ,)"
done
t_done
