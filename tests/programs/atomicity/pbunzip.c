/*
 * A parallel decompressor, as pbzip2 -d: blocks in a queue, consumers, a writer. It has two bugs.
 * The first is also in the compressor: the main thread deletes the queue's lock when the writer has
 * ended, even if the consumers still use it. AVPredictor found the second: the consumers share one
 * pointer to the memory for decompressed data. One of them takes the other's memory, and it is
 * freed twice.
 *
 * The main thread writes NULL between a consumer's two reads of the queue's pointer to its lock,
 * one to lock it and one to unlock it: one interleaving. The other consumer's write comes between a
 * consumer's write and read of the pointer to memory, whichever blocks they have: one remote place.
 *
 * expect: atomicity-violation fifo->mut|q->mut read@lock read@unlock
 * between: write@delete
 * harm: crash
 * expect: atomicity-violation data write@alloc read@use
 * between: write@alloc
 * harm: crash
 * order: 0,1,0,2,1
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 2
#define BLOCKS 4
#define CONSUMERS 2

struct block {
	const char *data;
	size_t size;
	int number;
};

struct queue {
	struct block *block[ROOM];
	unsigned head, count;
	pthread_mutex_t *mut;
	pthread_cond_t *not_full, *not_empty;
};

struct result {
	char *data;
	size_t size;
};

static const char file[] = "8a8b" "4c9d2e" "7d1f8g" "5h"; /* a digit says how often the next letter comes */
static const size_t start[BLOCKS + 1] = {0, 4, 10, 16, 18};

static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t out_ready = PTHREAD_COND_INITIALIZER;
static struct result out[BLOCKS];

#ifndef FIXED
static char *data; /* for decompressed data */
#endif
static pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;
static int busy;

static void *get_memory(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		abort();
	return p;
}

static struct queue *queue_new(void)
{
	struct queue *q = get_memory(sizeof(*q));

	q->mut = get_memory(sizeof(*q->mut));
	q->not_full = get_memory(sizeof(*q->not_full));
	q->not_empty = get_memory(sizeof(*q->not_empty));
	pthread_mutex_init(q->mut, NULL);
	pthread_cond_init(q->not_full, NULL);
	pthread_cond_init(q->not_empty, NULL);
	return q;
}

static void queue_delete(struct queue *q)
{
	pthread_mutex_t *mut = q->mut;

	q->mut = NULL; /* @delete */
	pthread_mutex_destroy(mut);
	free(mut);
	pthread_cond_destroy(q->not_full);
	free(q->not_full);
	pthread_cond_destroy(q->not_empty);
	free(q->not_empty);
}

static int producer_done(void)
{
	int is;

	pthread_mutex_lock(&done_lock);
	is = done;
	pthread_mutex_unlock(&done_lock);
	return is;
}

static size_t size_of(const struct block *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->size; i += 2)
		n += (size_t)(b->data[i] - '0');
	return n;
}

static void decompress(const struct block *b, char *to)
{
	for (size_t i = 0; i < b->size; i += 2)
		for (int k = 0; k < b->data[i] - '0'; k++)
			*to++ = b->data[i + 1];
}

/* The number of active consumers, for the display. */
static void at_work(int n)
{
	pthread_mutex_lock(&busy_lock);
	busy += n;
	pthread_mutex_unlock(&busy_lock);
}

static void *consumer(void *arg)
{
	struct queue *fifo = arg;

	for (;;) {
		struct block *b;
		struct result r;

		pthread_mutex_lock(fifo->mut); /* @lock */
		while (!fifo->count) {
			if (producer_done()) {
				pthread_mutex_unlock(fifo->mut); /* @unlock */
				return NULL;
			}
			pthread_cond_wait(fifo->not_empty, fifo->mut);
		}
		b = fifo->block[fifo->head];
		fifo->head = (fifo->head + 1) % ROOM;
		fifo->count--;
		pthread_cond_signal(fifo->not_full);
		pthread_mutex_unlock(fifo->mut);
		r.size = size_of(b);
#ifdef FIXED
		r.data = get_memory(r.size);
		at_work(1);
#else
		data = get_memory(r.size); /* @alloc */
		at_work(1);
		r.data = data; /* @use */
#endif
		decompress(b, r.data);
		at_work(-1);
		pthread_mutex_lock(&out_lock);
		out[b->number] = r;
		pthread_cond_signal(&out_ready);
		pthread_mutex_unlock(&out_lock);
		free(b);
	}
}

static void producer(struct queue *fifo)
{
	for (int i = 0; i < BLOCKS; i++) {
		struct block *b = get_memory(sizeof(*b));

		*b = (struct block){file + start[i], start[i + 1] - start[i], i};
		pthread_mutex_lock(fifo->mut);
		while (fifo->count == ROOM)
			pthread_cond_wait(fifo->not_full, fifo->mut);
		fifo->block[(fifo->head + fifo->count) % ROOM] = b;
		fifo->count++;
		pthread_cond_signal(fifo->not_empty);
		pthread_mutex_unlock(fifo->mut);
	}
	pthread_mutex_lock(&done_lock);
	done = 1;
	pthread_mutex_unlock(&done_lock);
	pthread_mutex_lock(fifo->mut);
	pthread_cond_broadcast(fifo->not_empty);
	pthread_mutex_unlock(fifo->mut);
}

static void *file_writer(void *arg)
{
	size_t *written = arg;

	for (int i = 0; i < BLOCKS; i++) {
		struct result r;

		pthread_mutex_lock(&out_lock);
		while (!out[i].data)
			pthread_cond_wait(&out_ready, &out_lock);
		r = out[i];
		pthread_mutex_unlock(&out_lock);
		fwrite(r.data, 1, r.size, stdout);
		*written += r.size;
		free(r.data);
	}
	putchar('\n');
	return NULL;
}

int main(void)
{
	struct queue *fifo = queue_new();
	pthread_t writer, t[CONSUMERS];
	size_t written = 0;

	for (int i = 0; i < CONSUMERS; i++)
		pthread_create(&t[i], NULL, consumer, fifo);
	pthread_create(&writer, NULL, file_writer, &written);
	producer(fifo);
	pthread_join(writer, NULL);
#ifdef FIXED
	for (int i = 0; i < CONSUMERS; i++)
		pthread_join(t[i], NULL);
	queue_delete(fifo);
#else
	queue_delete(fifo);
	for (int i = 0; i < CONSUMERS; i++)
		pthread_join(t[i], NULL);
#endif
	free(fifo);
	printf("%zu bytes in, %zu bytes out\n", sizeof(file) - 1, written);
	return 0;
}
