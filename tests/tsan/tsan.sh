# Sourced by the tests of -fsanitize=thread objects, after tests/lib.sh.
P=$SRC/tests/programs/tsan
gnuc=$(command -v gcc-12 || command -v gcc)
gnucxx=$(command -v g++-12 || command -v g++)
llvmc=$CLANG
llvmcxx=clang++-${CLANG#clang-}

# line FILE MARK: the line of FILE that ends with the comment MARK.
tsan_line() { grep -nE "(/\* $2( \*/|:)|// $2\$)" "$P/$1" | head -n 1 | cut -d: -f1; }

# compile NAME SOURCE COMPILER FLAGS...: T/NAME.o, compiled in the folder of the source.
compile()
{
	c_name=$1 c_source=$2
	shift 2
	(cd "$P" && "$@" -w -g -fsanitize=thread -c "$c_source" -o "$T/$c_name.o")
}

# program NAME SOURCE COMPILER FLAGS...: compiles and links T/NAME.
program()
{
	p_link=cc
	case $2 in *.cpp) p_link=c++ ;; esac
	compile "$@" && "$FORERUN" $p_link "$T/$1.o" -o "$T/$1" -pthread
}

# record NAME: T/NAME.run, T/NAME.dump; everything is kept.
record()
{
	rm -rf "$T/$1.run"
	"$FORERUN" record -q -o "$T/$1.run" --option private=0 --option repeat=0 "$T/$1" >"$T/$1.out" 2>"$T/$1.err" &&
		"$FORERUN" dump "$T/$1.run" >"$T/$1.dump"
}

# events NAME [dump's options]: THREAD KIND SIZE [= VALUE...] FILE:LINE FUNCTION, without addresses and stamps.
events()
{
	e_name=$1
	shift
	"$FORERUN" dump "$@" "$T/$e_name.run" | awk '
	/^thread / { t = $2; next }
	!/^ *[0-9]+  / { next }
	{
		kind = $2
		if ($3 ~ /^[0-9]+$/)
			kind = kind " " $3
		value = place = ""
		if (match($0, /[^ ]+:[0-9]+:[0-9]+ .*$/)) {
			place = substr($0, RSTART)
			$0 = substr($0, 1, RSTART - 1)
			sub(/:[0-9]+ /, " ", place)
			sub(/^[^ ]*\//, "", place)
		} else if (match($0, / \?( [^ ]+)?$/)) {
			place = "?"
			$0 = substr($0, 1, RSTART - 1)
		}
		if (match($0, /= .*$/)) {
			value = " " substr($0, RSTART)
			sub(/ +$/, "", value)
		}
		print t, kind value, place
	}'
}
