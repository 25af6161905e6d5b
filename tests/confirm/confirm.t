#!/bin/sh
# forerun confirm, replay and run: options, exit statuses, written files, schedules that the program cannot follow,
# programs that cannot run again.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs
cd "$T" || exit 99

# none_left NAME: no process of that program exists any more
none_left()
{
	for i in $(seq 100); do
		[ -n "$(ours "^$1")" ] || return 0
		sleep 0.1
	done
	return 1
}

cp "$P/predict/hidden.c" "$P/predict/abba.c" "$P/predict/flag.c" "$P/confirm/crash.c" "$P/confirm/input.c" \
	"$P/outside/needs.c" \
	"$P/sanitizers/report.c" .
for n in hidden abba flag crash input; do
	t_ok "$n: the program builds" "$FORERUN" cc -g -O1 -pthread $n.c -o $n
done
t_ok "recorded" "$FORERUN" record -q $(order hidden.c) -o run -- ./hidden 1 "two words"
for n in abba flag; do
	t_ok "the second program is recorded" "$FORERUN" record -q $(order $n.c) -o $n.run ./$n
done

# ---- usage ----
t_says "no such folder" 2 "no run folder 'missing'" "$FORERUN" confirm missing
t_says "two folders" 2 "more than one" "$FORERUN" confirm run run
t_says "no run folder in forerun.d" 2 "forerun.d" "$FORERUN" confirm
t_says "a folder without findings" 3 "no findings in 'run'.*forerun predict run" "$FORERUN" confirm run
for l in 0 -1 x "" nan inf 1x; do
	t_says "a time limit of '$l'" 2 "time-limit" "$FORERUN" confirm --time-limit="$l" run
done
t_says "too many jobs" 2 "jobs" "$FORERUN" confirm --jobs 100000 run
t_says "unknown format" 2 "format" "$FORERUN" confirm --format xml run
t_says "unknown verdict" 2 "fail-on" "$FORERUN" confirm --fail-on maybe run
t_says "replay without a finding" 2 "no finding given" "$FORERUN" replay
t_says "replay of a missing folder" 2 "'missing/1' is neither a run folder nor a finding" "$FORERUN" replay missing/1
t_says "replay of a file" 2 "'hidden.c' is not a schedule" "$FORERUN" replay hidden.c
t_says "replay of a finding that is no number" 2 "'run/x' is not a finding" "$FORERUN" replay run/x
t_says "replay before predict" 3 "no findings in 'run'" "$FORERUN" replay run/1
t_says "run without a program" 2 "no program given" "$FORERUN" run
t_says "run of a missing program" 2 "./missing" "$FORERUN" run ./missing
t_says "run of a program that is not instrumented" 2 "not instrumented" "$FORERUN" run /bin/true
t_says "--runs 0" 2 "runs" "$FORERUN" run --runs 0 ./hidden
t_fail "a usage error leaves no folder" test -e forerun.d

# ---- a race ----
t_ok "predict succeeds on the program with a race" "$FORERUN" predict --quiet --kinds data-race run
for n in abba flag; do
	t_ok "predict succeeds on $n" "$FORERUN" predict --quiet $n.run
done
t_says "--only with an unknown finding" 2 "no finding 2 in 'run'" "$FORERUN" confirm --only 2 run
t_says "replay of an unknown finding" 2 "no finding 7 in 'run'" "$FORERUN" replay run/7
t_status "report before confirm finds nothing" 0 "$FORERUN" report run
"$FORERUN" confirm run >text 2>err
t_eq "confirm exits with status 1" 1 $?
t_ok "confirm prints one line on standard error" grep -Eq \
	'^forerun: confirmed 1 of 1 finding in [0-9.]+ s \(0 refuted, 0 unknown, 0 not tried\)$' err
