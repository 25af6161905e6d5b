#!/bin/sh
# forerun predict and report: options, formats, exit statuses; files and messages when time or memory runs out, or the
# user interrupts.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/predict
cd "$T" || exit 99

cp "$P/hidden.c" "$P/abba.c" .
t_ok "a program builds" "$FORERUN" cc -g -O1 -pthread hidden.c -o hidden
t_ok "the program with the deadlock builds" "$FORERUN" cc -g -O1 -pthread abba.c -o abba
t_ok "recorded" "$FORERUN" record -q $(order hidden.c) -o run -- ./hidden 1 "two words"
t_ok "the second program is recorded" "$FORERUN" record -q $(order abba.c) -o abba.run ./abba

# ---- usage ----
t_says "no such folder" 2 "no run folder 'missing'" "$FORERUN" predict missing
t_says "a file instead of a folder" 2 "no run folder 'hidden.c'" "$FORERUN" predict hidden.c
t_says "no run folder in forerun.d" 2 "forerun.d" "$FORERUN" predict
t_says "two folders" 2 "more than one" "$FORERUN" predict run run
for b in 0 0,10 5,0 -1 x 5, 5,5,5 "" nan inf; do
	t_says "a budget of '$b'" 2 "budget: '$b'" "$FORERUN" predict --budget="$b" run
done
t_says "unknown kind" 2 "unknown kind 'race'.*data-race, deadlock" "$FORERUN" predict --kinds race run
t_says "unknown kind in a list" 2 "unknown kind 'x'" "$FORERUN" predict --kinds data-race,x run
t_says "empty kind" 2 "unknown kind ''" "$FORERUN" predict --kinds= run
t_says "unknown tier" 2 "--tier: expected sync, precise, sliced, relaxed or hybrid" "$FORERUN" predict --tier fast run
t_says "unknown solver" 2 "'minisat' is not a solver" "$FORERUN" predict --solver minisat run
"$FORERUN" predict --help | grep -q 'default) or z3' ||
	t_says "a solver of another build" 2 "'z3' is not a solver of this forerun: .* -Dz3=enabled" \
		"$FORERUN" predict --solver z3 run
t_says "unknown format" 2 "--format: expected text or json" "$FORERUN" predict --format xml run
t_says "unknown verdict" 2 "--fail-on: expected predicted, confirmed or never" "$FORERUN" predict --fail-on maybe run
t_says "a number of jobs that is no number" 2 "'many'" "$FORERUN" predict --jobs many run
t_says "too many jobs" 2 "jobs" "$FORERUN" predict --jobs 100000 run
t_says "unknown option" 2 "'--frobnicate'" "$FORERUN" predict --frobnicate run
t_fail "a usage error writes nothing" test -e run/findings.json
t_says "report without findings" 3 "no findings in 'run'.*forerun predict run" "$FORERUN" report run
t_says "report without a folder" 2 "no run folder 'missing'" "$FORERUN" report missing
mkdir empty
t_says "a folder that is no run folder" 3 "empty/run.json" "$FORERUN" predict empty

# ---- text ----
t_ok "predict without --fail-on succeeds although it finds a race" "$FORERUN" predict run
"$FORERUN" predict run >text 2>err
t_eq "nothing on standard error" "" "$(cat err)"
cat >want <<'END'
1. data race on `x` — predicted
   hidden.c:26:4 in first() writes;
   hidden.c:45:9 in second() reads
     T1 first                             T2 second
                                          hidden.c:38  acquire m
                                          hidden.c:44  release m
   * hidden.c:26  write x
                                        * hidden.c:45  read x
   T1 first (thread 0.1) holds no lock
   T2 second (thread 0.2) holds no lock
   schedule: run/1/schedule
   tier: sync

END
t_eq "the text of the finding" "$(cat want)" "$(sed '/^$/,$d' text)"
"$FORERUN" predict --kinds data-race run >text
t_ok "the text of the summary" grep -Eq '^[0-9]+ events of 3 threads: 1 candidate, 1 predicted, 0 infeasible, 0 undecided$' text
t_fail "no colour in a pipe" grep -q "$(printf '\033')" text
"$FORERUN" predict abba.run >text
t_ok "the text names the locks held" grep -q 'T1 forth (thread 0.1) holds `a` since abba.c:[0-9:]* in forth()' text
t_ok "the text names the locks that threads wait for" grep -q 'waits for `b` at abba.c:[0-9:]* in forth()' text
t_ok "a folder name may end with a slash" "$FORERUN" predict run/
mkdir forerun.d
cp -r run forerun.d/hidden.1
t_ok "the default is the newest folder" "$FORERUN" predict
t_ok "its findings are saved" test -e forerun.d/hidden.1/findings.json

