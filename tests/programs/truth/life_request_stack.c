/*
 * Clients put requests on their own stacks into a list; the server answers each under its lock and
 * never touches it again.
 */
#include "truth.h"
struct request {
	struct request *next;
	int question, answer, done;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
static struct request *list;
static int clients = 2;
static int ask(int q)
{
	struct request r = {NULL, q, 0, 0};

	pthread_mutex_lock(&lock);
	r.next = list;
	list = &r;
	pthread_cond_signal(&asked);
	while (!r.done)
		pthread_cond_wait(&answered, &lock);
	pthread_mutex_unlock(&lock);
	return r.answer;
}
static void *client(void *arg)
{
	for (int i = 0; i < 2; i++)
		assert(ask((int)(intptr_t)arg + i) == 2 * ((int)(intptr_t)arg + i));
	pthread_mutex_lock(&lock);
	clients--;
	pthread_cond_signal(&asked);
	pthread_mutex_unlock(&lock);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	for (intptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, client, (void *)(i * 10));
	pthread_mutex_lock(&lock);
	while (clients) {
		struct request *r = list;

		if (!r) {
			pthread_cond_wait(&asked, &lock);
			continue;
		}
		list = r->next;
		r->answer = 2 * r->question;
		r->done = 1;
		pthread_cond_broadcast(&answered);
	}
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
