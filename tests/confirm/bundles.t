#!/bin/sh
# Races that do not interfere share an execution. Verdicts and harms are the same as if each ran alone, and forerun
# needs fewer executions. A race that interferes, leaves the schedule or does harm runs alone.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs
cd "$T" || exit 99

# list FOLDER: verdict and harm of each finding, in one order
list() { json "$1" '"\n".join(sorted(" ".join([f["verdict"], str(f["harm"])]
	+ sorted("%s:%d" % (e["function"], e["line"]) for e in f["events"])) for f in j["findings"]))'; }
# both NAME: confirms one run of the program twice: alone and in bundles
both()
{
	"$FORERUN" record -q --order 0+,1,0 -o "$1.run" "./$1" >/dev/null
	"$FORERUN" predict --quiet --kinds data-race "$1.run" 2>/dev/null
	cp -r "$1.run" "$1.alone"
	t_status "$1: confirm --alone works" 1 "$FORERUN" confirm --trust --alone "$1.alone"
	"$FORERUN" confirm "$1.run" >"$1.out" 2>"$1.err"
	t_eq "$1: confirm with bundles works" 1 $?
	t_eq "$1: the same verdicts and harms" "$(list "$1.alone")" "$(list "$1.run")"
}

# ---- twenty that do not interfere, two that do ----
python3 "$HERE/races.py" 20 >races.c
t_ok "races: the program builds" "$FORERUN" cc -g -O1 -pthread races.c -o races
both races
t_eq "all races are confirmed" 22 "$(json races.run 'sum(f["verdict"] == "confirmed" for f in j["findings"])')"
t_eq "each kind of harm is seen" "crash exit none seen output" \
	"$(json races.run '" ".join(sorted(set(f["harm"] for f in j["findings"])))')"
# two for each race, and two more, with other threads first, for each of the seven that do no harm
t_eq "--alone takes two executions for each race" "58 0" \
	"$(json races.alone '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
# One each, and one for those that do not interfere; two for each of the others. Of the seven without harm, two run
# twice more, and five once more, and share another one.
t_eq "a bundle takes one execution for each race and one more" "35 23" \
	"$(json races.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
t_ok "a message counts the saved executions" grep -q '^forerun: 35 executions; sharing saved 23$' \
	races.err
t_eq "replay repeats the harm of each" "" \
	"$(for i in $(json races.run '" ".join(str(f["id"]) for f in j["findings"] if f["harm"] != "none seen")'); do
	"$FORERUN" replay "races.run/$i" >/dev/null 2>&1 || [ $? -eq 1 ] || echo "$i"; done)"
"$FORERUN" confirm --jobs 1 races.run >/dev/null 2>&1
t_eq "--jobs 1 gives the same result" "35 23 $(list races.alone)" \
	"$(json races.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])') $(list races.run)"
"$FORERUN" confirm --jobs 8 races.run >/dev/null 2>&1
t_eq "many jobs give the same result" "35 23 $(list races.alone)" \
	"$(json races.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])') $(list races.run)"
"$FORERUN" confirm --only 3 races.run >/dev/null 2>&1
t_eq "--only runs both orders alone, twice" "4 0" \
	"$(json races.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"

# ---- the correct twin ----
t_ok "races: the twin builds" "$FORERUN" cc -g -O1 -DFIXED -pthread races.c -o right
t_status "the twin is silent" 0 "$FORERUN" run --order 0+,1,0 -o right.run ./right
t_eq "the twin has no confirmed findings" 0 "$("$FORERUN" report --format json right.run | json /dev/stdin 'len(c)')"

# ---- schedules that cannot be followed ----
# One race expects a wrong value: the verdicts of the others do not change.
id=$(json races.alone '[f["id"] for f in sorted(j["findings"], key=lambda f: min(e["line"] for e in f["events"]))
	if f["harm"] == "output"][2]')
