/* pthread_exit from main while another thread goes on and joins it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_t main_thread;

static void *after(void *arg)
{
	(void)arg;
	printf("joined main %d\n", pthread_join(main_thread, NULL));
	return NULL;
}

int main(void)
{
	pthread_t t;

	main_thread = pthread_self();
	pthread_create(&t, NULL, after, NULL);
	pthread_detach(t);
	pthread_exit(NULL);
}
