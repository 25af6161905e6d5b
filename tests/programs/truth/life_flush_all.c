/* fflush(NULL) in one thread while another one opens, writes and closes streams of its own. */
#include "truth.h"
static void *flusher(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++)
		assert(fflush(NULL) == 0);
	return NULL;
}
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		FILE *f = tmpfile();

		assert(f);
		assert(fprintf(f, "%d", i) == 1);
		assert(fclose(f) == 0);
	}
	return NULL;
}
int main(void)
{
	return both(flusher, writer, NULL);
}
