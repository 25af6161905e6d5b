/* Objects and calls that are no descriptors: System V, signals, children, stdio, aio. See pass.h.
 */
#define _GNU_SOURCE
#include "pass.h"
#include <aio.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

static int id, end[2];
static char to[N];
static sigset_t usr;

/* ---- System V ---- */

static void set_sem(void)
{
	id = semget(IPC_PRIVATE, 1, 0600);
	need(id >= 0 && !semctl(id, 0, SETVAL, 0), "semget");
}

static void operate(int by)
{
	struct sembuf s = {.sem_op = (short)by};

	need(!semop(id, &s, 1), "semop");
}

static void give_sem(void)
{
	operate(1);
}

static void get_sem(void)
{
	operate(-1);
	semctl(id, 0, IPC_RMID);
}

static void set_sem_one(void)
{
	set_sem();
	operate(1);
}

static void give_sem_zero(void)
{
	operate(-1);
}

static void get_sem_zero(void)
{
	operate(0);
	semctl(id, 0, IPC_RMID);
}

static void get_semctl(void)
{
	while (semctl(id, 0, GETVAL) != 1)
		sched_yield();
	semctl(id, 0, IPC_RMID);
}

static void lock_sem(void)
{
	operate(-1);
}

static void unlock_sem(void)
{
	operate(1);
}

static struct {
	long type;
	char text[N];
} message = {1, "text"};

static void set_msg(void)
{
	id = msgget(IPC_PRIVATE, 0600);
	need(id >= 0, "msgget");
}

static void give_msg(void)
{
	memcpy(message.text, buffer, N);
	need(!msgsnd(id, &message, N, 0), "msgsnd");
}

static void get_msg(void)
{
	struct {
		long type;
		char text[N];
	} m;

	need(msgrcv(id, &m, N, 0, 0) == N, "msgrcv");
	message.text[0] = 'M';
	msgctl(id, IPC_RMID, NULL);
}

/* ---- signals ---- */

static sem_t handled;

static void on_signal(int sig)
{
	(void)sig;
	sem_post(&handled);
}

/* The thread that waits is the one that handles it. */
static void set_handler(void)
{
	sem_init(&handled, 0, 0);
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	sigaddset(&usr, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &usr, NULL);
	signal(SIGUSR1, on_signal);
	signal(SIGALRM, on_signal);
}

static void give_kill(void)
{
	kill(getpid(), SIGUSR1);
}

static void get_handled(void)
{
	pthread_sigmask(SIG_UNBLOCK, &usr, NULL);
	while (sem_wait(&handled))
		;
}

static void set_blocked(void)
{
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr, NULL);
}

static void give_sigqueue(void)
{
	need(!sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 5}), "sigqueue");
}

static void get_sigwait(void)
{
	int sig;

	need(!sigwait(&usr, &sig), "sigwait");
}

static void get_sigwaitinfo(void)
{
	siginfo_t i;

	need(sigwaitinfo(&usr, &i) == SIGUSR1, "sigwaitinfo");
}

static void give_setitimer(void)
{
	struct itimerval t = {.it_value.tv_usec = 1000};

	need(!setitimer(ITIMER_REAL, &t, NULL), "setitimer");
}

static timer_t timer;

static void set_timer(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};

	set_blocked();
	need(!timer_create(CLOCK_MONOTONIC, &e, &timer), "timer_create");
}

static void give_timer(void)
{
	struct itimerspec t = {.it_value.tv_nsec = 1000000};

	need(!timer_settime(timer, 0, &t, NULL), "timer_settime");
}

static mqd_t queue;

static void set_notify(void)
{
	struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = N};
	char name[64];

	set_blocked();
	snprintf(name, sizeof(name), "/forerun-n-%d", getpid());
	queue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &a);
	need(queue >= 0, "mq_open");
	mq_unlink(name);
	need(!mq_notify(queue, &e), "mq_notify");
}

static void give_notify(void)
{
	need(!mq_send(queue, buffer, N, 0), "mq_send");
}

/* ---- children ---- */

static _Atomic pid_t child;

static void give_fork(void)
{
	pid_t pid = fork();

	need(pid >= 0, "fork");
	if (!pid)
		_exit(3);
	atomic_store_explicit(&child, pid, memory_order_relaxed);
}

static void get_waitpid(void)
{
	int status;
	pid_t pid;

	while (!(pid = atomic_load_explicit(&child, memory_order_relaxed)))
		sched_yield();
	need(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 3, "waitpid");
}

/* ---- stdio ---- */

static FILE *in, *out;

static void set_streams(void)
{
	need(!pipe(end), "pipe");
	in = fdopen(end[0], "r");
	out = fdopen(end[1], "w");
	need(in && out, "fdopen");
}

static void give_fwrite(void)
{
	need(fwrite(buffer, 1, N, out) == N && !fflush(out), "fwrite");
}

static void get_fread(void)
{
	need(fread(to, 1, N, in) == N, "fread");
}

static void give_fputs(void)
{
	need(fputs(buffer, out) >= 0 && fputc('\n', out) == '\n' && !fflush(out), "fputs");
}

static void get_fgets(void)
{
	need(fgets(to, N, in) != NULL, "fgets");
}

static void give_fprintf(void)
{
	need(fprintf(out, "%d %d\n", 6, 7) == 4 && !fclose(out), "fprintf");
}

static void get_getline(void)
{
	char *line = NULL;
	size_t n = 0;

	need(getline(&line, &n, in) == 4, "getline");
	free(line);
}

static void give_dprintf(void)
{
	need(dprintf(end[1], "%d\n", 8) == 2, "dprintf");
}

static void get_fscanf(void)
{
	int n;

	need(fscanf(in, "%d", &n) == 1 && n == 8, "fscanf");
}

