/* tmpfile(), mkdtemp() and an unlinked file that stays open. */
#include "truth.h"

static void *work(void *unused)
{
	char dir[] = "dir.XXXXXX", b[8] = "";
	FILE *f = tmpfile();
	int fd;

	assert(f && fputs("temp", f) >= 0);
	tick();
	rewind(f);
	assert(fread(b, 1, 4, f) == 4 && strcmp(b, "temp") == 0);
	fclose(f);
	assert(mkdtemp(dir));
	assert(rmdir(dir) == 0);
	fd = open("ghost", O_CREAT | O_RDWR | O_TRUNC, 0600);
	assert(unlink("ghost") == 0);
	tick();
	assert(write(fd, "boo", 3) == 3 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, b, 3) == 3);
	close(fd);
	return unused;
}

int main(void)
{
	return beside_look(work);
}