# ---- text: names of heap objects, and its width ----
cat >pair.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct account_with_a_rather_long_name { pthread_mutex_t lock; long balance; };
static struct account_with_a_rather_long_name *account[2];
static void transfer_from_one_account_to_the_other(struct account_with_a_rather_long_name *from,
						   struct account_with_a_rather_long_name *to)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance--;
	to->balance++;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}
static void *f(void *p) { transfer_from_one_account_to_the_other(account[0], account[1]); return p; }
static void *g(void *p) { transfer_from_one_account_to_the_other(account[1], account[0]); return p; }
int main(void)
{
	pthread_t s, t;
	for (int i = 0; i < 2; i++) {
		account[i] = calloc(1, sizeof(**account));
		pthread_mutex_init(&account[i]->lock, 0);
	}
	pthread_create(&s, 0, f, 0);
	pthread_create(&t, 0, g, 0);
	pthread_join(s, 0);
	pthread_join(t, 0);
	return 0;
}
END
t_ok "locks on the heap: built" "$FORERUN" cc -g -O1 -pthread pair.c -o pair
t_ok "recorded" "$FORERUN" record -q -o pair.run ./pair
"$FORERUN" predict pair.run >text
t_ok "two locks of one place have the name of the source" grep -q '^1\. deadlock on `from->lock, to->lock`' text
t_eq "numbers tell two locks of one name apart" "1 2" \
	"$(sed -n 's/.* holds `from->lock` (lock \(.\)).*/\1/p' text | sort | paste -sd ' ')"
t_eq "no line is wider than 80 columns" "" "$(LC_ALL=C.UTF-8 awk 'length($0) > 80' text)"

# ---- json ----
"$FORERUN" predict --format json run >out.json
t_ok "--format json prints findings.json" cmp out.json run/findings.json
"$FORERUN" report --all --format json run >again.json
t_ok "report prints the same" cmp out.json again.json
t_eq "fields of the run" "./hidden ['1', 'two words'] 0 None 3" \
	"$(json out.json '" ".join(str(j["run"][k]) for k in ("program", "args", "exit", "signal", "threads"))')"
t_ok "seconds and events" json out.json 'j["run"]["events"] > 0 and j["run"]["record_s"] > 0 and j["run"]["predict_s"] > 0 and j["run"]["confirm_s"] == 0 or 1/0'
t_eq "fields of a finding" "1 data-race predicted None sync 0 x 1/schedule None []" \
	"$(json out.json '" ".join(str(j["findings"][0][k]) for k in ("id", "kind", "verdict", "harm", "tier", "reads_relaxed", "subject", "schedule", "detail", "interleavings"))')"
t_eq "fields of an event" "1 0.1 first write 1 hidden.c 26 4 first" \
	"$(json out.json '" ".join(str(j["findings"][0]["events"][0][k])
	for k in ("thread", "path", "role", "access", "value", "file", "line", "column", "function"))')"
t_eq "its stack" "first hidden.c 26" \
	"$(json out.json '" ".join(str(j["findings"][0]["events"][0]["stack"][0][k])
	for k in ("function", "file", "line"))')"
t_eq "version" "$("$FORERUN" --version)" "forerun $(json out.json 'j["forerun"]')"

# ---- kinds, tiers, solvers, jobs ----
t_eq "--kinds deadlock finds no race" 0 "$("$FORERUN" predict --kinds deadlock --format json run >o && json o \
	'len(j["findings"])')"
t_fail "the schedule of an old finding is removed" test -e run/1/schedule
t_eq "--kinds accepts a list" 1 "$("$FORERUN" predict --kinds deadlock,data-race --format json run >o && json o \
	'len(j["findings"])')"
for opt in "--tier sync" "--solver order" "--jobs 1" "--jobs 7" "--budget 0.5,9" "--all"; do
	t_eq "$opt: the same race" "data-race x" \
		"$("$FORERUN" predict $opt --format json run >o && json o '" ".join(f["kind"] + " " + f["subject"]
		for f in j["findings"])')"
done

# ---- exit statuses ----
t_status "a prediction does not fail by default" 0 "$FORERUN" predict run
t_status "--fail-on predicted" 1 "$FORERUN" predict --fail-on predicted run
t_status "--fail-on never" 0 "$FORERUN" predict --fail-on never run
t_status "report --fail-on predicted" 1 "$FORERUN" report --fail-on predicted run
t_status "report --fail-on confirmed" 0 "$FORERUN" report --fail-on confirmed run
"$FORERUN" report run >text
t_fail "report hides unconfirmed findings" grep -q "data race" text
t_ok "report counts hidden findings" grep -q "1 finding that is not confirmed: --all shows it" text
"$FORERUN" report --all run >text
t_ok "report --all shows a predicted finding" grep -q '^1. data race on `x` — predicted$' text

