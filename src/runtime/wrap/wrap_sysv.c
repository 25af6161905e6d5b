/*
 * System V semaphores, message queues and identifiers.
 *
 * Meaning:   raising a semaphore releases its set for calls that lower it. Lowering one releases it
 *            for calls that wait for zero, which acquire both. There is one key for each direction
 *            and set: a set of several semaphores is ordered as one. A message queue is one key,
 *            whatever the type of the messages. shmget, semget and msgget are ordered by their
 *            key_t, as files are by their name.
 * Numbers:   the kernel gives each new object a new identifier. Under a schedule the program gets
 *            the recorded one, and its calls go to the real object.
 * Not seen:  other processes. Segments that shmat attaches are memory like any other (wrap_mmap.c).
 */
#include "runtime/core/shared_mapping.h"
#include "runtime/control/ctl_input.h"
#include "runtime/core/rt_input.h"
#include "runtime/core/kernel.h"
#include "runtime/core/rt_stream.h"
#include "wrap.h"
#include <stdarg.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/syscall.h>

/* ---- numbers ---- */

enum kind { SEM, MSG, SHM };

#define OBJECTS 256

/* Under a schedule: the identifiers that the program was given. Only the thread
   that has the turn uses this. */
static struct {
	int told, real;
} objects[3][OBJECTS];
static unsigned nobjects[3];

static int real_id(enum kind kind, int told)
{
	if (frt_controlled())
		for (unsigned i = nobjects[kind]; i > 0; i--)
			if (objects[kind][i - 1].told == told)
				return objects[kind][i - 1].real;
	return told;
}

/* After a call that returned a new or existing object; returns the
   identifier that the program gets. */
static int record_id(enum kind kind, int r)
{
	struct frt_thread *t = frt_asking();
	int64_t was = r;
	uint64_t hash;

	if (!t)
		return r;
	if (frt_controlled() && r >= 0 && frt_ctl_recorded(t, FR_INPUT_READY, &was, &hash) &&
	    was >= 0 && was != r && nobjects[kind] < OBJECTS) {
		objects[kind][nobjects[kind]].told = (int)was;
		objects[kind][nobjects[kind]++].real = r;
		r = (int)was;
	}
	frt_input_result(t, FR_INPUT_READY, r, 0);
	return r;
}

/* ---- semaphores ---- */

static uint64_t up(int id)
{
	return frt_key(FRT_KEY_SEM_UP, (uint32_t)id, 0);
}

static uint64_t down(int id)
{
	return frt_key(FRT_KEY_SEM_DOWN, (uint32_t)id, 0);
}

static int operates(int id, struct sembuf *ops, size_t n, const struct timespec *timeout)
{
	bool raises = false, lowers = false, zero = false;
	struct frt_thread *t;
	struct frt_give g;
	int r = -1;

	frt_give_begin(&g);
	if (!g.t)
		return REAL(semtimedop)(real_id(SEM, id), ops, n, timeout);
	for (size_t i = 0; i < n; i++) {
		raises |= ops[i].sem_op > 0;
		lowers |= ops[i].sem_op < 0;
		zero |= ops[i].sem_op == 0;
	}
	g.waits = lowers || zero;
	frt_give(&g, raises ? up(id) : FRT_KEY_NONE);
	frt_give(&g, lowers ? down(id) : FRT_KEY_NONE);
	if (frt_stream_ask(g.t, FR_INPUT_READY, -1, false, NULL))
		r = REAL(semtimedop)(real_id(SEM, id), ops, n, timeout);
	t = frt_asking();
	if (t) {
		frt_input_result(t, FR_INPUT_READY, r, 0);
		/* A nonblocking call that would block has seen the value, too. */
		frt_take(t, lowers || zero ? up(id) : FRT_KEY_NONE);
		frt_take(t, zero ? down(id) : FRT_KEY_NONE);
	}
	frt_give_end(&g);
	return r;
}

int frt_wrap_semop(int id, struct sembuf *ops, size_t n)
{
	return operates(id, ops, n, NULL);
}

int frt_wrap_semtimedop(int id, struct sembuf *ops, size_t n, const struct timespec *timeout)
{
	return operates(id, ops, n, timeout);
}

