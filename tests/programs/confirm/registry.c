/*
 * A table of commands: an entry is added under the lock, its handler set after the lock is given
 * up. Before that: a rwlock held by two readers at once, tried by a writer in vain, and written
 * under.
 *
 * expect: data-race commands[].handler write@late read@call
 * harm: crash registry.c:@call
 * order: creation
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct {
	const char *name;
	int (*handler)(int);
} commands[4];
static int count;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int twice(int n) { return 2 * n; }

static void *look(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	if (pthread_rwlock_trywrlock(&lock) != EBUSY)
		puts("a writer among readers");
	pthread_rwlock_unlock(&lock);
	return arg;
}

static void *add(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	commands[count].name = "twice";
#ifdef FIXED
	commands[count].handler = twice;
#endif
	count++;
	pthread_rwlock_unlock(&lock);
#ifndef FIXED
	commands[0].handler = twice; /* @late */
#endif
	return arg;
}

static void *run(void *arg)
{
	pthread_rwlock_rdlock(&lock);
	for (int i = 0; i < count; i++)
		if (!strcmp(commands[i].name, "twice"))
			printf("%d\n", commands[i].handler(21)); /* @call */
	pthread_rwlock_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	pthread_rwlock_rdlock(&lock);
	pthread_create(&t1, NULL, look, NULL);
	pthread_join(t1, NULL);
	pthread_rwlock_unlock(&lock);
	pthread_create(&t1, NULL, add, NULL);
	pthread_create(&t2, NULL, run, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	return 0;
}
