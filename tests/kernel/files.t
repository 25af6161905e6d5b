#!/bin/sh
# Data and order that threads exchange through files: names, contents, locks.
. "$(dirname "$0")/../lib.sh"
. "$HERE/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs files

# A name that is made right after readdir has seen the end of the folder: in the recorded order, too, it is made later.
P=$SRC/tests/programs/kernel
cc -shared -fPIC "$P/listed_between.c" -o libbetween.so && "$FORERUN" cc -g -O1 -pthread "$P/listed.c" ./libbetween.so \
	-o listed || exit 99
# at TEXT: the line of listed.c
at() { grep -n "$1" "$P/listed.c" | cut -d: -f1; }
rm -rf list
t_eq "a folder is listed while a name is made" 2 "$("$FORERUN" record -q -o listed.run ./listed)"
"$FORERUN" dump --merged listed.run >dump
t_ok "the name is made" test -d list/x
t_eq "a name that the listing did not show is made after it, in the recorded order" "acquire release" \
	"$(sed -n "s/.* \(acquire\) .*listed.c:$(at 'while (readdir'):.*/\1/p; s/.* \(release\) .*listed.c:$(at \
	'list/x'):.*/\1/p" dump | uniq | paste -sd ' ')"
t_done
