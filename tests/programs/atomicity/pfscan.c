/*
 * A parallel file scanner, as pfscan. The main thread finds files and puts them into a queue.
 * Workers take them out, search them for a string and close them. A worker reads the position of
 * the next file in one critical section, and advances it in another.
 *
 * The other worker's write comes between a worker's read and write of the queue's output position.
 * Both run the same code, so this is one bug and one remote place, whichever two files they take.
 * The second worker gets the file that the first one took. An end mark for each worker follows the
 * files and counts as one file.
 *
 * expect: atomicity-violation files.nextout|q->nextout read@next write@taken
 * between: write@taken
 * harm: assert pfscan.c:@open: Assertion `!f->scanned' failed
 * order: creation
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOM 16
#define FILES 3
#define WORKERS 2

struct file {
	const char *name;
	FILE *f;
	int scanned;
	int matches;
};

struct queue {
	sem_t items;
	pthread_mutex_t lock;
	struct file *buf[ROOM];
	unsigned nextin, nextout;
};

static struct queue files = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t result_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned total;
static const char *wanted = "fox";

static void queue_put(struct queue *q, struct file *f)
{
	pthread_mutex_lock(&q->lock);
	q->buf[q->nextin] = f;
	q->nextin = (q->nextin + 1) % ROOM;
	pthread_mutex_unlock(&q->lock);
	sem_post(&q->items);
}

static struct file *queue_get(struct queue *q)
{
	struct file *f;
	unsigned at;

	sem_wait(&q->items);
	pthread_mutex_lock(&q->lock);
	at = q->nextout; /* @next */
	f = q->buf[at];
#ifndef FIXED
	pthread_mutex_unlock(&q->lock);
	pthread_mutex_lock(&q->lock);
#endif
	q->nextout = (at + 1) % ROOM; /* @taken */
	pthread_mutex_unlock(&q->lock);
	return f;
}

/* Is it a file? Nobody else has it. */
static int open_file(struct file *f)
{
	pthread_mutex_lock(&result_lock);
	assert(!f->scanned); /* @open */
	f->scanned = 1;
	pthread_mutex_unlock(&result_lock);
	return f->name != NULL;
}

static void scan_file(struct file *f)
{
	char text[128];
	ssize_t n;

	n = pread(fileno(f->f), text, sizeof(text) - 1, 0);
	text[n > 0 ? n : 0] = 0;
	for (const char *p = text; (p = strstr(p, wanted)); p++)
		f->matches++;
	fclose(f->f);
	pthread_mutex_lock(&result_lock);
	total += (unsigned)f->matches;
	pthread_mutex_unlock(&result_lock);
}

static void *worker(void *arg)
{
	struct file *f;

	while (f = queue_get(&files), open_file(f))
		scan_file(f);
	return arg;
}

/* As if it were found on a disk. */
static void make_file(struct file *f, const char *text)
{
	f->f = tmpfile();
	if (!f->f || fputs(text, f->f) < 0 || fflush(f->f))
		abort();
}

int main(void)
{
	static struct file found[FILES] = {{.name = "a.txt"}, {.name = "b.txt"}, {.name = "c.txt"}};
	static const char *text[FILES] = {"the quick brown fox", "no such animal", "fox after fox"};
	static struct file end[WORKERS];
	pthread_t t[WORKERS];

	sem_init(&files.items, 0, 0);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < FILES; i++) {
		make_file(&found[i], text[i]);
		queue_put(&files, &found[i]);
	}
	for (int i = 0; i < WORKERS; i++)
		queue_put(&files, &end[i]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < FILES; i++)
		printf("%s: %d\n", found[i].name, found[i].matches);
	printf("%u matches\n", total);
	sem_destroy(&files.items);
	return 0;
}
