/*
 * A thread reads the head of a picture. It sets the depth after it has said that the head is read.
 * Without the depth, the program shifts the mask by a negative number.
 *
 * build: -fsanitize=undefined
 * expect: data-race depth write@depth read@shift
 * harm: sanitizer shift exponent
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t head;
static int depth;

static void *parse(void *arg)
{
#ifdef FIXED
	depth = *(int *)arg;
#endif
	sem_post(&head);
#ifndef FIXED
	depth = *(int *)arg; /* @depth */
#endif
	return NULL;
}

static void *draw(void *arg)
{
	sem_wait(&head);
	*(int *)arg = 1 << (depth - 1); /* @shift */
	return NULL;
}

int main(void)
{
	int bits = 8, top = 0;
	pthread_t t1, t2;

	sem_init(&head, 0, 0);
	pthread_create(&t1, NULL, parse, &bits);
	pthread_create(&t2, NULL, draw, &top);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	printf("%d\n", top > 0);
	return 0;
}
