/* The child uses what main sets after pthread_create, but waits for it on a condition. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct {
	int ready;
	char *name;
} state;
static void *child(void *arg)
{
	pthread_mutex_lock(&m);
	while (!state.ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	assert(!strcmp(state.name, "set later"));
	return arg;
}
int main(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, child, NULL));
	state.name = strdup("set later");
	pthread_mutex_lock(&m);
	state.ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	free(state.name);
	return 0;
}