# edited ID...: confirms two copies of the run in which these expect something else where that one expects its last
# value
edited()
{
	line=$(grep '^expect 0 .* read .* 0x1$' "races.run/$id/schedule" | tail -n 1)
	for d in run alone; do
		rm -rf "e.$d"
		cp -r races.run "e.$d"
		for i in "$@"; do
			python3 "$SRC/tests/schedule.py" --edit "e.$d/$i/schedule" "^$line\$" "${line}1" 2>/dev/null
		done
	done
	"$FORERUN" confirm --exact --trust e.run >/dev/null 2>err
	"$FORERUN" confirm --exact --trust --alone e.alone >/dev/null 2>&1
}
edited "$id"
t_eq "one member diverges: the others are confirmed" "21 refuted" \
	"$(json e.run '"%d %s" % (sum(f["verdict"] == "confirmed" for f in j["findings"]), [f["verdict"]
	for f in j["findings"] if f["id"] == '"$id"'][0])')"
t_eq "one member diverges: the result is that of --alone" "$(list e.alone)" "$(list e.run)"
# All from one on do: the execution that they share ends there, and those before are settled.
edited $(seq 1 22)
t_eq "all members from one on diverge: the others are confirmed" True \
	"$(json e.run '5 < sum(f["verdict"] == "confirmed" for f in j["findings"]) < 15')"
t_eq "all members from one on diverge: the result is that of --alone" "$(list e.alone)" "$(list e.run)"
# seven of them; the last of these meets at the hook that is expected to be something else
t_eq "all members from one on diverge: six are decided" "34 5" \
	"$(json e.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"

# ---- races without harm ----
# harmless COUNT [HARM]: races of two writes. That of number HARM shows in the exit status.
harmless()
{
	python3 - "$@" <<-'EOF'
	import sys
	n, harm = int(sys.argv[1]), int((sys.argv + ["-1"])[2])
	print("#include <pthread.h>\n#ifdef FIXED\n#define A _Atomic\n#else\n#define A\n#endif")
	print("static _Alignas(64) struct { volatile A int x; int pad[15]; } v[%d];" % n)
	for name, value in ("one", 1), ("two", 2):
	    print("static void *%s(void *arg)\n{" % name)
	    for i in range(n):
	        print("\tv[%d].x = %d;" % (i, value))
	    print("\treturn arg;\n}")
	print("int main(void)\n{\n\tpthread_t a, b;\n\tpthread_create(&a, 0, one, 0);\n\tpthread_create(&b, 0, two, 0);")
	print("\tpthread_join(a, 0);\n\tpthread_join(b, 0);\n\treturn %s;\n}" % ("v[%d].x != 2" % harm if harm >= 0 else "0"))
	EOF
}
# quiet NAME ARGUMENT...: the run of harmless ARGUMENT..., confirmed alone and together
quiet()
{
	name=$1
	shift
	harmless "$@" >"$name.c"
	t_ok "$name: the program builds" "$FORERUN" cc -g -O1 -pthread "$name.c" -o "$name"
	"$FORERUN" record -q --order creation -o "$name.run" "./$name" >/dev/null
	"$FORERUN" predict --quiet --kinds data-race "$name.run" 2>/dev/null
	cp -r "$name.run" "$name.alone"
	"$FORERUN" confirm --trust --alone "$name.alone" >/dev/null 2>&1
	"$FORERUN" confirm "$name.run" >/dev/null 2>&1
	t_eq "$name: the same verdicts and harms" "$(list "$name.alone")" "$(list "$name.run")"
	t_ok "$name: the twin builds" "$FORERUN" cc -g -O1 -DFIXED -pthread "$name.c" -o "$name.right"
	t_status "$name: the twin is silent" 0 "$FORERUN" run --order creation -o "$name.right.run" "./$name.right"
}
quiet idle 12
# The recorded order and, for one race, the other one and both with other threads first; then three for all the others.
t_eq "idle: twelve races share both orders" "6 42" "$(json idle.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
t_eq "idle: replay repeats each" "" "$(for i in $(seq 12); do
	"$FORERUN" replay "idle.run/$i" >/dev/null 2>&1; [ $? -eq 1 ] || echo "$i"; done)"
"$FORERUN" confirm --jobs 8 idle.run >/dev/null 2>&1
t_eq "idle: many jobs give the same result" "6 42 $(list idle.alone)" \
	"$(json idle.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])') $(list idle.run)"
