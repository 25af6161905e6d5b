#!/bin/sh
# forerun refutes schedules, made by hand, that the program cannot follow. The message names the expected and the actual
# event, the thread and the place. No execution hangs, and no finding is confirmed.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cp "$SRC/tests/programs/infeasible/p.c" p.c
at() { echo "p.c:$(line "$1" p.c)"; }

t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread p.c -o p
t_ok "the program is recorded" "$FORERUN" record -q --order creation -o r ./p
t_ok "predict succeeds" "$FORERUN" predict r
t_ok "predict writes the schedule of a finding" test -s r/1/schedule

# refuted DESC SENTENCE: a replay of the schedule in the file `lines` leaves it, and the message has this sentence.
refuted()
{
	python3 "$SRC/tests/schedule.py" "$FORERUN" r <lines >made || { t_miss "$1: schedule"; return; }
	cp made r/1/by-hand
	timeout 60 "$FORERUN" replay r/1/by-hand >out 2>err </dev/null
	t_eq "$1: status" 0 "$?"
	t_eq "$1: the message" "forerun: the program left the schedule: $2" "$(sed 1d err)"
}

# A possible schedule. Each schedule below differs from it in one part, which makes it impossible.
cat >good <<'END'
kind data-race
meeting either-order
turn 0 {0:thread-create:2}
turn 0.1 {0.1:mutex-unlock:1}
turn 0.2 {0.2:mutex-unlock:1}
expect 0.1 {0.1:mutex-lock:1} mutex-lock {0.1:mutex-lock:1!}
expect 0.2 {0.2:read:1} read {0.2:read:1!} 0x1
target 0.1 {0.1:write:2} write {0.1:write:2!} first 1
target 0.2 {0.2:write:1} write {0.2:write:1!} second 1
END
change() { sed "$@" good >lines; }
happens() { # happens DESC: the schedule in `good` does
	change ''
	python3 "$SRC/tests/schedule.py" "$FORERUN" r <lines >made && cp made r/1/by-hand
	t_status "$1" 1 timeout 60 "$FORERUN" replay r/1/by-hand
}

happens "a schedule that can be followed"
# Events of a finding on the way to its targets: in their order, and of the memory that they share.
cp good plain
sed '/^target 0.1/i\
event 0.1 {0.1:write:1} write {0.1:write:1!} event 2\
event 0.2 {0.2:read:1} read {0.2:read:1!} event 2' plain >good
happens "events on the way"
sed '/^target 0.1/i\
event 0.2 {0.2:read:1} read {0.2:read:1!} event 2\
event 0.1 {0.1:write:1} write {0.1:write:1!} event 2' plain >lines
refuted "events in the other order" "thread 0.1 was too late with write at $(at x1) in first()"
sed '/^target 0.1/i\
event 0.1 {0.1:write:1} write {0.1:write:1!} event 1' plain >lines
refuted "an event of other memory" "thread 0.1 does write of \`y\` at $(at \
	y1) in first(), expected: the memory of thread 0.1, which does write of \`x\` at $(at x1) in first()"
cp plain good

change 's/^turn 0.1 .*/turn 0.1 {0.1:mutex-lock:1}/'
refuted "a lock taken twice" \
	"thread 0.2 has to wait for \`m\`, which thread 0.1 holds, at $(at \
	lock2) in second(), but the schedule expects it to continue"
change 's/^turn 0 .*/turn 0 {0:thread-create:1}/; s/^turn 0.2 .*/turn 0.2 5/'
refuted "a thread before its creation" "thread 0.2 must run, but does not exist yet"
change '3i turn 0.1 2'
refuted "a thread before main" "thread 0.1 must run, but does not exist yet"
change "s/^turn 0.1 .*/turn 0.3 5\n&/"
refuted "a thread that is never created" "thread 0.3 must run, but does not exist yet"
change 's/0x1$/0x5/'
refuted "a changed value" "thread 0.2 reads 1 at $(at x2) in second(), expected: 5"
change -e '/^turn 0.1/{h;d};/^turn 0.2/G'
refuted "a value that no thread has written yet" "thread 0.2 reads 0 at $(at x2) in second(), expected: 1"
change 's/^expect 0.1 .*/expect 0.1 {0.1:mutex-lock:1} write {0.1:write:1!}/'
refuted "another kind" \
	"thread 0.1 does mutex-lock at $(at lock1) in first(), expected: write at $(at x1) in first()"
change 's/^expect 0.1 .*/expect 0.1 {0.1:mutex-lock:1} mutex-lock {0.1:mutex-lock:2!}/'
refuted "another place" \
	"thread 0.1 does mutex-lock at $(at lock1) in first(), expected: mutex-lock at $(at a1) in first()"
change 's/^expect 0.1 .*/expect 0.1 {0.1:mutex-lock:1} mutex-lock 4000000/'
refuted "a place that the program does not have" \
	"thread 0.1 does mutex-lock at $(at lock1) in first(), expected: mutex-lock at an unknown source line"
change '/^turn 0.2/a turn 0.1 1000'
refuted "turns beyond the end of a thread" "thread 0.1 must reach its hook 1000, but the thread ended too early"
change '/^turn 0.2/a turn 0.1 {0.1:thread-exit:1}\nturn 0.2 {0.2:thread-exit:1}\nturn 0 1000
	s/^target 0.2 .*/target 0 1001 read 1 second 1/'
