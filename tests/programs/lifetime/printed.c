/*
 * A name is freed while another thread prints it with printf, between other arguments.
 * order: creation
 * expect: use-after-free
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name;
static pthread_t printer;

static void *show(void *arg)
{
	printf("client %d: %s, %.1f s\n", 7, name, 1.5);
	return arg;
}

static void *leave(void *arg)
{
#ifdef FIXED
	pthread_join(printer, NULL);
#endif
	free(name);
	return arg;
}

int main(void)
{
	pthread_t t;

	name = strdup("joe");
	pthread_create(&printer, NULL, show, NULL);
	pthread_create(&t, NULL, leave, NULL);
	pthread_join(t, NULL);
#ifndef FIXED
	pthread_join(printer, NULL);
#endif
	return 0;
}
