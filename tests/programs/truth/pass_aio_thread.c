/* The end of an aio_write() starts a thread that posts. */
/* link: -lrt */
#include "truth.h"
#include <aio.h>
#include <semaphore.h>

static sem_t s;
static char buf[64];
static struct aiocb cb;
static int fd;

static void done(union sigval v)
{
	struct aiocb *c = v.sival_ptr;

	assert(aio_error(c) == 0);
	assert(aio_return(c) == 5);
	sem_post(&s);
}

static void *work(void *unused)
{
	tick();
	strcpy(buf, "abcde");
	cb.aio_fildes = fd;
	cb.aio_buf = buf;
	cb.aio_nbytes = 5;
	cb.aio_sigevent.sigev_notify = SIGEV_THREAD;
	cb.aio_sigevent.sigev_notify_function = done;
	cb.aio_sigevent.sigev_value.sival_ptr = &cb;
	assert(!aio_write(&cb));
	while (sem_wait(&s))
		;
	memset(buf, 0, 64);
	assert(pread(fd, buf, 5, 0) == 5 && !strcmp(buf, "abcde"));
	tick();
	return unused;
}

int main(void)
{
	sem_init(&s, 0, 0);
	fd = open(".", O_TMPFILE | O_RDWR, 0600);
	if (fd < 0) {
		char n[] = "aioXXXXXX";

		fd = mkstemp(n);
		unlink(n);
	}
	assert(fd >= 0);
	return beside_look(work);
}
