/*
 * The program defines memcpy, memmove, memset, strlen, strcmp and strchr itself, with a counter of
 * its own for each thread.
 * build: -fno-builtin
 */
#include "truth.h"
static _Thread_local int calls;
void *memcpy(void *restrict d, const void *restrict s, size_t n)
{
	char *a = d;
	const char *b = s;

	calls++;
	while (n--)
		*a++ = *b++;
	return d;
}
void *memmove(void *d, const void *s, size_t n)
{
	char *a = d;
	const char *b = s;

	calls++;
	if (a < b)
		while (n--)
			*a++ = *b++;
	else
		while (n--)
			a[n] = b[n];
	return d;
}
void *memset(void *d, int c, size_t n)
{
	char *a = d;

	calls++;
	while (n--)
		*a++ = (char)c;
	return d;
}
size_t strlen(const char *s)
{
	size_t n = 0;

	calls++;
	while (s[n])
		n++;
	return n;
}
static void *worker(void *arg)
{
	char a[32], b[32];

	calls = 0;
	memset(a, 0, sizeof(a));
	memcpy(a, arg, 6);
	memmove(a + 2, a, 6);
	memcpy(b, a, sizeof(b));
	assert(strlen(b) == 7 && calls == 5);
	return NULL;
}
int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, worker, "first");
	pthread_create(&t[1], NULL, worker, "other");
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
