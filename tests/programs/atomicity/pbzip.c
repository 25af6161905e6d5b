/*
 * A parallel block compressor, as pbzip2 0.9.4. The main thread reads blocks into a queue,
 * consumers compress them, and a writer puts them together in order. When the writer has ended, the
 * main thread deletes the queue with its lock, but it joins the consumers only at the end. They may
 * not yet have seen that no block is left.
 *
 * A consumer reads the queue's pointer to its lock to lock it, and again to unlock it before it
 * returns. Between the two comes the main thread's write of NULL. Nothing else writes the pointer.
 * One interleaving, of the consumer with the last block.
 *
 * expect: atomicity-violation fifo->mut|q->mut read@lock read@unlock
 * between: write@delete
 * harm: crash
 * order: 0,1,0,2,1
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 2
#define BLOCK 16
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
	unsigned char *data;
	size_t size;
};

static const char file[BLOCKS * BLOCK + 1] = "aaaaaaaabbbbbbbbccccdddddddddddddddddeeeeeefffffggggghhhhhhhhhii";

static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static pthread_mutex_t out_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t out_ready = PTHREAD_COND_INITIALIZER;
static struct result out[BLOCKS];

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

/* Runs of equal bytes become their length and the byte. */
static size_t compress(const struct block *b, unsigned char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < b->size;) {
		size_t run = 1;

		while (i + run < b->size && b->data[i + run] == b->data[i])
			run++;
		to[n++] = (unsigned char)run;
		to[n++] = (unsigned char)b->data[i];
		i += run;
	}
	return n;
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
		r.data = get_memory(2 * b->size);
		r.size = compress(b, r.data);
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

		*b = (struct block){file + i * BLOCK, BLOCK, i};
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
		for (size_t k = 0; k < r.size; k += 2)
			printf("%d%c", r.data[k], r.data[k + 1]);
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
	printf("%zu bytes in, %zu bytes out\n", strlen(file), written);
	return 0;
}
