#!/bin/sh
# Outputs and run folders: forerun follows no symbolic link of another user, replaces no device or FIFO, and makes
# private files. Two tools on one folder take turns.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
umask 022
"$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/files/sum.c" -o sum || exit 99
mode() { stat -c %a "$@" | sort -u | tr '\n' ' ' | sed 's/ $//'; }
is_json() { json "$1" 'j["findings"]' >/dev/null; }
# run ARGS...: the whole way, quietly
run() { timeout 60 "$FORERUN" run --order creation "$@" -- ./sum </dev/null >out 2>err; }

# ---- --json FILE ----
run -o j1 --json plain.json
t_eq "a new file: status" 1 $?
t_ok "a new file: is JSON" is_json plain.json
t_eq "a new file: the mode is the umask's" 644 "$(mode plain.json)"
t_eq "no temporary file stays" "" "$(ls -A | grep tmp)"
echo old >kept.json && chmod 640 kept.json && ln kept.json other-name
run -o j2 --json kept.json
t_ok "an old file: is replaced" is_json kept.json
t_eq "an old file: keeps its mode" 640 "$(mode kept.json)"
t_eq "an old file: its hard link keeps the old content" old "$(cat other-name)"
mkdir sub && ln -s sub/target.json mine.json
run -o j3 --json mine.json
t_ok "a link of mine: its target is written" is_json sub/target.json
t_ok "... and the link stays" test -L mine.json
ln -s loop-b loop-a && ln -s loop-a loop-b
run -o j4 --json loop-a
t_eq "links in a circle: status" 3 $?
t_ok "links in a circle: message" grep -q "cannot write 'loop-a'" err
run -o j5 --json sub
t_eq "a folder: status" 3 $?
t_ok "a folder: message" grep -q "cannot write 'sub': Is a directory" err
run -o j6 --json nowhere/x.json
t_eq "no such folder: status" 3 $?
t_ok "no such folder: message" grep -q "cannot write 'nowhere/x.json': folder 'nowhere' does not exist" err
t_ok "the findings are in the run folder" is_json j6/findings.json
ln -s /proc/self/fd/1 std-out # like /dev/stdout
timeout 60 "$FORERUN" run --order creation -o j7 --json std-out -- ./sum </dev/null >out 2>err
t_eq "standard output into a file: status" 1 $?
t_ok "standard output into a file: behind the text" sh -c \
	'grep -q "^1. data race" out && grep -q "\"findings\": \[" out'
timeout 60 "$FORERUN" run --order creation -o j8 --json /proc/self/fd/1 -- ./sum </dev/null 2>err | cat >out
t_ok "standard output into a pipe" grep -q '"findings": \[' out
mkfifo fifo
timeout 60 cat fifo >from-fifo &
run -o j9 --json fifo
t_eq "a FIFO: status" 1 $?
wait $!
t_ok "a FIFO: the reader gets it" is_json from-fifo
t_ok "a FIFO: stays one" test -p fifo
[ "$(id -u)" = 0 ] && mknod full c 1 7 2>/dev/null
if [ -c full ] && sh -c 'echo x >full' 2>&1 | grep -q 'No space'; then # nodev would deny it
	run -o j10 --json full
	t_eq "a full device: status" 3 $?
	t_ok "a full device: message" grep -q "cannot write 'full': No space left on device" err
	t_ok "a full device: stays one" test -c full
	mknod null c 1 3
	run -o j11 --json null
	t_eq "a null device: status" 1 $?
	t_ok "a null device: stays one" test -c null
else
	t_skip "a full device" "cannot make devices here"
fi
# Never as root: a forerun that is broken would take the machine's own device away.
if [ "$(id -u)" != 0 ]; then
	run -o j12 --json /dev/full
	t_eq "/dev/full: status" 3 $?
	t_ok "/dev/full: message" grep -q "cannot write '/dev/full': No space left on device" err
fi

# A full disk leaves the earlier file as it was.
cat >in-full.sh <<'END'
mount -t tmpfs -o size=64k tmpfs disk || exit 77
echo good >disk/good.json
cat /dev/zero >disk/fill 2>/dev/null
timeout 60 "$FORERUN" run --order creation -o onfull --json disk/good.json -- ./sum </dev/null >out 2>err
echo "$? $(cat disk/good.json) $(ls -A disk | tr '\n' ' ')" >full.got
END
mkdir disk
if unshare -m sh in-full.sh 2>/dev/null; then
	t_eq "a full disk: status, the earlier file, nothing beside it" "3 good fill good.json " "$(cat full.got)"
	t_ok "a full disk: message" grep -q "cannot .*'disk/good.json'.*: No space left on device" err
