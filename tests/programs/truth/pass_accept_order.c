/* connect() before accept() returns. The receiver then owns the plain record. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int l;
static struct sockaddr_in at;
static int record[2];

static void *sender(void *unused)
{
	int c = socket(AF_INET, SOCK_STREAM, 0);

	record[0] = 3;
	record[1] = 4;
	assert(connect(c, (struct sockaddr *)&at, sizeof(at)) == 0);
	return unused;
}

static void *receiver(void *unused)
{
	int c = accept4(l, NULL, NULL, SOCK_CLOEXEC);

	assert(c >= 0);
	close(c);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	socklen_t n = sizeof(at);

	l = socket(AF_INET, SOCK_STREAM, 0);
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(bind(l, (struct sockaddr *)&at, sizeof(at)) == 0 && listen(l, 1) == 0);
	assert(getsockname(l, (struct sockaddr *)&at, &n) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