/* Standard output may be anything once the program has redirected it. */
static void set_stdout(void)
{
	set_streams();
	need(dup2(end[1], 1) == 1, "dup2");
}

static void give_printf(void)
{
	need(printf("%s\n", "line") == 5 && !fflush(stdout), "printf");
}

static void lock_stream(void)
{
	flockfile(stderr);
}

static void unlock_stream(void)
{
	funlockfile(stderr);
}

/* ---- asynchronous input and output ---- */

static struct aiocb cb;

static void set_aio(void)
{
	int fd = open("aio", O_CREAT | O_RDWR | O_TRUNC, 0600);

	need(fd >= 0, "open");
	cb = (struct aiocb){.aio_fildes = fd, .aio_buf = buffer, .aio_nbytes = N};
	sem_init(&handled, 0, 0);
	need(!pipe(end), "pipe");
}

static _Atomic int submitted;

static void give_aio(void)
{
	need(!aio_write(&cb), "aio_write");
	atomic_store_explicit(&submitted, 1, memory_order_relaxed);
}

static void get_aio(void)
{
	const struct aiocb *list[] = {&cb};

	while (!atomic_load_explicit(&submitted, memory_order_relaxed))
		sched_yield();
	while (aio_error(&cb) == EINPROGRESS)
		aio_suspend(list, 1, NULL);
	need(aio_return(&cb) == N, "aio_return");
}

/* ---- calls by number ---- */

static int word;

static void give_futex(void)
{
	__atomic_store_n(&word, 1, __ATOMIC_RELAXED);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void get_futex(void)
{
	while (!__atomic_load_n(&word, __ATOMIC_RELAXED))
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void set_pipe(void)
{
	need(!pipe(end), "pipe");
}

static void give_syscall(void)
{
	need(syscall(SYS_write, end[1], buffer, N) == N, "write");
}

static void get_syscall(void)
{
	need(syscall(SYS_read, end[0], to, N) == N, "read");
}

/* ---- one memory at two addresses ---- */

struct shared {
	_Atomic int flag;
	sem_t sem;
	pthread_mutex_t mutex;
};

static struct shared *here, *there;

static void set_mapped(void)
{
	int fd = memfd_create("shared", 0);
	pthread_mutexattr_t a;

	need(fd >= 0 && !ftruncate(fd, 4096), "memfd_create");
	here = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	there = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	need(here != MAP_FAILED && there != MAP_FAILED, "mmap");
	sem_init(&here->sem, 1, 0);
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&here->mutex, &a);
}

static void set_attached(void)
{
	int segment = shmget(IPC_PRIVATE, 4096, 0600);

	need(segment >= 0, "shmget");
	here = shmat(segment, NULL, 0);
	there = shmat(segment, NULL, 0);
	shmctl(segment, IPC_RMID, NULL);
	need(here != (void *)-1 && there != (void *)-1, "shmat");
}

static void give_flag(void)
{
	atomic_store_explicit(&here->flag, 1, memory_order_release);
}

static void get_flag(void)
{
	while (!atomic_load_explicit(&there->flag, memory_order_acquire))
		sched_yield();
}

static void give_posted(void)
{
	sem_post(&here->sem);
}

static void get_posted(void)
{
	sem_wait(&there->sem);
}

/* Each thread uses an address of its own. */
static _Thread_local pthread_mutex_t *mine;
static _Atomic int threads;

static void lock_mapped(void)
{
	if (!mine)
		mine = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) ? &there->mutex
										    : &here->mutex;
	pthread_mutex_lock(mine);
}

static void unlock_mapped(void)
{
	pthread_mutex_unlock(mine);
}

static const struct mechanism all[] = {
    {"semop", set_sem, give_sem, get_sem, PASSES},
    {"semop-zero", set_sem_one, give_sem_zero, get_sem_zero, PASSES},
    {"semctl", set_sem, give_sem, get_semctl, PASSES},
    {"lock-semop", set_sem_one, lock_sem, unlock_sem, LOCKS},
    {"msg", set_msg, give_msg, get_msg, PASSES_BUFFER},
    {"signal", set_handler, give_kill, get_handled, PASSES},
    {"sigwait", set_blocked, give_kill, get_sigwait, PASSES},
    {"sigqueue", set_blocked, give_sigqueue, get_sigwaitinfo, PASSES},
    {"setitimer", set_handler, give_setitimer, get_handled, PASSES},
    {"timer", set_timer, give_timer, get_sigwait, PASSES},
    {"mq-notify", set_notify, give_notify, get_sigwait, PASSES_BUFFER},
    {"waitpid", NULL, give_fork, get_waitpid, PASSES},
    {"fwrite", set_streams, give_fwrite, get_fread, PASSES_BUFFER},
    {"fputs", set_streams, give_fputs, get_fgets, PASSES_BUFFER},
    {"fprintf", set_streams, give_fprintf, get_getline, PASSES},
    {"dprintf", set_streams, give_dprintf, get_fscanf, PASSES},
    {"stdout", set_stdout, give_printf, get_fgets, PASSES},
    {"lock-file", NULL, lock_stream, unlock_stream, LOCKS},
    {"aio", set_aio, give_aio, get_aio, PASSES_BUFFER},
    {"futex", NULL, give_futex, get_futex, PASSES},
    {"mapped-twice", set_mapped, give_flag, get_flag, PASSES},
    {"mapped-twice-sem", set_mapped, give_posted, get_posted, PASSES},
    {"lock-mapped-twice", set_mapped, lock_mapped, unlock_mapped, LOCKS},
    {"attached-twice", set_attached, give_flag, get_flag, PASSES},
    {"syscall", set_pipe, give_syscall, get_syscall, PASSES},
};

RUN(all)
