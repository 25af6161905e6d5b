#!/bin/sh
# A ghost plays the clients and servers of the recorded run: re-executions end as the recorded run did, and its findings
# are tried. Programs: tests/programs/ghosts, peers: tests/confirm/peers.py.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/ghosts
if ! boxes; then
	t_skip "ghosts" "this machine allows no namespaces"
	t_done
	exit 0
fi
port=$(($$ % 10000 + 20000))

# recorded_with RUN PEERS -- PROGRAM ARGS: records the program while its peers act; the output goes to RUN.out.
recorded_with()
{
	run=$1 peers=$2
	shift 3
	rm -rf "$run" sock
	# shellcheck disable=SC2086
	python3 "$HERE/peers.py" $peers >peers.out 2>&1 &
	other=$!
	timeout 60 "$FORERUN" record -q -o "$run" "$@" >"$run.out" 2>"$run.err" </dev/null
	t_status=$?
	wait $other && [ $t_status -eq 0 ]
}

# tried RUN: findings, and the verdicts of those that were tried
verdicts() { json "$1" 'sorted(set(x["verdict"] + ":" + str(x["harm"]) for x in f))'; }

build()
{
	t_ok "$1: the program builds" "$FORERUN" cc -g -Wall -Wextra -pthread "$P/$1.c" -o "$1"
	t_ok "$1: the twin builds" "$FORERUN" cc -g -Wall -Wextra -pthread -DFIXED "$P/$1.c" -o "$1.fixed"
}

# proved NAME: the run NAME.d is repeated, its race is confirmed, with other output; nothing is in the twin's NAME.twin
proved()
{
	for times in 1 2 3; do
		t_ok "$1: repeated, $times" again "$1.d" "$1.d.out" 1
	done
	"$FORERUN" predict "$1.d" >/dev/null 2>&1
	"$FORERUN" confirm -j 2 "$1.d" >out 2>err
	t_eq "$1: confirmed" "['confirmed:output']" "$(verdicts "$1.d")"
	"$FORERUN" predict "$1.twin" >/dev/null 2>&1
	"$FORERUN" confirm "$1.twin" >out 2>err
	t_eq "$1: nothing in the twin" "[]" "$(verdicts "$1.twin")"
	t_ok "$1: the twin is repeated" again "$1.twin" "$1.twin.out" 1
}

# ---- servers ----
build server
for how in "threads $port" "stdio sock" "poll $port" "select sock" "epoll @forerun-$port"; do
	# shellcheck disable=SC2086
	set -- $how
	t_ok "server $how: recorded" recorded_with "$1.d" "clients $2 3 3" -- ./server "$1" "$2" 3
	t_ok "server $how: twin recorded" recorded_with "$1.twin" "clients $2 3 3" -- ./server.fixed "$1" "$2" 3
	proved "$1"
done
t_done
