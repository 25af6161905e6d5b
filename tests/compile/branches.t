#!/bin/sh
# forerun records branches if options of both the compiler and the recorder ask for them. A branch that depends on a read
# has an event with its direction; other branches have none.
. "$(dirname "$0")/../lib.sh"

P=decide.c
cd "$T" || exit 99
export FORERUN_PASS=branches=1
cp "$SRC/tests/programs/cc/decide.c" .

# Branches of a function in the other thread: "name detail", one after the other.
branches() # RUN FUNCTION
{
	"$FORERUN" dump -t 0.1 -k branch "$1" | sed -n \
		"s|^ *[0-9]*  branch *\(.*[^ ]\) *decide.c:[0-9]*:[0-9]* $2\$|\1|p" |
		sed 's/  */ /g' | paste -sd, -
}
# before RUN FUNCTION: prints the location read right before each branch of the function.
before()
{
	"$FORERUN" dump -t 0.1 -k branch -k access "$1" | grep -B1 "branch .* $2\$" | grep -o \
		'^ *[0-9]* *[a-z-]*read [^ ]* *[a-z]*\|^ *[0-9]* *atomic-load [^ ]* *[a-z]*' |
		awk '{print $NF}' | paste -sd, -
}

for level in O0 O1 O2; do
	t_ok "$level: the program builds" env FORERUN_PASS=verify=1:branches=1 "$FORERUN" cc -$level -g -pthread \
		"$P" -o decide
	t_ok "$level: is recorded" "$FORERUN" record -q --option branch=1 -o run.$level ./decide
	t_eq "$level: a condition, both ways" "ready = 1,ready = 0" "$(branches run.$level condition)"
	t_eq "$level: ... right behind the reads" "ready,ready" "$(before run.$level condition)"
	t_eq "$level: a switch" "mode case 17" "$(branches run.$level choice)"
	case $level in
	O0) loop="limit before a loop" called="= 1" gate="gate = 1" ;;
	*) loop="limit = 1" called="= 0" gate="gate = 0" ;; # the other way round, and a test before the loop
	esac
	t_eq "$level: on an argument" "= 1" "$(branches run.$level given)"
	t_eq "$level: a second branch on the same read is not recorded" "= 1" "$(branches run.$level again)"
	t_eq "$level: on a call's result" "$called" "$(branches run.$level called)"
	t_eq "$level: a loop whose bound is read before it: once" "$loop" "$(branches run.$level bounded)"
	t_eq "$level: on an atomic" "$gate" "$(branches run.$level atomically)"
	t_eq "$level: an indirect call" "handler to" "$(branches run.$level indirect | cut -d' ' -f1,2)"
	t_eq "$level: ... to the function that was read" \
		"$("$FORERUN" dump -t 0.1 -k read -l handler run.$level | grep -o '= 0x[0-9a-f]*' | cut -c3-)" \
		"$(branches run.$level indirect | cut -d' ' -f3)"
	t_eq "$level: a condition without memory has no branch event" "" "$(branches run.$level constant)"
	case $level in
	O0) t_eq "$level: a search: each step" 41 "$(branches run.$level search | tr , '\n' | grep -c table)" ;;
	*) t_eq "$level: a search that is recorded when it ends: once, behind the ranges" "behind a loop" \
		"$(branches run.$level search)" ;;
	esac
done

# Index and kind of each event.
hooks() { "$FORERUN" dump "$1" | awk '$1 ~ /^[0-9]+$/ && $2 != "events" {print $1, $2}'; }
FORERUN_PASS= "$FORERUN" cc -O1 -g -pthread "$P" -o decide && "$FORERUN" record -q -o run.none ./decide
t_ok "the run without branches has events" [ "$(hooks run.none | wc -l)" -gt 30 ]
t_eq "no branch is a hook: the indices are the same" "$(hooks run.none)" "$(hooks run.O1)"
t_eq "without branches=1: no hook, no event" 0 "$("$FORERUN" dump --raw run.none | grep -c ' branch ')"
"$FORERUN" cc -O1 -g -pthread "$P" -o decide
t_ok "a run without the option is recorded" "$FORERUN" record -q -o run.off ./decide
t_eq "... without branches" 0 "$("$FORERUN" dump --raw run.off | grep -c ' branch ')"
t_ok "--option branch=all: the run is recorded" "$FORERUN" record -q --option branch=all -o run.all ./decide
t_ok "--option branch=all records more branches than branch=1" \
	[ "$("$FORERUN" dump --raw run.all | grep -c ' branch ')" -gt \
	"$("$FORERUN" dump --raw run.O1 | grep -c ' branch ')" ]
t_eq "dump does not show them unasked" 0 "$("$FORERUN" dump run.O1 | grep -c ' branch ')"
t_ok "run.json does not count them" [ "$(grep '"events"' run.O1/run.json)" = "$(grep '"events"' run.none/run.json)" ]

# Exactly those of branch=all that come first after a kept read; share.c has thousands of them.
cp "$SRC/tests/programs/filter/share.c" .
for build in 'O0 share' 'O0 decide' 'O2 decide'; do
	level=${build% *} prog=${build#* }
	t_ok "$prog -$level: the program builds" "$FORERUN" cc -$level -g -pthread $prog.c -o $prog
	for o in 'private=0:repeat=0' 'hot=1'; do
		"$FORERUN" record -q --option "$o:branch=1" -o kept.$prog.$level.$o ./$prog >/dev/null
		"$FORERUN" record -q --option "$o:branch=all" -o all.$prog.$level.$o ./$prog >/dev/null
		t_ok "$prog -$level, $o: the first branch after each kept read" \
			python3 "$HERE/branch_check.py" "$FORERUN" all.$prog.$level.$o kept.$prog.$level.$o
	done
done
t_fail "the comparison notices missing branches" python3 "$HERE/branch_check.py" "$FORERUN" run.all run.off
t_done
