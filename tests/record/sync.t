#!/bin/sh
# Each synchronisation construct: the program runs as it does without forerun. The trace has the expected events, in a
# possible order.
. "$(dirname "$0")/../lib.sh"
. "$HERE/sync.sh"

for n in mutex robust rwlock cond sem; do
	same $n -O1
	order $n
	t_eq "$n: its events" "$(cat "$P/$n.events")" "$(events $n -k sync -k thread)"
done

# Any thread can be the serial one, and any thread can load the unwinder (a once of libgcc).
same barrier -O1
order barrier
t_eq "barrier: its events" "$(cat "$P/barrier.events")" "$(events barrier -k sync -k thread | sed 's/ serial//')"
t_eq "barrier: one serial thread a passage" 6 "$(events barrier -k barrier-leave | grep -c serial)"
# In c11, whether main or the detached thread is the last, which has no exit, is luck.
for n in c11 cancel tsd exit_main; do
	same $n -O1
	order $n
	t_eq "$n: its events" "$(cat "$P/$n.events")" \
		"$(events $n -k mutex-init -k mutex-lock -k mutex-unlock -k mutex-destroy -k cond-init -k cond-wait -k \
		cond-signal \
			-k cond-broadcast -k cond-destroy -k sem-init -k sem-post -k sem-wait -k thread |
			if [ $n = c11 ]; then sed -E '/^0(\.3)? thread-exit/d'; else cat; fi)"
done
t_eq "c11: all but the last exited" 3 "$(events c11 -k thread-exit | wc -l)"

same once -O1
order once
t_eq "once: the nested one, and the second try of the cancelled one" \
	"begin A begin B end B end A begin C end C" \
	"$(events once -t 0 -k once-begin -k once-end | sed 's/0 once-//' | paste -sd ' ')"
t_eq "once: a cancelled routine is abandoned" 1 "$(events once -k once-end | grep -c error)"
t_eq "once: threads that find it done" 6 "$(events once -t 0.1 -t 0.2 -t 0.3 -t 0.4 -k once-done | wc -l)"

same create -O1
order create
t_eq "create: the events of main" "$(cat "$P/create.events")" "$(events create -t 0 -k thread)"

same sem_named -O1
if grep -q skipped "$T/sem_named.want"; then
	t_skip "sem_named: its events" "no named semaphores here"
else
	t_eq "sem_named: one object however often it is opened" \
		"sem-init A count 2,sem-wait A,sem-destroy A" \
		"$(events sem_named -k sync | sed 's/^0 //' | paste -sd ,)"
fi

same many -O1
order many
t_eq "many: 2,000 threads and 10 detached" 2010 "$(events many -k thread-create | wc -l)"
t_eq "many: all that ended were joined" 2000 "$(events many -k thread-join | wc -l)"

same storm -O2
order storm
t_ok "storm: signals are recorded" grep -q 'signal-begin' "$T/storm.merged"
t_ok "storm: cancelled waits are recorded" grep -q 'cond-wait .* cancelled' "$T/storm.merged"

# Cancellation that comes in the middle of a handler, or of anything.
same interrupted -O1
order interrupted
t_eq "interrupted: the end of every thread is recorded" 20 "$(events interrupted -k thread-exit | wc -l)"
t_eq "interrupted: the cleanup of every thread is recorded" 20 "$(events interrupted -k free | grep -c '^0\.')"
t_eq "interrupted: each handler that began has ended" "$(grep -c ' signal-begin ' "$T/interrupted.merged")" \
	"$(grep -c ' signal-end ' "$T/interrupted.merged")"
t_eq "interrupted: all handlers are recorded" 16 "$(grep -c ' signal-begin ' "$T/interrupted.merged")"

same cxx -O1
order cxx
t_eq "cxx: exceptions abandon a call_once and a static" 2 "$(events cxx -k once-end | grep -c error)"
t_eq "cxx: threads" 8 "$(events cxx -k thread-create | wc -l)"
t_ok "cxx: a shared lock is a read lock" test "$(events cxx -k rwlock-rdlock | wc -l)" -eq 2
t_done
