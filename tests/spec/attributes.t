#!/bin/sh
# The attributes of clang's thread-safety analysis are properties without any option: violations are predicted and
# confirmed, the twins are silent, and the attributes still mean to clang what they meant.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/attributes
cd "$T" || exit 99

# attributes SOURCE COMPILER KINDS: the kinds of the confirmed findings, at two levels, and none of the twin.
attributes()
{
	b=${1%.*}
	for level in -O0 -O2; do
		for twin in "" -DFIXED; do
			n=$b$level$twin
			t_ok "$n: the program builds" "$FORERUN" "$2" -g $level -pthread $twin "$P/$1" -o "$n"
			"$FORERUN" run $(order "$P/$1") -o "$n.d" -- "./$n" >"$n.log" 2>&1
			t_eq "$n: status" "$([ "$twin" ] && echo 0 || echo 1)" "$?"
			t_ok "$n: the recorded run is harmless" recorded "$n.log"
		done
		t_eq "$b$level: the findings" "$3" "$(json "$b$level.d" '" ".join(sorted({x["kind"][9:] for x in c
			if x["kind"].startswith("property:")}))')"
		t_eq "$b$level: the twin has no such finding" False "$(json "$b$level-DFIXED.d" 'any(x["kind"].startswith("property:") for x in f)')"
	done
}

attributes account.c cc "guarded_by_account_balance guarded_by_account_log guarded_by_total requires_add"
attributes box.cpp c++ \
	"guarded_by_store__Box_long__changes_ guarded_by_store__Box_long__value_ requires_store__Box_long___note"
attributes order.c cc "acquired_before_list acquired_before_queue_head"
t_eq "a finding has its binding" True "$(json account-O0.d 'any(x["subject"] == "object = one" for x in c)')"
t_status "replay makes it happen again" 1 "$FORERUN" replay "account-O0.d/$(json account-O0.d \
	'next(x["id"] for x in c if x["kind"] == "property:requires_add")')"

# --kinds
t_ok "--kinds property needs no file" "$FORERUN" predict --fail-on never --kinds property account-O0.d
t_eq "... and finds only these" True "$(json account-O0.d 'len(f) > 3 and all(x["kind"].startswith("property:") for x in f)')"
t_ok "--kinds data-race" "$FORERUN" predict --fail-on never --kinds data-race account-O0.d
t_eq "... finds no property" False "$(json account-O0.d 'any(x["kind"].startswith("property:") for x in f)')"

# What clang and the program see.
"$FORERUN" cc -Wthread-safety -c "$P/account.c" -o account.o 2>&1 | grep -c warning: >with
clang-19 -Wthread-safety -c "$P/account.c" -o account.o 2>&1 | grep -c warning: >without
t_ok "clang warns" test "$(cat without)" -gt 5
t_eq "... as often with forerun" "$(cat without)" "$(cat with)"
t_ok "no new warning" "$FORERUN" c++ -Wall -Wextra -Werror -Wno-thread-safety -c "$P/box.cpp" -o box.o
cat >names.c <<'END'
int guarded_by = 1, acquired_before = 2;
struct s { int requires_capability; };
int main(void) { struct s s = {3}; return guarded_by + acquired_before - s.requires_capability; }
END
t_ok "variables may have the names of attributes" "$FORERUN" cc -Werror names.c -o names
t_status "... and keep their meaning" 0 ./names
t_ok "without debug information" "$FORERUN" cc -g0 -O1 -pthread "$P/account.c" -o bare
t_status "... the program runs" 0 ./bare
t_done
