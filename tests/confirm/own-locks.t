#!/bin/sh
# Locks that a program makes of atomic accesses: forerun reports a lost update under one of them on the data, with the
# lock held, and nothing on the lock word. The twin is silent. A counter that goes up and down is no lock.
. "$(dirname "$0")/../lib.sh"
. "$HERE/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/own

# kind_subject DIR: prints kind and subject of each finding that counts
kind_subject() { json "$1" 'sorted((x["kind"], x["subject"]) for x in c if not x.get("folded"))'; }
# held DIR: prints the locks held at the events of the first finding
held() { json "$1" 'sorted({l["name"].split(".")[-1] for e in c[0]["events"] for l in e.get("locks", [])})'; }

for level in -O0 -O2; do
	for lock in CAS EXCHANGE LOOK FLAG TICKET; do
		n=$lock$level
		word=word
		[ $lock = FLAG ] && word=_Value
		try $n "$P/update.c" "$level -DLOCK_$lock"
		t_eq "$n: one bug, on the data" "1 [('atomicity-violation', 'balance')]" "$status $(kind_subject $n.d)"
		t_eq "$n: the lock is held" "['$word']" "$(held $n.d)"
		try $n.fixed "$P/update.c" "$level -DLOCK_$lock -DFIXED"
		t_eq "$n, fixed: silent" "0 []" "$status $(kind_subject $n.fixed.d)"
	done
done
try counter "$P/counter.c" -O1
t_eq "counter: the race is found" "1 [('data-race', 'last')]" "$status $(kind_subject counter.d)"
try counter.fixed "$P/counter.c" "-O1 -DFIXED"
t_eq "counter, fixed: silent" "0 []" "$status $(kind_subject counter.fixed.d)"
t_done
