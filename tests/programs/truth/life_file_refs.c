/*
 * Three threads write to one stream without another lock; the last user closes it and checks the
 * length.
 */
#include "truth.h"
#include <stdatomic.h>
static FILE *out;
static char *text;
static size_t length;
static atomic_int users = 3;
static void *writer(void *unused)
{
	(void)unused;
	for (int i = 0; i < 2; i++) {
		fputs("abc", out);
		putc('\n', out);
	}
	if (atomic_fetch_sub(&users, 1) == 1) {
		assert(fclose(out) == 0);
		assert(length == 24 && strlen(text) == 24);
		free(text);
	}
	return NULL;
}
int main(void)
{
	pthread_t t[3];

	out = open_memstream(&text, &length);
	assert(out);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, writer, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
