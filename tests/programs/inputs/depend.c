/* Two threads count as far as a file says, with a seed from the time. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long upto, sum;

static void *count(void *arg)
{
	for (long i = 0; i < upto; i++) {
		pthread_mutex_lock(&lock);
		sum += rand() % 1000;
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

int main(void)
{
	int fd = open("upto", O_RDONLY);
	char text[20] = "";
	pthread_t th[2];

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return 2;
	upto = atol(text);
	srand((unsigned)time(NULL));
	for (int i = 0; i < 2; i++)
		pthread_create(&th[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(th[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