else
	t_skip "a full disk" "cannot mount a file system here"
fi

# Links of others, in a folder where everybody may write.
echo precious >victim
mkdir shared && chmod 1777 shared
ln -s ../victim shared/out.json
ln -s ../sub shared/dir
if [ "$(id -u)" = 0 ] && chown -h 65534:65534 shared/out.json shared/dir; then
	run -o j13 --json shared/out.json
	t_eq "a link of another user: status" 3 $?
	t_ok "a link of another user: message" grep -q "'out.json' is a symbolic link of another user (65534)" err
	t_eq "a link of another user: its target is unchanged" precious "$(cat victim)"
	run -o j14 --json shared/dir/new.json
	t_eq "a link of another user on the way: status" 3 $?
	t_fail "a link of another user on the way: nothing is written" test -e sub/new.json
	run -o shared/dir/run
	t_eq "-o through such a link: status" 3 $?
	t_fail "-o through such a link: no folder is created" test -e sub/run
	echo theirs >shared/theirs.json && ln victim shared/hard.json && chown 65534 shared/theirs.json
	run -o j15 --json shared/hard.json
	t_eq "a hard link to a file: the other name is unchanged" precious "$(cat victim)"
	mkdir squat squat/forerun.d && chown 65534 squat/forerun.d
	(cd squat && timeout 60 "$FORERUN" record ../sum </dev/null >../out 2>../err)
	t_eq "forerun.d of another user: status" 3 $?
	t_ok "forerun.d of another user: message" grep -q \
		"'forerun.d' belongs to another user (65534) (choose another with -o DIR" err
	t_eq "forerun.d of another user: stays empty" "" "$(ls squat/forerun.d)"
	mkdir squat2 && ln -s ../sub squat2/forerun.d && chown -h 65534 squat2/forerun.d
	(cd squat2 && timeout 60 "$FORERUN" record ../sum </dev/null >../out 2>../err)
	t_eq "forerun.d is a link of another user: status" 3 $?
else
	t_skip "links of another user" "cannot give files away here"
fi
ln -s sub/elsewhere link-o
t_says "-o where a link is" 2 "'link-o' exists already" "$FORERUN" record -o link-o ./sum
t_fail "-o where a link is: no folder is created" test -e sub/elsewhere
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	mkdir -m 755 ro && mkdir -m 777 work && chmod 711 .
	echo good >ro/r.json && chmod 666 ro/r.json
	(cd work && timeout 60 setpriv --reuid 65534 --clear-groups "$FORERUN" run -o j --json ../ro/r.json -- \
		../sum </dev/null >../out 2>../err)
	t_eq "a folder that may not be written: status" 3 $?
	t_ok "a folder that may not be written: message" grep -q \
		"cannot create a file beside '../ro/r.json': Permission denied" err
	t_eq "a folder that may not be written: the file is unchanged" good "$(cat ro/r.json)"
	t_eq "another user: the folder is private to him" "700 65534" "$(stat -c '%a %u' work/j)"
else
	t_skip "a folder that may not be written" "everything may be written here"
fi

# ---- private ----
for mask in 000 022 077 777; do
	(umask $mask && run -o m$mask)
	t_eq "umask $mask: the run works" 1 $?
	t_eq "umask $mask: folders" 700 "$(find m$mask -type d -exec stat -c %a {} + | sort -u)"
	t_eq "umask $mask: files" 600 "$(find m$mask -type f -exec stat -c %a {} + | sort -u)"
