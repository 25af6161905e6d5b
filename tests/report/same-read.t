#!/bin/sh
# A null dereference and a race of the same read with the same crash are one report. Other races keep their own.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# headlines DIR [OPTION]: the kinds that the text shows
headlines() { "$FORERUN" report "$@" 2>/dev/null | sed -n 's/^[0-9]*\. \(.*\) on .*/\1/p' | paste -sd,; }

cp "$SRC/tests/programs/report/one.c" one.c
for flag in "" -DLOCKED -DOTHER; do
	t_ok "the program builds${flag:+ with $flag}" "$FORERUN" cc -g -O1 -w -pthread $flag one.c -o "one$flag"
	"$FORERUN" run $(order one.c) -o "one$flag.d" "./one$flag" >out 2>err
	t_eq "status $flag" 1 $?
done
t_eq "the report shows one finding" "null dereference" "$(headlines one.d)"
t_ok "the finding names the race" sh -c '"$0" report one.d | grep -q "^   the accesses race, with the same end: finding 2"' \
	"$FORERUN"
t_eq "both with --all" "null dereference,data race" "$(headlines --all one.d | sed 's/,order violation//')"
t_eq "JSON has both" "[('data-race', 1), ('null-dereference', None)]" \
	"$(json one.d 'sorted((x["kind"], x.get("listed_under")) for x in c if not x["folded"])')"
t_eq "with a lock: no race" "null dereference" "$(headlines one-DLOCKED.d)"
t_eq "races of other memory keep their reports" "data race on plain null dereference on p" \
	"$("$FORERUN" report one-DOTHER.d 2>/dev/null | sed -n 's/^[0-9]*\. \(.*\) on `\(.*\)`.*/\1 on \2/p' |
	sort -u | paste -sd' ')"
t_done
