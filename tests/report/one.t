#!/bin/sh
# A null dereference and a race of the same read with the same crash are one report. Other races keep their own.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

# headlines DIR [OPTION]: the kinds that the text shows
headlines() { "$FORERUN" report "$@" 2>/dev/null | sed -n 's/^[0-9]*\. \(.*\) on .*/\1/p' | paste -sd,; }

cat >one.c <<'END'
/*
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int *p;
int plain;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take(void)
{
#ifdef LOCKED
	pthread_mutex_lock(&lock);
#endif
}
static void give(void)
{
#ifdef LOCKED
	pthread_mutex_unlock(&lock);
#endif
}
static void *use(void *arg)
{
	take();
	plain += *p;
	give();
	return arg;
}
static void *end(void *arg)
{
	take();
	p = NULL;
#ifdef OTHER
	plain = 0;
#endif
	give();
	return arg;
}
int main(void)
{
	pthread_t a, b;
	p = malloc(sizeof(*p));
	*p = 1;
	pthread_create(&a, NULL, use, NULL);
	pthread_create(&b, NULL, end, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%d\n", plain);
	return 0;
}
END
for flag in "" -DLOCKED -DOTHER; do
	t_ok "builds $flag" "$FORERUN" cc -g -O1 -w -pthread $flag one.c -o "one$flag"
	"$FORERUN" run $(order one.c) -o "one$flag.d" "./one$flag" >out 2>err
	t_eq "status $flag" 1 $?
done
t_eq "one report" "null dereference" "$(headlines one.d)"
t_ok "which names the race" sh -c '"$0" report one.d | grep -q "^   the accesses race, with the same end: finding 2"' "$FORERUN"
t_eq "both with --all" "null dereference,data race" "$(headlines --all one.d | sed 's/,order violation//')"
t_eq "JSON has both" "[('data-race', 1), ('null-dereference', None)]" \
	"$(json one.d 'sorted((x["kind"], x.get("listed_under")) for x in c if not x["folded"])')"
t_eq "with a lock: no race" "null dereference" "$(headlines one-DLOCKED.d)"
t_eq "races of other memory keep their reports" "data race on plain null dereference on p" \
	"$("$FORERUN" report one-DOTHER.d 2>/dev/null | sed -n 's/^[0-9]*\. \(.*\) on `\(.*\)`.*/\1 on \2/p' | sort -u | paste -sd' ')"
t_done
