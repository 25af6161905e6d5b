/* A finished file appears under its name in one step; the reader polls for it. */
#include "truth.h"

static int payload;

static void *writer(void *unused)
{
	int fd = open("part", O_CREAT | O_WRONLY | O_TRUNC, 0600);

	payload = 7;
	assert(write(fd, "seven", 5) == 5);
	close(fd);
	assert(rename("part", "whole") == 0);
	return unused;
}

static void *reader(void *unused)
{
	char got[6] = "";
	int fd;

	while ((fd = open("whole", O_RDONLY)) < 0)
		usleep(300);
	assert(read(fd, got, 5) == 5);
	close(fd);
	assert(payload == 7 && strcmp(got, "seven") == 0);
	return unused;
}

int main(void)
{
	unlink("whole");
	both(reader, writer, NULL);
	unlink("whole");
	return 0;
}
