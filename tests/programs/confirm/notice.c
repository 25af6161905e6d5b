/*
 * A text is copied into a buffer while another thread prints it. The call reads and writes, which
 * are two hooks: at the brink of the second nothing is written yet, or the order in which the old
 * text is printed would never be seen.
 *
 * expect: data-race notice write@write read@print
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char notice[32] = "nothing";
static pthread_t writer;

static void *put(void *arg)
{
	const char *text = arg;

	strcpy(notice, text); /* @write */
	return NULL;
}

static void *show(void *arg)
{
#ifdef FIXED
	pthread_join(writer, NULL);
#endif
	puts(notice); /* @print */
	return arg;
}

int main(void)
{
	char text[] = "closed";
	pthread_t t;

	pthread_create(&writer, NULL, put, text);
	pthread_create(&t, NULL, show, NULL);
	pthread_join(t, NULL);
#ifndef FIXED
	pthread_join(writer, NULL);
#endif
	return 0;
}
