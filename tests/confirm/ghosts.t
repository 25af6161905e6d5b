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

# recorded_with RUN PEERS -- PROGRAM ARGS [--until-idle]: records the program while its peers act; the output goes to
# RUN.out. Peers other than clients act first.
recorded_with()
{
	run=$1 peers=$2 idle=
	shift 3
	for last; do :; done
	[ "$last" = --until-idle ] && idle=--until-idle
	rm -rf "$run" sock peers.out
	# shellcheck disable=SC2086
	python3 "$HERE/peers.py" $peers >peers.out 2>&1 &
	other=$!
	case $peers in
	server* | datagrams* | fifo*) until [ -s peers.out ]; do sleep 0.05; done ;;
	esac
	# shellcheck disable=SC2086
	timeout 60 "$FORERUN" record -q $idle -o "$run" -- "$@" >"$run.out" 2>"$run.err" </dev/null
	t_status=$?
	wait $other && [ $t_status -eq 0 ]
}

# tried RUN: findings, and the verdicts of those that were tried
outcomes() { json "$1" 'sorted(set(x["verdict"] + ":" + str(x["harm"]) for x in f))'; }

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
	t_eq "$1: confirmed" "['confirmed:output']" "$(outcomes "$1.d")"
	"$FORERUN" predict "$1.twin" >/dev/null 2>&1
	"$FORERUN" confirm "$1.twin" >out 2>err
	t_eq "$1: nothing in the twin" "[]" "$(outcomes "$1.twin")"
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

# A service that SIGTERM ends: --for, --until-idle, or kill.
"$FORERUN" record -q --for 1 -o for.d ./server epoll "$port" 0 >out 2>err </dev/null
t_eq "--for: the service ends, and prints what it prints at its end" "0 served 0" "$? $(cat out)"
t_ok "--for: repeated" again for.d out 1
t_ok "--until-idle: recorded" recorded_with idle.d "clients $port 2 2" -- ./server epoll "$port" 0 --until-idle
t_eq "--until-idle: it served its clients" "served 4" "$(cat idle.d.out)"
t_ok "--until-idle: repeated" again idle.d idle.d.out 1

# ---- clients ----
build client
# how: name, peers, mode, address
while read -r name peers mode address; do
	peers=$(echo "$peers" | tr , ' ')
	rm -f sock sock.from
	t_ok "$name: recorded" recorded_with "$name.d" "$peers" -- ./client "$mode" "$address"
	rm -f sock sock.from
	t_ok "$name: twin recorded" recorded_with "$name.twin" "$peers" -- ./client.fixed "$mode" "$address"
	rm -f sock sock.from
	proved "$name"
done <<-END
	tcp server,$port,2,2 stream $port
	unix server,sock,2,2 stream sock
	nonblocking server,$port,2,2 wait $port
	udp datagrams,$port,4 datagram $port
	questions questions,$port,4 serve $port
	local questions,sock,4 serve sock
	fifo fifo,fifo,4 fifo fifo
END

# ---- what cannot be played ----
# Half of the file is lost: forerun says so once, and calls nothing refuted.
size=$(stat -c %s tcp.d/peers)
truncate -s $((size / 2 / 8 * 8)) tcp.d/peers
"$FORERUN" confirm --outside-limit 0.2 tcp.d >out 2>err </dev/null
t_eq "lost: forerun says so once, and nothing is refuted" "1 0" \
	"$(grep -c 'cannot simulate the clients and servers' err) $(json tcp.d 'len([x for x in f if x["verdict"] == "refuted"])')"
# Another process has the port: the box has its own.
python3 -c 'import socket, sys, time
s = socket.socket()
s.bind(("127.0.0.1", int(sys.argv[1])))
s.listen()
print("taken", flush=True)
time.sleep(60)' "$port" >taken &
other=$!
until [ -s taken ]; do sleep 0.05; done
t_ok "a port that is taken: repeated" again poll.d poll.d.out 1
kill $other
t_done
