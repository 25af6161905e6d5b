#!/bin/sh
# Boxes: each re-execution finds the files as they were before the recorded run, and changes nothing outside of it.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/box
if ! boxes; then
	t_skip "boxes" "this machine allows no namespaces"
	t_done
fi
for v in "" -DFIXED; do
	t_ok "the program builds${v:+ with $v}" "$FORERUN" cc -g -O1 -Wall -Wno-unused-result -pthread $v \
		"$P/files.c" -o "files$v"
done

# world FOLDER: the files that the program finds
world()
{
	rm -rf "$1"
	mkdir -p "$1/sub"
	echo old >"$1/log"
	echo setting >"$1/config"
	echo precious >"$1/gone"
	echo goes >"$1/moved"
	echo within >"$1/sub/in"
	echo long >"$1/short"
	ln -s log "$1/link"
}
state() { (cd "$1" && find . ! -type d -exec ls -ln --time-style=full-iso {} + -exec sh -c \
	'for f; do [ -p "$f" ] || cat "$f"; done' sh {} + 2>&1); }

# ---- the recorded run has its effects, the re-executions have none ----
world w
"$FORERUN" record --order creation -o r ./files w >first 2>err </dev/null
t_eq "the recorded run: status" 0 "$?"
t_eq "the recorded run has its effects" "changed old no no a yes" \
	"$(cat w/config) $(head -1 w/log) $([ -e w/gone ] || echo no) $([ -e w/sub ] ||
	echo no) $(cat w/made/a) $([ -p w/pipe ] && echo yes)"
state w >before
"$FORERUN" predict r >out 2>err
"$FORERUN" confirm -j 4 r >out 2>err
t_eq "the bug is confirmed" "1 True" "$? $(json r 'any(x["subject"] == "total"
	for x in c) and all(x["verdict"] == "confirmed" for x in f)')"
t_eq "boxes were used, side by side" "True False" \
	"$(json r 'r["control"]["box"], r["control"]["serial"]' | tr -d '(),')"
state w >after
t_ok "no file of the user has changed" cmp before after
"$FORERUN" replay r >again 2>err
t_eq "the recorded run is repeated" 0 "$?"
t_ok "... with the same output, which shows the files" cmp first again
state w >after
t_ok "no file of the user has changed by the replay" cmp before after
"$FORERUN" replay r/1 >out 2>err
t_eq "a finding is replayed" 1 "$?"
for i in 1 2 3 4 5 6 7 8; do "$FORERUN" replay r/1 >"out$i" 2>&1 & done
bad=0
for i in 1 2 3 4 5 6 7 8; do wait || :; cmp -s out1 "out$i" || bad=$((bad + 1)); done
t_eq "eight at once agree" 0 "$bad"
t_eq "the machine's mounts stay as they are" 0 "$(grep -c "$PWD" /proc/self/mountinfo)"

# ---- the correct twin ----
world w
"$FORERUN" run --order creation -o twin ./files-DFIXED w >out 2>err </dev/null
t_eq "the twin: nothing is found" "0 0" "$? $(json twin 'len(c)')"

# ---- the world changes after the recording ----
world w
"$FORERUN" record --order creation -o later ./files w >first 2>err </dev/null
echo something else >w/log
rm -rf w/made
echo in the way >w/made
"$FORERUN" predict later >out 2>err
"$FORERUN" confirm later >out 2>err
t_eq "files that the run changed may change later" "1 True" \
	"$? $(json later 'all(x["verdict"] == "confirmed" for x in f)')"
t_eq "... and stay as they are" "something else|in the way" "$(cat w/log)|$(cat w/made)"

# ---- damaged and hostile lists ----
cp -r later cut
truncate -s -3 cut/kept
"$FORERUN" confirm --trust cut >out 2>err
t_eq "an entry that is cut off is ignored" True "$([ $? -lt 3 ] && echo True)"
cp -r later bad
printf '0 0 0 9999 /etc/passwd\n' >bad/kept
"$FORERUN" confirm --trust bad >out 2>err
t_ok "a damaged list: the message names the file" grep -q "run without a box.*kept' is damaged at byte 0" err
cp -r later evil
printf '0 0 0 4 /etc\n0 0 0 %d %s\n' "$(printf %s "$PWD/w" | wc -c)" "$PWD/w" >evil/kept
"$FORERUN" confirm --trust evil >out 2>err
t_ok "a hostile list removes nothing" test -f /etc/passwd -a -f w/log
cp -r later link
rm link/kept.1
ln -s /etc/passwd link/kept.1
"$FORERUN" confirm --trust link >out 2>err
t_ok "a copy that is a symbolic link is refused" grep -q "run without a box" err

# ---- without root ----
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
	mkdir open
	cp files open/
	world open/w
	chown -R nobody:"$(id -gn nobody)" open
	chmod 755 . open
	as_nobody() { setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"; }
	if as_nobody test -x "$FORERUN" && as_nobody test -x open/files; then
		(cd open && as_nobody "$FORERUN" run --order creation -o r ./files w >out 2>err </dev/null)
		t_eq "without root: confirmed in a box" "1 True True" \
			"$? $(json open/r 'r["control"]["box"], all(x["verdict"] == "confirmed" for x in f)' | tr -d \
			'(),')"
	else
		t_skip "without root" "other users cannot reach the build"
	fi
fi

# ---- when forerun is killed ----
world w
"$FORERUN" replay r/1 >out 2>&1 &
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
t_eq "killed: no mount is left" 0 "$(grep -c "$PWD" /proc/self/mountinfo)"
t_done
