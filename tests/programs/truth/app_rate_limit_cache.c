/*
 * A rate limiter (token bucket by CLOCK_MONOTONIC) before an LRU cache of strings; misses load from a file with
 * pread; a janitor flushes statistics to a log in O_APPEND mode that is rotated by rename when it grows.
 */
#include "truth.h"

struct entry {
	int key;
	unsigned used;
	char text[16];
};
static pthread_mutex_t bucket_m = PTHREAD_MUTEX_INITIALIZER, lru_m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t janitor_c = PTHREAD_COND_INITIALIZER;
static struct timespec filled;
static double tokens = 2;
static struct entry cache[3];
static unsigned clock_, hits, misses, evicted, rotations;
static int data, logfd, done;

static double since(struct timespec *then)
{
	struct timespec n;
	double d;

	clock_gettime(CLOCK_MONOTONIC, &n);
	d = (double)(n.tv_sec - then->tv_sec) + (double)(n.tv_nsec - then->tv_nsec) / 1e9;
	*then = n;
	return d;
}

static void take_token(void)
{
	for (;;) {
		pthread_mutex_lock(&bucket_m);
		tokens += since(&filled) * 2000;
		if (tokens > 3)
			tokens = 3;
		if (tokens >= 1) {
			tokens -= 1;
			pthread_mutex_unlock(&bucket_m);
			return;
		}
		pthread_mutex_unlock(&bucket_m);
		usleep(300);
	}
}

static void look_up(int key, char *to)
{
	struct entry e = {.key = key}, *victim = cache;

	pthread_mutex_lock(&lru_m);
	for (int i = 0; i < 3; i++)
		if (cache[i].key == key) {
			cache[i].used = ++clock_;
			memcpy(to, cache[i].text, 16);
			hits++;
			pthread_mutex_unlock(&lru_m);
			return;
		}
	misses++;
	pthread_mutex_unlock(&lru_m);
	assert(pread(data, e.text, 16, (key - 1) * 16) == 16);
	memcpy(to, e.text, 16);
	pthread_mutex_lock(&lru_m);
	for (int i = 0; i < 3; i++) {
		if (cache[i].key == key) /* another thread was faster */
			victim = &cache[i];
		else if (victim->key != key && cache[i].used < victim->used)
			victim = &cache[i];
	}
	evicted += victim->key && victim->key != key;
	e.used = ++clock_;
	*victim = e;
	pthread_mutex_unlock(&lru_m);
}

static void *client(void *arg)
{
	char text[16], want[16];

	for (int i = 0; i < 5; i++) {
		int key = 1 + (i * 2 + (int)(long)arg) % 4;

		take_token();
		look_up(key, text);
		snprintf(want, sizeof(want), "value %d", key);
		assert(!strcmp(text, want));
	}
	return NULL;
}

static void *janitor(void *unused)
{
	struct stat st;
	int last = 0;

	pthread_mutex_lock(&lru_m);
	while (!last) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_nsec += 1000000;
		if (t.tv_nsec >= 1000000000) {
			t.tv_nsec -= 1000000000;
			t.tv_sec++;
		}
		if (!done)
			pthread_cond_timedwait(&janitor_c, &lru_m, &t);
		last = done;
		dprintf(logfd, "hits %u misses %u evicted %u\n", hits, misses, evicted);
		assert(fstat(logfd, &st) == 0);
		if (st.st_size > 60) {
			assert(rename("cache.log", "cache.log.1") == 0);
			close(logfd);
			logfd = open("cache.log", O_CREAT | O_APPEND | O_WRONLY, 0600);
			rotations++;
		}
	}
	pthread_mutex_unlock(&lru_m);
	return unused;
}

int main(void)
{
	pthread_t c[2], j;

	data = open("data", O_CREAT | O_RDWR | O_TRUNC, 0600);
	for (int i = 0; i < 4; i++) {
		char s[16] = "";

		snprintf(s, sizeof(s), "value %d", i + 1);
		assert(write(data, s, 16) == 16);
	}
	logfd = open("cache.log", O_CREAT | O_APPEND | O_WRONLY, 0600);
	clock_gettime(CLOCK_MONOTONIC, &filled);
	pthread_create(&j, NULL, janitor, NULL);
	for (long i = 0; i < 2; i++)
		pthread_create(&c[i], NULL, client, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(c[i], NULL);
	pthread_mutex_lock(&lru_m);
	done = 1;
	pthread_cond_signal(&janitor_c);
	pthread_mutex_unlock(&lru_m);
	pthread_join(j, NULL);
	printf("hits %u, misses %u, evicted %u, rotations %u\n", hits, misses, evicted, rotations);
	unlink("data");
	unlink("cache.log");
	unlink("cache.log.1");
	return hits + misses != 10;
}
