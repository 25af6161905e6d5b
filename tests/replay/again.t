#!/bin/sh
# All sorts of findings, replayed again and again: with a loaded machine, on one core, under gdb. Every replay is the
# same. REPLAYS: their number (5; `make soak-replay`: 100).
. "$(dirname "$0")/../lib.sh"
: "${REPLAYS:=5}"
P=$SRC/tests/programs
cd "$T" || exit 99

# Deadlocks of two and three; on the way to the targets: semaphores, conditions, barriers, rwlocks, a spin lock,
# atomics; C++: std::thread, std::shared_mutex, std::async; 64 threads; standard input; time, random numbers and process
# ids; heap addresses that differ.
for n in predict/abba.c predict/sem.c predict/cond.c predict/barrier.c predict/rwlock.c predict/scoped.cpp \
	predict/thread.cpp \
	confirm/stations.c confirm/slots.c confirm/config.cpp confirm/fetch.cpp confirm/crowd.c confirm/lookup.c \
	confirm/session.c \
	confirm/arena.c; do
	d=$(basename "${n%.*}")
	if ! "$FORERUN" "$(compiler "$n")" -g -O1 -pthread "$P/$n" -o "$d" >"$d.log" 2>&1; then
		t_miss "$d: the program builds"
		sed 's/^/# /' "$d.log"
		continue
	fi
	seq 1 5 | "$FORERUN" run $(order "$P/$n") --kinds data-race,deadlock --tier precise -o "$d.d" \
		"./$d" >"$d.out" 2>&1
	t_eq "$d: confirmed" 1 "$?"
	for way in load one-core gdb; do
		times=$REPLAYS
		if [ $way = gdb ]; then
			command -v gdb >/dev/null || { t_skip "$d: gdb" "there is no gdb"; continue; }
			times=$(((REPLAYS + 1) / 2)) # it takes long
		fi
		t_ok "$d: every replay is the same, $way" python3 "$HERE/replay_again.py" "$FORERUN" "$d.d/1" \
			"$times" $way "$d.first"
	done
done
t_done
