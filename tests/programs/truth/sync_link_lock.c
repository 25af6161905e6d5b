/* link() as a lock, as mail programs do it. */
#include "truth.h"

static int x;

static void *work(void *name)
{
	for (int i = 0; i < 2; i++) {
		while (link("own", "taken") != 0)
			usleep(200);
		x++;
		unlink("taken");
	}
	return name;
}

int main(void)
{
	close(open("own", O_CREAT | O_RDWR, 0600));
	both(work, work, NULL);
	unlink("own");
	return x != 4;
}
