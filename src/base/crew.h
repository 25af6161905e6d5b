/*
 * Threads that share numbered tasks, while another one looks on: how far they are is there to be
 * read at any time.
 */
#ifndef FR_BASE_CREW_H
#define FR_BASE_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_crew {
	size_t total;	     /* tasks; given */
	_Atomic size_t done; /* counted by who does them */
	_Atomic size_t next;
	void (*work)(void *);
	void *arg;
	pthread_t *thread;
	uint32_t threads, running;
	pthread_mutex_t lock;
	pthread_cond_t over;
};

/* Each thread calls work(arg) once. No more threads than tasks; where none is to be had, this one
   does it all. */
void fr_crew_start(struct fr_crew *c, uint32_t most, void (*work)(void *), void *arg);
/* For `work`: the next task. False: all are taken. */
bool fr_crew_take(struct fr_crew *c, size_t *ret);
/* Waits up to so many milliseconds; true when every thread has come back. */
bool fr_crew_wait(struct fr_crew *c, unsigned ms);
/* Waits for the threads, and frees what they took. */
void fr_crew_join(struct fr_crew *c);

#endif
