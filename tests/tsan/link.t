#!/bin/sh
# Objects of -fsanitize=thread: the runtime defines every name that they can need. The ways to link them.
. "$(dirname "$0")/../lib.sh"
. "$HERE/tsan.sh"
R=$BUILD/src/runtime

# ---- names ----

nm -g --defined-only "$R/libforerun_rt.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$T/ours"
nm -g --defined-only "$R/libforerun_rt_static.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$T/ours.static"
missing() { sort -u | comm -23 - "$1" | paste -sd ' '; }

# The functions that the compilers call: gcc's sanitizer.def, LLVM's ThreadSanitizer.cpp.
emitted()
{
	for n in init func_entry func_exit vptr_read vptr_update read_range write_range memcpy memmove memset \
		ignore_thread_begin ignore_thread_end atomic_thread_fence atomic_signal_fence; do
		echo __tsan_$n
	done
	for s in 1 2 4 8 16; do
		for n in read write volatile_read volatile_write unaligned_read unaligned_write \
			unaligned_volatile_read \
			unaligned_volatile_write read_write unaligned_read_write; do
			echo __tsan_$n$s
		done
		for n in load store exchange fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_nand \
			compare_exchange_strong compare_exchange_weak compare_exchange_val; do
			echo __tsan_atomic$((s * 8))_$n
		done
	done
}
t_eq "the runtime defines every name that a compiler can emit" "" "$(emitted | missing "$T/ours")"
t_eq "... for static programs too" "" "$(emitted | missing "$T/ours.static")"

i=0
for source in access.c atomics.c bank.c jump.c annotate.c atomic.cpp; do
	for cc in "$gnuc -O0" "$gnuc -O2 --param tsan-distinguish-volatile=1" "$llvmc -O0" \
		"$llvmc -O2 -mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-compound-read-before-write=1"; do
		i=$((i + 1))
		case $source in
		*.cpp) cc=$(echo "$cc" | sed "s,^$gnuc ,$gnucxx ,; s,^$llvmc ,$llvmcxx ,") ;;
		esac
		compile names-$i $source $cc -DWIDE -mcx16 || echo "# $cc: does not compile $source"
	done
done
t_eq "the compilers build 24 objects" 24 "$(ls "$T"/names-*.o | wc -l)"
nm -u "$T"/names-*.o | awk '$2 ~ /^(__tsan_|Annotate)/ { print $2 }' | sort -u >"$T/used"
t_ok "... which need many names" [ "$(wc -l <"$T/used")" -ge 60 ]
t_eq "the runtime defines every name that they need" "" "$(missing "$T/ours" <"$T/used")"

# The names in the libraries that a program would be linked with otherwise, without their internal names and without
# the names that a program defines for them.
inside='__tsan_(default_options|default_suppressions|on_report|on_initialize|on_finalize|report_race|report_race_thunk|resume|resumed|stack_initialization|symbolize_external|symbolize_external_ex|thread_start_func|tls_initialization|trace_switch|trace_switch_thunk)'
for lib in "$($gnuc -print-file-name=libtsan.a)" "$($llvmc -print-resource-dir)/lib/linux/libclang_rt.tsan-x86_64.a"; do
	if [ -f "$lib" ]; then
		t_eq "every entry point of $(basename "$lib") is there" "" \
			"$(nm -g --defined-only "$lib" 2>/dev/null | awk 'NF == 3 { print $3 }' |
				grep -E '^(__tsan_|Annotate|WTFAnnotate|RunningOnValgrind|ValgrindSlowdown|ThreadSanitizerQuery)' |
				grep -vxE "$inside" | missing "$T/ours")"
	else
		t_skip "every entry point of $(basename "$lib") is there" "the library is not installed"
	fi
done

# ---- ways to link ----

works()
{
	w_name=$1 w_want=$2
	t_ok "$w_name: is recorded" record $w_name
	t_eq "$w_name: prints the expected output" "$w_want" "$(cat "$T/$w_name.out")"
	t_ok "$w_name: has the accesses" eval \
		"events $w_name -k write | grep -q ' write 4 = 103 bank.c:$(tsan_line bank.c BALANCE) deposit'"
}

compile bank bank.c "$gnuc" -O1
cd "$T" || exit 99
t_ok "plain gcc links as the guide says" "$gnuc" bank.o -o plain -pthread -Wl,--whole-archive "$R/libforerun_rt.a" \
	-Wl,--no-whole-archive -Wl,--dynamic-list="$R/dynamic.list" -ldl
