#!/bin/sh
# The tests of sync.t for static programs, where the linker wraps instead of the loader, and for modules loaded at run
# time.
. "$(dirname "$0")/../lib.sh"
. "$HERE/sync.sh"

for n in mutex robust rwlock cond sem; do
	same $n -O1 -static
	order $n
	t_eq "$n: its events" "$(cat "$P/$n.events")" "$(events $n -k sync -k thread)"
done
for n in barrier once cancel c11 create tsd exit_main malloc mmap signal storm interrupted cxx; do
	same $n -O1 -static
	order $n
done
for n in process user own_malloc; do
	same $n -O2 -static
done
same mutex -O2 -static-pie
order mutex

# A C program that loads a C++ module, with and without instrumentation in it.
"$FORERUN" cc -g -O1 "$P/dlopen.c" -o "$T/dlopen" && c++ -shared -fPIC -O1 "$P/plugin.cpp" -o "$T/plain.so" &&
	"$FORERUN" c++ -g -shared -fPIC -O1 "$P/plugin.cpp" -o "$T/forerun.so"
want="plugin 42
plugin 45
no error 1"
for so in plain forerun; do
	t_eq "module, $so: not recorded" "$want" "$("$T/dlopen" "$T/$so.so")"
	t_eq "module, $so: recorded" "$want" "$("$FORERUN" record -o "$T/$so.d" -- "$T/dlopen" "$T/$so.so" 2>/dev/null)"
	order $so
	t_eq "module, $so: its threads" 2 "$(events $so -k thread-create | wc -l)"
	t_eq "module, $so: its static" 1 "$(events $so -t 0 -k once-begin | wc -l)"
	t_ok "module, $so: is listed" grep -q "/$so.so\"" "$T/$so.d/run.json"
done
t_eq "module: its mutex" "mutex-lock A,mutex-unlock A" \
	"$(events forerun -t 0.1 -k mutex-lock -k mutex-unlock | sed 's/^0.1 //' | paste -sd ,)"
t_done
