/*
 * One thread starts a write and a read with aio; another one asks aio_error until both are done and
 * uses the buffers.
 * link: -lrt
 */
#include "truth.h"
#include <aio.h>
#include <semaphore.h>
static struct aiocb out, in;
static char sent[16] = "through the file", got[16];
static sem_t started;
static int fd;
static void *starter(void *unused)
{
	(void)unused;
	out = (struct aiocb){.aio_fildes = fd, .aio_buf = sent, .aio_nbytes = sizeof(sent)};
	assert(!aio_write(&out));
	sem_post(&started);
	return NULL;
}
static void *poller(void *unused)
{
	(void)unused;
	sem_wait(&started);
	while (aio_error(&out) == EINPROGRESS)
		sched_yield();
	assert(aio_return(&out) == sizeof(sent));
	memset(sent, 0, sizeof(sent));
	in = (struct aiocb){.aio_fildes = fd, .aio_buf = got, .aio_nbytes = sizeof(got)};
	assert(!aio_read(&in));
	while (aio_error(&in) == EINPROGRESS)
		sched_yield();
	assert(aio_return(&in) == sizeof(got) && !memcmp(got, "through the file", 16));
	return NULL;
}
int main(void)
{
	FILE *f = tmpfile();

	assert(f);
	fd = fileno(f);
	sem_init(&started, 0, 0);
	both(starter, poller, NULL);
	fclose(f);
	return 0;
}
