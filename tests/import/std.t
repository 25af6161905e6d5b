#!/bin/sh
# forerun import turns RAPID's STD text format into a run folder. It refuses invalid lines with line number and
# reason.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# refused NAME LINE REASON TEXT: the import fails with status 3, names the line and gives the reason.
refused()
{
	printf "$4" >"$1.std"
	"$FORERUN" import "$1.std" -o "$1.d" >"$1.out" 2>&1
	t_eq "$1: status" 3 $?
	t_eq "$1: line and reason" "forerun: '$1.std', line $2: $3" "$(cat "$1.out")"
	t_fail "$1: no folder is left" test -e "$1.d"
}

cat >ok.std <<'END'
T0|w(x.y)|a.c:1
T0|fork(T1)|a.c:2
T1|acq(L1)|b.c:7

T1|acq(L1)|b.c:8
T1|r(x.y)|b.c:9
T1|rel(L1)|b.c:10
T1|rel(L1)|b.c:11
T0|begin|a.c:3
T0|w(arr[3])|a.c:4
T0|end|a.c:5
T0|join(T1)|a.c:6
END
t_ok "a trace is imported" "$FORERUN" import ok.std -o ok.d
t_eq "import prints the counts" "ok2.d: 11 events of 2 threads, 1 lock, 2 variables" \
	"$("$FORERUN" import ok.std -o ok2.d | head -1)"
t_eq "recursive acquisitions are counted" 1 \
	"$("$FORERUN" import ok.std -o ok3.d | grep -c 'recursive acquisitions.* 2$')"
"$FORERUN" dump -m ok.d >ok.out
t_eq "dump prints the order and the lines of the file" "1 2 3 5 6 7 8 9 10 11 12" \
	"$(awk '$2 ~ /^0/ {print $3}' ok.out | tr '\n' ' ' | sed 's/ $//')"
t_eq "names of variables and locks" 4 "$(grep -cE 'write 8 +(x.y|arr\[3\]) 0x|mutex-lock +L1 0x' ok.out)"
t_eq "each access has its location" 11 "$(grep -c 'ok.std:0:0 [ab]\.c:' ok.out)"
t_eq "run.json says where it comes from" '  "imported": "ok.std",' "$(grep '"imported"' ok.d/run.json)"
t_status "an existing folder" 2 "$FORERUN" import ok.std -o ok.d
t_status "no trace given" 2 "$FORERUN" import
t_status "two traces given" 2 "$FORERUN" import ok.std ok.std
t_status "a missing trace is an error" 3 "$FORERUN" import none.std -o none.d
t_fail "a missing trace leaves no folder" test -e none.d
sed 's/$/\r/' ok.std >crlf.std
t_ok "lines that end with CR LF" "$FORERUN" import crlf.std -o crlf.d
printf 'T0|w(x)|1' >last.std
t_ok "a last line without its end" "$FORERUN" import last.std -o last.d
: >empty.std
t_status "an empty trace" 3 "$FORERUN" import empty.std -o empty.d
printf 'T0|acq(L)|1\nT0|begin|2\n' >held.std
t_eq "a lock held and a region open at the end" \
	"locks still held at the end: 1, the first since line 1|regions still open at the end: 1" \
	"$("$FORERUN" import held.std -o held.d | tail -n +2 | paste -sd '|')"

refused op 2 "unknown operation 'lock' (known: r w acq rel fork join begin end)" 'T0|w(x)|1\nT0|lock(x)|2\n'
refused fields 1 "expected thread|op(operand)|location" 'T0 w(x)\n'
refused toomany 1 "more than three fields" 'T0|w(x)|1|2\n'
refused paren 1 "')' is missing after the operand" 'T0|w(x|1\n'
refused operand 1 "acq without an operand" 'T0|acq|1\n'
refused nobody 1 "a thread without a name" '|w(x)|1\n'
refused release 2 "thread T0 releases lock L, which no thread holds" 'T0|w(x)|1\nT0|rel(L)|2\n'
refused owner 2 "thread T1 releases lock L, which thread T0 holds since line 1" 'T0|acq(L)|1\nT1|rel(L)|2\n'
refused twice 2 "thread T1 acquires lock L, which thread T0 holds since line 1" 'T0|acq(L)|1\nT1|acq(L)|2\n'
refused early 3 "thread T1 is forked, but has an event before that, in line 2" 'T0|w(x)|1\nT1|w(x)|2\nT0|fork(T1)|3\n'
refused late 3 "thread T1 has an event after it was joined in line 2" 'T0|fork(T1)|1\nT0|join(T1)|2\nT1|w(x)|3\n'
refused joins 3 "thread T1 was joined in line 2 already" 'T0|fork(T1)|1\nT0|join(T1)|2\nT0|join(T1)|3\n'
refused unbalanced 4 "thread T1 is joined, but holds lock L since line 2" \
	'T0|fork(T1)|1\nT1|acq(L)|2\nT1|acq(M)|3\nT0|join(T1)|4\n'
refused inner 5 "thread T1 is joined, but holds lock L since line 2" \
	'T0|fork(T1)|1\nT1|acq(L)|2\nT1|acq(L)|3\nT1|rel(L)|4\nT0|join(T1)|5\n'
refused again 4 "thread T0 releases lock L, which no thread holds" 'T0|w(x)|1\nT0|acq(L)|2\nT0|rel(L)|3\nT0|rel(L)|4\n'
refused forks 2 "thread T1 was forked in line 1 already" 'T0|fork(T1)|1\nT0|fork(T1)|2\n'
refused stranger 1 "join of unknown thread T9" 'T0|join(T9)|1\n'
refused self 1 "thread T0 forks itself" 'T0|fork(T0)|1\n'
refused selfjoin 1 "thread T0 joins itself" 'T0|join(T0)|1\n'
refused region 1 "thread T0: end without begin" 'T0|end|1\n'
printf 'T0|w(x\000y)|1\n' >nul.std
t_status "a NUL in a name" 3 "$FORERUN" import nul.std -o nul.d
printf 'T0|acq(L\000)|1\n' >nul.std
t_status "a NUL in the name of a lock" 3 "$FORERUN" import nul.std -o nul.d
printf '\357\273\277T0|w(x)|1\nT0|w(x)|2\n' >bom.std
t_eq "a byte order mark is no part of a name" "bom.d: 2 events of 1 thread, 0 locks, 1 variable" \
	"$("$FORERUN" import bom.std -o bom.d)"

# ---- names in reports ----
printf 'main|fork(A)|1\nA|acq(L)|2\nA|w(x)|3\nA|rel(L)|4\nT1|acq(L)|5\nT1|rel(L)|6\nT1|w(x)|7\n' >names.std
"$FORERUN" import names.std -o names.d >names.out
"$FORERUN" predict names.d >names.out
cat >want <<'END'
1. data race on `x` — predicted
   names.std:3 writes;
   names.std:7 writes
     A                                    T1
                                          names.std:5  acquire L
                                          names.std:6  release L
     names.std:2  acquire L
   * names.std:3  write x
                                        * names.std:7  write x
   A holds `L` since names.std:2
   T1 holds no lock
   schedule: names.d/1/schedule
   tier: precise
END
plain() { sed '/^$/,$d; s/, solver [0-9.]* s$//'; } # the first finding, without times
t_eq "threads have their names" "$(cat want)" "$(plain <names.out)"
"$FORERUN" report --all names.d >names.out
t_eq "threads have their names in reports" "$(cat want)" "$(plain <names.out)"
t_done
