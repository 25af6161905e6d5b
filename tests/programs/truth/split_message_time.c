/* A message carries its sending time; the receiver's clock is not earlier. */
#include "truth.h"

static int p[2];

static void *sender(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		assert(write(p[1], &t, sizeof(t)) == sizeof(t));
		tick();
	}
	return unused;
}

static void *receiver(void *unused)
{
	for (int i = 0; i < 3; i++) {
		struct timespec t, now;

		assert(read(p[0], &t, sizeof(t)) == sizeof(t));
		clock_gettime(CLOCK_REALTIME, &now);
		assert(now.tv_sec > t.tv_sec ||
		       (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec));
		assert(look());
	}
	return unused;
}

int main(void)
{
	assert(pipe(p) == 0);
	return both(receiver, sender, NULL);
}
