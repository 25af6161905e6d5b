/*
 * Frames from a camera, handed over by semaphores. When the camera is closed, it frees the last
 * frame's memory, and sets `closed` afterwards. A viewer that reads `closed` in between shows a
 * frame that was freed.
 *
 * expect: data-race closed write@close read@look
 * harm: crash frames.c:@show
 * order: creation
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE (1 << 20) /* so much is unmapped when it is freed */
#define FRAMES 3

static sem_t taken, shown;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *frame;
static int closed;

static void *camera(void *arg)
{
	frame = malloc(SIZE);
	for (int i = 1; i <= FRAMES; i++) {
		frame[SIZE / 2] = (unsigned char)(i * 40);
		sem_post(&taken);
		sem_wait(&shown);
	}
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	free(frame);
	closed = 1; /* @close */
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	return arg;
}

static void *viewer(void *arg)
{
	int light = 0;

	for (int i = 1; i <= FRAMES; i++) {
		sem_wait(&taken);
		light += frame[SIZE / 2];
		sem_post(&shown);
	}
#ifdef FIXED
	pthread_mutex_lock(&m);
#endif
	if (!closed) /* @look */
		light += frame[SIZE / 2]; /* @show */
#ifdef FIXED
	pthread_mutex_unlock(&m);
#endif
	printf("%d\n", light);
	return arg;
}

int main(void)
{
	pthread_t t1, t2;

	sem_init(&taken, 0, 0);
	sem_init(&shown, 0, 0);
	pthread_create(&t1, NULL, camera, NULL);
	pthread_create(&t2, NULL, viewer, NULL);
	pthread_join(t1, NULL);
	pthread_join(t2, NULL);
	pthread_mutex_destroy(&m);
	return 0;
}
