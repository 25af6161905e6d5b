#!/bin/sh
# Difficult environments: a full disk, a read-only folder, no /proc, other libraries.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"

# Runs a command with the folder $1 as a file system of its own, of size $2; status 77: impossible here.
on_small_disk()
{
	dir=$1 size=$2
	shift 2
	unshare -m sh -c 'mount -t tmpfs -o size="$2" tmpfs "$1" 2>/dev/null || exit 77
		shift 2; "$@"' sh "$dir" "$size" "$@"
}
sanitized=no
nm "$FORERUN" 2>/dev/null | grep -q __asan_init && sanitized=yes
mkdir "$T/disk"
can_mount=yes
on_small_disk "$T/disk" 1m true >/dev/null 2>&1 || can_mount=no

# The disk fills up: the program goes on, the trace is marked incomplete and its prefix reads back.
if sv_build flood; then
	if [ $can_mount = yes ]; then
		for size in 8m 24m; do
			# The folder must be looked at inside the mount's name space.
			on_small_disk "$T/disk" $size sh -c '
				"$1" record --option private=0 -o "$2/run" -- "$3" 4 >"$4/out" 2>"$4/err" </dev/null
				echo $? >"$4/status"
				df -k "$2" >"$4/df"
				"$1" dump "$2/run" >"$4/flood.dump" 2>"$4/flood.dump.err"
				echo $? >"$4/dumped"
				cp "$2/run/run.json" "$4/run.json"' sh "$FORERUN" "$T/disk" "$T/flood.fr" "$T"
			t_eq "disk of $size full: the program's status" 0 "$(cat "$T/status")"
			t_eq "disk of $size full: the program's output" "$("$T/flood" 4)" "$(cat "$T/out")"
			t_ok "disk of $size full: a message names the reason" grep -qiE 'space|full' "$T/err"
			t_eq "disk of $size full: the prefix reads back" 0 "$(cat "$T/dumped")"
			t_ok "disk of $size full: indices in order" sv_consistent "$T/flood.dump"
			t_ok "disk of $size full: the prefix has events" test "$(wc -l <"$T/flood.dump")" -gt 10000
			t_ok "disk of $size full: the trace is marked incomplete" grep -q '"complete": *false' \
				"$T/run.json"
			t_ok "disk of $size full: dump says that the trace is incomplete" grep -qi 'incomplete' \
				"$T/flood.dump" "$T/flood.dump.err"
		done
		on_small_disk "$T/disk" 64k "$FORERUN" record -o "$T/disk/run" -- "$T/flood.fr" 1 >"$T/out" 2>"$T/err"
		t_eq "no room at all: an error before the program starts" 3 $?
		t_ok "no room at all: the message gives the reason" grep -qiE 'space|full' "$T/err"
	else
		t_skip "a full disk" "cannot mount a file system here"
	fi
fi

# A working folder that cannot be written: with -o elsewhere all is well, without it an error names the folder.
sv_build plain || t_done
mkdir "$T/ro"
read_only()
{
	unshare -m sh -c 'mount -t tmpfs -o ro tmpfs "$1" 2>/dev/null || exit 77
		cd "$1" && shift && "$@"' sh "$T/ro" "$@"
}
if [ $can_mount = yes ]; then
	read_only "$FORERUN" record -o "$T/plain.run" -- "$T/plain.fr" here >"$T/out" 2>"$T/err"
	t_eq "read-only folder, -o elsewhere: status" 0 $?
	t_eq "read-only folder, -o elsewhere: output" "2000 here" "$(cat "$T/out")"
	sv_reads plain
	sv_has plain "locks are there" 'mutex-lock' 2000
	read_only "$FORERUN" record -- "$T/plain.fr" here >"$T/out" 2>"$T/err"
	t_eq "read-only folder, no -o: an error" 3 $?
	t_ok "read-only folder, no -o: it names the folder" grep -q 'forerun\.d' "$T/err"
	t_eq "read-only folder, no -o: the program was not started" "" "$(cat "$T/out")"
else
	t_skip "a read-only folder" "cannot mount a file system here"
fi

# No /proc.
no_proc() { unshare -m sh -c 'umount -l /proc 2>/dev/null; [ -e /proc/self ] && exit 77; "$@"' sh "$@"; }
if [ $sanitized = yes ]; then
	t_skip "no /proc" "the tool is built with sanitizers, which need it"
elif no_proc true >/dev/null 2>&1; then
	sv_wrap=no_proc
	sv_same plain
	sv_reads plain
	sv_has plain "locks are there, without /proc" 'mutex-lock' 2000
	sv_has plain "names are there, without /proc" 'write .*shared_count' 100
	no_proc "$FORERUN" cc -g -pthread "$SV/plain.c" -o "$T/plain.noproc" >"$T/out" 2>&1
	t_eq "forerun cc without /proc" 0 $?
	sv_wrap=
