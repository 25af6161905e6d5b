/* main() leaves by pthread_exit(); the last thread ends the process. */
#include "truth.h"

static int x;

static void *work(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	assert(x == 4);
	x = 5;
	return NULL;
}

int main(void)
{
	static pthread_t self;
	pthread_t t;

	self = pthread_self();
	pthread_create(&t, NULL, work, &self);
	x = 4;
	pthread_exit(NULL);
}
