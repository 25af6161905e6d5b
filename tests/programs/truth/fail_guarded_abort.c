/* The failing branch needs a state that a second look under the lock excludes. */
#include "truth.h"
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int state;
static int owner;
static void *run(void *arg)
{
	int me = *(int *)arg;

	for (int i = 0; i < 3; i++) {
		if (atomic_load(&state) == 0) {
			pthread_mutex_lock(&m);
			if (atomic_load(&state) == 0) {
				atomic_store(&state, 1);
				owner = me;
				if (owner != me)
					abort();
				owner = 0;
				atomic_store(&state, 0);
			} else {
				abort(); /* the state is 0 whenever the lock is free */
			}
			pthread_mutex_unlock(&m);
		}
	}
	return NULL;
}
int main(void)
{
	int ids[3] = {1, 2, 3};
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		assert(!pthread_create(&t[i], NULL, run, &ids[i]));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
