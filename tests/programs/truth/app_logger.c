/* A logging thread writes lines of others to a file, with time stamps. */
#include "truth.h"

static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static char lines[8][64];
static int n, ending;

static void say(const char *who, int i)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	pthread_mutex_lock(&truth_lock);
	snprintf(lines[n++], 64, "%ld.%03ld %s %d", (long)t.tv_sec, t.tv_nsec / 1000000, who, i);
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&truth_lock);
}

static void *logger(void *unused)
{
	FILE *f = fopen("app.log", "w");
	int done = 0, end;

	assert(f);
	do {
		char line[64] = "";

		pthread_mutex_lock(&truth_lock);
		while (done == n && !ending)
			pthread_cond_wait(&more, &truth_lock);
		end = done == n;
		if (!end)
			memcpy(line, lines[done++], 64);
		pthread_mutex_unlock(&truth_lock);
		if (!end)
			fprintf(f, "%s\n", line);
	} while (!end);
	fclose(f);
	assert(done == 6);
	return unused;
}

static void *talker(void *unused)
{
	for (int i = 0; i < 3; i++)
		say("talker", i);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, logger, NULL);
	both(talker, talker, NULL);
	pthread_mutex_lock(&truth_lock);
	ending = 1;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&truth_lock);
	pthread_join(t, NULL);
	unlink("app.log");
	return 0;
}