cat >want <<'END'
1. data race on `x` — confirmed, the program then writes something else
   hidden.c:N in second() reads;
   hidden.c:N in first() writes
     T2 second                            T1 first
     hidden.c:N  acquire m
     hidden.c:N  release m
   * hidden.c:N  read x = 0
                                        * hidden.c:N  write x = 1
   T2 second (thread 0.2) holds no lock
   T1 first (thread 0.1) holds no lock
   standard output differs from line 1 on
   replay: forerun replay run/1        debug: … --gdb
   tier: sync

END
t_eq "the text shows the events in the order in which they happened" "$(cat want)" \
	"$(sed '/^$/,$d; s/hidden.c:[0-9:]*/hidden.c:N/' text)"
t_eq "the verdict is saved in the folder" "confirmed output True standard output differs from line 1 on True" \
	"$(json run/findings.json '" ".join(str(j["findings"][0][k])
	for k in ("verdict", "harm", "swapped", "detail")) + " " + str(j["run"]["confirm_s"] > 0)')"
t_status "report" 1 "$FORERUN" report run
t_status "report --fail-on never" 0 "$FORERUN" report --fail-on never run
"$FORERUN" confirm --format json --jobs 3 --time-limit 20 --only 1 run >out.json 2>err
t_eq "json: status" 1 $?
t_ok "--format json prints findings.json" cmp out.json run/findings.json
t_status "--fail-on never" 0 "$FORERUN" confirm --fail-on never run
t_eq "a second confirmation gives the same verdict" "confirmed True" \
	"$(json run/findings.json '"%s %s" % (j["findings"][0]["verdict"], j["findings"][0]["swapped"])')"
"$FORERUN" replay run/1 >out 2>err
t_eq "replay exits with status 1" 1 $?
t_eq "replay passes on the program's output" 0 "$(cat out)"
t_ok "replay prints its result" grep -q '^forerun: data race on `x` happened: the program then writes something else' \
	err
t_status "replay of the schedule file" 1 "$FORERUN" replay run/1/schedule
t_status "a folder name may end with a slash" 1 "$FORERUN" replay run/1/
(cd run/1 && "$FORERUN" replay schedule >/dev/null 2>&1)
t_eq "replay works inside the folder" 1 $?
"$FORERUN" replay run >out 2>err
t_eq "replay repeats the recorded run" "0 1" "$? $(cat out)"

# ---- a deadlock ----
t_status "a deadlock is confirmed" 1 "$FORERUN" confirm abba.run
t_eq "the detail names the threads and their locks" \
	"confirmed hang thread 0.1 waits for \`b\` at abba.c:N in forth(), which thread 0.2 holds; thread 0.2 waits for \`a\` at abba.c:N in back(), which thread 0.1 holds; thread 0 waits for the end of thread 0.1 at abba.c:N in main()" \
	"$(json abba.run/findings.json '" ".join(str(j["findings"][0][k]) for k in ("verdict", "harm", "detail"))' |
	sed 's/abba.c:[0-9]*/abba.c:N/g')"
t_status "replay of a deadlock ends" 1 "$FORERUN" replay abba.run/1
t_ok "no process is left behind" none_left "./abba"

# ---- schedules that cannot be followed ----
# refuted NAME FOLDER PATTERN REPLACEMENT REGEX: edits the schedule of a copy
refuted()
{
	rm -rf e.run
	cp -r "$2" e.run
	python3 "$SRC/tests/schedule.py" --edit e.run/1/schedule "$3" "$4" || t_miss "$1: edited"
	t_status "$1: nothing is confirmed" 0 "$FORERUN" confirm --exact --trust e.run
	t_eq "$1: refuted" "1 refuted" "$(verdicts e.run)"
	t_ok "$1: the reason" sh -c 'grep "\"detail\"" e.run/findings.json | grep -Eq "$1"' sh "$5"
	"$FORERUN" replay --trust e.run/1 >out 2>err
	t_eq "$1: replay exits with status 0" 0 $?
	t_ok "$1: replay says why" grep -Eq "^forerun: the program left the schedule: .*$5" err
}
refuted "a thread before its creation" run '^turn 0\.1 1$' 'turn 0.9 1' 'thread 0.9 must run, but does not exist yet'
refuted "another value" flag.run '^(expect .* 0x)\w+$' '\g<1>1234' \
	'thread 0.2 reads 1 at flag.c:[0-9]+ in consume\(\), expected: 4660'