done
(umask 0 && "$FORERUN" record --order creation -q -o deep/er/run ./sum </dev/null >/dev/null)
t_eq "folders above are private, too" 700 "$(mode deep deep/er deep/er/run)"
printf '%s\n' 'T0|w(x)|1' 'T1|w(x)|2' >t.std
(umask 0 && "$FORERUN" import t.std >/dev/null)
t_eq "import: private" "600 700" "$(find forerun.d -exec stat -c %a {} + | sort -u | tr '\n' ' ' | sed 's/ $//')"
# From the first moment: a watcher of the folder never finds a mode that is wider.
(umask 0
python3 - "$FORERUN" <<'END'
import os, subprocess, sys
wide = []
p = subprocess.Popen([sys.argv[1], "run", "--order", "creation", "-o", "watched", "--", "./sum"], stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while p.poll() is None:
    for d, _, files in os.walk("watched"):
        for name in [d] + [os.path.join(d, f) for f in files]:
            try:
                mode = os.lstat(name).st_mode & 0o777
            except OSError:
                continue
            if mode & 0o077:
                wide.append((name, oct(mode)))
print("#", wide[:5])
sys.exit(bool(wide))
END
)
t_eq "private from the first moment" 0 $?

# ... and not by a change afterwards: with a chmod that does nothing the modes are the same.
echo 'int fchmod(int fd, unsigned mode) { return fd - fd + 0 * (int)mode; }' >nochmod.c
cc -w -shared -fPIC nochmod.c -o nochmod.so &&
	(umask 0 && LD_PRELOAD="$T/nochmod.so" timeout 60 "$FORERUN" run --order creation -o created -- \
		./sum </dev/null >out 2>err)
t_eq "private when it is created" "600 700" \
	"$(find created -exec stat -c %a {} + | sort -u | tr '\n' ' ' | sed 's/ $//')"

# ---- temporary names ----
# No user can guess them: 32 random digits, others in each run.
cc -w -shared -fPIC "$SRC/tests/programs/files/log_names.c" -o log_names.so
for i in 1 2; do
	NAMES=$T/names$i LD_PRELOAD=$T/log_names.so timeout 60 "$FORERUN" run --order creation -o n$i --json n$i.json \
		-- ./sum </dev/null >out 2>err
	grep tmp names$i >temporary$i
	t_ok "temporary names: run $i has some" test -s temporary$i
	t_eq "temporary names: run $i has random ones only" "" "$(grep -vE '^\.tmp-[0-9a-f]{32}$' temporary$i)"
done
t_eq "temporary names: none is used twice" "" "$(sort temporary1 temporary2 | uniq -d)"

# ---- links and FIFOs inside of a run folder ----
run -o made
mkdir keep && echo x >keep/schedule && echo y >keep/schedule.2
for f in run.json trace sites memory stdout findings.json 1/schedule origin; do
	for c in "predict" "report" "dump" "dump --model" "confirm --trust" "replay --trust"; do
		what="$f is a link, $c"
		rm -rf bad && cp -r made bad && rm bad/$f && ln -s "$T/victim" bad/$f
		place=bad
		[ "$c" = "replay --trust" ] && place=bad/1
		echo precious >victim
		timeout 60 "$FORERUN" $c $place </dev/null >out 2>err
		s=$?
		[ $s -lt 4 ] && [ "$(cat victim)" = precious ] && ! grep -q precious out err || t_miss "$what: $s"
	done
done
t_pass "no link inside of a folder is followed"
mkdir outside
for f in run.json trace sites memory findings.json; do # the very file, elsewhere
	rm -rf bad && cp -r made bad && mv bad/$f outside/$f && ln -s ../outside/$f bad/$f
	c=dump && [ $f = findings.json ] && c=report
	t_says "$f is a link to a good file" 3 "'bad/$f' leads through a symbolic link" "$FORERUN" $c bad
done
rm -rf bad && cp -r made bad && rm bad/1/schedule && ln -s "$T/victim" bad/1/schedule
t_says "a schedule that is a link" 3 "'bad/1/schedule' leads through a symbolic link" "$FORERUN" replay --trust bad/1
rm -rf bad && cp -r made bad && rm -r bad/1 && ln -s "$T/keep" bad/1
t_says "a finding's folder that is a link" 3 "leads through a symbolic link" "$FORERUN" replay --trust bad/1
t_says "... predict" 3 "leads through a symbolic link" "$FORERUN" predict bad
rm -rf bad && cp -r made bad && ln -s "$T/keep" bad/99
t_ok "predict works after the finding has disappeared" "$FORERUN" predict bad
t_eq "... and removes nothing behind the link" "schedule schedule.2" "$(echo $(ls keep))"
for f in run.json trace sites findings.json 1/schedule; do
	for c in report dump "confirm --trust" "replay --trust"; do
		rm -rf bad && cp -r made bad && rm bad/$f && mkfifo bad/$f
		place=bad
		[ "$c" = "replay --trust" ] && place=bad/1
		timeout 60 "$FORERUN" $c $place </dev/null >out 2>err
		[ $? -lt 4 ] && [ -p bad/$f ] || t_miss "$f is a FIFO, $c"
	done
done
t_pass "a FIFO inside of a folder neither hangs us nor is replaced"
rm -rf bad && cp -r made bad && rm bad/findings.json && mkfifo bad/findings.json
timeout 60 "$FORERUN" predict bad >out 2>err </dev/null
t_eq "predict does not replace a FIFO: status" 3 $?
t_ok "predict does not replace a FIFO" test -p bad/findings.json
for s in ../../victim /etc/passwd 1/../../victim 1/schedule/../../../victim ''; do
	rm -rf bad && cp -r made bad
	json_edit bad 'j["findings"][0]["schedule"] = "'"$s"'"'
	t_says "a schedule named '$s'" 3 "bad/findings.json" "$FORERUN" replay --trust bad/1
done

# ---- two tools, one folder ----
# Parallel runs never get the same number.
mkdir par && cd par || exit 99
for i in 1 2 3 4 5 6 7 8; do "$FORERUN" record -q ../sum </dev/null >/dev/null 2>err.$i & done
wait
cd ..
t_eq "eight runs at once have eight folders" "sum.1 sum.2 sum.3 sum.4 sum.5 sum.6 sum.7 sum.8" \
	"$(echo $(ls par/forerun.d))"
t_eq "... without a message" "" "$(cat par/err.*)"
run -o both
bad=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	timeout 100 "$FORERUN" predict both </dev/null >p.out 2>p.err & a=$!
	timeout 100 "$FORERUN" confirm both </dev/null >c.out 2>c.err & b=$!
	timeout 100 "$FORERUN" predict --quiet both </dev/null >q.out 2>q.err & c=$!
	timeout 100 "$FORERUN" report --fail-on never both </dev/null >r.out 2>r.err & d=$!
	timeout 100 "$FORERUN" replay both/1 </dev/null >y.out 2>y.err & e=$!
	wait $a || bad="$bad predict:$?"
	wait $b; [ $? = 1 ] || bad="$bad confirm"
	wait $c || bad="$bad predict2:$?"
	wait $d || bad="$bad report:$?:$(cat r.err)"
	wait $e; [ $? = 1 ] || bad="$bad replay:$(cat y.err)"
	is_json both/findings.json || bad="$bad unreadable"
done
t_eq "fifteen rounds of five tools at once: each does its work, findings.json is whole" "" "$bad"
t_eq "no temporary file is left" "" "$(ls -A both | grep tmp)"

# The second tool waits for the first, says for whom, and goes on when that is gone, however it ended.
python3 - "$FORERUN" <<'END' >out 2>&1
import fcntl, os, signal, subprocess, sys, time
locked, tell = os.pipe()
pid = os.fork()
if pid == 0:
    fcntl.flock(os.open("both", os.O_RDONLY), fcntl.LOCK_EX)
    os.write(tell, b"x")
    time.sleep(600)
os.read(locked, 1)
p = subprocess.Popen([sys.argv[1], "predict", "--quiet", "both"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
line = p.stderr.readline().decode()
print(line, p.poll())
assert line == "forerun: waiting for process %d, which is using 'both'\n" % pid and p.poll() is None
os.kill(pid, signal.SIGKILL)
os.wait()
rest = p.stderr.read().decode()
assert p.wait() == 0, rest
END
s=$?
t_eq "a tool waits for the lock, and continues when its owner is killed" 0 $s
[ $s = 0 ] || sed 's/^/# /' out
# The program that is recorded does not have the lock: it may outlive its recorder.
cat >look.c <<'END'
#include <dirent.h>
#include <stdio.h>
int main(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	printf("%d\n", n - 3); /* . .. and this one */
	return 0;
}
END
"$FORERUN" cc -O1 look.c -o look
./look <look.c >native 2>&1
"$FORERUN" record -q -o look.run ./look <look.c >recorded 2>err
t_eq "the program has no descriptor of the folder" "$(cat native)" "$(cat recorded)"
"$FORERUN" replay look.run >replayed 2>err </dev/null
t_eq "a re-executed program has no descriptor of forerun" "$(cat native)" "$(cat replayed)"
./look <look.c 7<look.c >native
"$FORERUN" record -q -o seven.run ./look <look.c 7<look.c >recorded
t_eq "the program has the descriptors that it was started with" "$(cat native)" "$(cat recorded)"
# Temporary files of a tool that was killed are swept away by the next that writes.
echo x >both/.tmp-0123456789abcdef0123456789abcdef
echo x >both/.tmp-mine
"$FORERUN" predict --quiet both 2>/dev/null
t_eq "temporary files of a killed tool are removed, and nothing else" ".tmp-mine" "$(ls -A both | grep tmp)"
t_done