works plain "103 103"
t_ok "static" "$FORERUN" cc -static bank.o -o static -pthread
works static "103 103"
t_ok "not position-independent" eval "compile nopie bank.c $gnuc -O1 -fno-pie && $FORERUN cc -no-pie nopie.o -o nopie -pthread"
works nopie "103 103"
ar rcs libbank.a bank.o
t_ok "out of an archive" "$FORERUN" cc -Wl,--whole-archive libbank.a -Wl,--no-whole-archive -o archive -pthread
works archive "103 103"
if command -v ld.lld >/dev/null || command -v ld.lld-19 >/dev/null; then
	t_ok "by lld" "$FORERUN" cc -fuse-ld=lld bank.o -o lld -pthread
	works lld "103 103"
else
	t_skip "by lld" "lld is not installed"
fi

mkdir tmp
t_ok "a link" env TMPDIR="$T/tmp" "$FORERUN" cc bank.o -o clean -pthread
t_eq "... leaves nothing behind" "" "$(ls tmp)"
t_fail "a link that fails" env TMPDIR="$T/tmp" "$FORERUN" cc bank.o names-1.o -o clean2 -pthread
t_eq "... leaves nothing behind either" "" "$(ls tmp)"
t_ok "the object is unchanged" eval "nm bank.o | grep -q 'U malloc'"

compile own own.c "$gnuc" -O1 -fno-builtin
t_ok "a program with a strlen of its own" "$FORERUN" cc own.o -o own -pthread
t_ok "... is recorded" record own
t_eq "... and keeps it" "77 77" "$(cat own.out)"

mkdir bin
for tool in "$llvmc" ld ld.bfd; do
	tool=$(command -v "$tool") && ln -s "$tool" "bin/$(basename "$tool")"
done
if PATH=$T/bin "$FORERUN" cc bank.o -o without -pthread 2>without.err; then
	t_ok "without objcopy, a warning names the objects that are not recorded" grep -q \
		"objcopy.*will not be recorded" without.err
	works without "103 103"
else
	t_skip "without objcopy, a warning names the objects that are not recorded" \
		"clang does not find its linker in such an environment"
fi

# ---- a shared library ----

for c in gcc clang; do
	[ $c = gcc ] && cc=$gnuc || cc=$llvmc
	n=lib-$c
	t_ok "$n: links" eval "compile $n-lib library.c $cc -O1 -fPIC && compile $n-prog library.c $cc -O1 -DPROGRAM &&
		$FORERUN cc -shared $n-lib.o -o lib$n.so && $FORERUN cc $n-prog.o -L. -l$n -Wl,-rpath,$T -o $n -pthread"
	t_ok "$n: is recorded" record $n
	t_eq "$n: prints the expected output" 3 "$(cat $n.out)"
	t_eq "$n: accesses in the library are recorded" "0.1 mutex-lock library.c:$(tsan_line library.c LIBLOCK) bump
0.1 write 4 = 3 library.c:$(tsan_line library.c LIBWRITE) bump
0.1 range-read library.c:$(tsan_line library.c LIBCOPY) bump
0.1 range-write library.c:$(tsan_line library.c LIBCOPY) bump" \
		"$(events $n -t 0.1 -k mutex-lock -k write -k range-read -k range-write | sed \
		's/ range-\([a-z]*\) [0-9]* / range-\1 /')"
done

# ---- numbers of places ----

t_ok "the table of program counters compiles" "$gnuc" -std=gnu17 -D_GNU_SOURCE -O1 -g -w -I"$SRC/src" "$P/sites.c" \
	"$SRC/src/runtime/tsan/tsan_site.c" -o sites -pthread
t_ok "the table of program counters: dense, stable, bounded" ./sites

# ---- debug information of all sorts, and none ----

for g in -g1 -gdwarf-4 "-gdwarf-5 -gdwarf64" "-g -gz" "-g -gsplit-dwarf"; do
	n=debug$(echo "$g" | tr -d ' ')
	(cd "$P" && "$gnuc" $g -w -O1 -fsanitize=thread -c bank.c -o "$T/$n.o" && cd "$T" &&
		"$FORERUN" cc $n.o -o $n -pthread) && record $n
	t_eq "$g: places are found" "0.1 mutex-lock bank.c:$(tsan_line bank.c LOCK) deposit" \
		"$(events $n -t 0.1 -k mutex-lock)"
done
strip --strip-debug plain -o symbols
record symbols
t_ok "without debug information the symbol stands" eval \
	"$FORERUN dump -t 0.1 -k mutex-lock symbols.run | grep -q ' deposit+0x'"
strip plain -o bare
record bare
t_ok "without symbols the module stands" eval "$FORERUN dump -t 0.1 -k mutex-lock bare.run | grep -q ' bare+0x'"

bad=
for seed in $(seq 40); do
	python3 "$HERE/damage.py" plain damaged $seed
	chmod +x damaged
	record damaged && [ "$(events damaged -k mutex-lock | wc -l)" = 2 ] || bad="$bad $seed"
done
t_eq "damaged debug information, 40 times" "" "$bad"

t_done
