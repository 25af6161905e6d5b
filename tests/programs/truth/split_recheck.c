/* Check, leave the lock, work, and check again before the change. */
#include "truth.h"

static int stock = 3, sold, missed;

static void *buy(void *unused)
{
	for (int i = 0; i < 2; i++) {
		int free_;

		pthread_mutex_lock(&truth_lock);
		free_ = stock > 0;
		pthread_mutex_unlock(&truth_lock);
		if (!free_)
			continue;
		pthread_mutex_lock(&truth_lock);
		if (stock > 0) {
			stock--;
			sold++;
		} else {
			missed++;
		}
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(buy, buy, NULL);
	return stock + sold != 3 || sold != 3;
}
