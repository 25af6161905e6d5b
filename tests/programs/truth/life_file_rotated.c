/*
 * Log rotation: the stream is replaced and the old one closed under the lock under which all
 * threads write.
 */
#include "truth.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static int lines;
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		assert(fprintf(out, "line\n") == 5);
		lines++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
static void *rotate(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		FILE *n = tmpfile();

		assert(n);
		pthread_mutex_lock(&lock);
		assert(fclose(out) == 0);
		out = n;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}
int main(void)
{
	out = tmpfile();
	assert(out);
	both(writer, rotate, NULL);
	assert(lines == 3);
	return fclose(out) ? 1 : 0;
}
