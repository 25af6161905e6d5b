#!/bin/sh
# SIGKILL at a random moment: the events before it always read back completely. Hundreds of tries.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"
: "${KILL_TRIES:=150}"

sv_build kill || t_done
mkdir "$T/dumps"

# Kills it KILL_TRIES times at moments that differ from try to try; $1: options. Leaves the dumps in $T/dumps.
try_all()
{
	rm -f "$T/dumps"/*
	bad=0 i=0 long=0
	while [ $i -lt "$KILL_TRIES" ] && [ $bad -lt 5 ]; do
		rm -rf "$T/kill.run"
		FORERUN_OPTIONS=$1 "$FORERUN" record -o "$T/kill.run" -- "$T/kill.fr" $((i * 7919 % 401)) \
			>"$T/out" 2>"$T/err" </dev/null
		status=$?
		sv_dump kill || status="$status, dump: $(head -1 "$T/kill.dump.err")"
		[ "$status" = 137 ] || {
			bad=$((bad + 1))
			echo "# try $i: status $status: $(head -1 "$T/err")"
		}
		[ "$(wc -l <"$T/kill.dump")" -gt 1000 ] && long=$((long + 1))
		mv "$T/kill.dump" "$T/dumps/$i"
		i=$((i + 1))
	done
}

try_all private=0:repeat=0
t_eq "killed $KILL_TRIES times, filters off: every prefix reads back" 0 "$bad"
t_ok "every prefix is possible, without a gap" python3 "$HERE/dump_check.py" nogap progress "$T/dumps"/*
t_ok "some of the prefixes are long" test "$long" -gt $((KILL_TRIES / 20))
try_all ""
t_eq "killed $KILL_TRIES times, filters on: every prefix reads back" 0 "$bad"
t_ok "every prefix is possible" sv_consistent "$T/dumps"/*
sv_json kill signal 9

# The recorder itself is killed: the program does not hang, and the prefix reads back from the pool.
if sv_build flood; then
	i=0 bad=0
	while [ $i -lt 3 ]; do
		rm -rf "$T/flood.run"
		"$FORERUN" record --option private=0 -o "$T/flood.run" -- \
			"$T/flood.fr" 1 >"$T/flood.got" 2>&1 </dev/null &
		recorder=$!
		n=0
		until [ "$(wc -c 2>/dev/null <"$T/flood.run/trace" || echo 0)" -gt 10000 ] || [ $n -gt 6000 ]; do
			sleep 0.01
			n=$((n + 1))
		done
		kill -KILL $recorder
		wait $recorder 2>/dev/null
		# The program, orphaned now, must come to its end by itself.
		n=0
		while ps -eo args | grep -q "^$T/flood.fr" && [ $n -lt 6000 ]; do
			sleep 0.05
			n=$((n + 1))
		done
		if [ $n -ge 6000 ]; then
			bad=$((bad + 1))
			echo "# try $i: the program hangs"
			break
		fi
		# Without a finished run.json, the folder must still be readable, or the message must name the problem.
		"$FORERUN" dump "$T/flood.run" >"$T/flood.dump" 2>"$T/flood.dump.err" || {
			bad=$((bad + 1))
			echo "# try $i: $(head -1 "$T/flood.dump.err")"
		}
		sv_consistent "$T/flood.dump" >"$T/check" || {
			bad=$((bad + 1))
			echo "# try $i: $(head -1 "$T/check")"
		}
		i=$((i + 1))
	done
	t_eq "the recorder is killed: the program ends, and the prefix reads back" 0 $bad
fi

t_done
