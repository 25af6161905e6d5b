#!/bin/sh
# The commands in the head of each example work, and show its bug.
. "$(dirname "$0")/../lib.sh"

mkdir "$T/bin" && ln -s "$FORERUN" "$T/bin/forerun" && ln -s "$FORERUN" "$T/bin/forerun-cc"
PATH=$T/bin:$PATH
for source in "$SRC"/examples/*.c; do
	name=$(basename "$source" .c)
	mkdir "$T/$name" && cp "$source" "$T/$name"
	sed -n 's/^ \*	\(forerun[- ].*\)/\1/p' "$source" >"$T/$name.commands"
	t_ok "$name: has commands" test -s "$T/$name.commands"
	while IFS= read -r command; do
		(cd "$T/$name" && sh -c "$command") >"$T/$name.out" 2>"$T/$name.err" </dev/null
		status=$?
		case $command in
		*" run "* | *" replay "*) t_eq "$command: the bug happens" 1 "$status" ;;
		*) t_eq "$command" 0 "$status" ;;
		esac
	done <"$T/$name.commands"
	t_ok "$name: the last command prints its result" grep -qE "$name.c:[0-9]| happened: " "$T/$name.out" \
		"$T/$name.err"
done
t_done