int frt_wrap_semctl(int id, int number, int command, ...)
{
	bool sets =
	    command == SETVAL || command == SETALL || command == IPC_RMID || command == IPC_SET;
	struct frt_give g;
	va_list ap;
	void *arg;
	int r;

	va_start(ap, command);
	arg = va_arg(ap, void *);
	va_end(ap);
	frt_give_begin(&g);
	/* A query never waits. No thread raises the set meanwhile, so the
	   stamps show what the call saw. */
	frt_give_alone(&g, up(id));
	frt_give(&g, sets ? up(id) : FRT_KEY_NONE);
	frt_give(&g, sets ? down(id) : FRT_KEY_NONE);
	r = REAL(semctl)(real_id(SEM, id), number, command, arg);
	frt_take_here(sets ? FRT_KEY_NONE : up(id));
	frt_take_here(sets ? FRT_KEY_NONE : down(id));
	frt_give_end(&g);
	return r;
}

/* ---- message queues ---- */

static uint64_t queue(int id)
{
	return frt_key(FRT_KEY_MSG, (uint32_t)id, 0);
}

int frt_wrap_msgsnd(int id, const void *message, size_t n, int flags)
{
	struct frt_give g;
	int r;

	frt_give_begin(&g);
	frt_give(&g, queue(id));
	r = REAL(msgsnd)(real_id(MSG, id), message, n, flags);
	frt_give_end(&g);
	return r;
}

ssize_t frt_wrap_msgrcv(int id, void *message, size_t n, long type, int flags)
{
	struct frt_thread *t = frt_asking();
	ssize_t r = -1;

	if (frt_stream_ask(t, FR_INPUT_READ, -1, false, NULL))
		r = REAL(msgrcv)(real_id(MSG, id), message, n, type, flags);
	t = frt_asking();
	if (t) {
		frt_input_read(
		    t, -1, r, r > 0 ? fr_hash(0, ((struct msgbuf *)message)->mtext, (size_t)r) : 0);
		frt_take(t, queue(id));
	}
	return r;
}

int frt_wrap_msgctl(int id, int command, struct msqid_ds *state)
{
	bool sets = command == IPC_RMID || command == IPC_SET;
	struct frt_give g;
	int r;

	frt_give_begin(&g);
	frt_give(&g, sets ? queue(id) : FRT_KEY_NONE);
	r = REAL(msgctl)(real_id(MSG, id), command, state);
	frt_take_here(sets ? FRT_KEY_NONE : queue(id));
	frt_give_end(&g);
	return r;
}

/* ---- identifiers ---- */

static void looks_up(struct frt_give *g, key_t key, int flags)
{
	frt_give_begin(g);
	frt_give(g, flags & IPC_CREAT && key != IPC_PRIVATE ? frt_key(FRT_KEY_IPC, (uint32_t)key, 0)
							    : FRT_KEY_NONE);
}

static int looked_up(struct frt_give *g, enum kind kind, key_t key, int flags, int r)
{
	bool tells = key != IPC_PRIVATE && (r < 0 || !(flags & IPC_CREAT) || flags & IPC_EXCL);

	r = record_id(kind, r);
	frt_take_here(tells ? frt_key(FRT_KEY_IPC, (uint32_t)key, 0) : FRT_KEY_NONE);
	frt_give_end(g);
	return r;
}

#define GET(name, kind, params, args)                                \
	int frt_wrap_##name params                                   \
	{                                                            \
		int there = frt_named_key_there(SYS_##name, key), r; \
		struct frt_give g;                                   \
                                                                     \
		looks_up(&g, key, flags);                            \
		r = REAL(name) args;                                 \
		frt_named_key(SYS_##name, key, there, flags, r);     \
		return looked_up(&g, kind, key, flags, r);           \
	}

GET(semget, SEM, (key_t key, int n, int flags), (key, n, flags))
GET(msgget, MSG, (key_t key, int flags), (key, flags))
GET(shmget, SHM, (key_t key, size_t n, int flags), (key, n, flags))

void *frt_wrap_shmat(int id, const void *at, int flags)
{
	void *p = REAL(shmat)(real_id(SHM, id), at, flags);
	struct shmid_ds state;
	int saved = errno;

	if (frt_asking() && p != (void *)-1 &&
	    REAL(shmctl)(real_id(SHM, id), IPC_STAT, &state) == 0)
		frt_alias_map(p, state.shm_segsz, frt_key(FRT_KEY_IPC, (uint32_t)id, 1), 0);
	errno = saved;
	return p;
}

int frt_wrap_shmdt(const void *p)
{
	if (frt_asking())
		frt_alias_unmap(p, 1);
	return REAL(shmdt)(p);
}

int frt_wrap_shmctl(int id, int command, struct shmid_ds *state)
{
	return REAL(shmctl)(real_id(SHM, id), command, state);
}
