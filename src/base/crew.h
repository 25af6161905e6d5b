/*
 * A crew: worker threads that share a number of tasks. The caller starts the crew, may read
 * `done` at any time to show progress, waits, and joins.
 */
#ifndef FR_BASE_CREW_H
#define FR_BASE_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fr_crew {
	size_t total;	     /* number of tasks; set by the caller */
	_Atomic size_t done; /* finished tasks; `work` counts them */
	_Atomic size_t next; /* first task that no thread has taken */
	void (*work)(void *);
	void *arg;
	pthread_t *thread;
	uint32_t threads, running; /* started; still in `work` */
	pthread_mutex_t lock;
	pthread_cond_t over;
};

/* Returns the number of processor cores that this process may use. */
uint32_t fr_crew_cores(void);
/* Starts at most `most` threads, and no more than there are tasks. Each calls work(arg) once.
   False: there are tasks, but no thread can be created. */
bool fr_crew_start(struct fr_crew *c, uint32_t most, void (*work)(void *), void *arg);
/* Called by `work`: takes the next task. Returns false when all are taken. */
bool fr_crew_take(struct fr_crew *c, size_t *ret);
/* Waits at most `ms` milliseconds. Returns true when every thread has finished. */
bool fr_crew_wait(struct fr_crew *c, unsigned ms);
/* Waits for all threads and frees the crew's memory. */
void fr_crew_join(struct fr_crew *c);

#endif
