/* An object pool behind a lock hands the same block from thread to thread. */
#include "truth.h"

struct block {
	struct block *next;
	int owner, data[6];
};

static struct block blocks[2], *free_list;

static struct block *get(void)
{
	struct block *b;

	pthread_mutex_lock(&truth_lock);
	b = free_list;
	free_list = b->next;
	pthread_mutex_unlock(&truth_lock);
	return b;
}

static void put(struct block *b)
{
	pthread_mutex_lock(&truth_lock);
	b->next = free_list;
	free_list = b;
	pthread_mutex_unlock(&truth_lock);
}

static void *work(void *arg)
{
	for (int i = 0; i < 4; i++) {
		struct block *b = get();

		b->owner = (int)(long)arg;
		memset(b->data, i, sizeof(b->data));
		assert(b->owner == (int)(long)arg);
		put(b);
	}
	return NULL;
}

int main(void)
{
	free_list = &blocks[0];
	blocks[0].next = &blocks[1];
	return both(work, work, NULL);
}
