#!/bin/sh
# An interactive program: under a schedule, forerun types the recorded input again when the program asks for it. So the
# echo is in the right place, and no input is lost when the program changes the modes of the terminal.
. "$(dirname "$0")/../lib.sh"

cd "$T" || exit 99
if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
	t_skip "terminals" "no pseudo-terminals here"
	t_done
	exit 0
fi
cp "$SRC/tests/programs/terminal/ask.c" ask.c
# Types the next of its arguments whenever the program asks.
cat >person.py <<'EOF'
import os, pty, select, sys, time
split = sys.argv.index("--")
say = [s.encode().decode("unicode_escape").encode("latin-1") for s in sys.argv[1:split]]
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[split + 1], sys.argv[split + 1:])
out, asked, deadline = b"", 0, time.time() + 60
while time.time() < deadline:
    if select.select([fd], [], [], 0.2)[0]:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        out += data
    elif out.count(b"? ") > asked and asked < len(say):
        time.sleep(0.1) # it has to come to its read
        os.write(fd, say[asked])
        asked += 1
sys.stdout.buffer.write(out.replace(b"\r", b""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
EOF
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread ask.c -o ask
python3 person.py 'Bob\n' 'secret\n' '\033[A' 'q' 'one\n' 'two\n' '\004' -- "$FORERUN" record -q --order creation -o \
	run ./ask >out 2>&1
t_eq "recorded: status" 0 $?
cat >want <<'EOF'
name? Bob
hello Bob
password? 
6 letters
key? 3
key? 1
more? one
more? two
more? 
7
EOF
t_ok "recorded: the conversation" diff want out
for i in 1 2 3; do
	"$FORERUN" replay run </dev/null >out 2>err
	t_eq "repeated: status" 0 $?
	tr -d '\r' <out >got
	t_ok "repeated: the conversation" diff want got
	t_eq "repeated: nothing differs" "forerun: the recorded run was repeated" "$(cat err)"
done
"$FORERUN" predict -q run >/dev/null 2>&1
"$FORERUN" confirm run </dev/null >out 2>err
t_eq "a race is confirmed: status" 1 $?
t_eq "the other order of the race prints another sum" "confirmed output" \
	"$(json run 'f[0]["verdict"] + " " + f[0]["harm"]')"

# The terminal echoes keys typed while no thread reads. The echo is no output of the program.
cp "$SRC/tests/programs/terminal/busy.c" busy.c
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread busy.c -o busy
for ahead in "" 1; do
	n=typed$ahead
	python3 person.py 'hurry\nup' -- "$FORERUN" record -q -o $n ./busy $ahead >out 2>&1
	t_eq "$n: recorded" 0 $?
	t_ok "$n: echoed" grep -q hurry out
	t_ok "$n: repeated" "$FORERUN" replay $n
	"$FORERUN" predict -q --kinds data-race $n >/dev/null 2>&1
	"$FORERUN" confirm $n </dev/null >out 2>err
	t_eq "$n: the echo is no harm, but another word is" \
		"confirmed $([ "$ahead" ] && echo output || echo none seen)" \
		"$(json $n 'f[0]["verdict"] + " " + f[0]["harm"]')"
done
t_done
