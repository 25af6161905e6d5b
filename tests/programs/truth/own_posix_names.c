/*
 * A program of pure C uses names for its own functions that POSIX gives to system calls: send, wait, link, accept,
 * poll, remove of its own lists and mailboxes.
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct msg {
	struct msg *next;
	int value;
};

struct box {
	pthread_mutex_t lock;
	pthread_cond_t more;
	struct msg *head, *tail;
	int closed;
};

static struct box in = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, 0};
static long total;

void link(struct box *b, struct msg *m)
{
	m->next = NULL;
	if (b->tail)
		b->tail->next = m;
	else
		b->head = m;
	b->tail = m;
}

struct msg *unlink(struct box *b)
{
	struct msg *m = b->head;

	b->head = m->next;
	if (!b->head)
		b->tail = NULL;
	return m;
}

void send(struct box *b, int value)
{
	struct msg *m = malloc(sizeof(*m));

	m->value = value;
	pthread_mutex_lock(&b->lock);
	link(b, m);
	pthread_cond_signal(&b->more);
	pthread_mutex_unlock(&b->lock);
}

struct msg *wait(struct box *b)
{
	struct msg *m = NULL;

	pthread_mutex_lock(&b->lock);
	while (!b->head && !b->closed)
		pthread_cond_wait(&b->more, &b->lock);
	if (b->head)
		m = unlink(b);
	pthread_mutex_unlock(&b->lock);
	return m;
}

int poll(struct box *b, int *closed)
{
	int n = 0;

	pthread_mutex_lock(&b->lock);
	for (struct msg *m = b->head; m; m = m->next)
		n++;
	*closed = b->closed;
	pthread_mutex_unlock(&b->lock);
	return n;
}

void shutdown(struct box *b)
{
	pthread_mutex_lock(&b->lock);
	b->closed = 1;
	pthread_cond_broadcast(&b->more);
	pthread_mutex_unlock(&b->lock);
}

static void *accept_all(void *unused)
{
	struct msg *m;
	long sum = 0;

	while ((m = wait(&in))) {
		sum += m->value;
		free(m);
	}
	pthread_mutex_lock(&in.lock);
	total += sum;
	pthread_mutex_unlock(&in.lock);
	return unused;
}

int main(void)
{
	pthread_t t[2];
	int closed;

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, accept_all, NULL);
	for (int i = 1; i <= 8; i++)
		send(&in, i * i);
	shutdown(&in);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(poll(&in, &closed) == 0 && closed);
	printf("total %ld\n", total);
	return total != 204;
}
