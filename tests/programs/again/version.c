/*
 * A reader goes on if two values that it reads agree. In the recorded run both are new. The race
 * needs both to be old: with one of them old, the reader does not come to its access.
 * order: creation
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int begun, ended, data;

static void set(int *what, int value)
{
	pthread_mutex_lock(&m);
	*what = value;
	pthread_mutex_unlock(&m);
}

static int get(const int *what)
{
	int value;

	pthread_mutex_lock(&m);
	value = *what;
	pthread_mutex_unlock(&m);
	return value;
}

static void *writer(void *arg)
{
	set(&begun, 1);
#ifdef FIXED
	set(&data, 1);
#else
	data = 1;
#endif
	set(&ended, 1);
	return arg;
}

static void *reader(void *arg)
{
	int first = get(&begun), second = get(&ended);

	if (first != second)
		return NULL;
#ifdef FIXED
	set(&data, 2);
#else
	data = 2;
#endif
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return data == 1;
}