else
	t_skip "no /proc" "cannot unmount it here"
fi

# -static, C and C++.
mkdir "$T/c" "$T/cxx"
for lang in c cxx; do
	if [ $lang = c ]; then
		set -- cc "$SV/plain.c"
	else
		set -- c++ "$SV/plain.cpp"
	fi
	t_ok "static, $lang: the program builds" "$FORERUN" "$1" -static -g -pthread "$2" -o "$T/static-$lang.fr"
	"$FORERUN" record -o "$T/static-$lang.run" -- "$T/static-$lang.fr" >"$T/out" 2>"$T/err" </dev/null
	t_eq "static, $lang: status" 0 $?
	t_eq "static, $lang: output" 2000 "$(cat "$T/out")"
	sv_reads "static-$lang"
	sv_has "static-$lang" "locks are there" 'mutex-lock' 2000
	sv_has "static-$lang" "names are there" 'write .*shared_count' 100
done
t_ok "static: it is static" sh -c "! readelf -l '$T/static-c.fr' | grep -q INTERP"

# Modules that are instrumented apart: two copies of a plugin under dlopen, and as a library.
plugin()
{
	"$FORERUN" cc -g -O1 -pthread -fPIC -shared "$SV/plugin.c" -o "$T/$1.so.fr" &&
		$CLANG -g -O1 -pthread -fPIC -shared "$SV/plugin.c" -o "$T/$1.so"
}
t_ok "a plugin builds" plugin one
t_ok "another plugin builds" plugin two
if sv_build load -rdynamic -ldl; then
	rm -rf "$T/load.run"
	"$FORERUN" record -o "$T/load.run" -- "$T/load.fr" "$T/one.so.fr" "$T/two.so.fr" >"$T/out" 2>"$T/err" </dev/null
	t_eq "dlopen: status" 0 $?
	t_eq "dlopen: output" "$("$T/load" "$T/one.so" "$T/two.so")" "$(cat "$T/out")"
	head -3 "$T/err" | sed 's/^/# /'
	sv_reads load
	sv_has load "the plugins' own variables are there, by name" 'plugin_count' 500
	sv_has load "the program's variable, from the plugins" 'host_count.*plugin\.c' 500
	# An uninstrumented plugin in an instrumented program: its locks are seen, its accesses not.
	rm -rf "$T/load.run"
	"$FORERUN" record -o "$T/load.run" -- "$T/load.fr" "$T/one.so" "$T/two.so.fr" >"$T/out" 2>"$T/err" </dev/null
	t_eq "dlopen of a module that is not instrumented: status" 0 $?
	t_eq "dlopen of a module that is not instrumented: output" "$("$T/load" "$T/one.so" "$T/two.so")" \
		"$(cat "$T/out")"
	sv_reads load
	sv_has load "the locks of the module that is not instrumented are there" 'mutex-lock' 4000
fi
mkdir "$T/lib"
cp "$T/one.so.fr" "$T/lib/libplugin.so"
if "$FORERUN" cc -g -O1 -pthread "$SV/linked.c" -L"$T/lib" -lplugin -Wl,-rpath,"$T/lib" -rdynamic -o \
	"$T/linked.fr" 2>"$T/err"; then
	"$FORERUN" record -o "$T/linked.run" -- "$T/linked.fr" >"$T/out" 2>"$T/err" </dev/null
	t_eq "shared library: status" 0 $?
	t_eq "shared library: output" "200 200" "$(cat "$T/out")"
	sv_reads linked
	sv_has linked "the library's variables are there, by name" 'plugin_count' 200
else
	t_miss "shared library: links"
	sed 's/^/# /' "$T/err"
fi

# The user's LD_PRELOAD has its effect, and the recording too.
# (A tool that is built with sanitizers bears no other malloc.)
sv_only=
[ $sanitized = yes ] && sv_only=-DLOCKS_ONLY
if $CLANG -g -O1 -D_GNU_SOURCE $sv_only -fPIC -shared -pthread "$SV/preloaded.c" -o "$T/preloaded.so" -ldl; then
	rm -rf "$T/plain.run"
	ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" \
		LD_PRELOAD=$T/preloaded.so PRELOADED_LOG=$T/preload.log "$FORERUN" record -o "$T/plain.run" -- \
		"$T/plain.fr" \
		>"$T/out" 2>"$T/err" </dev/null
	t_eq "LD_PRELOAD: status" 0 $?
	t_eq "LD_PRELOAD: output" 2000 "$(cat "$T/out")"
	sv_reads plain
	sv_has plain "locks are there, with LD_PRELOAD" 'mutex-lock' 2000
	t_ok "LD_PRELOAD: the other library saw the program's locks" awk '$5 >= 2000 { n++ } END { exit !n }' \
		"$T/preload.log"
fi

t_done
