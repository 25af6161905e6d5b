#!/bin/sh
# Objects of plain gcc and clang -fsanitize=thread, linked by forerun cc: places, values, order.
. "$(dirname "$0")/../lib.sh"
. "$HERE/tsan.sh"

# ---- threads, a lock, a global, the heap ----

bank_thread()
{
	f=bank.c
	echo "$1 mutex-lock $f:$(tsan_line $f LOCK) deposit"
	[ "$4" = no ] || echo "$1 read 4 = $2 $f:$(tsan_line $f BALANCE) deposit"
	echo "$1 write 4 = $3 $f:$(tsan_line $f BALANCE) deposit"
	echo "$1 mutex-unlock $f:$(tsan_line $f UNLOCK) deposit"
}

bank()
{
	name=$1 reads=$2
	shift 2
	t_ok "$name: compiles and links" program $name bank.c "$@"
	t_ok "$name: is recorded" record $name
	t_eq "$name: the output is right" "103 103" "$(cat "$T/$name.out")"
	balance=$(events $name -k mutex-lock -k mutex-unlock -k read -k write |
		grep -E " (mutex|(read|write) 4 .* bank.c:$(tsan_line bank.c BALANCE) )")
	first=$(echo "$balance" | grep -c "^0.1 write 4 = 101 ")
	# Either order: 100 + 1 + 2 or 100 + 2 + 1.
	if [ "$first" = 1 ]; then
		a="100 101" b="101 103"
	else
		a="102 103" b="100 102"
	fi
	t_eq "$name: the accesses to the balance are recorded" \
		"$(bank_thread 0.1 $a $reads; bank_thread 0.2 $b $reads)" "$balance"
	t_eq "$name: memory and threads" "0 alloc bank.c:$(tsan_line bank.c MALLOC) main
0 thread-create bank.c:$(tsan_line bank.c CREATE) main
0 thread-create bank.c:$(tsan_line bank.c CREATE) main
0 thread-join bank.c:$(tsan_line bank.c JOIN) main
0 thread-join bank.c:$(tsan_line bank.c JOIN) main
0 free bank.c:$(tsan_line bank.c FREE) main" \
		"$(events $name -t 0 -k alloc -k free -k thread-create -k thread-join |
			grep -E ":($(tsan_line bank.c MALLOC)|$(tsan_line bank.c CREATE)|$(tsan_line bank.c \
				JOIN)|$(tsan_line bank.c FREE)) main")"
	t_eq "$name: the stack of an access" "deposit worker" \
		"$("$FORERUN" dump -s -t 0.1 -k write "$T/$name.run" | awk \
		'/^ *[0-9]+  write 4/ { on = 1; next } on && /#[0-9]/ { print $3 } on && !/#[0-9]/ { exit }' |
			head -n 2 | paste -sd ' ')"
}

both="-mllvm -tsan-instrument-read-before-write=1"
bank gcc-O0 yes "$gnuc" -O0
bank gcc-O2 yes "$gnuc" -O2
bank clang-O0 no "$llvmc" -O0
bank clang-O2 yes "$llvmc" -O2 $both

# ---- every size and sort of access ----

accesses()
{
	name=$1
	shift
	t_ok "$name: is recorded" eval "program $name access.c $* && record $name"
	f=access.c
	want=
	for w in "W1 1 161" "W2 2 41634" "W4 4 2762253476" "W8 8 0xa8a8a8a8a8a8a8a8" "WV 4 9" "WU4 4 3031741620" \
		"WU8 8 0xb8b8b8b8b8b8b8b8" "WF4 4 1069547520" "WF8 8 0x4004000000000000"; do
		set -- $w
		want="$want${want:+
}0 write $2 = $3 $f:$(tsan_line $f $1) write_all"
	done
	t_eq "$name: writes have their values" "$want" \
		"$(events $name -t 0 -k write -l write_all | sed 's/ volatile / /; s/ unaligned / /' | grep -vE \
		":($(tsan_line $f W16)|$(tsan_line $f PAIR)) ")"
	# 5 + 3 * 0x9e3779b97f4a7c15
	t_eq "$name: 16 bytes" "0 write 16 = 0xdaa66d2c7ddf7444 $f:$(tsan_line $f W16) write_all" \
		"$(events $name -t 0 -k write -l "$f:$(tsan_line $f W16)")"
	for r in "R1 1 161" "R2 2 41634" "R4 4 2762253476" "R8 8 0xa8a8a8a8a8a8a8a8" "RV 4 9" "RU4 4 3031741620" \
		"RU8 8 0xb8b8b8b8b8b8b8b8"; do
		set -- $r
		t_eq "$name: $1, read by the other thread" "0.1 read $2 = $3 $f:$(tsan_line $f $1) read_all" \
			"$(events $name -t 0.1 -k read -l "$f:$(tsan_line $f $1)" | sed \
			's/ volatile / /; s/ unaligned / /' | grep " read $2 = $3 " | head -n 1)"
	done
	t_eq "$name: a struct is read, then written" "$copies" \
		"$(events $name -t 0 -k access -l "$f:$(tsan_line $f PAIR)"; events $name -t 0 -k access -l \
		"$f:$(tsan_line $f BIG)")"
	t_ok "$name: strlen is recorded" eval \
		"events $name -t 0.1 -k range-read | grep -q ' $f:$(tsan_line $f STRLEN) read_all'"
}

