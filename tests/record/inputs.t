#!/bin/sh
# The trace contains the input from outside (clocks, random bytes, ids, reads), and asking for input counts no hook.
. "$(dirname "$0")/../lib.sh"

P=$SRC/tests/programs/inputs
cd "$T" || exit 99
printf 'a first line\nand a second\n' >input.txt

# "QUESTION ANSWER", one a line, in the words of the program.
inputs()
{
	"$FORERUN" dump -k input "$@" | sed -n 's/^ *[0-9]*  input *//p' | grep -v '^file \|^name ' | sed \
		's|  */[^ ]*:[0-9]*:[0-9]* .*||; s/  */ /' |
		sed 's/ ns.*//; s/^read = /read /; s/ bytes, hash.*//'
}
hooks() { "$FORERUN" dump --raw -t "$1" "$2" | awk \
	'$1 ~ /^[0-9]+$/ && ($2 == "input" || $2 == "atomic-rmw") {print $1, $2}' | paste -sd, -; }

for how in dynamic static fortified; do
	case $how in
	dynamic) flags= ;;
	static) flags=-static ;;
	fortified) flags="-O2 -D_FORTIFY_SOURCE=2" ;;
	esac
	t_ok "$how: the program builds" "$FORERUN" cc -g -O1 -pthread $flags "$P/ask.c" -o ask
	t_ok "$how: runs without forerun" ./ask
	"$FORERUN" record -q -o $how ./ask >said 2>err
	t_eq "$how: is recorded" "0 " "$? $(cat err)"
	t_ok "$how: the recorded program prints its answers" [ "$(wc -l <said)" -ge 35 ]
	t_eq "$how: each answer is recorded as given" "$(cat said)" "$(inputs $how)"
	t_eq "$how: an answer is no hook" "2 atomic-rmw,2 input,3 atomic-rmw" "$(hooks 0.1 $how)"
	t_ok "$how: predict accepts the run" "$FORERUN" predict $how
done
if command -v gcc >/dev/null && command -v objcopy >/dev/null; then
	t_ok "gcc -fsanitize=thread: the program builds" gcc -g -fsanitize=thread -O2 -D_FORTIFY_SOURCE=2 -pthread -c \
		"$P/ask.c" -o ask.o
	t_eq "gcc: by the checked functions" "fgets fread poll ppoll pread read" \
		"$(nm -u ask.o | sed -n 's/.* __\([a-z]*\)_chk$/\1/p' | grep -v 'printf\|fdelt' | sort | paste -sd ' ')"
	t_ok "gcc: links" "$FORERUN" cc -pthread ask.o -o ask
	"$FORERUN" record -q -o gcc ./ask >said
	t_ok "gcc: asks" [ "$(wc -l <said)" -ge 35 ]
	t_eq "gcc: each answer is recorded as given" "$(cat said)" "$(inputs gcc)"
else
	t_skip "gcc -fsanitize=thread" "there is no gcc or objcopy"
fi

for flags in "" -static; do
	t_ok "own names $flags: the program builds" "$FORERUN" cc -g -w $flags "$P/own_a.c" "$P/own_b.c" -o own
	t_eq "own names $flags: are the program's own" 533.5 "$(./own)"
	t_eq "own names $flags: ... when it is recorded" 533.5 "$("$FORERUN" record -q -o own$flags.d ./own)"
done

t_eq "dump --kind input shows inputs" 0 "$("$FORERUN" dump dynamic | grep -c ' input ')"
t_eq "inputs do not count as events" "$(grep -o '"events": [0-9]*' dynamic/run.json)" \
	"\"events\": $("$FORERUN" dump dynamic | sed -n 's/^\([0-9]*\) events of .*/\1/p')"

printf 'a first line\nanother two\n' >input.txt
"$FORERUN" record -q -o again ./ask >said
reads() { "$FORERUN" dump -k input "$1" | grep -o 'read .* hash 0x[0-9a-f]*' | sed 's/  */ /g'; }
t_eq "the hash of a read is the same for the same bytes" "$(reads dynamic | sed -n 1,2p)" "$(reads again | sed -n 1,2p)"
t_fail "... and differs for other bytes" [ "$(reads dynamic | sed -n 3p)" = "$(reads again | sed -n 3p)" ]

t_ok "C++: the program builds" "$FORERUN" c++ -g -O1 "$P/chrono.cpp" -o chrono
"$FORERUN" record -q -o cxx ./chrono >said 2>err
t_eq "C++: asks" 3 "$(wc -l <said)"
t_eq "C++: the clocks of libstdc++, a file" "$(cat said)" "$(inputs cxx | head -3)"
t_ok "C++: no answer is lost if a handler interrupts the call" \
	[ "$(inputs cxx | wc -l)" -ge $((20003 + $(sed -n 's/asked //p' err))) ]
t_ok "... and no event is lost" [ "$(grep -c lost_signal cxx/run.json)" = 0 ]
t_done
