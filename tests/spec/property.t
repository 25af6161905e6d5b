#!/bin/sh
# The figures of GPredict and jPredictor as properties: violations are predicted from harmless runs, confirmed, and
# absent from the correct twins; errors of --spec; functions that were not instrumented; recorded runs that violate a
# property.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/property
cd "$T" || exit 99

# figure NAME KIND HARM EVENTS: the one confirmed finding of a program, and none of its twin.
figure()
{
	for twin in "" -DFIXED; do
		n=$1${twin:+.fixed}
		libs=$(sed -n 's/^ \* build: //p' "$P/$1.c")
		t_ok "$n: the program builds" "$FORERUN" cc -g -pthread $twin --spec "$P/$1.spec" "$P/$1.c" $libs -o \
			"$n"
		"$FORERUN" run --kinds property --spec "$P/$1.spec" $(order "$P/$1.c") -o "$n.d" -- \
			"./$n" >"$n.log" 2>&1 </dev/null
		t_eq "$n: status" "$([ "$twin" ] && echo 0 || echo 1)" "$?"
		t_ok "$n: the recorded run is harmless" recorded "$n.log"
	done
	t_eq "$1: the finding" "$2 confirmed $3" \
		"$(json "$1.d" '" ".join((c[0]["kind"], c[0]["verdict"], c[0]["harm"]))')"
	t_eq "$1: its events" "$4" "$(json "$1.d" '" ".join("%s/%d" % (e["name"], e["thread"])
		for e in c[0]["events"])')"
	t_eq "$1: the twin has no finding" 0 "$(json "$1.fixed.d" 'len(f)')"
}

figure auth property:AuthenticateBeforeUse "none seen" "use/2"
figure iterator property:UnsafeIterator crash "create/1 next/1 update/2 next/1"
figure cache property:CheckThenAct assert "check/1 act/2 act/1"
figure account property:AtomicityViolation assert "begin/1 read/1 write/2 write/1 end/1"
figure race property:DataRace "none seen" "read/2 write/1"
figure null property:NullDereference "none seen" "use/1 clear/2"
figure database property:UnsafeDatabaseAccess "none seen" "open/0 create/0 delete/2 update/1"
figure logger property:Deadlock hang "logger/1 handler/2 logger/2 handler/1"
figure files property:UseAfterClose "none seen" "close/0 use/1"
if [ -e /usr/include/sqlite3.h ]; then
	figure sqlite property:UnsafeDatabaseAccess output "create/0 update/1 delete/0 update/2"
else
	t_skip "sqlite" "libsqlite3-dev is not installed"
fi
t_eq "the finding has its binding" True \
	"$(json iterator.d '"c = the block allocated at" in c[0]["subject"] and "i = the block allocated at" in c[0]["subject"]')"
t_status "replay makes it happen again" 1 "$FORERUN" replay iterator.d/1

# The automaton judges each re-execution: on another path, where other events of the property may come between, and at
# the end of the run. The first program's twin comes to both events, but repairs before the use.
for twin in "" -DFIXED; do
	n=detour${twin:+.fixed}
	t_ok "$n: the program builds" "$FORERUN" cc -g -pthread $twin --spec "$P/detour.spec" "$P/detour.c" -o "$n"
	"$FORERUN" run --kinds property --spec "$P/detour.spec" $(order "$P/detour.c") -o "$n.d" -- "./$n" >"$n.log" 2>&1
	t_eq "$n: status" "$([ "$twin" ] && echo 0 || echo 1)" "$?"
done
t_eq "detour: is confirmed on another path" True "$(json detour.d '"another path" in open("detour.log").read()')"
t_eq "detour: the twin is never confirmed" "unknown" "$(json detour.fixed.d '" ".join(x["verdict"] for x in f)')"
t_ok "detour: the twin's finding says why" grep -q "only where the run did not violate the property" detour.fixed.d/findings.json
figure unanswered property:Answered "none seen" "answer/1 ask/0"
FORERUN_DEBUG=confirm "$FORERUN" confirm --fail-on never unanswered.d >unanswered.log 2>&1
t_eq "unanswered: is confirmed by the execution that violates it at its end" "not violated, violated" \
	"$(sed -n 's/.*in the execution: //p' unanswered.log | paste -sd, | sed 's/,/, /g')"
