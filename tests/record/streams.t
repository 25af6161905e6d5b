#!/bin/sh
# Standard streams: the program sees the real ones, and forerun keeps copies, for files, pipes, terminals and closed
# streams.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cp "$SRC/tests/programs/streams/io.c" io.c
t_ok "the program builds" "$FORERUN" cc -g -pthread io.c -o io
n=0
# not in a pipeline: the number must survive
record() { n=$((n + 1)); "$FORERUN" record -q -o r$n ./io "$@"; }
kinds() { cat kinds.out; rm -f kinds.out; }
stream() { json r$n/run.json "j['$1']['$2']"; }

# The streams as the program sees them.
echo input >in
record kinds kinds.out <in >o 2>e
t_eq "a file stays a file" FPP "$(kinds)"
record kinds kinds.out </dev/null >o 2>&1
t_eq "/dev/null stays /dev/null" OPP "$(kinds)"
t_eq "... and run.json says so" null "$(stream stdin kind)"
t_eq "output and error in one" merged "$(stream stderr kind)"
record kinds kinds.out <&- >&- 2>&-
t_eq "closed streams stay closed" CCC "$(kinds)"
t_eq "... and run.json says so" closed/closed/closed "$(stream stdin kind)/$(stream stdout kind)/$(stream stderr kind)"

# The copies.
record <in >o 2>e
t_eq "a file as input" "input/input/input" "$(cat o)/$(cat r$n/stdin)/$(cat r$n/stdout)"
printf 'one\ntwo\nthree\n' >in
{ read -r first; record >o 2>e; } <in
t_eq "input starts at the current position of the file" "two three" "$(tr '\n' ' ' <r$n/stdin | sed 's/ $//')"
t_eq "... and not from the beginning" "two three" "$(tr '\n' ' ' <o | sed 's/ $//')"
n=$((n + 1))
printf 'from a pipe' | "$FORERUN" record -q -o r$n ./io >o 2>e
t_eq "a pipe as input" "from a pipe/from a pipe" "$(cat o)/$(cat r$n/stdin)"
t_eq "a pipe as input: run.json has its number of bytes" 11 "$(stream stdin bytes)"
record order >o 2>&1 </dev/null
t_eq "one pipe for both keeps their order" "$(seq 0 999 | cksum)" "$(cksum <o)"
t_eq "... in the copy, too" "$(seq 0 999 | cksum)" "$(cksum <r$n/stdout)"
record order >o 2>e </dev/null
t_eq "two files stay apart" "0 2 4/1 3 5" \
	"$(head -3 o | tr '\n' ' ' | sed 's/ $//')/$(head -3 e | tr '\n' ' ' | sed 's/ $//')"
: >o
record order >>o 2>>o </dev/null
t_eq "one file opened twice: nothing is lost" "$(seq 0 999 | cksum)" "$(sort -n o | cksum)"

# Ends.
n=$((n + 1))
timeout 40 "$FORERUN" record -q -o r$n ./io linger >o 2>e </dev/null
t_eq "a child that keeps the streams open does not delay the end" 0 $?
t_eq "... and the output is complete" gone "$(cat o)"
n=$((n + 1))
yes | { timeout 60 "$FORERUN" record -q -o r$n ./io 2>e; echo $? >status; } | head -1 >o
t_eq "the reader of the output has ended: the program gets SIGPIPE" 141 "$(cat status)"
n=$((n + 1))
yes | { trap '' PIPE; timeout 60 "$FORERUN" record -q -o r$n ./io 2>e; echo $? >status; } | head -1 >o
t_eq "... or EPIPE if it ignores the signal" 3 "$(cat status)"
n=$((n + 1))
"$FORERUN" record -q -o r$n ./io </dev/null >/dev/full 2>e
t_eq "an output without a reader does not block the end" 0 $?
t_ok "all of these folders can be read" sh -c 'for d in r*; do "$0" dump --stats $d >/dev/null || exit 1; done' \
	"$FORERUN"

# A terminal.
cat >at-terminal.py <<'END'
import os, pty, signal, sys, select, time
out = b""
pid, fd = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL) # the caller of the tests may ignore it
    os.execvp(sys.argv[2], sys.argv[2:])
send = sys.argv[1].encode().decode("unicode_escape").encode("latin-1")
deadline = time.time() + 60
while time.time() < deadline:
    r, _, _ = select.select([fd], [], [], 0.3)
    if r:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        out += data
    if send and b"ready" in out:
        os.write(fd, send)
        send = b""
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(out.replace(b"\r", b""))
print("status", os.waitstatus_to_exitcode(status))
END
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
	n=$((n + 1))
	python3 at-terminal.py '' "$FORERUN" record -q -o r$n ./io kinds kinds.out >o 2>e
	t_eq "a terminal stays a terminal" TTT "$(kinds)"
	t_eq "... and run.json says so" tty/tty/merged \
		"$(stream stdin kind)/$(stream stdout kind)/$(stream stderr kind)"
	n=$((n + 1))
	python3 at-terminal.py 'hello\n\004' "$FORERUN" record -q -o r$n ./io >o 2>e
	t_eq "typing at a terminal: echo, output, end of file" "ready hello hello status 0" \
		"$(tr '\n' ' ' <o | sed 's/ $//')"
	t_eq "... the output is kept" hello "$(tr -d '\r' <r$n/stdout | tail -1)"
	n=$((n + 1))
	python3 at-terminal.py '\003' "$FORERUN" record -q -o r$n ./io >o 2>e
	t_eq "Ctrl-C at a terminal ends the program" "status 130" "$(tail -1 o | sed "s/^^C//")"
	t_ok "... and the folder exists" grep -q '"signal": 2' r$n/run.json
	n=$((n + 1))
	python3 at-terminal.py '' sh -c "\"$FORERUN\" record -q -o r$n ./io kinds kinds.out </dev/null" >o 2>e
	t_eq "only the output is a terminal" OTT "$(kinds)"
	n=$((n + 1))
	python3 at-terminal.py '' sh -c "\"$FORERUN\" record -q -o r$n ./io kinds kinds.out >/dev/null 2>&1" >o 2>e
	t_eq "only the input is a terminal" TPP "$(kinds)"
	n=$((n + 1))
	python3 at-terminal.py '' bash -mc \
		"\"$FORERUN\" record -q -o r$n ./io kinds kinds.out & wait \$!; echo bg \$?" >o 2>e
	t_eq "in the background of a terminal: not stopped" "bg 0" "$(grep bg o)"
else
	t_skip "terminals" "no pseudo-terminals here"
fi

t_done
