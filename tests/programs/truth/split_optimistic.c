/* Read a version and a value under the lock, compute outside, and store only if the version is the
 * same. */
#include "truth.h"

static int version, value;

static void *work(void *unused)
{
	for (int i = 0; i < 3; i++) {
		for (;;) {
			int v, x, done;

			pthread_mutex_lock(&truth_lock);
			v = version;
			x = value;
			pthread_mutex_unlock(&truth_lock);
			x += 2;
			pthread_mutex_lock(&truth_lock);
			done = version == v;
			if (done) {
				value = x;
				version++;
			}
			pthread_mutex_unlock(&truth_lock);
			if (done)
				break;
		}
	}
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return value != 12 || version != 6;
}
