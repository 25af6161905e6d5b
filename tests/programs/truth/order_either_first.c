/* Two initialisers may come in either order; each leaves alone what the other has set. */
#include "truth.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *dir, *file;
static void *one(void *arg)
{
	pthread_mutex_lock(&m);
	if (!dir)
		dir = strdup("/tmp");
	if (!file)
		file = strdup("one");
	pthread_mutex_unlock(&m);
	return arg;
}
static void *two(void *arg)
{
	pthread_mutex_lock(&m);
	if (!file)
		file = strdup("two");
	if (!dir)
		dir = strdup("/var");
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_t t[2];

	assert(!pthread_create(&t[0], NULL, one, NULL));
	assert(!pthread_create(&t[1], NULL, two, NULL));
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(dir && file && (*dir == '/' && (*file == 'o' || *file == 't')));
	free(dir);
	free(file);
	return 0;
}
