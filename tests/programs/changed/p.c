#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

static long a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const char *how, *marker;

static void *one(void *arg)
{
	a = 1; /* @one */
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *two(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	b = a; /* @two */
	return arg;
}

/* A process that runs for ever has the marker in its arguments. */
static void leave_behind(int away)
{
	if (fork())
		return;
	if (away) {
		setsid();
		if (fork())
			_exit(0);
		close(0);
		close(1);
		close(2);
	}
	execlp("sh", "sh", "-c", "trap '' TERM HUP INT; while :; do sleep 0.1; done", marker, NULL);
	_exit(1);
}

/* Binds a port on the loopback; the kernel keeps it for a while after a connection. */
static int taken(void)
{
	int port = atoi(marker), s = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(s, (struct sockaddr *)&to, sizeof(to)) || listen(s, 1))
		return 1;
	if (connect(c, (struct sockaddr *)&to, sizeof(to)))
		return 1;
	shutdown(accept(s, NULL, NULL), SHUT_RDWR); /* closes first: it waits */
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t t, u;

	how = argc > 1 ? argv[1] : "";
	marker = argc > 2 ? argv[2] : "";
	if (strchr(how, 'i')) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
	}
	if (strchr(how, 'c'))
		leave_behind(0);
	if (strchr(how, 'd'))
		leave_behind(1);
	if (strchr(how, 'b') && taken()) {
		fprintf(stderr, "the port is taken\n");
		return 3;
	}
	if (strchr(how, 'r')) {
		if (access(marker, R_OK) < 0) {
			fprintf(stderr, "no input\n");
			return 4;
		}
		unlink(marker);
	}
	pthread_create(&t, NULL, one, NULL); /* @create */
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%ld\n", b);
	fflush(stdout);
	if (strchr(how, 'w') && access("go", F_OK) < 0)
		for (;;)
			pause();
	return 0;
}
