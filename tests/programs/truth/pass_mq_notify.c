/* mq_notify() starts a thread that receives. */
/* link: -lrt */
#include "truth.h"
#include <mqueue.h>
#include <semaphore.h>

static mqd_t q;
static sem_t s;
static char got[32];
static int box;

static void note(union sigval v)
{
	char b[32];
	ssize_t n = mq_receive(q, b, 32, 0);

	assert(n == 4);
	assert(box == 9);
	memcpy(got, b, 4);
	sem_post(&s);
}

static void *work(void *unused)
{
	tick();
	while (sem_wait(&s))
		;
	assert(!memcmp(got, "ping", 4));
	tick();
	return unused;
}

static void *snd(void *unused)
{
	char b[8] = "ping";

	box = 9;
	usleep(2000);
	assert(!mq_send(q, b, 4, 0));
	memset(b, 0, 8);
	assert(look());
	return unused;
}

int main(void)
{
	char n[32];

	snprintf(n, 32, "/hn-%d", getpid());
	struct mq_attr a = {.mq_maxmsg = 4, .mq_msgsize = 32};
	q = mq_open(n, O_CREAT | O_EXCL | O_RDWR, 0600, &a);
	assert(q != (mqd_t)-1);
	mq_unlink(n);
	sem_init(&s, 0, 0);
	struct sigevent ev = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = note};
	assert(!mq_notify(q, &ev));
	return both(work, snd, 0);
}
