#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char line[100];

static void *print(void *arg)
{
	for (int i = 0; i < 10000; i++) {
		pthread_mutex_lock(&m);
		fwrite(line, 1, sizeof(line), arg);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	struct stat s;

	for (int i = 0; i < 3; i++) {
		int pipe = fstat(i, &s) == 0 && S_ISFIFO(s.st_mode);

		for (int k = 0; k < 10 + pipe; k++)
			pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
		printf("%d %d %d\n", i, pipe, lseek(i, 0, SEEK_CUR) < 0);
	}
	memset(line, 'x', sizeof(line));
	line[99] = '\n';
	pthread_create(&t, NULL, print, stdout);
	pthread_create(&u, NULL, print, stderr);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
