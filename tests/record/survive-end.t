#!/bin/sh
# The program crashes or ends abruptly: the trace contains the events before the end.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"

# A crash in a thread.
if sv_build segv; then
	sv_same segv
	sv_reads segv
	sv_json segv signal 11
	sv_json segv exit null
	sv_has segv "both threads' additions are there" 'write .*shared_count' 200
	sv_has segv "locks are there" 'mutex-lock' 1000
	sv_has segv "main was still in pthread_join" 'pending.*(join|thread)'
fi

# abort.
if sv_build abort; then
	sv_same abort
	sv_reads abort
	sv_json abort signal 6
	sv_has abort "locks are there" 'mutex-lock' 1000
fi

# _exit and its like, from a thread while the other works.
if sv_build exit_now; then
	for how in _exit _Exit quick_exit exit; do
		sv_same exit_now $how
		sv_reads exit_now
		sv_json exit_now exit 7
		sv_json exit_now complete true
		sv_has exit_now "locks are there" 'mutex-lock' 1000
	done
fi

# Ctrl-C goes to the whole process group, the recorder included. In a session of its own, so that it
# does not reach the test; SIGINT is ignored by commands that a script starts in the background.
if sv_build sigint; then
	if env --default-signal=INT true 2>/dev/null && command -v setsid >/dev/null; then
		sv_wrap="env --default-signal=INT setsid -w"
		sv_same sigint
		sv_reads sigint
		sv_json sigint signal 2
		sv_has sigint "locks are there" 'mutex-lock' 1000
		sv_same sigint handle
		sv_reads sigint
		sv_json sigint exit 3
		sv_json sigint signal null
		sv_json sigint complete true
		sv_wrap=
	else
		t_skip "sigint" "env --default-signal or setsid is not here"
	fi
fi

t_done
