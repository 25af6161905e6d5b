#!/bin/sh
# fork, vfork, exec: the parent is recorded completely, and the other processes run as without forerun.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"

if sv_build exec; then
	for how in main thread; do
		sv_same exec $how
		sv_reads exec
		sv_json exec exit 4
		sv_has exec "the events before exec are there" 'mutex-lock' 500
		sv_has exec "the exec is there" '[^-]exec'
	done
	# The next program is instrumented too: it runs, and does not get into the trace.
	if sv_build plain; then
		sv_same exec main "$T/plain.fr"
		sv_reads exec
		sv_json exec exit 0
		t_eq "exec: the next program's threads are not in the trace" 1 \
			"$(grep -c 'thread-create' "$T/exec.dump")"
	fi
fi

if sv_build fork; then
	sv_same fork
	sv_reads fork
	sv_json fork exit 0
	sv_json fork complete true
	sv_has fork "the forks are there" '[^-]fork' 3
	sv_has fork "the events after the forks are there" 'after_fork' 200
	t_eq "fork: the children's threads are not in the parent's trace" 3 \
		"$(grep -c 'thread-create' "$T/fork.dump")"
	sv_has fork "the parent's addresses of the forking thread's own work are not the child's" 'thread-join' 3
fi

if sv_build vfork; then
	sv_same vfork
	sv_reads vfork
	sv_json vfork exit 0
	sv_json vfork complete true
	t_eq "vfork: all four pairs of threads are recorded" 4 "$(grep -c 'thread-create' "$T/vfork.dump")"
	t_eq "vfork: every lock is recorded, before and after" 800 "$(grep -c 'mutex-lock' "$T/vfork.dump")"
fi

t_done
