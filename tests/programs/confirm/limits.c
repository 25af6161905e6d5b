/*
 * One thread parses two limits while another prints them. Each of them is an access of its own: the other thread may
 * see the new low limit and the old high one.
 *
 * expect: data-race limits.low write@parse read@print
 * expect: data-race limits.high write@parse read@print
 * harm: output
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>

static struct {
	int low, high;
} limits;
static pthread_t reader;

static void *parse(void *arg)
{
	sscanf(arg, "from %d to %d", &limits.low, &limits.high); /* @parse */
	return NULL;
}

static void *show(void *arg)
{
#ifdef FIXED
	pthread_join(reader, NULL);
#endif
	printf("%d to %d\n", limits.low, limits.high); /* @print */
	return arg;
}

int main(void)
{
	char text[] = "from 10 to 20";
	pthread_t t;

	pthread_create(&reader, NULL, parse, text);
	pthread_create(&t, NULL, show, NULL);
	pthread_join(t, NULL);
#ifndef FIXED
	pthread_join(reader, NULL);
#endif
	return 0;
}
