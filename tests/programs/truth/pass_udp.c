/* A UDP datagram over loopback. The receiver then owns the plain record. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int a, b;
static struct sockaddr_in at;
static char msg[8] = "ping";
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(sendto(a, msg, 4, 0, (struct sockaddr *)&at, sizeof(at)) == 4);
	return unused;
}

static void *receiver(void *unused)
{
	char t[8];

	assert(recvfrom(b, t, 8, 0, NULL, NULL) == 4);
	msg[0] = 'q';
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	socklen_t n = sizeof(at);

	a = socket(AF_INET, SOCK_DGRAM, 0);
	b = socket(AF_INET, SOCK_DGRAM, 0);
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(bind(b, (struct sockaddr *)&at, sizeof(at)) == 0);
	assert(getsockname(b, (struct sockaddr *)&at, &n) == 0);
	both(receiver, sender, NULL);
	return record[0];
}
