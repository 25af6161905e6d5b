#!/bin/sh
# predict --explain prints the reads that matter, with reasons, and the read that blocks an infeasible candidate. --pure
# adds functions that do no harm.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/slices
cd "$T" || exit 99

"$FORERUN" cc -g -O1 -pthread "$P/authenticate.c" -o a >log 2>&1
"$FORERUN" cc -g -O1 -DFIXED -pthread "$P/authenticate.c" -o a.fixed >log 2>&1
for x in a a.fixed; do
	"$FORERUN" record -q $(order "$P/authenticate.c") -o $x.d ./$x >log 2>&1
	"$FORERUN" predict -k order-violation --tier sliced --all --explain $x.d >$x.text 2>&1
done
t_ok "if: the flag does not matter" grep -q 'read of flag at .*authenticate.c:[0-9]* in thread 0.1 does not matter: ' \
	a.text
t_ok "while: the flag is in the way" grep -q 'in the way: flag at .* in thread 0.1: its value decides the branch' \
	a.fixed.text
t_eq "JSON: a read that does not matter" "[('flag', False)]" \
	"$(json a.d '[(y["name"], y["matters"]) for x in a if x["tier"] == "sliced" for y in x["reads"]]')"
t_eq "JSON: the read in the way" "['flag']" \
	"$(json a.fixed.d "[y['name'] for x in j['summary']['infeasible'] for y in x['reads'] if 'branch' in y['why']][:1]")"
"$FORERUN" predict -k order-violation --tier sliced a.d >text 2>&1
t_fail "no explanation without the option" grep -q 'matter' text

# A schedule expects the hooks on the way, but values only of reads that matter: not of the counter.
"$FORERUN" cc -g -O1 -pthread "$P/hits.c" -o hits >log 2>&1
"$FORERUN" record -q $(order "$P/hits.c") -o hits.d ./hits >log 2>&1
"$FORERUN" predict -k data-race --tier sliced hits.d >log 2>&1
t_eq "the schedule expects no value of the counter" "1 0" \
	"$(grep -c '^expect 0.2 3 read [0-9]*$' hits.d/1/schedule) $(grep -c '^expect .* read [0-9]* ' \
	hits.d/1/schedule)"

cat >log.c <<'EOF'
void tell(int);
void tell(int n) { (void)n; }
EOF
cat >use.c <<'EOF'
#include <pthread.h>
void tell(int);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int hits;
int x;
static void hit(void) { pthread_mutex_lock(&m); tell(++hits); pthread_mutex_unlock(&m); }
static void *a(void *p) { x = 1; hit(); return p; }
static void *b(void *p) { hit(); x = 2; return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0); pthread_join(t, 0); return pthread_join(u, 0); }
EOF
$CLANG -c log.c && "$FORERUN" cc -g -O1 -pthread use.c log.o -o use >log 2>&1
"$FORERUN" record -q --order creation -o use.d ./use >log 2>&1
"$FORERUN" predict -k data-race --tier sliced --explain use.d >text 2>&1
t_ok "unknown code gets the counter" grep -q 'in the way: hits .*: unknown code, tell(), gets it' text
echo 'tell n # prints' >pure
t_status "--pure: the race is predicted" 1 "$FORERUN" predict -k data-race --tier sliced --fail-on predicted --pure \
	pure use.d
echo 'tell ?' >pure
t_status "--pure: a wrong letter" 2 "$FORERUN" predict --pure pure use.d
t_status "--pure: no such file" 2 "$FORERUN" predict --pure missing use.d
t_done
