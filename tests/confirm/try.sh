# Helpers of tests that run a program and its correct twin. Source lib.sh first.
#
# try NAME SOURCE FLAGS       builds the program, with the options of its line ` * flags:`, and runs it; sets status
# kinds DIR                   the kinds of the findings that count
# found DIR                   kind and harm of each finding that counts
# fails DIR SOURCE MARK KIND  does the finding say that the program fails in the line with the mark?
try()
{
	compiler=cc
	case $2 in *.cpp) compiler='c++ -std=c++20' ;; esac
	t_ok "$1: builds" "$FORERUN" $compiler -g -Wall -pthread $(sed -n 's/^ \* flags: //p' "$2") $3 "$2" -o "$1"
	"$FORERUN" run $(order "$2") -o "$1.d" "./$1" >"$1.out" 2>"$1.err" </dev/null
	status=$?
	t_ok "$1: the recorded run went well" recorded "$1.err"
}

kinds() { json "$1" '" ".join(sorted(set(x["kind"] for x in c if not x["folded"])))'; }
found() { json "$1" '[(x["kind"], x["harm"]) for x in c if not x.get("folded")]'; }

fails()
{
	json "$1" '[x["detail"] for x in c if x["kind"] == "'"$4"'" and not x["folded"]][0]' >fails.txt
	for line in $(grep -n "@$3" "$2" | cut -d: -f1); do
		! grep -q "$(basename "$2"):$line[: ]" fails.txt || return 0
	done
	cat fails.txt
	return 1
}