# ---- files in the run folder ----
t_ok "a schedule file" grep -q '^forerun-schedule 6$' run/1/schedule
t_eq "its targets" "0.1 2 write first 0.2 6 read second" \
	"$(awk '$1 == "target" { print $2, $3, $4, $6 }' run/1/schedule | paste -sd ' ')"
mkdir run/9
touch run/9/schedule run/9/notes run/7
t_ok "a second prediction works" "$FORERUN" predict run
t_fail "a second prediction removes old schedules" test -e run/9/schedule
t_ok "a second prediction keeps other files" test -e run/9/notes -a -e run/7
echo '{}' >run/findings.json
t_says "damaged findings are refused" 3 "findings.json.*'forerun' is missing" "$FORERUN" report run
t_ok "predict replaces damaged findings" "$FORERUN" predict run
cp -r run other.run
python3 - other.run/trace <<'END'
import struct, sys
def crc32c(b):
    c = 0xffffffff
    for x in b:
        c ^= x
        for _ in range(8):
            c = c >> 1 ^ (0x82f63b78 if c & 1 else 0)
    return c ^ 0xffffffff
b = bytearray(open(sys.argv[1], "rb").read())
b[16:20] = struct.pack("<I", 99)
b[52:56] = struct.pack("<I", crc32c(b[:52]))
open(sys.argv[1], "wb").write(b)
END
t_says "a trace of another version" 3 "'other.run/trace' has version 99 of the trace format; this forerun reads [0-9]+" "$FORERUN" predict other.run
printf 'X' | dd of=run/trace bs=1 seek=20 conv=notrunc 2>/dev/null
t_says "a damaged trace" 3 "run/trace" "$FORERUN" predict run
if [ "$(id -u)" -ne 0 ]; then
	chmod -w abba.run
	t_says "a folder that cannot be written" 3 "abba.run" "$FORERUN" predict abba.run
	chmod +w abba.run
fi

# ---- imported ----
cat >t.std <<'END'
T0|fork(T1)|a.c:1
T0|w(x)|a.c:2
T0|acq(L)|a.c:3
T0|rel(L)|a.c:4
T1|acq(L)|b.c:1
T1|rel(L)|b.c:2
T1|r(x)|b.c:3
END
t_ok "import" "$FORERUN" import t.std -o std.run
t_ok "predict of an imported trace" "$FORERUN" predict std.run
t_eq "the line in the trace file" "x t.std 2 None t.std 7 None True" \
	"$(json std.run/findings.json 'j["findings"][0]["subject"] + " " + " ".join("%s %s %s" % (e["file"], e["line"], e["value"]) for e in j["findings"][0]["events"]) + " " + str(j["run"]["imported"])')"

# ---- many candidates: every place is another one ----
# many EVENTS VARIABLES: prints such a trace of five threads and four locks
many()
{
	python3 - "$@" <<'END'
import random, sys
random.seed(3)
n, held = 0, {}
def line(t, op):
    global n
    n += 1
    print("T%d|%s|p:%d" % (t, op, n))
for t in range(1, 5):
    line(0, "fork(T%d)" % t)
for i in range(int(sys.argv[1])):
    t = random.randrange(1, 5)
    free = [l for l in range(4) if l not in held.values()]
    if t in held and random.random() < 0.3:
        line(t, "rel(L%d)" % held.pop(t))
    elif t not in held and free and random.random() < 0.3:
        held[t] = random.choice(free)
        line(t, "acq(L%d)" % held[t])
    else:
        line(t, "%s(x%d)" % (random.choice("rw"), random.randrange(int(sys.argv[2]))))
for t, l in held.items():
    line(t, "rel(L%d)" % l)
END
}
many 1500 12 >many.std
t_ok "import of a larger one" "$FORERUN" import many.std -o many.run
t_ok "a total budget that is too small is no error" "$FORERUN" predict --budget 0.01,0.01 many.run
t_eq "untried candidates are counted" "True False the time limit for all candidates was reached" \
	"$(json many.run/findings.json '"%s %s %s" % (j["summary"]["untried"] > 0, j["summary"]["complete"], j["summary"]["reason"])')"
t_ok "the report says that prediction was not finished" sh -c \
	'"$1" report many.run | grep -q "^not finished: the time limit for all candidates was reached"' sh "$FORERUN"
