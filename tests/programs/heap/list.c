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
