/* Of the static library of the little projects. */
#include "little.h"
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int little_balance;

void little_add(int n)
{
	pthread_mutex_lock(&m);
	little_balance += n;
	pthread_mutex_unlock(&m);
}
