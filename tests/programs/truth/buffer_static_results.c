/* Functions with static results, each call under a lock. */
#include "truth.h"

static int days;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		time_t t = i * 86400;
		struct tm *tm;

		pthread_mutex_lock(&truth_lock);
		tm = gmtime(&t);
		assert(tm->tm_mday == i + 1 && strlen(asctime(tm)) > 10);
		assert(strerror(ENOENT) != NULL);
		days++;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return days != 6;
}
