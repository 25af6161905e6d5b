#!/bin/sh
# Run folders from elsewhere: forerun starts nothing from them unless the user agrees, loads no library of theirs, and
# escapes their names on the terminal. Our own folders need no question.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
export TMPDIR="$T"
"$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/files/sum.c" -o sum || exit 99
"$FORERUN" record --order creation -q -o own ./sum </dev/null >/dev/null && "$FORERUN" predict --quiet \
	own 2>/dev/null || exit 99
cat >edit.py <<'END'
# edit.py FOLDER CODE: changes run.json (as r) and puts the checksum right.
import json, sys
def crc32c(data):
    crc = 0xffffffff
    for b in data:
        crc ^= b
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc ^ 0xffffffff
path = sys.argv[1] + "/run.json"
r = json.load(open(path))
exec(sys.argv[2])
del r["checksum"]
text = json.dumps(r, indent=2)[:-2]
open(path, "w").write(text + ',\n  "checksum": "%08x"\n}\n' % crc32c(text.encode()))
END
cat >terminal.py <<'END'
# terminal.py ANSWER COMMAND...: runs it at a terminal, answers its question, prints its output.
import os, pty, re, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
out = b""
while True:
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    out += data
    if out.endswith(b"[y/N] "):
        os.write(fd, sys.argv[1].encode() + b"\n")
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
END
at_terminal() { timeout 60 python3 terminal.py "$@" >out 2>&1; }

# ---- ours ----
t_status "our own folder: replay asks nothing" 1 "$FORERUN" replay own/1
t_status "ours: by an absolute path" 1 "$FORERUN" replay "$T/own/1"
ln -s own also
t_status "ours: through a link" 1 "$FORERUN" replay also/1
t_status "ours: from another folder" 1 sh -c 'mkdir -p a/b && cd a/b && exec "$1" replay ../../own/1' sh "$FORERUN"
t_status "our own folder: confirm asks nothing" 1 "$FORERUN" confirm own
t_status "ours: without HOME" 1 env -u HOME "$FORERUN" replay own/1
t_status "ours: with another HOME" 1 env HOME=/nonexistent XDG_STATE_HOME=/nonexistent "$FORERUN" replay own/1
t_status "ours: in an empty environment" 1 env -i "$FORERUN" replay own/1
t_status "recorded without HOME" 1 env -u HOME "$FORERUN" run --order creation -o homeless ./sum
t_status "... replayed with one" 1 "$FORERUN" replay homeless/1
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 711 . && mkdir -m 777 public
	nobody() { timeout 60 setpriv --reuid 65534 --clear-groups "$@"; }
	t_status "a user without a home: run" 1 nobody "$FORERUN" run --order creation -o public/n ./sum
	t_status "a user without a home: replay" 1 nobody "$FORERUN" replay public/n/1
	t_says "root replays that folder: refused" 3 \
		"'public/n' is a foreign run folder: it belongs to another user \(65534\)" "$FORERUN" replay public/n/1
	t_fail "that user replays our folder: refused" nobody "$FORERUN" replay own/1
	cp -r own theirs && chown -R 65534 theirs
	t_says "a folder that now belongs to another user" 3 "belongs to another user" "$FORERUN" confirm theirs
	t_status "... report works without a question" 0 "$FORERUN" report --fail-on never theirs
else
	t_skip "folders of another user" "cannot become another user here"
fi

# ---- from elsewhere ----
cp -r own copied
cp -a own exact
tar cf own.tar own && mkdir unpacked && tar xf own.tar -C unpacked
for d in copied exact unpacked/own; do
	t_says "$d: replay" 3 "'$d' is a foreign run folder: it was created as '.*/own', and moved or copied here" \
		"$FORERUN" replay $d/1
	t_says "$d: confirm" 3 "not started: use --trust" "$FORERUN" confirm $d
	t_status "$d: with --trust" 1 "$FORERUN" replay --trust $d/1
	t_status "$d: predict" 0 "$FORERUN" predict $d
