/* write() and read() on connected UDP sockets. The receiver then owns the plain record. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int a, b;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(a, "x", 1) == 1);
	return unused;
}

static void *receiver(void *unused)
{
	char c;

	assert(read(b, &c, 1) == 1);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t n = sizeof(at);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	a = socket(AF_INET, SOCK_DGRAM, 0);
	b = socket(AF_INET, SOCK_DGRAM, 0);
	assert(bind(b, (struct sockaddr *)&at, sizeof(at)) == 0);
	assert(getsockname(b, (struct sockaddr *)&at, &n) == 0);
	assert(connect(a, (struct sockaddr *)&at, n) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