refuted "another place" run '^(expect 0.2 \S+ mutex-lock) (\d+)' '\1 9999' \
	'does mutex-lock at hidden.c:[0-9]+ in second\(\), expected: mutex-lock at an unknown source line'
refuted "another operation" run '^(expect 0.2 \S+) mutex-lock' '\1 rwlock-wrlock' \
	'does mutex-lock at hidden.c:[0-9]+.*expected: rwlock-wrlock'
refuted "a target beyond the end of a thread" run '^(target 0.2) \d+' '\1 5000' 'thread 0.2'
refuted "a target that does not wait" abba.run '^turn 0\.1 .*' '' 'thread 0'

# ---- schedules that are none ----
# broken NAME REGEX: of e.run
broken()
{
	t_says "$1: confirm" 3 "$2" "$FORERUN" confirm --trust e.run
	t_eq "$1: stays predicted" "1 predicted" "$(verdicts e.run)"
	t_says "$1: replay" 3 "$2" "$FORERUN" replay --trust e.run/1
}
fresh() { rm -rf e.run && cp -r run e.run && "$FORERUN" predict --quiet e.run 2>/dev/null; }
fresh
head -c 200 run/1/schedule >e.run/1/schedule
broken "a schedule that is cut off" "1/schedule' is truncated"
fresh
sed -i 's/^turn 0.1 1/turn 0.1 2/' e.run/1/schedule
broken "a schedule that was edited" "1/schedule' is damaged"
fresh
cp abba.run/1/schedule e.run/1/schedule
broken "a schedule of another run" "another run"
fresh
python3 "$SRC/tests/schedule.py" --edit e.run/1/schedule '^module [0-9a-f]{8}' 'module 00000000'
broken "a schedule for another build" "another build of"
fresh
rm e.run/1/schedule
broken "a schedule that is gone" "e.run/1/schedule"

# ---- programs that have changed ----
fresh
mv hidden hidden.old
broken "a program that is gone" "hidden' no longer exists: build it again"
"$FORERUN" cc -g -O2 -DFIXED -pthread hidden.c -o hidden 2>/dev/null
broken "another build" "hidden' has changed since the run was recorded"
t_ok "the detail of the finding gives the reason" sh -c \
	'grep "\"detail\"" e.run/findings.json | grep -q "has changed since"'
mv hidden.old hidden
t_status "the old program works again" 1 "$FORERUN" confirm --trust e.run
seq 1 5 | "$FORERUN" record -q $(order input.c) -o input.run ./input >/dev/null
"$FORERUN" predict --quiet input.run 2>/dev/null
t_status "input from a pipe" 1 "$FORERUN" confirm input.run
cp -r input.run e2.run
rm e2.run/stdin
t_says "missing input is an error" 3 "recorded input 'e2.run/stdin'" "$FORERUN" confirm --trust e2.run
t_says "missing input is an error of replay" 3 "recorded input 'e2.run/stdin'" "$FORERUN" replay --trust e2.run/1
seq 1 50000 >numbers
"$FORERUN" record -q $(order input.c) -o file.run ./input <numbers >/dev/null
"$FORERUN" predict --quiet file.run 2>/dev/null
t_status "input from a file" 1 "$FORERUN" confirm file.run
t_ok "the program gets the whole input again" sh -c '"$1" replay file.run 2>/dev/null | grep -q "^sum 1250025000$"' sh \
	"$FORERUN"
seq 1 50000 | "$FORERUN" record -q $(order input.c) -o pipe.run ./input >/dev/null
"$FORERUN" predict --quiet pipe.run 2>/dev/null
t_status "a long input from a pipe" 1 "$FORERUN" confirm pipe.run
t_ok "the program gets the whole input again" sh -c '"$1" replay pipe.run 2>/dev/null | grep -q "^sum 1250025000$"' sh \
	"$FORERUN"
