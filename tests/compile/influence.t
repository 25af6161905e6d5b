#!/bin/sh
# The graph of influence in the site table lists the effects of each read: two programs with comments, and random ones.
# FUZZ=200 chooses the number of random programs, SEED the first.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

influences() { # SOURCE LEVEL
	case $1 in *.cpp) tool=c++ ;; *) tool=cc ;; esac
	FORERUN_PASS=verify=1 "$FORERUN" $tool -g -w "-O$2" -c "$SRC/tests/programs/cc/$1" -o i.o &&
		python3 "$HERE/sites.py" i.o influence >i.txt && python3 "$HERE/influence.py" \
			"$SRC/tests/programs/cc/$1" "$2" <i.txt
}

for level in 0 1 2 3; do
	t_ok "influences of influence.c at -O$level" influences influence.c $level
	t_ok "influences of influence.cpp at -O$level" influences influence.cpp $level
done
t_ok 'without the option, there is no graph' sh -c \
	'FORERUN_PASS=influence=0 "$0" cc -g -O1 -c "$1/tests/programs/cc/influence.c" -o n.o &&
	python3 "$1/tests/compile/sites.py" n.o influence | grep -v everything >n.txt; ! test -s n.txt' "$FORERUN" \
		"$SRC"

cat >run.c <<'EOF'
int from, to;
int main(void) { if (from) to = 1; return 0; }
EOF
t_ok 'dump --influence prints the graph of a run' sh -c \
	'"$0" cc -g run.c -o run && "$0" record -o run.d ./run && "$0" dump --influence run.d >run.txt &&
	grep -q "^value from@run.c:2 -> execute to@run.c:2$" run.txt' "$FORERUN"
t_ok 'random programs change no value that the graph excludes' python3 "$HERE/influence_fuzz.py" "$FORERUN" \
	"$HERE/sites.py" "${FUZZ:-12}" "${SEED:-1}"
t_done
