/*
 * A child tells the program whether the world is the one that the command line names. In another
 * world the program fails in some interleavings; in the recorded world it never does. So no
 * interleaving is to blame.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static char other;

static void *tick(void *unused)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *look(void *unused)
{
	int first, second;

	pthread_mutex_lock(&lock);
	first = count;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	second = count;
	pthread_mutex_unlock(&lock);
	assert(first == second || !other);
	return unused;
}

int main(int argc, char **argv)
{
	int end[2];
	pthread_t a, b;

	if (argc < 2 || pipe(end))
		return 2;
	if (!fork()) {
		char here[64] = "", is_other;

		readlink("/proc/self/ns/mnt", here, sizeof(here) - 1);
		is_other = strcmp(here, argv[1]) != 0;
		_exit(write(end[1], &is_other, 1) != 1);
	}
	if (read(end[0], &other, 1) != 1)
		return 2;
	wait(NULL);
	pthread_create(&a, NULL, look, NULL);
	pthread_create(&b, NULL, tick, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
