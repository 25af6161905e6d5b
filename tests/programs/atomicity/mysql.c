/*
 * A table and the log of its changes, as in MySQL's bug 169. A thread that deletes all rows empties
 * the table in one critical section, reserves a place in the log in another, and writes the log in
 * a third. It overwrites the entries that other threads log meanwhile. A slave replays the log, and
 * its table then differs. (It also differs if they log earlier, because content and log are not
 * updated atomically.)
 *
 * The insert's write and the update's write of the log's end come between the delete's read and its
 * write. Two interleavings; in both the table has a row that the log has not.
 *
 * expect: atomicity-violation binlog.end|log->end read@place write@deleted
 * between: write@inserted write@updated
 * harm: assert mysql.c:@same: Assertion `same(&master, &slave)' failed
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROWS 16
#define LOGGED 16

enum statement { NOTHING, INSERT, UPDATE, DELETE_ALL };

struct table {
	pthread_mutex_t lock;
	int row[ROWS];
	unsigned rows;
};

struct event {
	enum statement what;
	int value;
};

struct log {
	pthread_mutex_t lock;
	struct event event[LOGGED];
	unsigned end;
};

static struct table master = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct table slave = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct log binlog = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What the statements do to a table; its lock is held. */
static void execute(struct table *t, struct event e)
{
	switch (e.what) {
	case INSERT:
		t->row[t->rows++ % ROWS] = e.value;
		break;
	case UPDATE:
		for (unsigned i = 0; i < t->rows; i++)
			t->row[i] += e.value;
		break;
	case DELETE_ALL:
		memset(t->row, 0, sizeof(t->row));
		t->rows = 0;
		break;
	case NOTHING:
		break;
	}
}

static void delete_all(struct table *t, struct log *log)
{
	struct event e = {DELETE_ALL, 0};
	unsigned at;

#ifdef FIXED
	pthread_mutex_lock(&log->lock);
#endif
	pthread_mutex_lock(&t->lock);
	execute(t, e);
	pthread_mutex_unlock(&t->lock);
#ifndef FIXED
	pthread_mutex_lock(&log->lock);
#endif
	at = log->end; /* @place */
#ifndef FIXED
	pthread_mutex_unlock(&log->lock);
	pthread_mutex_lock(&log->lock);
#endif
	log->event[at] = e;
	log->end = at + 1; /* @deleted */
	pthread_mutex_unlock(&log->lock);
}

static void insert(struct table *t, struct log *log, int value)
{
	struct event e = {INSERT, value};

	pthread_mutex_lock(&log->lock);
	pthread_mutex_lock(&t->lock);
	execute(t, e);
	pthread_mutex_unlock(&t->lock);
	log->event[log->end] = e;
	log->end++; /* @inserted */
	pthread_mutex_unlock(&log->lock);
}

static void update(struct table *t, struct log *log, int add)
{
	struct event e = {UPDATE, add};

	pthread_mutex_lock(&log->lock);
	pthread_mutex_lock(&t->lock);
	execute(t, e);
	pthread_mutex_unlock(&t->lock);
	log->event[log->end] = e;
	log->end++; /* @updated */
	pthread_mutex_unlock(&log->lock);
}

static void *deleter(void *arg)
{
	delete_all(&master, &binlog);
	return arg;
}

static void *inserter(void *arg)
{
	insert(&master, &binlog, 30);
	return arg;
}

static void *updater(void *arg)
{
	update(&master, &binlog, 7);
	return arg;
}

/* The slave reads the log. */
static void replicate(struct table *t, const struct log *log)
{
	for (unsigned i = 0; i < log->end; i++)
		execute(t, log->event[i]);
}

static int same(const struct table *a, const struct table *b)
{
	return a->rows == b->rows && !memcmp(a->row, b->row, sizeof(a->row));
}

int main(void)
{
	pthread_t t[3];

	insert(&master, &binlog, 10);
	insert(&master, &binlog, 20);
	pthread_create(&t[0], NULL, deleter, NULL);
	pthread_create(&t[1], NULL, inserter, NULL);
	pthread_create(&t[2], NULL, updater, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	replicate(&slave, &binlog);
	assert(same(&master, &slave)); /* @same */
	printf("%u rows, %u statements\n", slave.rows, binlog.end);
	return 0;
}
