/* A socket in the file system, with its stale name removed first. */
#include "truth.h"
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_un a = {.sun_family = AF_UNIX, .sun_path = "sock"};
static int s, x;

static void *server(void *unused)
{
	int c = accept(s, NULL, NULL);
	char b;

	assert(c >= 0 && read(c, &b, 1) == 1 && b == '?');
	x++;
	assert(write(c, "!", 1) == 1);
	close(c);
	return unused;
}

static void *client(void *unused)
{
	int c = socket(AF_UNIX, SOCK_STREAM, 0);
	char b;

	x = 1;
	assert(connect(c, (struct sockaddr *)&a, sizeof(a)) == 0);
	assert(write(c, "?", 1) == 1 && read(c, &b, 1) == 1 && b == '!');
	assert(x == 2);
	close(c);
	return unused;
}

int main(void)
{
	unlink("sock");
	s = socket(AF_UNIX, SOCK_STREAM, 0);
	assert(bind(s, (struct sockaddr *)&a, sizeof(a)) == 0 && listen(s, 1) == 0);
	both(server, client, NULL);
	close(s);
	unlink("sock");
	return 0;
}