mkdir elsewhere
(cd elsewhere && "$FORERUN" record -q $(order ../hidden.c) -o ../where.run ../hidden >/dev/null &&
	"$FORERUN" predict --quiet ../where.run) 2>/dev/null
t_status "the program runs in its recorded folder" 1 "$FORERUN" confirm where.run
rmdir elsewhere
t_says "a missing working folder is an error" 3 "elsewhere" "$FORERUN" confirm where.run

# It deletes its input: the recorded run itself cannot be repeated.
t_ok "a program that can be run once" "$FORERUN" cc -g -O1 -pthread -DTOKEN needs.c -o once
touch token
"$FORERUN" record -q --order 0+,1,0 -o once.run ./once >/dev/null
"$FORERUN" predict --quiet once.run 2>/dev/null
t_status "nothing is confirmed" 0 "$FORERUN" confirm --no-box once.run
t_eq "the verdict is unknown" "1 unknown" "$(verdicts once.run)"
t_ok "the detail gives the reason" grep -q \
	'"detail": *"a file is not as it was when the run was recorded (it no longer exists), first in thread 0 at needs.c:[0-9]* in main(): .token.' once.run/findings.json

# ---- imported ----
printf 'T0|fork(T1)|a.c:1\nT0|w(x)|a.c:2\nT1|r(x)|b.c:3\n' >t.std
t_ok "import" "$FORERUN" import t.std -o std.run
"$FORERUN" predict --quiet std.run 2>/dev/null
t_says "an imported trace" 0 "imported, so there is no program" "$FORERUN" confirm std.run
t_eq "stays predicted" "predicted the trace was imported, so there is no program to run" \
	"$(json std.run/findings.json 'j["findings"][0]["verdict"] + " " + j["findings"][0]["detail"]')"
t_says "replay of an imported trace" 3 "imported, so there is no program" "$FORERUN" replay std.run/1

# ---- waiting, for ever: nobody plays the other process without a box ----
t_ok "a program that waits for another process" "$FORERUN" cc -g -O1 -pthread -DFIFO needs.c -o fifo.prog
mkfifo fifo
echo a >fifo &
"$FORERUN" record -q --order 0+,1,0 -o fifo.run ./fifo.prog >/dev/null
wait $!
"$FORERUN" predict --quiet fifo.run 2>/dev/null
t_status "nothing is confirmed" 0 "$FORERUN" confirm --no-box fifo.run
t_eq "the verdict is unknown" "unknown thread 0 waits for something outside the program" \
	"$(json fifo.run/findings.json 'j["findings"][0]["verdict"] + " " + j["findings"][0]["detail"]')"
t_says "replay" 3 "cannot tell: thread 0 waits for something outside" "$FORERUN" replay --no-box fifo.run/1
t_ok "no process is left behind" none_left ./fifo.prog
"$FORERUN" replay --no-box fifo.run/1 >out 2>err &
pid=$!
i=0
while [ -z "$(ours ^./fifo.prog)" ] && [ $i -lt 300 ] && kill -0 $pid 2>/dev/null; do
	sleep 0.02
	i=$((i + 1))
done
sleep 0.1 # into the run: any moment of it will do
kill -KILL $pid 2>/dev/null
wait $pid
t_ok "nothing is left behind when forerun is killed" none_left ./fifo.prog

python3 "$HERE/many.py" 30 3000000 >many.c
t_ok "a program with many bugs" "$FORERUN" cc -g -O1 -pthread many.c -o many
"$FORERUN" record -q --order 0+,1,0 -o many.run ./many >/dev/null
"$FORERUN" predict --quiet many.run 2>/dev/null
t_status "a time limit that is too short" 0 "$FORERUN" confirm --only 1 --time-limit 0.001 many.run
t_eq "the verdict is unknown" "unknown the program did not reach the end of the schedule in 0.001 seconds" \
	"$(json many.run/findings.json 'j["findings"][0]["verdict"] + " " + j["findings"][0]["detail"]')"