done
t_eq "the command is shown" "forerun:   command: $T/./sum" \
	"$("$FORERUN" replay copied/1 2>&1 </dev/null | grep command:)"
t_eq "the folder is shown" "forerun:   in folder: $T" \
	"$("$FORERUN" replay copied/1 2>&1 </dev/null | grep 'in folder:')"
t_eq "PATH is shown" "forerun:   with PATH=$PATH" "$("$FORERUN" replay copied/1 2>&1 </dev/null | grep 'with PATH')"
mv own away
t_says "a moved folder is foreign" 3 "moved or copied here" "$FORERUN" replay away/1
mv away own
t_status "a folder moved back is ours" 1 "$FORERUN" replay own/1
# In the place of ours: another folder has another birth.
mv own old && cp -a old own
t_says "a copy in the same place" 3 "copied or unpacked here, or changed" "$FORERUN" replay own/1
rm -r own && mv old own
t_status "the original folder is still ours" 1 "$FORERUN" replay own/1
cp own/run.json saved
python3 edit.py own 'r["args"] = ["-x"]'
t_says "ours, with other arguments" 3 "changed since it was created" "$FORERUN" replay own/1
cp saved own/run.json
python3 edit.py own 'r["env"].append("LD_PRELOAD=/x.so")'
t_says "ours, with another environment" 3 "changed since it was created" "$FORERUN" replay own/1
cp saved own/run.json
python3 edit.py own 'r["order"] = "0+,1"'
t_says "ours, with another order" 3 "changed since it was created" "$FORERUN" replay own/1
cp saved own/run.json
mv own/origin origin
t_says "a folder without a mark is foreign" 3 "does not say where it was created" "$FORERUN" replay own/1
echo '{"path": 1}' >own/origin
t_says "a folder with an invalid mark is foreign" 3 "does not say where it was created" "$FORERUN" replay own/1
mv origin own/origin
t_status "the restored folder is ours" 1 "$FORERUN" replay own/1

# ---- at a terminal ----
at_terminal n "$FORERUN" replay copied/1
t_eq "no: status" 3 $?
t_ok "no: message" grep -q "the program was not started" out
at_terminal '' "$FORERUN" replay copied/1
t_eq "an empty answer means no" 3 $?
at_terminal y "$FORERUN" replay copied/1
t_eq "yes: the bug happens" 1 $?
at_terminal yes "$FORERUN" confirm copied
t_eq "yes: confirm" 1 $?
at_terminal yesterday "$FORERUN" replay copied/1
t_eq "another word means no" 3 $?

# ---- other programs ----
cat >evil <<END
#!/bin/sh
touch "$T/ran"
END
chmod +x evil
cp -r own other && python3 edit.py other \
	"r['path'] = '$T/evil'; r['program'] = 'evil'; r['args'] = ['-rf', 'a b', '\\x1b[2J']; r['modules'] = []"
for c in "replay other" "replay other/1" "replay --gdb other/1" "replay --expect fixed other/1" "confirm other" \
	"predict other" \
	"report --fail-on never other" "dump other" "dump --model other" "dump --stats other"; do
	timeout 60 "$FORERUN" $c </dev/null >out 2>err
	s=$?
	case $c in replay*|confirm*) want=3 ;; *) want=0 ;; esac
	[ $s = $want ] && [ ! -e ran ] || { t_miss "$c: status $s, $(ls ran)"; sed 's/^/# /' err; rm -f ran; }
done
t_pass "nothing of a foreign folder is started unasked"
t_eq "the whole command is shown, escaped" "forerun:   command: $T/evil -rf 'a b' '\\x1b[2J'" \
	"$("$FORERUN" replay other 2>&1 </dev/null | grep command:)"
timeout 60 "$FORERUN" replay --trust other </dev/null >out 2>err
t_ok "--trust starts it" test -e ran
rm -f ran

