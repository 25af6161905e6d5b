/* A race after something that the program needs from outside: a file that it removes (-DTOKEN), a byte from another
   process (-DFIFO), or a child process that outlives it (-DCHILD). */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	x = 1;
	return arg;
}

int main(void)
{
	pthread_t t;

#if defined(TOKEN)
	if (unlink("token") < 0)
		return 0;
#elif defined(FIFO)
	int fd = open("fifo", O_RDONLY);
	char c;

	if (read(fd, &c, 1) != 1)
		return 2;
#elif defined(CHILD)
	if (!fork())
		execl("./forerun-test-sleeper", "./forerun-test-sleeper", "100", (char *)0);
#endif
	pthread_create(&t, NULL, first, NULL);
	printf("%d\n", x);
	pthread_join(t, NULL);
	return 0;
}
