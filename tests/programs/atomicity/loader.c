/*
 * A loader of modules. It looks for the module in its table under the lock, loads it without,
 * because that takes long, and then enters it in the table, under the lock again. The housekeeper
 * drops modules that have not been used for long, and has those that have changed on the disk
 * loaded and entered at once. What happens between look and entry is overwritten: the old version
 * stays for good.
 *
 * The slot is read by two users, of which the second finds the module, and written by the first
 * one, by the dropping and then by the reloading. Between look and entry of the first user either
 * of these two writes can come: two interleavings, and the first does no harm.
 *
 * expect: atomicity-violation table[] read@look write@enter
 * between: write@reload write@drop
 * harm: assert loader.c:@current: Assertion `m->version == 2' failed
 * order: 0,2,1,3,4
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 8

struct module {
	char name[16];
	int version;
	unsigned sum;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct module *table[SLOTS];
static atomic_int on_disk = 1;

static unsigned slot_of(const char *name)
{
	unsigned h = 5381;

	while (*name)
		h = h * 33 + (unsigned char)*name++;
	return h % SLOTS;
}

/* From the disk; that takes its time. */
static struct module *load(const char *name)
{
	struct module *m = calloc(1, sizeof(*m));

	if (!m)
		exit(9);
	snprintf(m->name, sizeof(m->name), "%s", name);
	m->version = atomic_load(&on_disk);
	for (unsigned i = 0; i < 1000; i++)
		m->sum = m->sum * 31 + (unsigned)m->name[i % strlen(m->name)];
	return m;
}

static int use(const char *name)
{
	unsigned s = slot_of(name);
	struct module *m;

	pthread_mutex_lock(&lock);
	m = table[s]; /* @look */
#ifndef FIXED
	pthread_mutex_unlock(&lock);
#endif
	if (m) {
#ifdef FIXED
		pthread_mutex_unlock(&lock);
#endif
		return m->version;
	}
	m = load(name);
#ifndef FIXED
	pthread_mutex_lock(&lock);
#endif
	table[s] = m; /* @enter */
	pthread_mutex_unlock(&lock);
	return m->version;
}

static void *first_user(void *arg)
{
	use(arg);
	return NULL;
}

/* Loads the new version, which is on the disk by now. */
static void *watcher(void *arg)
{
	unsigned s = slot_of(arg);
	struct module *m;

	atomic_store(&on_disk, 2);
	m = load(arg);
	pthread_mutex_lock(&lock);
	table[s] = m; /* @reload */
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* Users keep their module: nothing is freed here. */
static void *housekeeper(void *arg)
{
	unsigned s = slot_of(arg);
	pthread_t t;

	pthread_mutex_lock(&lock);
	table[s] = NULL; /* @drop */
	pthread_mutex_unlock(&lock);
	pthread_create(&t, NULL, watcher, arg);
	pthread_join(t, NULL);
	return NULL;
}

static void *last_user(void *arg)
{
	use(arg);
	return NULL;
}

int main(void)
{
	void *(*const job[])(void *) = {first_user, housekeeper, last_user};
	char name[] = "zlib";
	pthread_t t[3];
	struct module *m;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, job[i], name);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	m = table[slot_of(name)];
	assert(m->version == 2); /* @current */
	puts("the new version is in use");
	return 0;
}
