#!/bin/sh
# Harm is an effect that controls do not show. A control executes the recorded schedule again under the same
# conditions. A difference outside of the program makes a finding unknown, with the reason. Programs:
# tests/programs/world.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
W=$SRC/tests/programs/world

# field RUN EXPR: json, with c its confirmed findings that do harm
field()
{
	json "$1" "(lambda c: ($2))([x for x in c if x['harm'] != 'none seen'])"
}
build() { t_ok "$1 $3: the program builds" "$FORERUN" cc -g -Wall -pthread $3 "$W/$1.c" -o "$2"; }

# ---- files that the recorded run leaves behind ----
# left BINARY HOW NAME REASON: with boxes, the re-executions find the files as the recorded run did. Without them,
# findings are unknown.
left()
{
	d=$1.$2.d
	rm -rf "$d"
	"$FORERUN" run --order creation -o "$d" "./$1" "$2" "$3" >out 2>err </dev/null
	t_eq "$1 $2: nothing confirmed" "0 0" "$? $(field "$d" 'len(c)')"
	t_eq "$1 $2: recorded" 0 "$(field "$d" 'r["exit"]')"
	if boxes; then
		t_eq "$1 $2: each re-execution repeats the world" "True True 0" \
			"$(field "$d" "r['control'].get('repeated', True), len(f) > 0 and all(x['verdict'] == 'confirmed' for x in f)" | tr -d '(),') $(grep -c 'is not as it was' err)"
		"$FORERUN" confirm --no-box "$d" >out 2>err </dev/null
		t_eq "$1 $2: nothing confirmed without a box" "0 0" "$? $(field "$d" 'len(c)')"
	fi
	t_eq "$1 $2: the verdict is unknown, with the reason" True \
		"$(field "$d" "all(x['verdict'] == 'unknown' and '$4' in x['detail'] for x in f) and len(f) > 0")"
	t_eq "$1 $2: the control is named once" "False 1" \
		"$(field "$d" 'r["control"]["repeated"]') $(grep -c \
		'did not repeat the recorded run.*: .*is not as it was' err)"
}
key=$(($$ % 30000 + 70000))
for opt in -O1 -O2; do
	build left "left$opt" "$opt"
	for how in excl fopenx mkdir symlink mkfifo unix; do
		rm -rf name
		left "left$opt" $how name 'is not as it was when the run was recorded (it did not exist then)'
	done
	: >there
	rm -f name
	left "left$opt" link name 'a file is not as it was when the run was recorded (it did not exist then)'
	for how in unlink rename; do
		rm -f renamed
		: >name
		left "left$opt" $how name 'a file is not as it was when the run was recorded (it no longer exists)'
	done
	rm -f name
	left "left$opt" append name 'a file is not as it was when the run was recorded (it has changed)'
	echo 0 >name
	left "left$opt" count name 'a file is not as it was when the run was recorded (it has changed)'
	left "left$opt" shm "/forerun-$$" \
		'a shared memory object is not as it was when the run was recorded (it did not exist then)'
	rm -f "/dev/shm/forerun-$$"
	left "left$opt" sem "/forerun-$$" \
		'a named semaphore is not as it was when the run was recorded (it did not exist then)'
	rm -f "/dev/shm/sem.forerun-$$"
	left "left$opt" sysv $key 'a System V object is not as it was when the run was recorded (it did not exist then)'
	ipcrm -M $key
done
build left leftabort "-O1 -DABORTS"
rm -rf name
left leftabort excl name 'a file is not as it was when the run was recorded (it did not exist then)'

# ---- lines that vary ----
for opt in -O1 -O2; do
	build vary "vary$opt" "$opt"
	for what in cycles time child name; do
		"$FORERUN" run --order creation -o "vary$opt.$what" "./vary$opt" $what >out 2>err </dev/null
		t_eq "vary $opt $what: nothing confirmed" "0 0" "$? $(field "vary$opt.$what" 'len(c)')"
	done
	"$FORERUN" replay "vary$opt.name/1" >out 2>err </dev/null
	t_eq "vary $opt name: replayed, no harm either" "1 1" \
		"$? $(grep -c 'happened: no harm was seen: the same output except for lines that vary' err)"
	"$FORERUN" replay "vary$opt.cycles/1" >out 2>err </dev/null
	t_eq "vary $opt cycles: replayed, with the recorded answers" "1 1" \
		"$? $(grep -c 'happened: no harm was seen$' err)"
	for bug in 1:output 2:exit 3:assert; do
		build vary bug "$opt -DBUGGY=${bug%%:*}"
		for what in cycles child name; do
			rm -rf bug.d
			"$FORERUN" run --order creation -o bug.d ./bug $what >out 2>err </dev/null
			t_eq "vary $opt $what: true harm is found: ${bug#*:}" "1 True" \
				"$? $(field bug.d "'${bug#*:}' in [x['harm'] for x in c]")"
		done
	done
done

