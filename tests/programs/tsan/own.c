/* A program with a strlen of its own, which must stay its own. */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

size_t strlen(const char *s)
{
	(void)s;
	return 77;
}

static char text[8] = "abc";

static void *other(void *arg)
{
	size_t (*volatile f)(const char *) = strlen;

	(void)arg;
	printf("%zu %zu\n", strlen(text), f(text));
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	return pthread_join(t, NULL);
}
