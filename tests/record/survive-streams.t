#!/bin/sh
# Standard streams: forerun copies any amount of data, and the program does not notice.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"

if sv_build input; then
	head -c 300000 /bin/sh >"$T/data"
	head -c 300000 /dev/zero >>"$T/data"
	sv_in=$T/data
	sv_same input
	sv_reads input
	t_ok "input from a file is kept" cmp "$T/data" "$T/input.run/stdin"
	sv_same input 1000
	sv_in=/dev/null
	rm -rf "$T/input.run"
	cat "$T/data" | "$FORERUN" record -o "$T/input.run" -- "$T/input.fr" >"$T/out" 2>"$T/err"
	t_eq "input from a pipe reaches the program" "$("$T/input" <"$T/data")" "$(cat "$T/out")"
	t_ok "input from a pipe is kept" cmp "$T/data" "$T/input.run/stdin"
	# A writer that never ends: the program's end is the end.
	rm -rf "$T/input.run"
	yes | timeout 60 "$FORERUN" record -o "$T/input.run" -- "$T/input.fr" 5000 >"$T/out" 2>"$T/err"
	t_eq "endless input: the program ends" 0 $?
	t_eq "endless input: the output is the same" "$(yes | "$T/input" 5000)" "$(cat "$T/out")"
	rm -rf "$T/input.run"
	mkfifo "$T/fifo"
	sleep 600 >"$T/fifo" &
	sleeper=$!
	timeout 60 "$FORERUN" record -o "$T/input.run" -- "$T/input.fr" 0 <"$T/fifo" >"$T/out" 2>"$T/err"
	t_eq "silent input: the program ends without waiting for it" 0 $?
	kill $sleeper
	rm -rf "$T/input.run"
	"$FORERUN" record -o "$T/input.run" -- "$T/input.fr" <&- >"$T/out" 2>"$T/err"
	t_eq "closed input: status" 0 $?
	t_eq "closed input: output" "0 bytes, sum 0" "$(cat "$T/out")"
fi

if sv_build output; then
	sv_same output 48
	t_ok "error output is the same" cmp "$T/output.want.err" "$T/output.got.err"
	sv_reads output
	t_ok "output is kept" cmp "$T/output.want" "$T/output.run/stdout"
	t_ok "error output is kept" cmp "$T/output.want.err" "$T/output.run/stderr"
	# The reader has ended: the program gets SIGPIPE as without forerun.
	rm -rf "$T/output.run"
	{ "$T/output" 16 2>/dev/null; echo $? >"$T/want"; } | head -1 >/dev/null
	{ timeout 120 "$FORERUN" record -o "$T/output.run" -- "$T/output.fr" 16 2>/dev/null; echo $? >"$T/got"; } |
		head -1 >/dev/null
	t_eq "output into a closed pipe: the same status" "$(cat "$T/want")" "$(cat "$T/got")"
	sv_reads output
fi

# The recorder is killed in the middle: all output arrives, the input too, and the program ends as it would.
if sv_build outlive && cd "$T"; then
	python3 "$HERE/orphan.py" native "$T/outlive" >"$T/want" && mv orphan.err want.err
	t_eq "outlive: ends with" "status 7" "$(tail -1 "$T/want")"
	python3 "$HERE/orphan.py" pipe "$FORERUN" record -o "$T/outlive.run" --option pool_blocks=8 -- \
		"$T/outlive.fr" >"$T/got"
	t_ok "recorder killed: the same output and status" cmp "$T/want" "$T/got"
	t_ok "recorder killed: the same error output" cmp want.err orphan.err
	sv_reads outlive
	sv_has outlive "the recorded events are there" 'mutex-lock' 1000
	t_ok "recorder killed: the trace is marked incomplete" grep -q 'trace is incomplete' "$T/outlive.dump.err" \
		"$T/outlive.dump"
	sed 's/^before .*/before/' "$T/outlive.run/stdout" >"$T/copy"
	echo status 7 >>"$T/copy"
	t_ok "recorder killed: the copy of the output is whole" cmp "$T/want" "$T/copy"
	t_eq "recorder killed: the copy of the input" "a line" "$(cat "$T/outlive.run/stdin")"
	if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
		rm -rf "$T/outlive.run"
		python3 "$HERE/orphan.py" tty "$FORERUN" record -o "$T/outlive.run" -- "$T/outlive.fr" >"$T/got"
		# Error output and the echo of the input are in between.
		{ cat "$T/want" want.err; echo "a line"; } | sort >"$T/want.sorted"
		sort "$T/got" >"$T/got.sorted"
		t_ok "recorder killed at a terminal: the same output and status" cmp "$T/want.sorted" "$T/got.sorted"
		sv_reads outlive
	else
		t_skip "recorder killed at a terminal" "no pseudo-terminals here"
	fi
	n=0
	while ps -eo args | grep -v grep | grep -q "$T/outlive" && [ $n -lt 100 ]; do
		sleep 0.1
		n=$((n + 1))
	done
	t_fail "recorder killed: no process is left" sh -c "ps -eo args | grep -v grep | grep -q '$T/outlive'"
fi

t_done
