# Helpers of tests that run a program and its correct twin. Source lib.sh first.
#
# builds NAME SOURCE FLAGS...       builds the program, as its head says
# runs NAME SOURCE                  runs it, as its head says: NAME.d, NAME.out, NAME.err; sets status
# build_and_run NAME SOURCE FLAGS   tests that the program builds, and runs it; sets status
# try NAME SOURCE FLAGS             the same, and tests that the recorded run goes well
# kinds DIR                         prints the kinds of the findings that count
# found DIR                         prints kind and harm of each finding that counts
# fails DIR SOURCE MARK KIND        succeeds if the finding says that the program fails in the line with the mark

# The property file of a program beside it, or the name of a ready property; empty: none.
spec_of()
{
	spec=$(head_line spec "$1")
	case $spec in *.spec) spec=$(dirname "$1")/$spec ;; esac
	echo "$spec"
}

builds()
{
	name=$1 source=$2
	shift 2
	compiler=$(compiler "$source")
	[ "$compiler" = cc ] || compiler="$compiler -std=c++20"
	library=$(head_line library "$source")
	if [ "$library" ]; then
		"$FORERUN" cc -g -fPIC -shared -DLIB "$source" -o "lib$library.so" || return 1
	fi
	spec=$(spec_of "$source")
	"$FORERUN" $compiler -g -Wall -pthread ${spec:+--spec "$spec"} "$@" "$source" $(head_line build "$source") -o \
		"$name"
}

runs()
{
	spec=$(spec_of "$2")
	rm -rf "$1.d" work
	mkdir work
	printf "$(head_line stdin "$2")" >"$1.in"
	"$FORERUN" run ${spec:+--kinds property --spec "$spec"} $(order "$2") -o "$1.d" "./$1" $(head_line args "$2") \
		<"$1.in" >"$1.out" 2>"$1.err"
	status=$?
}

build_and_run()
{
	t_ok "$1: the program builds" builds "$1" "$2" $3
	runs "$1" "$2"
}

try()
{
	build_and_run "$@"
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
