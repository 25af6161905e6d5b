#!/bin/sh
# Events of the life of memory, of ranges that libc accesses, of signals, processes and annotations; unmodelled calls.
. "$(dirname "$0")/../lib.sh"
. "$HERE/sync.sh"

# The allocations of stdio for its buffers depend on the destination of the output.
lives() { events "$1" -k alloc -k free | grep -v 'malloc \(1024\|4096\) bytes' | sed "$2"; }

same malloc -O1
order malloc
t_eq "malloc: its events" "$(cat "$P/malloc.events")" \
	"$(lives malloc 's/ [A-Z] / /; /free/s/ [0-9]* bytes//; /realloc 40[0-9][0-9] /s/ 40[0-9][0-9] / (old) /')"
t_ok "malloc: no address lives twice" awk -v memory=1 -f "$HERE/order.awk" "$T/malloc.merged"
same own_malloc -O1
same mmap -O1
order mmap
t_eq "mmap: its events" "$(cat "$P/mmap.events")" "$(lives mmap 's/ [A-Z] / /')"

same ranges -O0 -fno-builtin
t_eq "ranges: exactly the bytes read and written" "$(cat "$P/ranges.events")" \
	"$(events ranges -k range-read -k range-write)"

same signal -O1
order signal
t_eq "signal: where handlers run" "$(cat "$P/signal.events")" "$(events signal -k signal-begin -k signal-end)"

same process -O1
t_eq "process: two forks, an exec that fails, one that does not" "fork fork exec exec" \
	"$(events process -t 0 -k fork -k exec | sed 's/^0 //; s/ process.*//' | paste -sd ' ')"

same user -O1
t_eq "user: its events" "$(cat "$P/user.events")" "$(events user -k user)"
for cc in gcc clang-19; do
	command -v $cc >/dev/null || continue
	t_ok "forerun.h: nothing is left without forerun ($cc)" \
		$cc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$SRC/include" -c "$P/header.c" -o "$T/header.o"
	t_fail "forerun.h: no call is made without forerun ($cc)" grep -q forerun_ "$T/header.o"
	t_ok "forerun.h: as C++ ($cc)" \
		$cc -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Wold-style-cast -Werror -I"$SRC/include" -c \
		"$P/header.c" -o "$T/header.o"
	t_ok "forerun.h: as C++, with forerun ($cc)" \
		$cc -x c++ -D__FORERUN__ -Wall -Wextra -Wold-style-cast -Werror -I"$SRC/include" -c "$P/header.c" -o \
		"$T/header.o"
done

same unmodelled -O1
for w in pthread_mutexattr_setpshared 'syscall(SYS_membarrier)' swapcontext; do
	t_ok "unmodelled: $w is named" grep -qF "\"$w\"" "$T/unmodelled.d/run.json"
	t_ok "unmodelled: $w is in the warning" grep -qF "$w" "$T/unmodelled.on.err"
done
t_done
