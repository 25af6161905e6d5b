# Sourced by descriptors.t, files.t and objects.t, after lib.sh: runs every mechanism of one program of
# tests/programs/kernel.
#
# kernel_programs NAME: built at -O1 and -O2, each mechanism is correct as it stands: nothing is confirmed, and the
# recorded run is repeated. Used too late, or with its buffer overwritten too early, it gives a confirmed race.

kernel_programs()
{
	for k_opt in O1 O2; do
		t_ok "$1: the program builds at -$k_opt" "$FORERUN" cc -g -$k_opt -pthread \
			"$SRC/tests/programs/kernel/$1.c" -o "$1.$k_opt"
	done
	"./$1.O1" --list >"$1.list"
	while read -r k_name k_buffer <&3; do
		"./$1.O1" "$k_name" >k.out 2>&1
		if [ $? -eq 77 ]; then
			t_skip "$k_name" "$(cat k.out)"
			continue
		fi
		for k_opt in O1 O2; do
			k_dir=$1.$k_name.$k_opt
			t_status "$k_name, -$k_opt: nothing is confirmed" 0 "$FORERUN" run -o "$k_dir" "./$1.$k_opt" \
				"$k_name"
			t_ok "$k_name, -$k_opt: the program ended as it should" grep -q '"exit": *0' "$k_dir/run.json"
			t_status "$k_name, -$k_opt: is repeated" 0 "$FORERUN" replay "$k_dir"
		done
		for k_bug in late $k_buffer; do
			"$FORERUN" run -o "$1.$k_name.$k_bug" --json k.json "./$1.O1" "$k_name" \
				"$k_bug" >k.out 2>&1 </dev/null
			t_eq "$k_name, $k_bug: a race is confirmed" 1 $?
			[ "$k_bug" = late ] && k_on=value || k_on='buffer\|message'
			t_ok "$k_name, $k_bug: it is on $k_on" grep -q "\"subject\": *\"\($k_on\)" k.json
		done
	done 3<"$1.list"
}
