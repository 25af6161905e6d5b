#!/bin/sh
# The ready properties, by their names: each predicts and confirms the bug of a program, and is silent on its twin.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/ready
cd "$T" || exit 99

# ready NAME KIND EVENTS: the first confirmed finding of the property.
ready()
{
	t_ok "$1: has no errors" "$FORERUN" check "$1"
	for twin in "" -DFIXED; do
		n=$1${twin:+.fixed}
		libs=$(sed -n 's/^ \* build: //p' "$P/$1.c")
		t_ok "$n: the program builds" "$FORERUN" cc -g -pthread $twin --spec "$1" "$P/$1.c" $libs -o "$n"
		"$FORERUN" run --kinds property --spec "$1" $(order "$P/$1.c") -o "$n.d" -- \
			"./$n" >"$n.log" 2>&1 </dev/null
		t_eq "$n: status" "$([ "$twin" ] && echo 0 || echo 1)" "$?"
		t_ok "$n: the recorded run is harmless" recorded "$n.log"
	done
	t_eq "$1: the finding" "property:$2 $3" \
		"$(json "$1.d" '" ".join((x["kind"] + " " + " ".join("%s/%d" % (e["name"], e["thread"])
		for e in x["events"])) for x in c if x["kind"] != "failure").split(" property")[0]')"
	t_eq "$1: the twin has no finding" 0 "$(json "$1.fixed.d" 'len(f)')"
}

ready iteration UnsafeIteration "create/1 change/2 next/1"
ready authenticate AuthenticateBeforeUse "use/2"
ready check-then-act CheckThenAct "check/1 act/2 act/1"
ready file StreamUseAfterClose "close/0 use/1"
ready descriptor DescriptorUseAfterClose "close/0 use/1"
if [ -e /usr/include/sqlite3.h ]; then
	ready sqlite StatementUseAfterFinalize "finalize/0 use/1"
else
	t_skip "sqlite" "libsqlite3-dev is not installed"
fi
ready lock-discipline LockDiscipline "lock/1 use/1 use/2"
ready non-reentrant TimeFunctions "begin/1 begin/2"
ready init-once InitOnceBeforeUse "use/2 init/1"
ready condition ConditionOneMutex "wait/1 other/2"

t_eq "all ready properties are tested here" "$(cd "$SRC/share/forerun/properties" && ls | sed 's/\.spec$//')" \
	"$(sed -n 's/^	*ready \([a-z-]*\) .*/\1/p' "$HERE/ready.t" | sort)"
t_eq "a global has its name" "condition = ready, mutex = one" "$(json condition.d 'c[0]["subject"]')"
t_says "an unknown name lists the known ones" 2 \
	"--spec: .*'nothing'.*; ready properties: authenticate, check-then-act, .*" \
	"$FORERUN" predict --spec nothing file.d
cp "$SRC/share/forerun/properties/file.spec" descriptor
t_eq "a file of the same name" "./descriptor: 1 property" "$("$FORERUN" check ./descriptor)"
t_done