# The reversed bundle does harm, so each of its members runs alone in that order.
quiet status 12 7
t_eq "status: a bundle that does harm costs one execution" True "$(json status.run 'any(f["harm"] == "exit" for f in
	j["findings"]) and r["confirm_saved"] > 0')"

# ---- the last one does harm in the order of the recorded run ----
python3 "$HERE/races.py" 20 crash >crash.c
t_ok "crash: the program builds" "$FORERUN" cc -g -O1 -pthread crash.c -o crash
both crash
t_eq "a bundle that does harm: each member runs alone" "63 0" \
	"$(json crash.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
t_eq "a bundle that does harm: the harmful race is found" True \
	"$(json crash.run 'any(f["harm"] == "crash" and not f["swapped"] for f in j["findings"])')"

# ---- bugs with one order of their events ----
t_ok "marks: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/regions/marks.c" -o marks
"$FORERUN" run --kinds atomicity-violation --order creation -o marks.run ./marks >out 2>err
t_eq "no finding does harm" 0 $?
t_eq "all are confirmed, alone or in a bundle" "6 none seen" \
	"$(json marks.run '"%d %s" % (sum(f["verdict"] == "confirmed"
	for f in j["findings"]), " ".join(sorted({f["harm"] for f in j["findings"]})))')"
# The other two are run twice each: in either order, there is no harm. So are the four together.
t_eq "four share two executions: no two that are about the same eight bytes" "6 6 4" \
	"$(json marks.run '"%d %d %d" % (r["confirm_runs"], r["confirm_saved"], sum("in one execution with 3 others" in (f["detail"] or "") for f in j["findings"]))')"
for i in 1 2 3 4 5 6; do
	t_status "$i: also confirmed alone" 1 "$FORERUN" replay marks.run/$i
done

# ---- bugs that hold one target ----
# updates NAME ARGUMENT...: the run of updates.py ARGUMENT..., confirmed alone and together
updates()
{
	python3 "$HERE/updates.py" "$2" "$3" ${4:+"$4"} >"$1.c"
	t_ok "$1: the program builds" "$FORERUN" cc -g -O1 -pthread "$1.c" -o "$1"
	"$FORERUN" record -q --order creation -o "$1.run" "./$1" >/dev/null
	"$FORERUN" predict --quiet --kinds atomicity-violation "$1.run" 2>/dev/null
	cp -r "$1.run" "$1.alone"
	"$FORERUN" confirm --trust --alone "$1.alone" >/dev/null 2>&1
	"$FORERUN" confirm "$1.run" >/dev/null 2>&1
	t_eq "$1: the same verdicts and harms" "$(list "$1.alone")" "$(list "$1.run")"
	t_ok "$1: the twin builds" "$FORERUN" cc -g -O1 -DFIXED -pthread "$1.c" -o "$1.right"
	t_status "$1: the twin is silent" 0 "$FORERUN" run --order creation -o "$1.right.run" "./$1.right"
}
updates rww 12 rww
t_eq "rww: twelve share two executions" "2 22" "$(json rww.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
"$FORERUN" run --order creation -o rww.all ./rww >/dev/null 2>&1
t_eq "rww: orders that cannot fail cost no execution" "2 22" \
	"$(json rww.all '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
updates wrw 12 wrw
# a schedule of the relaxed tier, and one of the hybrid tier
t_eq "wrw: twelve share two executions of each of their two schedules" "4 44" \
	"$(json wrw.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
updates rwr 12 rwr
t_eq "rwr: twelve guesses share two executions" "2 22" \
	"$(json rwr.run '"%d %d" % (r["confirm_runs"], r["confirm_saved"])')"
updates harm 12 rwr 7
t_eq "harm: an execution that does harm proves nothing" "assert 1" \
	"$(json harm.run '"%s %d" % (max(f["harm"] for f in j["findings"]
	if f["harm"] != "none seen"), sum(f["harm"] == "assert" for f in j["findings"]))')"
updates mixed 15 mixed
t_eq "mixed: fifteen are confirmed in at most six executions" "15 True" \
	"$(json mixed.run '"%d %s" % (sum(f["verdict"] == "confirmed"
	for f in j["findings"]), r["confirm_runs"] <= 6)')"
t_done
