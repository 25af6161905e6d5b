/* A consumer takes the whole list under the lock and walks it outside. */
#include "truth.h"

struct item {
	struct item *next;
	int v;
};

static struct item *list, items[6];
static int done, sum;

static void *producer(void *unused)
{
	for (int i = 0; i < 6; i++) {
		items[i].v = i + 1;
		pthread_mutex_lock(&truth_lock);
		items[i].next = list;
		list = &items[i];
		pthread_mutex_unlock(&truth_lock);
	}
	pthread_mutex_lock(&truth_lock);
	done = 1;
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

static void *consumer(void *unused)
{
	for (int last = 0; !last;) {
		struct item *mine;

		pthread_mutex_lock(&truth_lock);
		mine = list;
		list = NULL;
		last = done;
		pthread_mutex_unlock(&truth_lock);
		for (; mine; mine = mine->next)
			sum += mine->v;
		sched_yield();
	}
	return unused;
}

int main(void)
{
	both(consumer, producer, NULL);
	return sum != 21;
}
