/* sendfile() into a socket. The receiver then owns the plain record. */
#include "truth.h"
#include <sys/sendfile.h>
#include <sys/socket.h>

static int s[2], fd;
static int record[2];

static void *sender(void *unused)
{
	off_t at = 0;

	record[0] = 3;
	record[1] = 4;
	assert(sendfile(s[0], fd, &at, 4) == 4);
	return unused;
}

static void *receiver(void *unused)
{
	char c[4];

	assert(recv(s[1], c, 4, MSG_WAITALL) == 4);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, s) == 0);
	fd = open("sent", O_CREAT | O_TRUNC | O_RDWR, 0600);
	assert(write(fd, "file", 4) == 4);
	unlink("sent");
	both(receiver, sender, NULL);
	return record[0];
}
