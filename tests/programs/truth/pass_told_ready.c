/*
 * One thread gives data, a second one sends a message about it, and a third one checks for the
 * message and then for the data. With the message it must find data. Without, it may find none.
 */
#include "truth.h"
#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>

enum { PIPE, POLL, COUNT, SOCKET, EVENT, SYSV, QUEUE, SEMAPHORE, SYSV_SEM, TIMED, KINDS };

static int kind, end[2], id;
static mqd_t queue;
static sem_t tokens, given;
static _Atomic int told;

static void give(void)
{
	struct {
		long type;
		char text;
	} m = {1, 'x'};
	struct sembuf up = {0, 1, 0};
	uint64_t one = 1;

	switch (kind) {
	case SEMAPHORE:
	case TIMED:
		assert(sem_post(&tokens) == 0);
		break;
	case EVENT:
		assert(write(end[1], &one, 8) == 8);
		break;
	case SYSV:
		assert(msgsnd(id, &m, 1, 0) == 0);
		break;
	case SYSV_SEM:
		assert(semop(id, &up, 1) == 0);
		break;
	case QUEUE:
		assert(mq_send(queue, "x", 1, 0) == 0);
		break;
	default:
		assert(write(end[1], "x", 1) == 1);
	}
}

static int is_there(void)
{
	struct pollfd p = {.fd = end[0], .events = POLLIN};
	struct {
		long type;
		char text;
	} m;
	struct sembuf down = {0, -1, IPC_NOWAIT};
	struct timespec soon;
	char c[8];
	int n = 0;

	switch (kind) {
	case POLL:
		return poll(&p, 1, 0) == 1;
	case COUNT:
		assert(ioctl(end[0], FIONREAD, &n) == 0);
		return n > 0;
	case SOCKET:
		return recv(end[0], c, 1, MSG_DONTWAIT) == 1;
	case SYSV:
		return msgrcv(id, &m, 1, 0, IPC_NOWAIT) == 1;
	case SYSV_SEM:
		return semop(id, &down, 1) == 0;
	case QUEUE:
		return mq_receive(queue, c, 8, NULL) == 1;
	case SEMAPHORE:
		return sem_trywait(&tokens) == 0;
	case TIMED:
		clock_gettime(CLOCK_REALTIME, &soon);
		return sem_timedwait(&tokens, &soon) == 0;
	default:
		return read(end[0], c, 8) > 0;
	}
}

static void *giver(void *unused)
{
	tick();
	give();
	assert(sem_post(&given) == 0);
	return unused;
}

static void *teller(void *unused)
{
	assert(sem_wait(&given) == 0);
	told = 1;
	return unused;
}

static void *looker(void *unused)
{
	int was_told = told;

	assert(is_there() || !was_told);
	assert(look());
	return unused;
}

static void make(void)
{
	struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 8};
	char name[64];

	switch (kind) {
	case SOCKET:
		assert(socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0);
		break;
	case EVENT:
		end[0] = end[1] = eventfd(0, EFD_NONBLOCK);
		break;
	case SYSV:
		id = msgget(IPC_PRIVATE, 0600);
		break;
	case SYSV_SEM:
		id = semget(IPC_PRIVATE, 1, 0600);
		break;
	case QUEUE:
		snprintf(name, sizeof(name), "/told.%d", (int)getpid());
		queue = mq_open(name, O_RDWR | O_CREAT | O_NONBLOCK, 0600, &a);
		assert(queue != (mqd_t)-1);
		mq_unlink(name);
		break;
	default:
		assert(pipe2(end, O_NONBLOCK) == 0);
	}
}

int main(void)
{
	for (kind = 0; kind < KINDS; kind++) {
		pthread_t g, t, l;

		told = 0;
		assert(sem_init(&tokens, 0, 0) == 0 && sem_init(&given, 0, 0) == 0);
		make();
		pthread_create(&l, NULL, looker, NULL);
		pthread_create(&t, NULL, teller, NULL);
		pthread_create(&g, NULL, giver, NULL);
		pthread_join(l, NULL);
		pthread_join(t, NULL);
		pthread_join(g, NULL);
		if (kind == SYSV)
			msgctl(id, IPC_RMID, NULL);
		if (kind == SYSV_SEM)
			semctl(id, 0, IPC_RMID);
	}
	return 0;
}