t_status "unanswered: replay repeats that execution" 1 "$FORERUN" replay unanswered.d/1
mv detour.d/properties properties
FORERUN_DEBUG=confirm "$FORERUN" replay detour.d/1 >detour.log 2>&1
t_eq "without its properties, a folder is replayed by its schedule" "1 0" "$? $(grep -c 'in the execution: viol' detour.log)"
mv properties detour.d/properties
FORERUN_DEBUG=confirm "$FORERUN" replay detour.d/1 >detour.log 2>&1
t_eq "replay judges by the properties of the folder" "1 1" "$? $(grep -c 'in the execution: viol' detour.log)"

# A recorded run that breaks the property itself.
"$FORERUN" record -q --order 0+,2,0+,1,0 -o broken.d ./auth >/dev/null 2>&1
t_ok "broken: is predicted" "$FORERUN" predict --fail-on never --kinds property --spec "$P/auth.spec" broken.d
t_ok "broken: is confirmed" "$FORERUN" confirm --fail-on never broken.d
t_eq "a run that breaks a property is a finding" "property:AuthenticateBeforeUse confirmed" \
	"$(json broken.d '" ".join((c[0]["kind"], c[0]["verdict"]))')"

# Several properties and kinds in one pass.
t_ok "together with the other kinds" "$FORERUN" predict --fail-on never --spec "$P/null.spec" null.d
t_eq "both kinds are found" "data-race null-dereference property:NullDereference" \
	"$(json null.d '" ".join(sorted({x["kind"] for x in f}))')"

# <> at the end of the run: the answer comes before the request, so nothing answers it.
cat >answer.c <<'END'
#include <forerun.h>
#include <pthread.h>
static void *ask(void *a) { FORERUN_EVENT("request", 7); return a; }
static void *answer(void *a) { FORERUN_EVENT("answer", 7); return a; }
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, ask, 0);
	pthread_create(&b, 0, answer, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
END
cat >answer.spec <<'END'
property Answered(int r) {
    event ask    mark("request") && args(r);
    event answer mark("answer") && args(r);
    ltl: [](ask -> <>answer)
}
END
t_ok "answer: the program builds" "$FORERUN" cc -g -pthread answer.c -o answer
t_status "answer: an unanswered request is found" 1 "$FORERUN" run --kinds property --spec answer.spec --order \
	creation -o answer.d -- ./answer
t_eq "answer: in this order" "answer ask r = 7" \
	"$(json answer.d '" ".join([e["name"] for e in c[0]["events"]] + [c[0]["subject"]])')"

# Errors.
t_ok "a program without the calls builds" "$FORERUN" cc -g -pthread "$P/cache.c" -o plain
t_ok "... and is recorded" "$FORERUN" record -q --order creation -o plain.d ./plain
t_says "calls that were not instrumented" 2 \
	"property:CheckThenAct: the calls of 'map_get' were not recorded, because './plain' was built without the property file; rebuild it: forerun cc --spec $P/cache.spec" \
	"$FORERUN" predict --spec "$P/cache.spec" plain.d
sed 's/map_get/map_gett/' "$P/cache.spec" >other.spec
t_ok "other: the program builds" "$FORERUN" cc -g -pthread --spec other.spec "$P/cache.c" -o other
t_ok "... and is recorded" "$FORERUN" record -q --order creation -o other.d ./other
t_says "a name that no function has" 0 "property:CheckThenAct: './other' has no recorded call or execution of 'map_gett'" \
	"$FORERUN" predict --spec other.spec --kinds property other.d
t_says "a missing file" 2 "--spec: .*'missing'" "$FORERUN" predict --spec missing plain.d
t_says "cc: a missing file" 2 "--spec: .*'missing'" "$FORERUN" cc --spec missing -c "$P/cache.c"
t_says "cc: no file" 2 "--spec: no property file" "$FORERUN" cc -c "$P/cache.c" --spec
printf 'property P() { event a mark("x"); pattern: b }\n' >bad
t_status "errors of the file, in cc" 2 "$FORERUN" cc --spec=bad -c "$P/cache.c"
t_eq "... with their place" "bad:1:44: unknown event 'b': the events of this property are a" \
	"$("$FORERUN" cc --spec=bad -c "$P/cache.c" 2>&1)"
t_status "errors of the file, in predict" 2 "$FORERUN" predict --spec bad plain.d
t_ok "--kinds property without --spec: attributes may give properties" "$FORERUN" predict --kinds property plain.d
t_ok "FORERUN_SPEC names functions too" env FORERUN_SPEC="$P/cache.spec" "$FORERUN" cc -g -pthread "$P/cache.c" -o named
t_ok "... and is recorded" "$FORERUN" record -q --order creation -o named.d ./named
t_ok "... with the calls" "$FORERUN" predict --fail-on never --spec "$P/cache.spec" named.d
t_done
