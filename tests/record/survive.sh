# Helpers of the survival tests, sourced after tests/lib.sh.
#
#   sv_build NAME [FLAGS...]    builds programs/survive/NAME.c(pp) as $T/NAME (plain) and $T/NAME.fr (instrumented)
#   sv_same NAME [ARGS...]      runs both; passes if output and status are the same. The run folder is $T/NAME.run, and
#                               the output of `forerun dump` $T/NAME.dump. Standard input is $sv_in (default: /dev/null).
#                               $sv_wrap goes in front of both commands, $sv_options go to `forerun record`.
#   sv_reads NAME               passes if the trace reads back and is consistent
#   sv_has NAME DESC REGEX [N]  passes if the dump has at least N (1) lines that match
#   sv_json NAME KEY WANT       passes if KEY of run.json has the value WANT
SV=$SRC/tests/programs/survive
sv_in=/dev/null
sv_wrap=
sv_options=-q

sv_source() { if [ -e "$SV/$1.c" ]; then echo "$SV/$1.c"; else echo "$SV/$1.cpp"; fi; }

sv_build()
{
	sv_name=$1
	shift
	sv_file=$(sv_source "$sv_name")
	case $sv_file in
	*.cpp) sv_cc="$CLANG --driver-mode=g++" sv_fr=c++ ;;
	*) sv_cc=$CLANG sv_fr=cc ;;
	esac
	$sv_cc -g -O1 -pthread -D_GNU_SOURCE "$sv_file" "$@" -o "$T/$sv_name" 2>"$T/$sv_name.log" ||
		{ t_miss "$sv_name: builds without forerun"; sed 's/^/# /' "$T/$sv_name.log"; return 1; }
	"$FORERUN" $sv_fr -g -O1 -pthread -D_GNU_SOURCE "$sv_file" "$@" -o "$T/$sv_name.fr" 2>"$T/$sv_name.log" ||
		{ t_miss "$sv_name: builds with forerun"; sed 's/^/# /' "$T/$sv_name.log"; return 1; }
}

sv_consistent() { python3 "$HERE/dump_check.py" consistent "$@"; }

sv_dump()
{
	"$FORERUN" dump "$T/$1.run" >"$T/$1.dump" 2>"$T/$1.dump.err"
}

sv_same()
{
	sv_name=$1
	shift
	rm -rf "$T/$sv_name.run"
	(cd "$T" && $sv_wrap "$T/$sv_name" "$@" <"$sv_in" >"$T/$sv_name.want" 2>"$T/$sv_name.want.err")
	sv_want=$?
	(cd "$T" && $sv_wrap "$FORERUN" record $sv_options -o "$T/$sv_name.run" -- "$T/$sv_name.fr" "$@" <"$sv_in" \
		>"$T/$sv_name.got" 2>"$T/$sv_name.got.err")
	sv_got=$?
	sv_desc="$sv_name${*:+ $*}: the same output and status as without forerun"
	if [ $sv_want -eq $sv_got ] && cmp -s "$T/$sv_name.want" "$T/$sv_name.got"; then
		t_pass "$sv_desc"
	else
		t_miss "$sv_desc"
		echo "# status $sv_got, expected $sv_want; output:"
		diff "$T/$sv_name.want" "$T/$sv_name.got" | head -10 | sed 's/^/# /'
		head -10 "$T/$sv_name.got.err" | sed 's/^/# stderr: /'
	fi
	sv_dump "$sv_name"
}

sv_reads()
{
	if sv_dump "$1" && sv_consistent "$T/$1.dump" >"$T/$1.check"; then
		t_pass "$1: the trace reads back, every thread's indices in order"
	else
		t_miss "$1: the trace reads back, every thread's indices in order"
		head -5 "$T/$1.dump.err" "$T/$1.check" 2>/dev/null | sed 's/^/# /'
	fi
}

sv_has()
{
	sv_n=$(grep -cE -- "$3" "$T/$1.dump")
	if [ "$sv_n" -ge "${4:-1}" ]; then
		t_pass "$1: $2"
	else
		t_miss "$1: $2"
		echo "# $sv_n lines match /$3/, expected ${4:-1} or more; the dump ends:"
		tail -5 "$T/$1.dump" | cut -c1-200 | sed 's/^/# /'
	fi
}

sv_json()
{
	t_eq "$1: run.json says $2 is $3" "$3" "$(json "$T/$1.run/run.json" "json.dumps(j.get('$2'))" 2>&1)"
}