refuted "turns beyond the end of the program" \
	"the program ended with status 0 before the end of the schedule: thread 0 had yet to reach its hook 1000"
change '/^turn 0.2/a turn 0 {0:thread-join:1}
	s/^target 0.2 .*/target 0 {0:thread-join:2} thread-join {0:thread-join:2!} second 1/'
refuted "the end of a thread that has not ended" \
	"thread 0 has to wait for the end of thread 0.1 at $(at \
	join1) in main(), but the schedule expects it to continue"
change '/^turn 0.2/a turn 0.2 {0.2:sem-wait:1}
	s/^target 0.2.*/target 0.2 {0.2:mutex-lock:2} mutex-lock {0.2:mutex-lock:2!} second 0/'
refuted "a semaphore that no thread has posted" \
	"thread 0.2 has to wait for \`s\` at $(at wait) in second(), but the schedule expects it to continue"
change '/^turn 0.2/a turn 0.1 {0.1:write:3}
	s/^target 0.1 .*/target 0.1 5 write {0.1:write:2!} first 1/'
refuted "a target that is past" \
	"thread 0.1 is past its target, write at $(at y1) in first(): 6 of its hooks have happened, expected: 4"
change 's/^turn 0.1 .*/turn 0.1 1/; s/0x1$/0x0/; s/^target 0.1 .*/target 0.1 5 write {0.1:write:2!} first 1/'
refuted "a target that is not the next thing" \
	"thread 0.1 is not at its target, write at $(at y1) in first(): 1 of its hooks have happened, expected: 4"
change 's/^target 0.1 .*/target 0.1 {0.1:write:2} write {0.1:write:3!} first 1/'
refuted "a target at another place" \
	"thread 0.1 does write at $(at y1) in first(), expected: write at $(at z1) in first()"
change 's/^turn 0.1 .*/turn 0.1 {0.1:write:2}/; s/^target 0.1 .*/target 0.1 {0.1:write:3} write {0.1:write:3!} first 1/'
refuted "accesses to different memory" \
	"thread 0.2 does write of \`y\` at $(at \
	y2) in second(), expected: the memory of thread 0.1, which does write of \`z\` at $(at z1) in first()"

cat >good <<'END'
kind deadlock
meeting cycle
turn 0 {0:thread-create:2}
turn 0.1 {0.1:mutex-lock:2}
turn 0.2 {0.2:mutex-lock:2}
target 0.1 {0.1:mutex-lock:3} mutex-lock {0.1:mutex-lock:3!} first 0
target 0.2 {0.2:mutex-lock:3} mutex-lock {0.2:mutex-lock:3!} second 0
END
happens "a feasible deadlock"
change '/^turn 0.2/a turn 0.1 {0.1:mutex-lock:3}'
refuted "a deadlock: a lock that the other has" \
	"thread 0.1 has to wait for \`b\`, which thread 0.2 holds, at $(at \
	b1) in first(), but the schedule expects it to continue"
change 's/^turn 0.2.*/turn 0.2 {0.2:mutex-lock:2-1}/
	s/^target 0.2 .*/target 0.2 {0.2:mutex-lock:2} mutex-lock {0.2:mutex-lock:2!} second 0/'
refuted "a deadlock whose locks are free" \
	"thread 0.1 does mutex-lock at $(at b1) in first() and continues, expected: it waits there for ever"
change 's/^target 0.1 .*/target 0.1 {0.1:mutex-lock:3} mutex-lock {0.1:mutex-lock:2!} first 0/'
refuted "a deadlock at another place" \
	"thread 0.1 does mutex-lock at $(at b1) in first(), expected: mutex-lock at $(at a1) in first()"

# The same through confirm: a verdict with its reason, and the recorded run can be repeated, so it counts.
change 's/^turn 0.2.*/turn 0.2 {0.2:mutex-lock:2-1}/
	s/^target 0.2 .*/target 0.2 {0.2:mutex-lock:2} mutex-lock {0.2:mutex-lock:2!} second 0/'
python3 "$SRC/tests/schedule.py" "$FORERUN" r <lines >made && cp made r/1/schedule
t_ok "confirm: nothing is confirmed" "$FORERUN" confirm --only 1 r
t_eq "confirm: refuted, and why" \
	"refuted: thread 0.1 does mutex-lock at $(at b1) in first() and continues, expected: it waits there for ever" \
	"$(json r 'next(x["verdict"] + ": " + str(x.get("detail")) for x in f if x["id"] == 1)')"
# A schedule that was edited into that of another bug, or of none, proves nothing.
cp r/1/schedule kept
sed '/^end /d; s/^kind .*/kind data-race/' kept >lines
python3 "$SRC/tests/schedule.py" --seal lines && cp lines r/1/schedule
t_says "another kind of bug" 3 "'r/1/schedule' is a schedule of another bug: data-race, not deadlock" \
	"$FORERUN" replay r/1
t_status "another kind of bug: not confirmed" 3 "$FORERUN" confirm --only 1 r
sed '/^end /d; /^target 0.2 /d' kept >lines
python3 "$SRC/tests/schedule.py" --seal lines && cp lines r/1/schedule
t_says "a schedule with one target less" 3 "it has 1 events, not 2" "$FORERUN" replay r/1
sed '/^end /d; /^target /d' kept >lines
python3 "$SRC/tests/schedule.py" --seal lines && cp lines r/1/schedule
t_says "no target" 3 "there is no target" "$FORERUN" replay r/1
t_done
