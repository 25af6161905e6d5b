#!/bin/sh
# Addresses of stacks and of the heap are the same in every replay, whatever the machine does meanwhile.
. "$(dirname "$0")/../lib.sh"

cd "$T" || exit 99
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/inputs/heap.c" -o heap
for n in 3 40; do
	"$FORERUN" record -q -o run.$n ./heap $n >/dev/null
	"$FORERUN" replay run.$n >first 2>err
	t_eq "$n threads: is repeated" "0 $n" "$? $(grep -c '0x' first)"
	for i in 1 2 3; do
		"$FORERUN" replay run.$n >out 2>/dev/null
		t_ok "$n threads: the same addresses ($i)" cmp first out
	done
	taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" "$FORERUN" replay run.$n >out 2>/dev/null
	t_ok "$n threads: the same on one processor" cmp first out
	mkdir -p deep/er
	cp -r run.$n deep/er/another-folder.$n
	"$FORERUN" replay --trust deep/er/another-folder.$n >out 2>/dev/null
	t_ok "$n threads: the same in another folder" cmp first out
done
t_done
