#!/bin/sh
# A null dereference is confirmed as a crash where the null is used; the twin stays silent. Programs:
# tests/programs/null.
# PROGRAMS='a*' chooses programs, LEVELS='-O1 -O2' optimisation levels.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/try.sh"
cd "$T" || exit 99
P=$SRC/tests/programs/null

for level in ${LEVELS:--O1}; do
	for s in "$P"/${PROGRAMS:-*}.c*; do
		n=$(basename "$s")$level
		try "$n" "$s" $level
		t_eq "$n: a null dereference that crashes" "1 {'crash'}" \
			"$status $(json "$n.d" 'set(x["harm"] for x in c if x["kind"] == "null-dereference"
			and not x["folded"])')"
		t_eq "$n: and no order violation besides it" "" \
			"$(json "$n.d" '" ".join(x["subject"] for x in c if x["kind"] == "order-violation"
			and not x["folded"])')"
		t_ok "$n: names the use" fails "$n.d" "$s" use null-dereference
		try "$n.fixed" "$s" "$level -DFIXED"
		t_eq "$n, fixed: silent" "0 " "$status $(kinds "$n.fixed.d")"
	done
done

# A number that becomes 0 is no pointer that becomes null.
cat >number.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned long number = 100000, pointer, sum;
static void *first(void *arg)
{
	pthread_mutex_lock(&lock);
	sum += number;
	sum += *(unsigned long *)pointer;
	pthread_mutex_unlock(&lock);
	return arg;
}
static void *second(void *arg)
{
	pthread_mutex_lock(&lock);
	number = pointer = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pointer = (unsigned long)&number;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
END
t_ok "number: the program builds" "$FORERUN" cc -g -O1 -pthread number.c -o number
"$FORERUN" record -q --order creation -o number.d ./number
"$FORERUN" predict -q number.d 2>/dev/null
# A program with 20 pointers that are checked, then one that is used without a check.
many()
{
	{
		echo '#include <pthread.h>'
		echo 'static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;'
		echo "int x, sum, *last = &x, $(seq -s ', ' -f '*p%g = &x' 20);"
		echo 'static void *first(void *arg)'
		echo '{'
		for i in $(seq 20); do
			echo "	pthread_mutex_lock(&lock);"
			echo "	if (p$i) sum++;"
			echo "	pthread_mutex_unlock(&lock);"
		done
		echo '	pthread_mutex_lock(&lock);'
		echo '	sum += *last;'
		echo '	pthread_mutex_unlock(&lock);'
		echo '	return arg;'
		echo '}'
		echo 'static void forget(int **p)'
		echo '{'
		echo '	pthread_mutex_lock(&lock);'
		echo '	*p = 0;'
		echo '	pthread_mutex_unlock(&lock);'
		echo '}'
		echo 'static void *second(void *arg)'
		echo '{'
		seq -f '	forget(&p%g);' 20
		echo '	forget(&last);'
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
}
many
t_ok "many: the program builds" "$FORERUN" cc -g -O1 -pthread many.c -o many
"$FORERUN" run --order creation --kinds null-dereference -o many.d ./many >many.out 2>&1
t_eq "many: the pointer that is not checked is tried first" "1 last" \
	"$(json many.d 'str(f[0]["id"]) + " " + f[0]["subject"]')"
t_eq "many: and confirmed" "last crash" "$(json many.d '" ".join(x["subject"] + " " + x["harm"] for x in c
	if not x["folded"])')"

t_eq "number: only the pointer is a candidate" pointer \
	"$(json number.d '" ".join(x["subject"] for x in f if x["kind"] == "null-dereference")')"

# ---- a guess on a path that is not searched is unknown, not refuted ----
P=$SRC/tests/programs/confirm/registry.c
t_ok "guess: the program builds" "$FORERUN" cc -g -O1 -pthread -DFIXED "$P" -o guess
"$FORERUN" run $(order "$P") -o guess.d ./guess >guess.out 2>&1
guesses()
{
	json guess.d 'sorted({x["verdict"] for x in a if x["needs"] == "failure"
		and x["tier"] in ("relaxed", "hybrid")})'
}
t_eq "guess: unknown" "['unknown']" "$(guesses)"
t_ok "guess: the reason" grep -q 'took another path, and forerun does not search that path for a guess: thread' \
	guess.d/findings.json
"$FORERUN" predict --tier hybrid guess.d >/dev/null 2>&1
"$FORERUN" confirm --exact guess.d >/dev/null 2>&1
t_eq "guess: by hooks alone, refuted" "['refuted']" "$(guesses)"
t_done
