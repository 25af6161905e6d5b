/* A thread makes files and another one lists them: any number may be there. */
#include "truth.h"
#include <dirent.h>

static void *maker(void *unused)
{
	char name[32];

	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "spool/%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0600));
		tick();
	}
	return unused;
}

static void *lister(void *unused)
{
	DIR *d = opendir("spool");
	struct dirent *e;
	int n = 0;

	assert(d);
	while ((e = readdir(d)))
		n += e->d_name[0] != '.';
	closedir(d);
	assert(n <= 4 && look());
	return unused;
}

int main(void)
{
	char name[32];

	mkdir("spool", 0700);
	both(lister, maker, NULL);
	for (int i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "spool/%d", i);
		unlink(name);
	}
	rmdir("spool");
	return 0;
}
