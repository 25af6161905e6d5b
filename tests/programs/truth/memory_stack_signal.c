/* A record on the waiter's stack: the answer and the wake-up happen under one lock. */
#include "truth.h"

struct request {
	int question, answer, done;
	pthread_cond_t c;
	struct request *next;
};

static struct request *queue;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static int ask(int q)
{
	struct request r = {.question = q, .c = PTHREAD_COND_INITIALIZER};

	pthread_mutex_lock(&truth_lock);
	r.next = queue;
	queue = &r;
	pthread_cond_signal(&more);
	while (!r.done)
		pthread_cond_wait(&r.c, &truth_lock);
	pthread_mutex_unlock(&truth_lock);
	return r.answer;
}

static void *server(void *unused)
{
	pthread_mutex_lock(&truth_lock);
	for (int i = 0; i < 4; i++) {
		struct request *r;

		while (!queue)
			pthread_cond_wait(&more, &truth_lock);
		r = queue;
		queue = r->next;
		r->answer = r->question + 1;
		r->done = 1;
		pthread_cond_signal(&r->c);
	}
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

static void *client(void *unused)
{
	assert(ask(1) == 2);
	assert(ask(5) == 6);
	return unused;
}

int main(void)
{
	pthread_t s;

	pthread_create(&s, NULL, server, NULL);
	both(client, client, NULL);
	pthread_join(s, NULL);
	return 0;
}
