/* A global that a loop updates only under a lock and a condition: no store may be sunk out of it.
 */
#include "truth.h"

int total;

static void *work(void *unused)
{
	for (int i = 0; i < 6; i++) {
		int held = i % 2;

		if (held)
			pthread_mutex_lock(&truth_lock);
		if (held)
			total += i;
		if (held)
			pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return total != 18;
}
