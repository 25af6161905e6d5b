/*
 * Two threads write pairs of lines with flockfile and the unlocked calls; main closes the stream
 * after both have ended.
 */
#include "truth.h"
static FILE *f;
static void *writer(void *arg)
{
	for (int i = 0; i < 2; i++) {
		flockfile(f);
		for (const char *s = arg; *s; s++)
			putc_unlocked(*s, f);
		putc_unlocked('\n', f);
		fflush(f);
		funlockfile(f);
	}
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	char line[64];
	int n = 0;

	f = tmpfile();
	assert(f);
	pthread_create(&a, NULL, writer, "first");
	pthread_create(&b, NULL, writer, "second");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		assert(!strcmp(line, "first\n") || !strcmp(line, "second\n"));
		n++;
	}
	assert(n == 4 && feof(f) && !ferror(f));
	return fclose(f) ? 1 : 0;
}
