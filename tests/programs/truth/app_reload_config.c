/*
 * SIGHUP reloads a configuration: a signal thread reads the file, publishes a new object by an atomic exchange, and
 * frees the old one after every reader has passed a quiescent point. The file is replaced by rename.
 */
#include "truth.h"
#include <stdatomic.h>

struct config {
	int version, check;
	char name[32];
};

static _Atomic(struct config *) current;
static atomic_uint epoch = 1;
static atomic_uint seen[2];
static atomic_int stop, published;
static int reloads;

static struct config *load(void)
{
	struct config *c = calloc(1, sizeof(*c));
	FILE *f = fopen("conf", "r");

	assert(f && fscanf(f, "%d %31s", &c->version, c->name) == 2);
	fclose(f);
	c->check = c->version * 7;
	return c;
}

static void store(int version)
{
	FILE *f = fopen("conf.new", "w");

	fprintf(f, "%d name%d\n", version, version);
	fclose(f);
	assert(rename("conf.new", "conf") == 0);
}

static void grace(void)
{
	unsigned e = atomic_fetch_add(&epoch, 1) + 1;

	for (int i = 0; i < 2; i++)
		while (atomic_load(&seen[i]) && atomic_load(&seen[i]) < e)
			sched_yield();
}

static void *reader(void *arg)
{
	atomic_uint *mine = &seen[(long)arg];
	int last = 0, n = 0;

	while (!atomic_load(&stop) || n < 2) {
		atomic_store(mine, atomic_load(&epoch));
		struct config *c = atomic_load(&current);

		assert(c->check == c->version * 7 && c->version >= last);
		assert(atoi(c->name + 4) == c->version);
		last = c->version;
		atomic_store(mine, 0);
		n++;
		sched_yield();
	}
	return NULL;
}

static void *reloader(void *arg)
{
	sigset_t *set = arg;
	int sig;

	for (;;) {
		assert(sigwait(set, &sig) == 0);
		if (sig == SIGTERM)
			return NULL;
		struct config *old = atomic_exchange(&current, load());
		grace();
		memset(old, 0xee, sizeof(*old));
		free(old);
		reloads++;
		atomic_store(&published, atomic_load(&current)->version);
	}
}

int main(void)
{
	pthread_t r[2], s;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	store(1);
	atomic_store(&current, load());
	pthread_create(&s, NULL, reloader, &set);
	for (long i = 0; i < 2; i++)
		pthread_create(&r[i], NULL, reader, (void *)i);
	for (int v = 2; v < 4; v++) {
		store(v);
		kill(getpid(), SIGHUP);
		while (atomic_load(&published) < v)
			sched_yield();
	}
	atomic_store(&stop, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(r[i], NULL);
	kill(getpid(), SIGTERM);
	pthread_join(s, NULL);
	printf("reloads %d, version %d\n", reloads, atomic_load(&current)->version);
	free(atomic_load(&current));
	unlink("conf");
	return reloads != 2;
}
