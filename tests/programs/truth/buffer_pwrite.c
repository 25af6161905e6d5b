/* A file as a mailbox: pwrite() before an eventfd, pread() after it. */
#include "truth.h"
#include <sys/eventfd.h>

static int fd, ev;
static char buf[16] = "mail";

static void *writer(void *unused)
{
	assert(pwrite(fd, buf, 4, 0) == 4);
	assert(eventfd_write(ev, 1) == 0);
	return unused;
}

static void *reader(void *unused)
{
	char got[8] = "";
	eventfd_t v;

	assert(eventfd_read(ev, &v) == 0);
	assert(pread(fd, got, 4, 0) == 4 && strcmp(got, "mail") == 0);
	buf[0] = 'M';
	return unused;
}

int main(void)
{
	fd = open("mailbox", O_CREAT | O_TRUNC | O_RDWR, 0600);
	ev = eventfd(0, 0);
	both(reader, writer, NULL);
	close(fd);
	unlink("mailbox");
	return buf[0] != 'M';
}
