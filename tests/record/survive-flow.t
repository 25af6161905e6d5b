#!/bin/sh
# Control flow that is not call and return: signals, cancellation, jumps, exceptions, ends of threads.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"

if sv_build signal; then
	for i in 1 2; do
		sv_same signal
		sv_reads signal
	done
	sv_has signal "handlers on several threads are there" 'signal-begin' 100
	sv_has signal "the writes of the handlers are there" 'write .*handled_last' 50
	sv_has signal "their atomics are there" 'atomic-rmw .*handled' 50
	# Handlers that come while the thread waits for the recorder may find no room: then it says so.
	if grep -q 'lost in signal handlers' "$T/signal.got.err"; then
		t_ok "signal: losses are counted" grep -q '"lost_signal"' "$T/signal.run/run.json"
	else
		t_eq "signal: each handler that began has ended" "$(grep -c 'signal-begin' "$T/signal.dump")" \
			"$(grep -c 'signal-end' "$T/signal.dump")"
	fi
fi

if sv_build cancel; then
	sv_same cancel
	sv_reads cancel
	sv_has cancel "the cancellations are there" 'thread-cancel' 5
	sv_has cancel "every thread's exit is there" 'thread-exit' 5
	sv_has cancel "the cancelled wait is there" 'cond-wait.*cancel'
fi

# The last thread runs the exit handlers and the destructors; it is the only one without an exit event.
last_thread()
{
	sv_reads main_exits
	sv_json main_exits complete true
	sv_has main_exits "$1: the exit handler's work is there" 'write .*shared_count.* = 1000[0-9]{6}.* shared_add'
	sv_has main_exits "$1: the destructor's work is there" 'write .*shared_count.* = 2000[0-9]{6}.* shared_add'
	"$FORERUN" dump --merged "$T/main_exits.run" >"$T/main_exits.merged" 2>&1
	"$FORERUN" dump --stacks "$T/main_exits.run" >"$T/main_exits.stacks" 2>&1
	t_eq "main_exits, $1: the stack is the handler's" "shared_add at_the_end" \
		"$(python3 "$HERE/dump_check.py" stack 'write .*shared_count.* = 1000[0-9]{6}' "$T/main_exits.stacks")"
	t_ok "main_exits, $1: order" awk -f "$HERE/order.awk" "$T/main_exits.merged"
	t_eq "main_exits, $1: all but the last exited" "$2" "$(grep -c ' thread-exit ' "$T/main_exits.dump")"
}
for how in "" -static; do
	sv_build main_exits $how || continue
	sv_same main_exits other
	sv_has main_exits "the events after main's exit are there" 'mutex-lock' 1001
	sv_has main_exits "main's exit is there, and its join" 'thread-(exit|join)' 2
	last_thread "another thread is the last$how" 1
	sv_same main_exits main
	last_thread "main is the last$how" 4
	for i in 1 2 3; do
		sv_same main_exits
		last_thread "either thread can be the last, $i$how" 4
	done
done

if sv_build detached; then
	for i in 1 2 3; do
		sv_same detached
		sv_reads detached
	done
	sv_json detached exit 5
	sv_has detached "the detach is there" 'thread-detach'
	sv_has detached "a thread was still waiting" 'pending.*cond-wait' 2
	sv_has detached "the exit handler's work is there" 'write .*shared_count.* = 1[0-9]{9}'
fi

# After all the jumps, a landmark is written from exactly main > main_body > after_all.
if sv_build longjmp; then
	sv_same longjmp
	sv_reads longjmp
	sv_has longjmp "the work before the jumps is there" 'mutex-lock' 1000
	"$FORERUN" dump --stacks "$T/longjmp.run" >"$T/longjmp.dump" 2>&1
	stack=$(python3 "$HERE/dump_check.py" stack 'write .*landmark' "$T/longjmp.dump")
	t_eq "longjmp: the stack afterwards is right" "after_all main_body main" "$stack"
fi

if sv_build exceptions; then
	sv_same exceptions
	sv_reads exceptions
	"$FORERUN" dump --stacks "$T/exceptions.run" >"$T/exceptions.dump" 2>&1
	stack=$(python3 "$HERE/dump_check.py" stack 'write .*landmark' "$T/exceptions.dump")
	t_eq "exceptions: the stack afterwards is right" "after_all main" "$stack"
	sv_has exceptions "the abandoned initialiser is there" 'once-end'
	sv_has exceptions "destructors' writes are there" 'write .*unwound' 100
fi

if sv_build many_threads; then
	if "$T/many_threads" 2000 >/dev/null 2>&1; then
		sv_same many_threads 2000
		sv_reads many_threads
		sv_has many_threads "all are there" 'thread-create' 4000
		sv_has many_threads "all ended" 'thread-exit' 4000
		sv_has many_threads "all passed the barrier" 'barrier-leave' 2000
	else
		t_skip "2,000 threads" "this machine does not allow as many"
	fi
fi

t_done