# ---- they write only inside the folder ----
mkdir desk desk/home desk/tmp && cp -r other desk/run
everything() { find desk "$@" -type f -exec cksum {} + | sort -k 3; }
everything -path desk/run -prune -o >before
for c in "predict run" "report --fail-on never run" "report --all --fail-on never --format json run" "dump run" \
	"dump --model run"; do
	everything >all
	(cd desk && HOME=$PWD/home XDG_STATE_HOME=$PWD/home TMPDIR=$PWD/tmp timeout 60 \
		"$FORERUN" $c </dev/null >../out 2>../err)
	everything -path desk/run -prune -o | cmp -s - before || t_miss "$c writes outside of the folder"
	case $c in predict*) ;; *) everything | cmp -s - all || t_miss "$c changes the folder" ;; esac
done
t_pass "predict writes only inside the folder; report and dump write nothing"

# ---- libraries ----
cat >evil.c <<END
#include <stdio.h>
__attribute__((constructor)) static void go(void) { fclose(fopen("$T/loaded", "w")); }
END
cc -shared -fPIC evil.c -o evil.so || exit 99
"$FORERUN" cc -g -O1 -pthread -DFIXED "$SRC/tests/programs/files/sum.c" -o repaired
for name in LD_PRELOAD LD_AUDIT; do
	rm -rf trick
	cp -r own trick && python3 edit.py trick \
		"r['env'] += ['$name=$T/evil.so', 'PATH=$T/bin', 'GCONV_PATH=$T', 'HARMLESS=1']"
	rm -f loaded
	at_terminal y "$FORERUN" replay trick/1
	t_fail "$name: not taken after a yes (status $?)" test -e loaded
	t_ok "$name: the question shows it" grep -q "with $name=$T/evil.so (used only with --trust)" out
	t_ok "$name: a message says that it is left out" grep -q "left out: only with --trust" out
	at_terminal y "$FORERUN" confirm trick
	t_fail "$name: not taken by confirm" test -e loaded
	timeout 60 "$FORERUN" replay --trust trick/1 >/dev/null 2>&1 </dev/null
	t_ok "$name: taken with --trust" test -e loaded
	rm -f loaded
	cp sum sum.old && cp repaired sum
	timeout 60 "$FORERUN" replay --expect fixed trick/1 >out 2>err </dev/null
	t_eq "$name: --expect fixed: status" 3 $?
	t_fail "$name: --expect fixed: not taken" test -e loaded
	at_terminal y "$FORERUN" replay --expect fixed trick/1
	t_eq "$name: --expect fixed after a yes: fixed" 0 $?
	t_fail "$name: --expect fixed after a yes: not taken" test -e loaded
	cp sum.old sum
done
# The environment of the program after a yes.
cat >env.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	printf("%s %s %s %s\n", getenv("LD_LIBRARY_PATH") ? "lib" : "-", getenv("GCONV_PATH") ? "gconv" : "-",
	       getenv("HARMLESS") ? "harmless" : "-", getenv("PATH"));
	return 0;
}
END
"$FORERUN" cc -O1 env.c -o env.prog
env LD_LIBRARY_PATH=/nowhere GCONV_PATH=/nowhere HARMLESS=1 PATH="/foreign:$PATH" "$FORERUN" record -q -o env.run \
	./env.prog >/dev/null </dev/null
cp -r env.run env.copy
at_terminal y env -u LD_LIBRARY_PATH PATH="$PATH" "$FORERUN" replay env.copy
t_eq "the rest of the environment comes with it, PATH is the user's own" "- - harmless $PATH" \
	"$(grep '^- - ' out | tr -d '\r')"
t_eq "our own folder: the whole environment is used" "lib gconv harmless /foreign:$PATH" \
	"$("$FORERUN" replay env.run 2>/dev/null </dev/null)"