t_eq "every candidate is accounted for" True \
	"$(json many.run/findings.json 'sum(j["summary"][k] for k in ("predicted", "refuted", "undecided", "untried")) == j["summary"]["candidates"]')"
for j in 1 3; do
	"$FORERUN" predict --tier sync --jobs $j --format json many.run | sed '/_s"/d' >jobs.$j
done
t_ok "the findings do not depend on the number of threads" cmp jobs.1 jobs.3
t_eq "each finding has its schedule" True "$(json many.run/findings.json 'all(__import__("os").path.exists("many.run/"
	+ f["schedule"]) for f in j["findings"])')"

# The sliced tier has no time, and the hybrid tier guesses.
t_ok "progress: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/slices/progress.c" -o progress
t_ok "progress: recorded" "$FORERUN" record -q $(order "$SRC/tests/programs/slices/progress.c") \
	-o progress.run ./progress
t_ok "a budget for a candidate that is too small is no error" \
	"$FORERUN" predict --tier hybrid --budget 0.0000001,10 --quiet progress.run

# Interrupted when there is something to keep: a lot of work, of which the first part is saved after a second.
many 10000 24 >wide.std
t_ok "import of a wide one" "$FORERUN" import wide.std -o wide.run
"$FORERUN" predict --budget 100,1000 --jobs 1 wide.run >out 2>err &
pid=$!
while [ ! -e wide.run/findings.json ] && kill -0 $pid 2>/dev/null; do
	sleep 0.1
done
kill -TERM $pid
wait $pid
t_eq "interrupted: status" 143 $?
t_ok "the message says where the findings are saved" grep -q \
	'^forerun: interrupted: the findings so far ([0-9]*) are saved' err
t_eq "findings so far are saved" "True False interrupted" \
	"$(json wide.run/findings.json '"%s %s %s" % (len(j["findings"]) > 0, j["summary"]["complete"], j["summary"]["reason"])')"
t_ok "findings so far are printed" grep -q '^not finished: interrupted' out
t_eq "findings so far have schedules" True "$(json wide.run/findings.json 'all(__import__("os").path.exists("wide.run/"
	+ f["schedule"]) for f in j["findings"])')"

# Memory: at every limit, forerun says that findings are missing, and keeps those that it has saved, each with its schedule.
if [ -z "${ASAN_OPTIONS:-}" ] || ! grep -q __asan_init "$FORERUN"; then
	# a finding has one candidate or more, each with one interleaving or more
	accounted='len(j["findings"]) <= j["summary"]["predicted"] <= sum(1 + len(f["interleavings"]) for f in j["findings"])'
	for mb in 40 60 85 110 130 145 160 180 210; do
		rm -f wide.run/findings.json
		(ulimit -v $((mb * 1024)) && "$FORERUN" predict --tier sync --jobs 2 wide.run) >out 2>err
		s=$?
		case $s in
		0) t_eq "$mb MiB are enough" True "$(json wide.run/findings.json 'j["summary"]["complete"]')" ;;
		3)
			t_ok "$mb MiB: a message says that memory ran out" grep -q '^forerun: out of memory' err
			if grep -qE 'no prediction was made|has only 0 of' err; then
				t_fail "$mb MiB: no findings are saved" test -e wide.run/findings.json
				continue
			fi
			t_eq "$mb MiB: the findings so far are saved" False \
				"$(json wide.run/findings.json 'j["summary"]["complete"]')"
			t_eq "$mb MiB: the message says how many" "$(json wide.run/findings.json 'len(j["findings"])')" \
				"$(sed -n 's/.* has only \([0-9]*\) of [0-9]* findings.*/\1/p' err)"
			"$FORERUN" report wide.run >out
			t_ok "$mb MiB: the report says that findings are missing" grep -q '^not finished: .*ran out of memory' out
			t_eq "$mb MiB: every candidate is accounted for" True \
				"$(json wide.run/findings.json 'sum(j["summary"][k]
				for k in ("predicted", "refuted", "undecided", "untried")) == j["summary"]["candidates"]')"
			t_eq "$mb MiB: every finding is saved" True \
				"$(json wide.run/findings.json "$accounted")"
			t_eq "$mb MiB: each finding has its schedule" True \
				"$(json wide.run/findings.json 'all(__import__("os").path.exists("wide.run/"
				+ f["schedule"]) for f in j["findings"])')"
			;;
		127) ;; # the system had no room for the program itself
		*) t_miss "$mb MiB: status $s" && sed 's/^/# /' err ;;
		esac
	done

	# The memory that it has must suffice from the first save on. A lot of work is left then, and the threads have
	# no memory in reserve.
	many 60000 24 >vast.std
	t_ok "import of a vast one" "$FORERUN" import vast.std -o vast.run
	MALLOC_ARENA_MAX=1 "$FORERUN" predict --budget 100,1000 --jobs 1 vast.run >out 2>err &
	pid=$!
	while [ ! -e vast.run/findings.json ] && kill -0 $pid 2>/dev/null; do
		sleep 0.1
	done
	t_ok "no more memory after the first save" prlimit --pid $pid --as=4096
	wait $pid
	t_eq "no more memory: status" 3 $?
	t_ok "the message says that memory ran out" grep -q "^forerun: out of memory: 'vast.run' has only [1-9]" err
	t_eq "the findings of the first save stay" "True False" \
		"$(json vast.run/findings.json '"%s %s" % (len(j["findings"]) > 0, j["summary"]["complete"])')"
	t_eq "each of them has its schedule" True "$(json vast.run/findings.json 'all(__import__("os").path.exists("vast.run/"
		+ f["schedule"]) for f in j["findings"])')"
	"$FORERUN" predict --tier sync wide.run >out
	t_ok "the summary counts searches that a limit stopped" grep -qE \
		'^searches for candidates that a limit stopped: [0-9,]+$' out
	"$FORERUN" predict --kinds atomicity-violation --tier sync -q wide.run 2>err
	near=$(json wide.run/findings.json 'j["summary"]["candidates"]')
	"$FORERUN" predict --kinds atomicity-violation --tier sync --no-neighbourhood -q wide.run 2>err
	t_eq "the number of neighbourhoods is limited" 2000 \
		$((near - $(json wide.run/findings.json 'j["summary"]["candidates"]')))
	if "$FORERUN" predict --help | grep -q 'default) or z3'; then
		(ulimit -v $((300 * 1024)) && "$FORERUN" predict --solver z3 --budget 20,40 --jobs 2 \
			wide.run) >out 2>err
		s=$?
		if [ $s -eq 0 ]; then
			t_skip "z3 without memory" "it had enough"
		else
			t_eq "z3 without memory: status" 3 $s
			t_ok "z3 without memory: a message says so" grep -q '^forerun: out of memory' err
		fi
	fi
