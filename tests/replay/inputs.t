#!/bin/sh
# Under a schedule, the outside world answers as it did in the recorded run. Where that is not possible, forerun
# compares the answers.
. "$(dirname "$0")/../lib.sh"

P=$SRC/tests/programs/inputs
cd "$T" || exit 99
printf 'a first line\nand a second\n' >input.txt

# again RUN [ARGUMENTS]: leaves `out`, `err`, `status`
again()
{
	"$BUILD/tests/unit/input_run" "$@" >out 2>err </dev/null
	status=$?
}

for how in dynamic static; do
	[ $how = static ] && flags=-static || flags=
	t_ok "ask, $how: the program builds" "$FORERUN" cc -g -O1 -pthread $flags "$P/ask.c" -o ask.$how
	t_ok "more, $how: the program builds" "$FORERUN" cc -g -O1 -pthread $flags "$P/more.c" -o more.$how

	"$FORERUN" record -q -o ask.$how.d ./ask.$how >said
	sleep 1 # so the recorded times differ from the present
	again ask.$how.d
	t_eq "$how: every answer is the recorded one" "$(cat said)" "$(cat out)"
	t_eq "$how: ... and nothing differs" "0 differ 0" "$status $(cat err)"

	"$FORERUN" record -q -o more.$how.d ./more.$how 20 0 t >said
	again more.$how.d
	t_eq "$how: two threads: as recorded" "$(cat said)" "$(cat out)"
	t_eq "$how: ... and nothing differs" "0 differ 0" "$status $(cat err)"

	# After the last recorded answer, forerun makes up answers, the same each time: time goes on, ids stay. Where
	# the loops were left both threads asked for something else.
	again more.$how.d 40 3600 t
	t_eq "$how: questions beyond the recording are answered" "0 differ 2, first: what 2" \
		"$status $(sed 's/ hook.*//' err)"
	cp out first
	again more.$how.d 40 3600 t
	t_eq "$how: ... in the same way each time" "$(cat first)" "$(cat out)"
	t_eq "$how: ... with the recorded process id" "$(awk 'NF == 5 {print $4}' said | sort -u)" \
		"$(awk 'NF == 5 {print $4}' out | sort -u)"
	t_eq "$how: ... and thread ids" "$(awk 'NF == 5 {print $5}' said | sort -u)" \
		"$(awk 'NF == 5 {print $5}' out | sort -u)"
	t_eq "$how: ... from the recorded answers on" "$(awk 'NF == 5' said | head -20)" \
		"$(awk 'NF == 5' out | head -20)"
	t_eq "$how: ... with other random bytes" 80 "$(awk 'NF == 5 {print $3}' out | sort -u | wc -l)"
	t_eq "$how: ten hours pass at once" slept "$(grep slept out)"
	t_ok "$how: ... for all clocks" [ "$(sed -n 's/^time //p' out)" -ge $(($(sed -n 's/^time //p' said) + 35999)) ]

	# The same place, another question.
	again more.$how.d 20 0 p
	t_eq "$how: another question is noticed" "0 differ 1, first: what 6" "$status $(sed 's/ hook.*//' err)"
	t_eq "$how: ... and answered" "$(awk 'NF == 5 {print $4; exit}' said)" "$(sed -n 's/^pid //p' out)"
done

# Instructions of the processor: its clock and its random numbers.
for f in c cpp; do
	[ $f = c ] && cc=cc || cc=c++
	t_ok "machine.$f: the program builds" "$FORERUN" $cc -g -O1 -pthread "$P/machine.$f" -o machine.$f
	"$FORERUN" record -q -o machine.$f.d ./machine.$f >said
	"$FORERUN" record -q -o other.$f.d ./machine.$f >other
	t_ok "machine.$f: two runs differ" [ "$(cat said)" != "$(cat other)" ]
	for i in 1 2 3; do
		"$FORERUN" replay machine.$f.d >out 2>err
		t_eq "machine.$f: every answer is the recorded one ($i)" "0 $(cat said)" "$? $(cat out)"
	done
done

# A replay reads the recorded content.
noticed() { "$FORERUN" replay ask.dynamic.d 2>&1 >out | grep -o \
	'a file is not as it was when the run was recorded (it has changed)'; }
printf 'a first line\nanother two.\n' >input.txt
t_ok "a file that has changed is noticed" noticed
printf 'a first line\n' >input.txt
t_ok "a file that has become shorter is noticed" noticed

# By the command.
printf 'a first line\nand a second\n' >input.txt
"$FORERUN" record -q -o quiet.d ./ask.dynamic quiet >said
for i in 1 2 3; do
	"$FORERUN" replay quiet.d >out 2>err
	t_eq "replay repeats the recorded run with its inputs ($i)" "0 $(cat said)" "$? $(cat out)"
done
t_ok "replay: a seed from the time, a length from a file: the program builds" "$FORERUN" cc -g -O1 -pthread \
	"$P/depend.c" -o depend
echo 30 >upto
"$FORERUN" record -q -o depend.d ./depend >said
sleep 1 # the program asks for the time in seconds: now it is another
"$FORERUN" replay depend.d >out 2>err
t_eq "replay: is repeated" "0 $(cat said)" "$? $(cat out)"
for n in 20 40; do
	echo $n >upto
	t_says "replay: the file says $n: it is named as the cause" 3 \
		'a file is not as it was when the run was recorded \(it has changed\), first in thread 0 at .*depend\.c:24' "$FORERUN" replay depend.d
done
t_done
