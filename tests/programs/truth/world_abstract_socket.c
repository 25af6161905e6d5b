/* A name in the abstract socket space must be free. */
#include "truth.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static void *work(void *unused)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "forerun-truth-%d", (int)getuid());
	tick();
	if (bind(s, (struct sockaddr *)&a, offsetof(struct sockaddr_un, sun_path) + 24) != 0) {
		perror("bind");
		abort();
	}
	tick();
	usleep(3000);
	close(s);
	tick();
	return unused;
}

int main(void)
{
	return beside_look(work);
}
