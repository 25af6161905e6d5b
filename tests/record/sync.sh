# Sourced by the tests of the programs of tests/programs/sync, after lib.sh.
P=$SRC/tests/programs/sync

# src NAME: sets `source`, `compiler` (of forerun), `plain` (without forerun)
src()
{
	if [ -f "$P/$1.cpp" ]; then
		source=$P/$1.cpp compiler=c++ plain=c++
	else
		source=$P/$1.c compiler=cc plain=cc
	fi
}

# out FILE CMD...: writes the output and status of CMD into FILE
out()
{
	o=$1
	shift
	"$@" >"$o" 2>"$o.err" </dev/null
	echo "status $?" >>"$o"
}

# same NAME FLAGS...: builds it, runs it plain, off and recorded; leaves $T/NAME.d
same()
{
	n=$1
	shift
	src "$n"
	t_ok "$n: the program builds" "$FORERUN" $compiler -g -pthread "$@" "$source" -o "$T/$n"
	$plain -g -pthread -I"$SRC/include" "$source" -o "$T/$n.plain" || return
	rm -rf "$T/$n.d"
	(cd "$T" && out "$n.want" "./$n.plain" && out "$n.off" "./$n" &&
		out "$n.on" "$FORERUN" record -o "$n.d" -- "./$n")
	t_eq "$n: the same when not recorded" "$(cat "$T/$n.want")" "$(cat "$T/$n.off")"
	t_eq "$n: the same when recorded" "$(cat "$T/$n.want")" "$(cat "$T/$n.on")"
}

# A dump without the names of synchronisation objects: each is known by its address.
nameless()
{
	sed -E 's/(((mutex|spin|rwlock|cond|sem|barrier|once)-[a-z]+) +)[^ ]+ (0x)/\1\4/'
}

# order NAME: the trace obeys its stamps
order()
{
	"$FORERUN" dump --merged "$T/$1.d" | nameless >"$T/$1.merged"
	t_ok "$1: the order of the events is possible" awk -f "$HERE/order.awk" "$T/$1.merged"
}

# events NAME ARGUMENTS OF DUMP: the normal form of the dump, for comparison
events()
{
	n=$1
	shift
	"$FORERUN" dump "$@" "$T/$n.d" | nameless | awk -f "$HERE/norm.awk"
}