# Options that findings.json would give to `forerun run`.
rm -rf trick && cp -r own trick
json_edit trick 'j["run"]["named"] = ["--json='"$T"'/victim"]'
echo precious >victim
cp repaired sum
t_says "invalid options in findings.json are refused" 3 "named" "$FORERUN" replay --trust --expect fixed trick/1
t_eq "... nothing is written" precious "$(cat victim)"
cp sum.old sum

# ---- while the user thinks it over ----
cat >swap.py <<'END'
# The folder changes between the question and the answer.
import os, pty, subprocess, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
out = b""
while not out.endswith(b"[y/N] "):
    out += os.read(fd, 4096)
subprocess.run([sys.executable, "edit.py", "swap",
                "import os; r['path'] = os.getcwd() + '/evil'; r['modules'] = []"], check=True)
os.write(fd, b"y\n")
try:
    while os.read(fd, 4096):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
END
rm -f ran
cp -r own swap && timeout 60 python3 swap.py "$FORERUN" replay swap/1 >out 2>&1
t_eq "the folder changes after the question: the shown program runs" 1 $?
t_fail "the program that came afterwards does not run" test -e ran

# ---- names ----
esc=$(printf '\033') bell=$(printf '\007') bidi=$(printf '\342\200\256') c1=$(printf '\302\233') raw=$(printf '\377')
printf '%s\n' "T0|w(x${esc}[2J)|a${bidi}b" "T1|w(x${esc}[2J)|c${c1}31m" "T${raw}2|w(x${esc}[2J)|d" \
	'Tü|w(x)|é' >names.std
t_ok "names with escapes: import" "$FORERUN" import -o names names.std
clean() { # clean FILE...: no control character but the end of a line, no mark of direction, no C1
	python3 - "$@" <<'END'
import sys
for name in sys.argv[1:]:
    data = open(name, "rb").read()
    text = data.decode()  # it is UTF-8
    for c in text:
        if c != "\n" and (ord(c) < 32 or 0x7f <= ord(c) < 0xa0 or 0x200b <= ord(c) < 0x2010 or 0x202a <= ord(c) < 0x202f):
            sys.exit("%s: %r" % (name, c))
END
}
for c in "predict" "predict --format json" "report --all --fail-on never" "dump" "dump --merged" "dump --stacks" \
	"dump --model"; do
	"$FORERUN" $c names >out 2>err
	t_eq "$c: status" 0 $?
	t_ok "$c: escaped" clean out err
done
t_ok "escapes are readable" sh -c '"$1" dump names | grep -qF "x\x1b[2J"' sh "$FORERUN"
t_ok "letters stay letters" sh -c '"$1" dump names | grep -q "é$"' sh "$FORERUN"
t_eq "JSON is valid and contains the whole names" True "$(json names 'any("\x1b[2J" in x["subject"] for x in a)')"
t_says "a folder name on the command line is escaped" 2 "no run folder 'no\\\\x1b\[2Jfolder" "$FORERUN" report \
	"no$esc[2Jfolder"
dir=$(printf 'n\nforerun: confirmed')
"$FORERUN" record --order creation -q -o "$dir" ./sum </dev/null >out 2>err
"$FORERUN" replay "$dir/9" >out 2>err
t_eq "a line break forges no line" 1 "$(wc -l <err | tr -d ' ')"
cat >shout.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static void *maker(void *arg)
{
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, maker, NULL);
	if (!ready)
		__assert_fail("no \033[31m\007light", "sh\033out.c", 1, "main");
	pthread_join(t, NULL);
	return 0;
}
END
"$FORERUN" cc -g -O1 -pthread shout.c -o "sh${esc}out" || exit 99
"$FORERUN" run --order 0+,1 -o shout "./sh${esc}out" >out 2>err </dev/null
t_eq "an assertion with escapes: status" 1 $?
t_ok "an assertion with escapes: escaped" clean out err
t_ok "an assertion with escapes is shown" grep -qF 'no \x1b[31m\x07light' out
t_done