for opt in -O1 -O2; do
	build measure "measure$opt" "$opt"
	build measure "measurebug$opt" "$opt -DBUGGY"
	masked() { sed 's/^thread [0-9a-f]* /thread N /' | sort; }
	for what in time hex decimal usage; do
		"$FORERUN" run --order creation -o "measure$opt.$what" "./measure$opt" $what >out 2>err </dev/null
		t_eq "measure $opt $what: nothing confirmed" "0 0 True" \
			"$? $(field "measure$opt.$what" 'len(c), len(f) > 0' | tr -d '(),')"
		"$FORERUN" replay "measure$opt.$what" >again 2>err </dev/null
		s=$?
		# The addresses of stacks are not repeated yet: leave out pthread_self().
		t_eq "measure $opt $what: repeated, with the same output" "0 $(masked <"measure$opt.$what/stdout")" \
			"$s $(masked <again)"
		"$FORERUN" run --order creation -o "measurebug$opt.$what" "./measurebug$opt" $what >out 2>err </dev/null
		t_eq "measure $opt $what: true harm is found" "1 ['output']" \
			"$? $(field "measurebug$opt.$what" 'sorted(set(x["harm"] for x in c))')"
	done
done

# ---- executions that share something have boxes, or come one after the other ----
build overlap overlaps -O1
"$FORERUN" run --order creation --no-box -o overlap.d ./overlaps >out 2>err </dev/null
t_eq "overlap: nothing confirmed" "0 0" "$? $(field overlap.d 'len(c)')"
t_eq "overlap: one at a time, each to its end" "True True" \
	"$(field overlap.d 'r["control"]["serial"], len(f) > 1 and all(x["verdict"] == "confirmed" for x in f)' |
	tr -d '(),')"
"$FORERUN" confirm -j 8 --no-box overlap.d >out 2>err </dev/null
t_eq "overlap: --jobs does not change this" "0 0" \
	"$? $(field overlap.d 'len([x for x in f if x["verdict"] == "unknown"])')"

if boxes; then
	"$FORERUN" confirm -j 8 overlap.d >out 2>err </dev/null
	t_eq "overlap: boxes, side by side" "0 False True True" \
		"$? $(field overlap.d 'r["control"]["serial"], r["control"]["box"], len(f) > 1 and all(x["verdict"] == "confirmed" for x in f)' | tr -d '(),')"
fi

# ---- a failure that leaves something behind ----
build lock locks -O1
"$FORERUN" run --order creation --no-box -o lock.d ./locks >out 2>err </dev/null
t_eq "lock: the bug is found" "1 ['count']" "$? $(field lock.d 'sorted(set(x["subject"] for x in c))')"
t_eq "lock: the failed control is named" "1 True" \
	"$(grep -c 'did not repeat the recorded run' err) $(field lock.d '"lock" in (r["control"]["reason"] or "")')"

if boxes; then
	rm -f lock
	"$FORERUN" run --order creation -o boxed.d ./locks >out 2>err </dev/null
	t_eq "lock: in a box, a failure leaves nothing behind" "1 ['count'] 0" \
		"$? $(field boxed.d 'sorted(set(x["subject"] for x in c))') $(grep -c \
		'did not repeat the recorded run' err)"
fi

# ---- a child that finds another world ----
if boxes; then
	build child child -O1
	"$FORERUN" run --order creation -o child.d ./child "$(readlink /proc/self/ns/mnt)" >out 2>err </dev/null
	t_eq "child: the recorded run ends well" 0 "$(field child.d 'r["exit"]')"
	t_eq "child: no finding is blamed for a failure" "[]" \
		"$(field child.d '[x["harm"] for x in f if x["verdict"] == "confirmed" and x["harm"] not in ("none seen", "unknown")]')"
	t_eq "child: the failure was seen, with the reason" True \
		"$(field child.d 'any("perhaps because it does not repeat the recorded run" in x["detail"] for x in f)')"
fi

# ---- more names than the runtime follows ----
build many many -O1
"$FORERUN" run --order creation -o few.d ./many 100 >out 2>err </dev/null
t_eq "many: 100 names are tracked" "0 True 0" \
	"$? $(field few.d 'len(f) > 0 and all(x["verdict"] == "confirmed" for x in f)') $(grep -c \
	'uses of names of files and other objects' err)"
"$FORERUN" run --order creation -o many.d ./many 60000 >out 2>err </dev/null
t_eq "many: 60,000 names are not: the verdict is unknown" "0 True 1" \
	"$? $(field many.d 'len(f) > 0 and all(x["verdict"] == "unknown" and "more names" in x["detail"] for x in f)') $(grep -c 'warning: uses of names of files and other objects not tracked' err)"
"$FORERUN" report --all many.d >out 2>&1
t_ok "many: the report counts them" grep -q 'uses of names of files and other objects not tracked: too many names' out

# ---- itself ----
for opt in -O1 -O2; do
	build self "self$opt" "$opt"
	for how in cpu raise kill thread value; do
		"$FORERUN" run --order creation -o "self$opt.$how" "./self$opt" $how >out 2>err </dev/null
		t_eq "self $opt $how: nothing confirmed" "0 0" "$? $(field "self$opt.$how" 'len(c)')"
	done
done
t_done