"$FORERUN" predict --quiet many.run 2>/dev/null
python3 "$HERE/interrupt.py" confirm 10 "" "$FORERUN" confirm --jobs 1 many.run >err
t_eq "interrupted: status" 130 $?
t_ok "it says so" grep -q '^forerun: interrupted: the verdicts so far are saved' err
t_eq "the verdicts so far are kept" "True True" \
	"$(json many.run/findings.json '"%s %s" % tuple(any(f["verdict"] == v for f in j["findings"])
	for v in ("confirmed", "predicted"))')"
t_ok "no process is left behind" none_left ./many
t_status "a second confirmation completes the verdicts" 1 "$FORERUN" confirm many.run
t_eq "each is confirmed" "30 1" "$(json many.run/findings.json '"%d %d" % (len(j["findings"]), len(set(f["verdict"]
	for f in j["findings"])))')"

# loads COMMAND...: how often it loads the model
loads() { FORERUN_DEBUG=model "$@" 2>&1 >/dev/null | grep -c '^forerun\[model\]:'; }
t_eq "confirm loads the model once for all bundles" 1 "$(loads "$FORERUN" confirm many.run)"
sed '/printf/d; s/return 0;/return sum < 0;/' many.c >harmless.c
"$FORERUN" cc -g -O1 -pthread harmless.c -o harmless
"$FORERUN" record -q --order 0+,1,0 -o harmless.run ./harmless
"$FORERUN" predict --quiet harmless.run 2>/dev/null
t_eq "confirm loads no model without bundles and controls" 0 "$(loads "$FORERUN" confirm --alone harmless.run)"
t_eq "... and the findings are confirmed" "30 none seen" \
	"$(json harmless.run '"%d %s" % (len(c), " ".join({x["harm"] for x in c}))')"
t_eq "replay loads no model" 0 "$(loads "$FORERUN" replay many.run/3)"
t_eq "run loads the model once" 1 "$(loads "$FORERUN" run --order 0+,1,0 -o loads.run ./many)"

# It leaves a child behind.
cp "$(command -v sleep)" forerun-test-sleeper
t_ok "a program with a child" "$FORERUN" cc -g -O1 -pthread -DCHILD needs.c -o child
"$FORERUN" record -q --order 0+,1,0 -o child.run ./child >/dev/null 2>&1 </dev/null
i=0
while [ -z "$(ours ^./forerun-test-sleeper)" ] && [ $i -lt 100 ]; do # it may only just begin
	sleep 0.1
	i=$((i + 1))
done
kill $(ours ^./forerun-test-sleeper)
"$FORERUN" predict --quiet child.run 2>/dev/null
t_status "it is confirmed" 1 "$FORERUN" confirm child.run
t_ok "its child has ended" none_left ./forerun-test-sleeper

# ---- sanitizers ----
# sanitizer NAME FLAGS REGEX
sanitizer()
{
	rm -rf san.run
	if ! "$FORERUN" cc -g -O1 -pthread $2 report.c -o san >out 2>&1; then
		t_skip "$1" "it cannot be linked here"
		return
	fi
	t_status "$1: run" 1 "$FORERUN" run --order 0+,1,0 -o san.run ./san
	t_eq "$1: harm" "confirmed sanitizer" \
		"$(json san.run/findings.json 'j["findings"][0]["verdict"] + " " + j["findings"][0]["harm"]')"
	t_ok "$1: the detail contains the report" sh -c 'grep "\"detail\"" san.run/findings.json | grep -Eq "$1"' sh \
		"$3"
}
sanitizer "address" "-fsanitize=address" "AddressSanitizer: global-buffer-overflow"
sanitizer "undefined behaviour" "-fsanitize=undefined -DOVERFLOW" \
	"report.c:[0-9:]+ runtime error: signed integer overflow"

# ---- run ----
"$FORERUN" run $(order crash.c) -o all.run --json all.json ./crash >text 2>err
t_eq "run exits with status 1" 1 $?
t_eq "run prints a line for each step" "recorded predicted confirmed" \
	"$(sed -n 's/^forerun: \(recorded\|predicted\|confirmed\) .*/\1/p' err | paste -sd ' ')"
