#!/bin/sh
# Data and order that threads exchange through System V objects, signals, children, stdio, aio and futexes.
. "$(dirname "$0")/../lib.sh"
. "$HERE/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs objects

# The first thread that opens a module runs its constructors; the other one finds the module initialised.
cat >module.c <<'END'
long table[4];
__attribute__((constructor)) static void init(void)
{
	for (int i = 0; i < 4; i++)
		table[i] = i + 1;
}
END
cp "$SRC/tests/programs/objects/loads.c" loads.c
t_ok "dlopen: the module builds" "$FORERUN" cc -g -O1 -fPIC -shared module.c -o module.so
t_ok "dlopen: the program builds" "$FORERUN" cc -g -O1 -pthread loads.c -o loads
for i in 1 2 3; do
	t_status "dlopen: nothing is predicted, $i" 0 "$FORERUN" run --fail-on predicted -o loads.$i ./loads
done
t_status "dlopen: a race on a variable of the module is confirmed" 1 "$FORERUN" run -o loads.wrong ./loads wrong
t_done
