/*
 * Producers and consumers around a bounded queue, with a mutex and two condition variables. SIZE is
 * the number of messages, in thousands. A producer fills a message, a consumer digests it and frees
 * it; the checksum is the sum of the digests. Half of the threads (at least one) produce.
 */
#include "kernel_main.h"

#define CAPACITY 256
#define PAYLOAD 120

struct message {
	uint64_t id;
	uint32_t length;
	unsigned char payload[PAYLOAD];
};

static struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
	struct message *slot[CAPACITY];
	unsigned head, count;
	int producers; /* still at work */
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER,
	   .not_empty = PTHREAD_COND_INITIALIZER,
	   .not_full = PTHREAD_COND_INITIALIZER};

static long messages;

static void queue_put(struct queue *q, struct message *m)
{
	pthread_mutex_lock(&q->lock);
	while (q->count == CAPACITY)
		pthread_cond_wait(&q->not_full, &q->lock);
	q->slot[(q->head + q->count) % CAPACITY] = m;
	q->count++;
	pthread_cond_signal(&q->not_empty);
	pthread_mutex_unlock(&q->lock);
}

/* NULL: the queue is empty, and all producers have ended. */
static struct message *queue_take(struct queue *q)
{
	struct message *m = NULL;

	pthread_mutex_lock(&q->lock);
	while (q->count == 0 && q->producers)
		pthread_cond_wait(&q->not_empty, &q->lock);
	if (q->count) {
		m = q->slot[q->head];
		q->head = (q->head + 1) % CAPACITY;
		q->count--;
		pthread_cond_signal(&q->not_full);
	}
	pthread_mutex_unlock(&q->lock);
	return m;
}

static void queue_producer_done(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->producers--;
	pthread_cond_broadcast(&q->not_empty);
	pthread_mutex_unlock(&q->lock);
}

struct work {
	int producer;
	long first, last;
	uint64_t sum;
};

static void produce(struct work *w)
{
	for (long i = w->first; i < w->last; i++) {
		struct message *m = allocate(sizeof(*m));
		uint64_t rng = random_seed((uint64_t)i);

		m->id = (uint64_t)i;
		m->length = PAYLOAD / 2 + (uint32_t)(i % (PAYLOAD / 2));
		for (uint32_t k = 0; k < m->length; k++)
			m->payload[k] = (unsigned char)(random_next(&rng) >> 56);
		queue_put(&queue, m);
	}
	queue_producer_done(&queue);
}

static void consume(struct work *w)
{
	struct message *m;

	while ((m = queue_take(&queue))) {
		uint64_t digest = m->id;

		for (uint32_t k = 0; k < m->length; k++)
			digest = checksum_add(digest, m->payload[k]);
		w->sum += digest;
		free(m);
	}
}

static void *worker(void *arg)
{
	struct work *w = arg;

	if (w->producer)
		produce(w);
	else
		consume(w);
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 500);
	int threads = o.threads < 2 ? 2 : o.threads, producers = threads / 2;
	struct work *work = allocate((size_t)threads * sizeof(*work));
	uint64_t sum = 0;

	messages = o.size * 1000 * o.rounds;
	queue.producers = producers;
	for (int i = 0; i < threads; i++) {
		work[i] = (struct work){.producer = i < producers,
					.first = messages * i / producers,
					.last = messages * (i + 1) / producers};
	}
	run_threads(threads, worker, work, sizeof(*work));
	for (int i = 0; i < threads; i++)
		sum += work[i].sum;
	printf("queue %016" PRIx64 "\n", sum);
	free(work);
	return 0;
}
