/* Two threads read records from one pipe into their own buffers; a third sends. */
#include "truth.h"

struct rec {
	int a, b;
};

static int p[2], sum;
static struct rec out[6];

static void *reader(void *unused)
{
	struct rec r;

	while (read(p[0], &r, sizeof(r)) == sizeof(r)) {
		assert(r.b == -r.a);
		pthread_mutex_lock(&truth_lock);
		sum += r.a;
		pthread_mutex_unlock(&truth_lock);
	}
	return unused;
}

static void *sender(void *unused)
{
	for (int i = 0; i < 6; i++) {
		out[i] = (struct rec){i, -i};
		assert(write(p[1], &out[i], sizeof(out[i])) == sizeof(out[i]));
	}
	close(p[1]);
	return unused;
}

int main(void)
{
	pthread_t t;

	assert(pipe(p) == 0);
	pthread_create(&t, NULL, sender, NULL);
	both(reader, reader, NULL);
	pthread_join(t, NULL);
	return sum != 15;
}
