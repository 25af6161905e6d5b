#!/bin/sh
# Calls and executions of functions that are named at compile time, with arguments and results.
. "$(dirname "$0")/../lib.sh"

cd "$T" || exit 99
cp "$SRC"/tests/programs/calls/* .
KINDS="-k call -k return -k exec-begin -k exec-end"
C='--forerun-calls=list_*,fact,sum,mixed,make_big,nothing,many,jumps,other'
CXX='--forerun-calls=ns::queue::*,ns::thrower,ns::cleaner,ns::twice<*>,_ZN2ns4same*'

# Events without index, stamp, addresses and place.
events() { "$FORERUN" dump $KINDS "$1" | sed -n \
	's/^ *[0-9]*  \([a-z-]*\)  *\(.*[^ ]\)  *#[0-9]*\( unwound\| tail call\)\{0,1\} .*/\1 \2\3/p' | sed \
	's/0x[0-9a-f]*/ADDR/g'; }
# record_calls NAME COMMAND...: builds with COMMAND and records prog.NAME; its events are in NAME.got
record_calls()
{
	name=$1
	shift
	rm -rf "run.$name"
	"$@" -o "prog.$name" 2>err && "$FORERUN" record -q -o "run.$name" "./prog.$name" && events \
		"run.$name" >"$name.got" && return 0
	cat err
	return 1
}

for level in -O0 -O1 -O2 -O3; do
	t_ok "C $level" env FORERUN_PASS=verify=1 sh -c '"$@" 2>&1' sh "$FORERUN" cc $level -g -c -pthread \
		"$C" calls.c -o calls.o
	record_calls c env FORERUN_PASS=verify=1 "$FORERUN" cc $level -g -pthread \
		"$C" --forerun-calls=strtol,pthread_equal calls.c
	t_eq "C $level: events, arguments, results" "$(cat calls.c.events)" "$(cat c.got)"
	record_calls cxx env FORERUN_PASS=verify=1 "$FORERUN" c++ $level -g "$CXX" calls.cpp
	t_eq "C++ $level: events, arguments, results" "$(cat calls.cpp.events)" "$(cat cxx.got)"
done

t_ok "the site of a call and of an execution" sh -c \
	'"$0" dump -k call -k exec-begin run.c | grep -qE "call +list_add.* calls.c:8[0-9]:2 main$" && "$0" dump -k exec-begin run.c | grep -qE "exec-begin +list_add.* calls.c:22:0 list_add$"' "$FORERUN"
t_ok "an inlined execution has the stack of the source" sh -c \
	'"$0" dump -s -k exec-begin -l list_add run.c | grep -A2 "exec-begin" | grep -q "#1 calls.c:8[0-9]:2 main"' \
	"$FORERUN"
# A pair has the same depth: kind, address field.
"$FORERUN" dump --raw -t 0 $KINDS run.c | awk '
	$2 == "call" || $2 == "exec-begin" { stack[++n] = $2 " " $6 }
	$2 == "return" || $2 == "exec-end" {
		want = ($2 == "return" ? "call " : "exec-begin ") $6
		while (n && stack[n] != want) n--
		if (!n) { print "no beginning of " $0; exit 1 }
		n--
	}' >pairs
t_eq "each end has a beginning of the same depth" "" "$(cat pairs)"
t_eq "they are hooks: no index twice" "" \
	"$("$FORERUN" dump -t 0 run.c | awk '$1 ~ /^[0-9]+$/ && $2 != "events" && $2 !~ /^last-/ {print $1}' | uniq -d)"
t_ok "they are stamped, in order" sh -c '"$0" dump -t 0 -k user run.c | grep -oE "#[0-9]+" | tr -d "#" | sort -c -n' \
	"$FORERUN"
t_ok "-k user has them" sh -c '"$0" dump -k user run.c | grep -q "exec-end"' "$FORERUN"

# ---- options ----
record_calls env env 'FORERUN_PASS=calls=ns::twice<long>:verify=1:calls=ns::th*' "$FORERUN" c++ -O1 -g calls.cpp
t_eq "calls= of FORERUN_PASS, with double colons" "call ns::thrower(1)
exec-begin ns::thrower(1)
exec-end ns::thrower = 1
return ns::thrower = 1
call ns::thrower(3)
exec-begin ns::thrower(3)
call ns::twice<long>(-21)
exec-begin ns::twice<long>(-21)
exec-end ns::twice<long> = -42
return ns::twice<long> = -42" "$(cat env.got)"
record_calls none "$FORERUN" c++ -O1 -g calls.cpp
t_eq "without named functions there are no call events" "" "$(cat none.got)"
record_calls skip env 'FORERUN_PASS=skip=fact' "$FORERUN" cc -O0 -g -pthread --forerun-calls=fact calls.c
t_eq "a function that is not instrumented: its calls elsewhere" "call fact(3)
return fact = 6" "$(cat skip.got)"
record_calls plain "$FORERUN" cc -O2 -g0 -pthread --forerun-calls=fact,list_add calls.c
t_eq "without debug information" "$(grep -E 'fact|list_add' calls.c.events)" "$(cat plain.got)"
record_calls plain "$FORERUN" c++ -O2 -g0 '--forerun-calls=ns::queue::push,ns::queue::operator()' calls.cpp
t_eq "... C++" "$(grep -E 'push|operator' calls.cpp.events)" "$(cat plain.got)"
record_calls static "$FORERUN" cc -O2 -g -static -pthread --forerun-calls=fact calls.c
t_eq "-static" "$(grep fact calls.c.events)" "$(cat static.got)"
t_eq "the option is not clang's" "" "$("$FORERUN" cc '-###' --forerun-calls=fact -c calls.c 2>&1 | grep forerun-calls)"
t_ok "--help describes --forerun-calls" sh -c '"$0" cc --help | grep -q -- --forerun-calls' "$FORERUN"
t_ok "indirect calls are counted" sh -c 'FORERUN_PASS=verbose=1 "$0" cc --forerun-calls=other -c calls.c 2>&1 | grep -qE " 1 indirect calls"' "$FORERUN"
# The behaviour of the program does not change.
for p in c cxx; do
	t_ok "unrecorded, it runs as usual ($p)" ./prog.$p
done
t_done
