#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int open_;
static void *wait_first(void *p)
{
	puts("1");
	pthread_mutex_lock(&m);
	while (!open_)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	puts("1b");
	return p;
}
static void *opens(void *p)
{
	puts("2");
	pthread_mutex_lock(&m);
	open_ = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	puts("2b");
	return p;
}
static void *only_prints(void *p)
{
	puts("3");
	return p;
}
int main(void)
{
	void *(*f[])(void *) = {wait_first, opens, only_prints};
	pthread_t t[3];

	for (int i = 0; i < 3; i++) {
		puts("new");
		pthread_create(&t[i], 0, f[i], 0);
	}
	puts("join");
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	puts("end");
	return 0;
}
