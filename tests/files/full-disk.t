#!/bin/sh
# The disk becomes full while findings are confirmed: no verdict is lost. If forerun can write nothing at all, the
# findings stay as they were, forerun prints the verdicts, and a message names the file.
. "$(dirname "$0")/../lib.sh"

cd "$T" || exit 99
python3 "$SRC/tests/confirm/many.py" 30 3000000 >many.c
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread many.c -o many
t_ok "recorded" "$FORERUN" record -q --order 0+,1,0 -o run ./many
"$FORERUN" predict --quiet run >/dev/null 2>&1
t_eq "predicted" "30 predicted" "$(verdicts run/findings.json)"

# In a mount name space of its own: the files to check are copied out.
cat >in-full.sh <<'E2'
when=$1
mount -t tmpfs -o size=1m tmpfs disk || exit 77
cp -r run disk/run
[ "$when" = before ] && cat /dev/zero >disk/full 2>/dev/null
"$FORERUN" confirm --trust --jobs 1 disk/run >"out.$when" 2>"err.$when" &
i=0
while [ "$when" = meanwhile ] && ! grep -q '"confirmed"' disk/run/findings.json && [ $i -lt 3000 ]; do
	sleep 0.02
	i=$((i + 1))
done
[ "$when" = meanwhile ] && cat /dev/zero >disk/full 2>/dev/null
df -k disk | tail -n 1 >"df.$when"
wait $!
echo $? >"status.$when"
cp disk/run/findings.json "findings.$when"
ls -A disk/run >"ls.$when"
E2
mkdir disk
if unshare -m mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
	unshare -m sh in-full.sh meanwhile
	t_ok "the disk is full" grep -q ' 100% ' df.meanwhile
	t_eq "full during the work: status" 1 "$(cat status.meanwhile)"
	t_eq "full during the work: every verdict is saved" "30 confirmed" "$(verdicts findings.meanwhile)"
	unshare -m sh in-full.sh before
	t_eq "full before the work: status" 3 "$(cat status.before)"
	t_ok "full before the work: a message names the file" \
		grep -q "^forerun: cannot write 'disk/run/findings.json': No space left" err.before
	t_ok "full before the work: a message says which verdicts are saved" grep -q \
		"'disk/run/findings.json' contains only the verdicts" err.before
	t_eq "full before the work: findings.json is valid" "30 predicted" "$(verdicts findings.before)"
	t_eq "full before the work: the verdicts are printed" 30 "$(grep -c '^[0-9]*\. .* confirmed' out.before)"
	t_fail "full before the work: no temporary file stays" grep -q 'tmp' ls.before
else
	t_skip "a full disk" "cannot mount a file system here"
fi

# The same by a limit on the size of files.
cp -r run limited
(ulimit -f 8; exec "$FORERUN" confirm --trust --only 1 limited >out 2>err)
t_eq "a limit on file sizes: status" 3 $?
t_ok "a limit on file sizes: the file is named" grep -q \
	"^forerun: cannot write 'limited/findings.json': File too large" err
t_eq "a limit on file sizes: the findings are whole" "30 predicted" "$(verdicts limited/findings.json)"
t_done
