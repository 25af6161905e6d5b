#!/bin/sh
# Data and order that threads exchange through System V objects, signals, children, stdio, aio and futexes.
. "$(dirname "$0")/../lib.sh"
. "$HERE/kernel_programs.sh"
cd "$T" || exit 99
kernel_programs objects

# The thread that opens a module first runs its constructors; the other one finds it initialised.
cat >module.c <<'END'
long table[4];
__attribute__((constructor)) static void init(void)
{
	for (int i = 0; i < 4; i++)
		table[i] = i + 1;
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int wrong;
static long sums[2];

static void *load(void *arg)
{
	void *h = dlopen("./module.so", RTLD_NOW);
	long *table = h ? dlsym(h, "table") : NULL, sum = 0;

	for (int i = 0; table && i < 4; i++)
		sum += table[i];
	if (table && wrong)
		table[0]++;
	*(long *)arg = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	wrong = argc > 1;
	pthread_create(&a, NULL, load, &sums[0]);
	pthread_create(&b, NULL, load, &sums[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return !wrong && (sums[0] != 10 || sums[1] != 10);
}
END
t_ok "dlopen: the module builds" "$FORERUN" cc -g -O1 -fPIC -shared module.c -o module.so
t_ok "dlopen: the program builds" "$FORERUN" cc -g -O1 -pthread loads.c -o loads
for i in 1 2 3; do
	t_status "dlopen: nothing is predicted, $i" 0 "$FORERUN" run --fail-on predicted -o loads.$i ./loads
done
t_status "dlopen: a race on a variable of the module is confirmed" 1 "$FORERUN" run -o loads.wrong ./loads wrong
t_done
