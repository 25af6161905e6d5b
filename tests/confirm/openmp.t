#!/bin/sh
# Programs of OpenMP: a race of a parallel loop is confirmed and replayed, and its correct twin is silent.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/openmp/sum.c
if ! echo 'int main(void) { return 0; }' | "$FORERUN" cc -fopenmp -x c - -o probe 2>log || ! ./probe; then
	t_skip "OpenMP" "its library (libomp-19-dev) is not installed"
	t_done
fi
t_ok "the program builds" "$FORERUN" cc -g -O1 -fopenmp "$P" -o sum
t_status "a bug is found" 1 "$FORERUN" run -o sum.d ./sum
t_eq "the finding is the race" "[('data-race', 'sum')]" \
	"$(json sum.d 'sorted({(x["kind"], x["subject"]) for x in c if not x["folded"]})')"
t_status "it is replayed" 1 "$FORERUN" replay sum.d/1
t_ok "the twin builds" "$FORERUN" cc -g -O1 -fopenmp -DFIXED "$P" -o twin
t_status "the twin is silent" 0 "$FORERUN" run -o twin.d ./twin
t_eq "the twin ends well" 0 "$(json twin.d 'r["exit"]')"
t_done
