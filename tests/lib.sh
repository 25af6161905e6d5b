# Sourced by the end-to-end tests (tests/*/*.t): TAP on standard output.
#
#   t_ok DESC CMD...       passes if CMD exits 0
#   t_fail DESC CMD...     passes if CMD exits non-zero
#   t_status DESC N CMD... passes if CMD exits with status N
#   t_eq DESC WANT GOT     passes if the two strings are equal
#   t_says DESC N REGEX CMD...  two tests: CMD exits with status N, and prints "forerun: REGEX" on standard error
#   t_skip DESC WHY        counts a test that cannot run here
#   t_done                 prints the plan; must be the last call
#   again RUN OUTPUT N     replays the recorded run N times; fails unless each replay prints the contents of file OUTPUT
#   order SOURCE           prints the option --order for `record` and `run`, if the program's head has ` * order:`
#   recorded LOG           succeeds if LOG says that the program was recorded with exit status 0, without a warning
#                          about its order
#   head_line KEY SOURCE   prints the value of ` * KEY:` in the head of a test program (tests/README.md)
#   compiler SOURCE        prints the subcommand of forerun that compiles it: cc or c++
#   line MARK SOURCE       prints the number of the line that has the mark, /* @MARK */
#   json FILE EXPR         prints the value of a Python expression over a JSON file, or over findings.json if FILE is a
#                          run folder. j is the whole file, r its run, a all findings. f is the findings, and c the
#                          confirmed ones, without findings that need harm to count and did none. s is the confirmed
#                          ones that a report shows.
#   json_edit FILE CODE    runs Python statements over a JSON file, or over findings.json of a run folder (j is the
#                          whole file), and writes the file again
#   looks_twice FOLDER     succeeds if a thread read a word by two atomic accesses one after the other
#   verdicts FILE          prints the number of findings with each verdict: "2 confirmed, 1 refuted"
#   ours REGEX             prints the processes in this folder whose command line matches
#   kind_harm FOLDER       prints KIND:HARM of each confirmed finding, in alphabetical order
#
# Environment: FORERUN (the tool), BUILD (build folder), SRC (source tree). HERE is the folder of the test and its
# helper scripts, CLANG the compiler that forerun was built for. T is a fresh scratch folder, removed at the end. The
# output of a failing command follows as comments.

set -u
HERE=$(cd "$(dirname "$0")" && pwd)
: "${SRC:=$(cd "$HERE/../.." && pwd)}"
: "${BUILD:=$SRC/build}"
: "${FORERUN:=$BUILD/forerun}"
export SRC BUILD FORERUN
CLANG=clang-$(sed -n 's/.*FR_LLVM_MAJOR \([0-9]*\).*/\1/p' "$BUILD/src/pass/fr_llvm.h" 2>/dev/null)
T=$(mktemp -d "${TMPDIR:-/tmp}/forerun-test.XXXXXX") || exit 99
t_n=0
t_failed=0
trap 'chmod -R u+w "$T" 2>/dev/null; rm -rf "$T"' EXIT
trap 'exit 130' INT TERM

t_pass() { t_n=$((t_n + 1)); echo "ok $t_n - $1"; }
t_miss() { t_n=$((t_n + 1)); t_failed=$((t_failed + 1)); echo "not ok $t_n - $1"; }

t_status()
{
	t_desc=$1 t_want=$2
	shift 2
	"$@" >"$T/.out" 2>&1 </dev/null
	t_got=$?
	if [ "$t_got" -eq "$t_want" ]; then
		t_pass "$t_desc"
	else
		t_miss "$t_desc"
		echo "# exit status $t_got, expected $t_want: $*"
		head -c 4000 "$T/.out" | sed 's/^/# /'
	fi
}

t_ok() { t_d=$1; shift; t_status "$t_d" 0 "$@"; }

t_fail()
{
	t_desc=$1
	shift
	if "$@" >"$T/.out" 2>&1 </dev/null; then
		t_miss "$t_desc"
		echo "# succeeded: $*"
		head -c 4000 "$T/.out" | sed 's/^/# /'
	else
		t_pass "$t_desc"
	fi
}

t_eq()
{
	if [ "$2" = "$3" ]; then
		t_pass "$1"
	else
		t_miss "$1"
		printf '%s\n' "expected: $2" "     got: $3" | head -c 4000 | sed 's/^/# /'
	fi
}

t_says()
{
	t_desc=$1 t_want=$2 t_regex=$3
	shift 3
	"$@" >"$T/.out" 2>"$T/.err" </dev/null
	t_eq "$t_desc: status" "$t_want" "$?"
	if grep -qE "^forerun: .*$t_regex" "$T/.err"; then
		t_pass "$t_desc: message"
	else
		t_miss "$t_desc: message"
		head -c 4000 "$T/.err" | sed 's/^/# /'
	fi
}

head_line() { sed -n "s/^ \* $1: //p" "$2"; }
order() { sed -n 's/^ \* order: /--order /p' "$1"; }
compiler() { case $1 in *.cpp) echo c++ ;; *) echo cc ;; esac; }
line() { grep -n "/\* @$1 \*/" "$2" | cut -d: -f1; }

recorded()
{
	if ! grep -q '^forerun: recorded .*(exit status 0)$' "$1" || grep -q '^forerun: warning: --order' "$1"; then
		cat "$1"
		return 1
	fi
}

json()
{
	t_file=$1
	[ ! -d "$1" ] || t_file=$1/findings.json
	python3 -S -c 'import json, sys
j = json.load(open(sys.argv[1]))
a = j.get("findings", [])
if "findings" in j:
    j["findings"] = [x for x in j["findings"] if not (x.get("needs") and x["folded"])]
f, r = j.get("findings", []), j.get("run")
c = [x for x in f if x["verdict"] == "confirmed"]
s = [x for x in c if not x.get("folded")]
print(eval(sys.argv[2]))' "$t_file" "$2"
}

json_edit()
{
	t_file=$1
	[ ! -d "$1" ] || t_file=$1/findings.json
	python3 -S -c 'import json, sys
j = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(j, open(sys.argv[1], "w"), indent=2)' "$t_file" "$2"
}

kind_harm() { json "$1" '" ".join(sorted(x["kind"] + ":" + str(x["harm"]) for x in c))'; }

verdicts()
{
	json "$1" '", ".join("%d %s" % (sum(x["verdict"] == v for x in f), v) for v in sorted({x["verdict"] for x in f}))'
}

ours()
{
	for t_pid in $(pgrep -f "$1"); do
		[ "$(readlink "/proc/$t_pid/cwd")" != "$PWD" ] || echo "$t_pid"
	done
}

looks_twice()
{
	"$FORERUN" dump "$1" | awk '
		$2 !~ /^atomic-/ { next }
		{ now = "" }
		$2 ~ /^atomic-(load|rmw|cas)$/ { sub(/^ *[0-9]+ /, ""); sub(/=.*/, ""); now = $0 }
		now != "" && now == last { found = 1 }
		{ last = now }
		END { exit !found }'
}

again()
{
	for i in $(seq "$3"); do
		"$FORERUN" replay "$1" >again.out 2>again.err </dev/null || { cat again.err; return 1; }
		cmp "$2" again.out || return 1
	done
}

t_skip() { t_n=$((t_n + 1)); echo "ok $t_n - $1 # SKIP $2"; }
t_done() { echo "1..$t_n"; [ "$t_failed" -eq 0 ]; exit $?; }

# Does this machine allow boxes for re-executions?
boxes() { "$FORERUN" doctor | grep -q '^ok .*boxes'; }
