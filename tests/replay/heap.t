#!/bin/sh
# Heap objects lie elsewhere in every run; schedules know them by name. Other addresses are known to be some.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cat >list.c <<'EOF'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct node {
	struct node *next;
	long value;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;
static long sum;
static char *text, *end; /* the end is behind all that was allocated for it */

static void push(long value)
{
	struct node *n = malloc(sizeof(*n));

	n->value = value;
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
}

static void *worker(void *arg)
{
	for (int i = 0; i < 5; i++)
		push(i);
	sum += 1;
	for (char *p = text; p != end; p++) /* the last value of its turn */
		*p = '-';
	return arg;
}

static void *counter(void *arg)
{
	long s = 0;

	pthread_mutex_lock(&m);
	for (struct node *n = head; n; n = n->next)
		s += n->value;
	pthread_mutex_unlock(&m);
	sum += s;
	return arg;
}

int main(void)
{
	unsigned char r[2];
	int f = open("/dev/urandom", O_RDONLY);
	pthread_t a, b;
	char *volatile pad;

	/* Not by read(), which would be answered as recorded. */
	if (syscall(SYS_read, f, r, 2) != 2)
		return 2;
	pad = malloc(100 + (r[0] * 256 + r[1]) % 4000 * 16L);
	text = malloc(24);
	end = text + 24;
	for (int i = 0; i < 3; i++)
		push(i);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, counter, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%ld\n", sum);
	free(pad);
	return 0;
}
EOF
t_ok "builds" "$FORERUN" cc -g -O1 -pthread list.c -o list
for i in 1 2 3 4; do
	"$FORERUN" record -q --order creation -o "rec$i" ./list >/dev/null
	"$FORERUN" dump --kind alloc "rec$i" | sed -n 's/.*\(0x5[0-9a-f]*\).*list.c:19.*/\1/p' | head -1 >"addr$i"
done
t_ok "the program prints an address" test -s addr1
t_ok "the address differs between runs" test "$(cat addr* | sort -u | wc -l)" -gt 1
for i in 1 2 3; do
	"$FORERUN" run --order creation -o "run$i" ./list >"out$i" 2>&1
	t_eq "run $i: a bug is confirmed" 1 "$?"
	t_ok "run $i: the schedule has addresses" grep -q '^expect .* read .* 0x5' "run$i/1/schedule"
	"$FORERUN" replay "run$i/1" >/dev/null 2>&1
	t_eq "run $i: replayed" 1 "$?"
	t_ok "run $i: the recorded run is repeated" "$FORERUN" replay "run$i"
done

# So do the stacks of threads, and what lies above them: handles of threads, thread-local memory, here more of it than one page.
cat >stacks.c <<'EOF'
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

static __thread long much[2000];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile pthread_t last;
static long *volatile place, sum, others;

static void *worker(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&m);
		sum++;
		if (arg ? last != 0 : place != NULL)
			others = 1;
		last = pthread_self();
		place = &much[1000];
		pthread_mutex_unlock(&m);
		sched_yield();
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	/* Not by mmap(), which would be recorded. */
	if (syscall(SYS_mmap, NULL, (__rdtsc() / 32 % 256 + 256) << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == -1)
		return 2;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, i ? t : NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
EOF
t_ok "stacks: builds" "$FORERUN" cc -g -O1 -pthread stacks.c -o stacks
t_ok "stacks: recorded" "$FORERUN" record -q --order creation -o stacks.d ./stacks
for i in 1 2 3; do
	t_ok "stacks: the recorded run is repeated, $i" "$FORERUN" replay stacks.d
done
t_done