t_ok "run prints the report" grep -q '^[0-9]*\. data race on `config` — confirmed, the program then crashes$' text
"$FORERUN" report --format json all.run >shown.json
t_ok "run writes the JSON file" cmp all.json shown.json
t_says "run refuses an existing folder" 2 "'all.run' exists already" "$FORERUN" run -o all.run ./crash
"$FORERUN" run $(order hidden.c) --json - ./hidden 2>/dev/null | tail -n +2 >one.json
t_eq "json on standard output" "confirmed forerun.d" "$(json one.json 'j["findings"][0]["verdict"]') $(ls -d forerun.d)"
"$FORERUN" run $(order hidden.c) -o three --runs 3 --json three.json ./hidden >text 2>err
t_eq "--runs 3 exits with status 1" 1 $?
t_eq "the bug is one finding" "1 confirmed" \
	"$(json three.json '"%d %s" % (len(j["findings"]), j["findings"][0]["verdict"])')"
t_ok "its schedule exists" test -e "$(json three.json 'j["findings"][0]["schedule"]')"
t_eq "--runs 3 makes three folders" "three.1 three.2 three.3" "$(ls -d three.* | grep -v json | paste -sd ' ')"
t_eq "the report shows it once" 1 "$(grep -c '^[0-9]*\. data race' text)"
t_eq "a message names each run" "run 1 of 3, in three.1;run 2 of 3, in three.2;run 3 of 3, in three.3" \
	"$(sed -n 's/^forerun: \(run .*\)/\1/p' err | paste -sd ';')"
t_ok "the finding names the runs that have it" grep -q '^   in 3 of 3 runs: three.1/1, three.2/1, three.3/1$' text
t_eq "... in JSON too" "three.1/1 three.2/1 three.3/1" "$(json three.json '" ".join(j["findings"][0]["runs"])')"
mkdir short.2
"$FORERUN" run $(order hidden.c) -o short --runs 3 --json short.json ./hidden >text 2>err
t_eq "--runs with an existing second folder: status" 2 $?
t_ok "... a message names the folder" grep -q "'short.2' exists already" err
t_ok "... and the findings of the first run are shown" grep -q '^   in 1 of 1 runs: short.1/1$' text
t_eq "... in JSON too" confirmed "$(json short.json 'j["findings"][0]["verdict"]')"
python3 "$HERE/many.py" 20 1000 >several.c
"$FORERUN" cc -g -O1 -pthread several.c -o several
"$FORERUN" run --order 0+,1,0 -o twice --runs 2 --json twice.json ./several >text 2>err
t_eq "many findings in two runs: status" 1 $?
t_eq "... have consecutive numbers" "$(seq 20 | paste -sd ' ')" \
	"$(sed -n 's/^\([0-9]*\)\. data race.*/\1/p' text | paste -sd ' ')"
t_eq "... and name their runs" 40 "$(json twice.json 'sum(len(f["runs"]) for f in j["findings"])')"
"$FORERUN" cc -g -O1 -DFIXED -pthread hidden.c -o right
"$FORERUN" run -o right.run ./right >text 2>err
t_eq "nothing wrong: status" 0 $?
t_ok "nothing wrong: run says that no bug was found" grep -q '^no bug was found$' text
"$FORERUN" run --runs 2 -o right2 ./right >text 2>err
t_eq "nothing wrong in two runs: status" 0 $?
t_ok "nothing wrong in two runs: run says that no bug was found" grep -q '^no bug was found in 2 runs$' text

# ---- help ----
for c in confirm replay run; do
	t_ok "$c --help" sh -c '"$1" '$c' --help | grep -q "^usage: forerun '$c'"' sh "$FORERUN"
	t_ok "completion knows $c" sh -c '"$1" completion bash | grep -q "'$c') words="' sh "$FORERUN"
	t_ok "the manual knows $c" grep -q "forerun $c" "$SRC/doc/man/forerun.1"
done
t_done
