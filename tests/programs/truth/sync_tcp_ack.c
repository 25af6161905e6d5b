/* A request and its answer over loopback pass a record there and back. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int listening;
static struct sockaddr_in at;
static int record;

static void *server(void *unused)
{
	int c = accept(listening, NULL, NULL);
	char b;

	assert(c >= 0);
	assert(recv(c, &b, 1, 0) == 1);
	assert(record == 1);
	record = 2;
	assert(send(c, "a", 1, 0) == 1);
	close(c);
	return unused;
}

static void *client(void *unused)
{
	int c = socket(AF_INET, SOCK_STREAM, 0);
	char b;

	record = 1;
	assert(connect(c, (struct sockaddr *)&at, sizeof(at)) == 0);
	assert(send(c, "q", 1, 0) == 1);
	assert(recv(c, &b, 1, 0) == 1);
	assert(record == 2);
	close(c);
	return unused;
}

int main(void)
{
	socklen_t n = sizeof(at);

	listening = socket(AF_INET, SOCK_STREAM, 0);
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert(bind(listening, (struct sockaddr *)&at, sizeof(at)) == 0);
	assert(listen(listening, 1) == 0);
	getsockname(listening, (struct sockaddr *)&at, &n);
	return both(server, client, NULL);
}
