#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static int x;
static void *f(void *a) { x++; return a; }
static char kind(int fd)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return 'C';
	return S_ISREG(st.st_mode) ? 'F' : S_ISFIFO(st.st_mode) ? 'P' : isatty(fd) ? 'T' : 'O';
}
int main(int argc, char **argv)
{
	char buf[256];
	pthread_t t;
	ssize_t n;

	pthread_create(&t, 0, f, 0);
	pthread_join(t, 0);
	if (argc > 1 && !strcmp(argv[1], "kinds")) {
		char k[4] = {kind(0), kind(1), kind(2), '\n'};
		int fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0666);
		return write(fd, k, 4) != 4;
	}
	if (argc > 1 && !strcmp(argv[1], "order")) {
		for (int i = 0; i < 1000; i++)
			dprintf(1 + i % 2, "%d\n", i);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "linger")) {
		if (!fork()) {
			sleep(60);
			_exit(0);
		}
		puts("gone");
		return 0;
	}
	if (isatty(0) && write(1, "ready\n", 6) != 6)
		return 4;
	while ((n = read(0, buf, sizeof(buf))) > 0)
		if (write(1, buf, n) != n)
			return errno == EPIPE ? 3 : 4;
	return 0;
}
