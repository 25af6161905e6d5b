/*
 * A server on a fixed loopback address, taken for the whole run. Other programs run in other
 * folders, and take others.
 */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static int s;

static uint32_t address(void)
{
	char folder[4096];
	uint32_t h = 5381;

	assert(getcwd(folder, sizeof(folder)));
	for (const char *p = folder; *p; p++)
		h = h * 33 + (unsigned char)*p;
	return 0x7f010000 | (h & 0xffff);
}

static void *work(void *unused)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(48731)};
	int one = 1;

	tick();
	a.sin_addr.s_addr = htonl(address());
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
