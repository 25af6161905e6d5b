#!/bin/sh
# Built-in kinds, written as properties, find what the generators find (`make soak-builtin` compares on whole folders).
. "$(dirname "$0")/../lib.sh"

t_ok "the properties are valid" "$FORERUN" check "$HERE/builtin.spec"
t_ok "both find the same, but for the known differences" python3 "$HERE/builtin.py" --expect "$HERE/builtin.expect" \
	predict/hidden.c predict/heap.c predict/abba.c predict/three.c predict/overlap.c predict/flag.c atomicity/bank.c
t_status "a new difference is noticed" 1 python3 "$HERE/builtin.py" --expect /dev/null predict/overlap.c
t_done
