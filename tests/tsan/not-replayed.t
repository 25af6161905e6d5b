#!/bin/sh
# forerun records and predicts with objects of -fsanitize=thread. They cannot follow a schedule: forerun prints that, and
# refutes nothing.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
t_ok "gcc compiles" gcc -g -O1 -fsanitize=thread -c "$SRC/tests/programs/predict/hidden.c" -o hidden.o
t_ok "links" "$FORERUN" cc -pthread hidden.o -o hidden
"$FORERUN" run --all --json out.json -o run ./hidden >run.out 2>run.err
t_eq "nothing is confirmed" 0 "$?"
t_ok "the message gives the reason" grep -q "built with -fsanitize=thread and cannot follow a schedule" run.err
t_eq "it stays predicted" predicted "$(json out.json 'f[0]["verdict"]')"
t_says "replay gives the reason too" 3 "build them with 'forerun-cc'" "$FORERUN" replay run/1
t_done
