/*
 * A shared log, as AVPredictor's LogProcSweep: one thread processes it, one appends to it, one
 * sweeps it. The processor looks whether there is anything in one critical section, and goes
 * through the records in another.
 *
 * The processor's two reads of the log's head: the sweep's write comes between, and so does that of
 * the append, which does no harm. Two interleavings; there are no more, since each of the three
 * threads does its work once.
 *
 * expect: atomicity-violation journal.head|l->head read@check read@walk
 * between: write@sweep write@append
 * harm: crash logsweep.c:@level
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum level { INFO, WARNING, ERROR, LEVELS };

struct record {
	struct record *next; /* older */
	enum level level;
	char text[32];
};

struct log {
	pthread_mutex_t lock;
	struct record *head; /* newest */
	unsigned swept;
};

struct summary {
	unsigned records[LEVELS];
	size_t bytes;
	enum level newest;
};

static struct log journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void append(struct log *l, enum level level, const char *text)
{
	struct record *r = calloc(1, sizeof(*r));

	if (!r)
		abort();
	r->level = level;
	strncpy(r->text, text, sizeof(r->text) - 1);
	pthread_mutex_lock(&l->lock);
	r->next = l->head;
	l->head = r; /* @append */
	pthread_mutex_unlock(&l->lock);
}

/* Is there something to process? */
static int process(struct log *l, struct summary *s)
{
	const struct record *r;

	pthread_mutex_lock(&l->lock);
	if (!l->head) { /* @check */
		pthread_mutex_unlock(&l->lock);
		return 0;
	}
#ifndef FIXED
	pthread_mutex_unlock(&l->lock);
	memset(s, 0, sizeof(*s));
	pthread_mutex_lock(&l->lock);
#else
	memset(s, 0, sizeof(*s));
#endif
	r = l->head; /* @walk */
	s->newest = r->level; /* @level */
	for (; r; r = r->next) {
		s->records[r->level]++;
		s->bytes += strlen(r->text);
	}
	pthread_mutex_unlock(&l->lock);
	return 1;
}

/* All records go; the log is empty afterwards. */
static unsigned sweep(struct log *l)
{
	struct record *r, *next;
	unsigned n = 0;

	pthread_mutex_lock(&l->lock);
	r = l->head;
	l->head = NULL; /* @sweep */
	for (; r; r = next, n++) {
		next = r->next;
		free(r);
	}
	l->swept += n;
	pthread_mutex_unlock(&l->lock);
	return n;
}

static void *processor(void *arg)
{
	struct summary s;

	if (process(&journal, &s))
		printf("%u errors, %u warnings\n", s.records[ERROR], s.records[WARNING]);
	else
		printf("nothing to process\n");
	return arg;
}

static void *device(void *arg)
{
	append(&journal, WARNING, "temperature above 60");
	return arg;
}

static void *sweeper(void *arg)
{
	sweep(&journal);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	append(&journal, INFO, "started");
	append(&journal, ERROR, "no carrier");
	pthread_create(&t[0], NULL, processor, NULL);
	pthread_create(&t[1], NULL, device, NULL);
	pthread_create(&t[2], NULL, sweeper, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	sweep(&journal);
	printf("%u swept\n", journal.swept);
	return 0;
}
