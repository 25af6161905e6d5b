#!/bin/sh
# Signal handlers that interrupt hooks: each hook has its own index, and the recorded runs are repeated. Several
# handlers in a row are rare, and the one place where a second signal is not followed is two instructions long: one run
# in hundreds.
. "$(dirname "$0")/../lib.sh"

cd "$T" || exit 99
for p in flag ring nested read thread; do
	for o in -O0 -O2; do
		t_ok "$p $o: the program builds" "$FORERUN" cc -g $o -pthread \
			"$SRC/tests/programs/replay/interrupt_$p.c" -o prog
		repeated=0 exact=0
		for i in 1 2; do
			rm -rf run
			"$FORERUN" record -q -o run ./prog >want 2>err || break
			"$BUILD/tests/unit/check_run" run >check && exact=$((exact + 1)) || sed 's/^/# /' check
			"$FORERUN" replay run >out 2>err || { sed 's/^/# /' err; continue; }
			cmp -s want out && repeated=$((repeated + 1))
		done
		t_eq "$p $o: each hook has its own index" 2 $exact
		t_ok "$p $o: runs are repeated, with the same output" [ $repeated -ge 1 ]
	done
done
t_done
