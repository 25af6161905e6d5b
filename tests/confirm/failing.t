#!/bin/sh
# A read that decides a failure: the program ends in the failing call, at all levels of optimisation. The twin stays
# silent. Programs: tests/programs/failing. PROGRAMS='a*' chooses programs, LEVELS='-O1' levels.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/failing

# kinds_and_harms DIR: prints kind and harm of each finding that counts
kinds_and_harms() { json "$1" '" ".join(sorted(x["kind"] + " " + x["harm"] for x in c if not x["folded"]))'; }

for s in "$P"/${PROGRAMS:-*}.c*; do
	for o in ${LEVELS:--O0 -O1 -O2}; do
		n=$(basename "$s")$o
		try "$n" "$s" "$o"
		t_eq "$n: one finding" "1 order-violation $(head_line harm "$s")" "$status $(kinds_and_harms "$n.d")"
		t_ok "$n: names the failing call" fails "$n.d" "$s" fails order-violation
		try "$n.fixed" "$s" "$o -DFIXED"
		t_eq "$n, fixed: silent" "0 " "$status $(kinds_and_harms "$n.fixed.d")"
	done
done

# Another exit status is no harm if it does not come from the branch that the read decides.
cat >status.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int used, limit = 5, seen;
static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	if (used > limit)
		exit(1);
	seen = used;
	pthread_mutex_unlock(&lock);
	return arg;
}
static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	used = USED;
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return seen;
}
END
for used in 2 9; do
	t_ok "status, $used: the program builds" "$FORERUN" cc -g -O1 -pthread -DUSED=$used status.c -o status$used
	"$FORERUN" run --order creation -o status$used.d ./status$used >status.out 2>&1
	t_eq "status, $used: one candidate depends on a branch" "1" \
		"$(json status$used.d 'len([x for x in a if x.get("needs") == "branch"])')"
done
t_eq "another status of the program is no failure" "" "$(kinds_and_harms status2.d)"
t_eq "the status of the failing call is a failure" "order-violation exit" "$(kinds_and_harms status9.d)"

# Reads that decide a failure are tried first, with a value that leads to it.
{
	echo '#include <pthread.h>'
	echo '#include <stdlib.h>'
	echo 'static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;'
	echo "int sum, last, $(seq -s ', ' -f 'v%g' 30);"
	echo 'static void *first(void *arg)'
	echo '{'
	for i in $(seq 30); do
		echo "	pthread_mutex_lock(&lock);"
		echo "	sum += v$i;"
		echo "	pthread_mutex_unlock(&lock);"
	done
	echo '	pthread_mutex_lock(&lock);'
	echo '	if (last == 40)'
	echo '		abort();'
	echo '	pthread_mutex_unlock(&lock);'
	echo '	return arg;'
	echo '}'
	echo 'static void set(int *p, int v)'
	echo '{'
	echo '	pthread_mutex_lock(&lock);'
	echo '	*p = v;'
	echo '	pthread_mutex_unlock(&lock);'
	echo '}'
	echo 'static void *second(void *arg)'
	echo '{'
	seq -f '	set(&v%g, 1);' 30
	echo '	for (int i = 1; i < 100; i++)'
	echo '		set(&last, i);'
	echo '	return arg;'
	echo '}'
	echo 'int main(void)'
	echo '{'
	echo '	pthread_t a, b;'
	echo '	pthread_create(&a, 0, first, 0);'
	echo '	pthread_create(&b, 0, second, 0);'
	echo '	pthread_join(a, 0);'
	echo '	pthread_join(b, 0);'
	echo '	return 0;'
	echo '}'
} >many.c
t_ok "many: the program builds" "$FORERUN" cc -g -O1 -pthread many.c -o many
"$FORERUN" run --order creation --kinds order-violation -o many.d ./many >many.out 2>&1
t_eq "many: found" "last crash 40" "$(json many.d '" ".join(x["subject"] + " " + x["harm"] + " "
	+ str(x["events"][0]["value"]) for x in c if not x["folded"])')"
t_done