f=access.c
copies="0 read 8 = 0x800000007 $f:$(tsan_line $f PAIR) write_all
0 write 8 = 0x800000007 $f:$(tsan_line $f PAIR) write_all
0 range-read $f:$(tsan_line $f BIG) write_all
0 range-write $f:$(tsan_line $f BIG) write_all"
accesses access-gcc-O0 "$gnuc" -O0
accesses access-gcc-O2 "$gnuc" -O2 -fno-builtin-strlen
copies="0 range-read 8 $f:$(tsan_line $f PAIR) write_all
0 range-write 8 $f:$(tsan_line $f PAIR) write_all
0 range-read $f:$(tsan_line $f BIG) write_all
0 range-write $f:$(tsan_line $f BIG) write_all"
accesses access-clang-O0 "$llvmc" -O0
t_ok "a compiler that tells volatile accesses apart" program volatile access.c \
	"$gnuc" -O1 --param tsan-distinguish-volatile=1
record volatile
t_eq "volatile: is marked" "0 write 4 = 9 volatile access.c:$(tsan_line access.c WV) write_all" \
	"$(events volatile -k write -l write_all | grep volatile)"

# ---- atomics ----

atomics()
{
	name=$1 fences=$2
	shift 2
	t_ok "$name: every operation gives the right result, unrecorded" eval "program $name atomics.c $* && $T/$name"
	t_ok "$name: every operation gives the right result, recorded" record $name
	for size in 1 2 4 8 16; do
		got=$(events $name -k access | sed -n "s/^0 \(atomic-[a-z]* $size .*\) atomics.c.*/\1/p" |
			head -n 11 | tail -n 9)
		t_eq "$name: $size bytes" "atomic-store $size = 5 seq_cst
atomic-load $size = 5 acquire
atomic-rmw $size = 5 -> 12 xchg acq_rel
atomic-rmw $size = 12 -> 15 add relaxed
atomic-rmw $size = 15 -> 10 sub seq_cst
atomic-rmw $size = 10 -> 2 and seq_cst
atomic-rmw $size = 2 -> 7 or seq_cst
atomic-rmw $size = 7 -> 4 xor seq_cst" "$(echo "$got" | head -n 8)"
		# Of 16 bytes the two halves are folded into one.
		case $size in
		1) last=251 ;; 2) last=65531 ;; 4) last=4294967291 ;; 8) last=0xfffffffffffffffb ;; 16) last=4 ;;
		esac
		t_eq "$name: $size bytes, nand and compare" "atomic-rmw $size = 4 -> $last nand seq_cst
atomic-cas $size = $last wanted 9 failed acq_rel
atomic-cas $size = $last -> 9 seq_cst
atomic-cas $size = 9 -> 11 release
atomic-cas $size = 11 -> 13 seq_cst" \
			"$(events $name -k access | sed -n "s/^0 \(atomic-[a-z]* $size .*\) atomics.c.*/\1/p" | sed -n \
			'11,15p')"
	done
	t_eq "$name: fences" $fences "$(events $name -k fence | wc -l)"
}

atomics atomics-gcc 3 "$gnuc" -O0 -DWIDE -mcx16
atomics atomics-gcc-O2 3 "$gnuc" -O2 -DWIDE -mcx16
atomics atomics-clang 3 "$llvmc" -O0 -DWIDE -mcx16
# Two fences next to each other are one to the optimiser.
atomics atomics-clang-O2 2 "$llvmc" -O2 -DWIDE -mcx16

# ---- C++ ----

cxx()
{
	name=$1
	shift
	f=atomic.cpp
	t_ok "$name: is recorded" eval "program $name $f $* && record $name"
	t_eq "$name: the output is right" "3 94 4" "$(cat "$T/$name.out")"
	t_eq "$name: the flag is stored before it is loaded" "0 atomic-store 1 = 1 release
0.1 atomic-load 1 = 1 acquire
0.2 atomic-load 1 = 1 acquire" \
		"$(events $name -k atomic-store -k atomic-load | sed -n 's/^\(.* atomic-[a-z]* 1 = 1 [a-z]*\) .*/\1/p')"
	t_eq "$name: new has its place" "0 alloc $f:$(tsan_line $f NEW) main" \
		"$(events $name -t 0 -k alloc | grep ":$(tsan_line $f NEW) " | head -n 1)"
	t_eq "$name: a method of a class in a namespace" "shop::Counter::hit" \
		"$(events $name -k write -l "$f:$(tsan_line $f HITS)" | awk '{ print $NF }' | sort -u)"
	# The exception took the frames of hit() with it.
	t_eq "$name: after an exception" "shop::work" \
		"$("$FORERUN" dump -s -k atomic-rmw -l "operator+=" "$T/$name.run" | sed -n \
		's/.*atomic.cpp:[0-9:]* \(shop::.*\)/\1/p' | sort -u)"
	t_ok "$name: locks and unlocks of std::mutex are even" eval \
		"[ \$(events $name -k mutex-lock | wc -l) = \$(events $name -k mutex-unlock | wc -l) ]"
}

cxx cxx-gcc-O0 "$gnucxx" -O0
cxx cxx-gcc-O2 "$gnucxx" -O2
cxx cxx-clang-O0 "$llvmcxx" -O0
cxx cxx-clang-O2 "$llvmcxx" -O2

t_done