fi

# ---- a terminal ----
if command -v script >/dev/null; then
	TERM=xterm script -qec "'$FORERUN' predict abba.run" /dev/null >tty.out </dev/null
	t_ok "colour on a terminal" grep -q "$(printf '\033')\[1m1. deadlock" tty.out
	NO_COLOR=1 TERM=xterm script -qec "'$FORERUN' predict abba.run" /dev/null >tty.out </dev/null
	t_fail "NO_COLOR" grep -q "$(printf '\033')" tty.out
else
	t_skip "colour on a terminal" "no script(1)"
fi

# More work than for a second: the progress appears. Then Ctrl-C ends it.
python3 - "$FORERUN" predict --budget 100,1000 --jobs 1 wide.run >tty.out <<'END'
import os, pty, re, signal, sys
pid, tty = pty.fork()
if pid == 0:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["TERM"] = "xterm"
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
seen = False
while True:
    try:
        more = os.read(tty, 4096)
    except OSError: # it has ended
        break
    if not more:
        break
    text += more
    if not seen and re.search(rb"candidates checked: [^\r]*\r", text): # the terminal repeats the key in the next line
        seen = True
        os.write(tty, b"\x03")
sys.stdout.buffer.write(text)
status = os.waitpid(pid, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status))
END
t_eq "Ctrl-C on a terminal: status" 130 $?
tr '\r' '\n' <tty.out | grep 'candidates checked' >progress
t_ok "progress on a terminal" grep -qE '[0-9]+ found, about [0-9]+ s left; candidates checked: [0-9,]+ of [0-9,]+ \([0-9]+%\)$' progress
t_eq "progress fits on one line" "" "$(sed 's/^\x1b\[K//' progress | awk 'length($0) > 79')"

# ---- help ----
t_ok "--help" sh -c '"$1" predict --help | grep -q -- --budget' sh "$FORERUN"
t_ok "completion knows the options of predict" sh -c '"$1" completion bash | grep -q "predict) words=\"--kinds"' sh \
	"$FORERUN"
t_eq "completion knows the values of its options" \
	"sync precise sliced relaxed hybrid|sync precise sliced relaxed hybrid|data-race deadlock double-free|predicted" \
	"$(bash -c 'eval "$("$0" completion bash)"; t() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _forerun; echo "${COMPREPLY[@]}"; }
		t forerun predict --tier ""; t forerun predict -t ""; t forerun predict -k d; t forerun report --fail-on p' "$FORERUN" | paste -sd "|")"
t_done
