#!/bin/sh
# Re-execution after changes: programs, folders and disks have gone or changed, a program cannot run twice, the user
# interrupts. No process that the program starts is left behind. forerun never confirms a finding by mistake.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# HOW: letters for its actions besides its race on `a`.
cp "$SRC/tests/programs/changed/p.c" p.c
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread p.c -o p

# made DIR ARGS...: recorded and predicted, one finding
made()
{
	made=$1
	shift
	"$FORERUN" record -q --order creation -o "$made" ./p "$@" >made.out 2>&1 </dev/null && "$FORERUN" predict \
		"$made" >>made.out 2>&1 &&
		[ -s "$made/1/schedule" ] || { t_miss "$made: made"; sed 's/^/# /' made.out; }
}
# verdict DIR: "confirmed -" or "predicted REASON"
verdict() { json "$1" 'f[0]["verdict"] + " " + (f[0].get("detail") or "-")'; }
made r
t_status "the unchanged program is confirmed" 1 "$FORERUN" confirm r

# ---- things that have changed ----
rm -rf r
made r
chmod -x p
if [ -x p ]; then
	t_skip "not executable" "everything can be executed here"
else
	t_says "not executable" 3 "cannot run '.*/p': Permission denied" "$FORERUN" confirm r
	t_eq "not executable: the finding" predicted "$(verdict r | cut -d' ' -f1)"
	t_says "not executable: replay" 3 "cannot run '.*/p': Permission denied" "$FORERUN" replay r/1
fi
chmod +x p
t_status "executable again" 1 "$FORERUN" confirm r
rm -rf r
made r
cp p p.kept
printf 'int main(void) { return 0; }\n' >q.c
cc q.c -o q
cat q >p
t_says "another build of the program is refused" 3 "has changed since the run was recorded" "$FORERUN" confirm r
t_eq "another build: the finding" predicted "$(verdict r | cut -d' ' -f1)"
cp p.kept p
rm -rf r.other
made r.other
cp r.other/1/schedule r/1/schedule
t_says "a schedule of another run" 3 "another run" "$FORERUN" replay r/1
"$FORERUN" confirm r >out 2>&1
t_eq "a schedule of another run: confirm" "3 predicted" "$? $(verdict r | cut -d' ' -f1)"
sed -i "s/^module [0-9a-f]*/module 00112233/" r.other/1/schedule
python3 "$SRC/tests/schedule.py" --seal r.other/1/schedule
t_says "a schedule for another build" 3 "another build" "$FORERUN" replay r.other/1

# ---- places to write to ----
on_disk() # on_disk SIZE SCRIPT: with r copied to a file system of that size at disk/
{
	unshare -m sh -c 'mount -t tmpfs -o size="$1" tmpfs disk 2>/dev/null || exit 77
		cp -r r disk/r || exit 78
		eval "$2"' sh "$1" "$2"
}
mkdir -p disk
rm -rf r
made r
on_disk 1m true >out 2>&1
if [ $? -ne 0 ]; then
	t_skip "a full disk" "cannot mount a file system here"
	t_skip "a read-only disk" "cannot mount a file system here"
else
	on_disk 1m 'dd if=/dev/zero of=disk/fill bs=4k >/dev/null 2>&1
		"$FORERUN" confirm --trust disk/r >full.out 2>full.err; echo $? >full.status
		cp disk/r/findings.json full.json; ls disk/r >full.ls'
	t_eq "a full disk: status" 3 "$(cat full.status)"
	t_ok "a full disk: a message names the file" grep -q "No space left" full.err
	t_ok "a full disk: the findings are whole" python3 -m json.tool full.json
	t_ok "a full disk: the verdict is shown" grep -q "confirmed" full.out
	t_eq "a full disk: no temporary file stays" "$(ls r)" "$(cat full.ls)"
	on_disk 1m 'mount -o remount,ro disk; "$FORERUN" confirm --trust disk/r >ro.out 2>ro.err; echo $? >ro.status
		"$FORERUN" replay --trust disk/r/1 >ro.out1 2>ro.err1; echo $? >ro.status1'
	t_eq "a read-only disk: status" 3 "$(cat ro.status)"
	t_ok "a read-only disk: a message names the file" grep -q "Read-only file system" ro.err
	t_ok "a read-only disk: the verdict is shown" grep -q "confirmed" ro.out
	t_eq "a read-only disk: replay works" 1 "$(cat ro.status1)"
fi

# ---- programs that cannot be run twice ----
echo text >input
made once r input
"$FORERUN" confirm --no-box once >out 2>err
t_eq "it deletes its input: status" 0 "$?"
t_eq "it deletes its input: the finding" \
	"unknown a file is not as it was when the run was recorded (it no longer exists), first in thread 0 at LINE in main(): 'input'" \
	"$(verdict once | sed 's/p.c:[0-9]*/LINE/')"
made port b "$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
"$FORERUN" confirm --no-box port >out 2>err
t_eq "it binds a port: status" 0 "$?"
t_eq "it binds a port: the finding" \
	"unknown a socket address is not as it was when the run was recorded (it did not exist then), first in thread 0 at LINE in taken()" \
	"$(verdict port | sed 's/p.c:[0-9]*/LINE/')"

# ---- nothing is left behind ----
there() { printf %s "$1" >mark; grep -lzxFf mark /proc/[0-9]*/cmdline 2>/dev/null; } # processes with this argument
left() { there "$1" | wc -l; }
end_left() # ends processes that the recorded run left behind; some may only just begin
{
	calm=0
	while [ $calm -lt 4 ]; do
		calm=$((calm + 1))
		for f in $(there "$1"); do
			f=${f#/proc/}
			kill -9 "${f%/cmdline}" 2>/dev/null
			calm=0
		done
		sleep 0.05
	done
}
for how in c d cdi; do
	mark=left-$how-$$
	: >go
	made $how $how $mark
	end_left $mark
	t_status "$how: confirmed" 1 "$FORERUN" confirm $how
	t_eq "$how: confirm leaves no process" 0 "$(left $mark)"
	t_status "$how: replayed" 1 "$FORERUN" replay $how/1
	t_eq "$how: replay leaves no process" 0 "$(left $mark)"
	end_left $mark
done

# Interrupted and killed while the program, which has done its job, waits for ever.
until_there() # until_there MARKER
{
	i=0
	while [ "$(left "$1")" = 0 ] && [ $i -lt 200 ]; do
		i=$((i + 1))
		sleep 0.05
	done
}
mark=wait-$$
made w iwcd $mark
end_left $mark
rm go
for what in confirm:INT:130 confirm:TERM:143 replay:INT:130 confirm:KILL:137 replay:KILL:137; do
	command=${what%%:*} signal=${what#*:}
	signal=${signal%:*}
	[ $command = replay ] && arg=w/1 || arg=w
	# A shell makes its background processes ignore interrupts.
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$FORERUN" $command -t 100 $arg >out 2>err </dev/null &
	pid=$!
	until_there $mark
	kill -$signal $pid
	wait $pid 2>/dev/null
	t_eq "$command, $signal: status" "${what##*:}" $?
	i=0
	while [ "$(left $mark)" != 0 ] && [ $i -lt 100 ]; do # a killed one cannot wait for them
		i=$((i + 1))
		sleep 0.05
	done
	t_eq "$command, $signal: no process is left" 0 "$(left $mark)"
	end_left $mark
	t_ok "$command, $signal: the findings are whole" python3 -m json.tool w/findings.json
done
: >go
t_status "the finding can be confirmed afterwards" 1 "$FORERUN" confirm w
end_left $mark
t_done
