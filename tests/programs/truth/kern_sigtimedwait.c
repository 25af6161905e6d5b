/*
 * A thread polls with sigtimedwait; pthread_sigqueue carries a pointer to an object, which the
 * receiver frees.
 */
#include "truth.h"
#define S (SIGRTMIN + 3)
static sigset_t set;
static pthread_t receiver_id;
static void *receiver(void *unused)
{
	struct timespec t = {0, 1000000};
	siginfo_t i;
	int sum = 0;

	(void)unused;
	for (int n = 0; n < 3;) {
		int *p;

		if (sigtimedwait(&set, &i, &t) != S)
			continue;
		p = i.si_value.sival_ptr;
		sum += *p;
		free(p);
		n++;
	}
	assert(sum == 6);
	return NULL;
}
int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, S);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&receiver_id, NULL, receiver, NULL);
	for (int i = 1; i < 4; i++) {
		int *p = malloc(sizeof(*p));

		*p = i;
		assert(!pthread_sigqueue(receiver_id, S, (union sigval){.sival_ptr = p}));
	}
	pthread_join(receiver_id, NULL);
	return 0;
}
