/* A server on a fixed loopback port, taken for the whole run. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int s;

static void *work(void *unused)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(48731)};
	int one = 1;

	tick();
	a.sin_addr.s_addr = htonl(0x7f000123); /* 127.0.1.35 */
	s = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(s, (struct sockaddr *)&a, sizeof(a)) != 0) {
		perror("bind");
		exit(1);
	}
	assert(listen(s, 1) == 0);
	tick();
	usleep(5000);
	return unused;
}

int main(void)
{
	beside_look(work);
	close(s);
	return 0;
}
