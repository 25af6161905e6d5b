/*
 * Threads that wait. With the first arguments they wait for ever; with the others something outside
 * the threads, or time, ends the wait, and the program prints "end".
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both, three;
static sem_t sem, units[2];
static pthread_t main_thread;
static int ready, ends[2];
static atomic_int closed = 1;

static void post(int sig)
{
	(void)sig;
	sem_post(&sem);
}

static void wait_sem(void)
{
	while (sem_wait(&sem) < 0 && errno == EINTR)
		;
}

static struct timespec soon(int ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms * 1000000L;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void *take(void *arg)
{
	wait_sem();
	return arg;
}

/* ---- for ever ---- */

/* Not FUTEX_WAIT_PRIVATE: the C++ library does the same. */
static void *wait_futex(void *arg)
{
	while (atomic_load(&closed))
		syscall(SYS_futex, &closed, FUTEX_WAIT, 1, NULL, NULL, 0);
	return arg;
}

static void *cycle(void *arg)
{
	pthread_mutex_lock(arg ? &b : &a);
	pthread_barrier_wait(&both);
	pthread_mutex_lock(arg ? &a : &b);
	return NULL;
}

static void *wait_a(void *arg)
{
	pthread_mutex_lock(&a);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *wait_cond(void *arg)
{
	pthread_mutex_lock(&a);
	while (!ready)
		pthread_cond_wait(&cond, &a);
	pthread_mutex_unlock(&a);
	return arg;
}

static void *join_main(void *arg)
{
	pthread_join(main_thread, NULL);
	return arg;
}

static pthread_t pair[2];

static void *join_other(void *arg)
{
	pthread_barrier_wait(&both);
	pthread_join(pair[arg == NULL], NULL);
	return arg;
}

static void *upgrade(void *arg)
{
	pthread_rwlock_rdlock(&rw);
	pthread_barrier_wait(&both);
	pthread_rwlock_wrlock(&rw);
	return arg;
}

static void *sem_cycle(void *arg)
{
	sem_wait(&units[arg != NULL]);
	pthread_barrier_wait(&both);
	sem_wait(&units[arg == NULL]);
	return NULL;
}

static void *read_and_post(void *arg)
{
	char c;

	if (read(*(int *)arg, &c, 1) >= 0)
		sem_post(&sem);
	return NULL;
}

/* A handler can set a flag, but unlocks nothing. */
static volatile sig_atomic_t stop;

static void ask_to_stop(int sig)
{
	stop = sig;
}

static void *fill(void *arg)
{
	static char much[1 << 20];

	pthread_mutex_lock(&a);
	if (write(*(int *)arg, much, sizeof(much)) == sizeof(much))
		pthread_mutex_unlock(&a);
	return NULL;
}

static void full_pipe(pthread_t *t)
{
	struct pollfd f = {.events = POLLIN};
	char c;

	if (pipe(ends) < 0)
		return;
	f.fd = ends[0];
	pthread_create(t, NULL, fill, &ends[1]);
	poll(&f, 1, -1); /* the lock is taken */
	pthread_mutex_lock(&a);
	while (read(ends[0], &c, 1) == 1)
		;
}

static int watched; /* an epoll instance */

static void watch(int fd)
{
	watched = epoll_create1(0);
	epoll_ctl(watched, EPOLL_CTL_ADD, fd, &(struct epoll_event){.events = EPOLLIN});
}

static void *wait_epoll(void *arg)
{
	struct epoll_event e;

	epoll_wait(watched, &e, 1, -1);
	sem_post(&sem);
	return arg;
}

static void *receive(void *arg)
{
	char c;

	recv(*(int *)arg, &c, 1, 0);
	sem_post(&sem);
	return NULL;
}

static void wait_for_ever(const char *how, pthread_t *t)
{
	if (!strcmp(how, "abba"))
		pthread_create(t, NULL, cycle, NULL), cycle(t);
	else if (!strcmp(how, "sems"))
		sem_init(&units[0], 0, 1), sem_init(&units[1], 0, 1),
		    pthread_create(t, NULL, sem_cycle, NULL), sem_cycle(t);
	else if (!strcmp(how, "self"))
		pthread_mutex_lock(&a), pthread_mutex_lock(&a);
	else if (!strcmp(how, "join"))
		pthread_mutex_lock(&a), pthread_create(t, NULL, wait_a, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "joins"))
		pthread_create(t, NULL, join_main, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "wakeup"))
		pthread_create(t, NULL, wait_cond, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "futex"))
		pthread_create(t, NULL, wait_futex, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "sem"))
		pthread_create(t, NULL, wait_a, NULL), wait_sem();
	else if (!strcmp(how, "barrier"))
		pthread_barrier_wait(&three);
	else if (!strcmp(how, "rwlock"))
		pthread_create(t, NULL, upgrade, NULL), upgrade(NULL);
	else if (!strcmp(how, "alarm"))
		alarm(20), wait_sem();
	else if (!strcmp(how, "unalarmed"))
		pthread_create(t, NULL, take, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "pair"))
		pthread_create(&pair[0], NULL, join_other, NULL),
		    pthread_create(&pair[1], NULL, join_other, pair), pthread_exit(NULL);
	else if (!strcmp(how, "pipe") && pipe(ends) == 0)
		pthread_create(t, NULL, read_and_post, &ends[0]), wait_sem();
	else if (!strcmp(how, "handled"))
		signal(SIGTERM, ask_to_stop), signal(SIGINT, ask_to_stop),
		    pthread_create(t, NULL, cycle, NULL), cycle(t);
	else if (!strcmp(how, "handled_join"))
		signal(SIGTERM, ask_to_stop), pthread_mutex_lock(&a),
		    pthread_create(t, NULL, wait_a, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "sockets") && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
		pthread_create(t, NULL, receive, &ends[0]), wait_sem();
	else if (!strcmp(how, "full"))
		full_pipe(t);
	else if (!strcmp(how, "epoll"))
		watch(eventfd(0, 0)), pthread_create(t, NULL, wait_epoll, NULL), wait_sem();
	else if (!strcmp(how, "polls") && pipe(ends) == 0)
		poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1);
	else if (!strcmp(how, "exited"))
		pthread_create(t, NULL, wait_cond, NULL), pthread_exit(NULL);
}

/* ---- for a while ---- */

static void *sleep_and_post(void *arg)
{
	usleep(700000);
	sem_post(&sem);
	return arg;
}

static void *poll_and_post(void *arg)
{
	struct pollfd f = {.fd = *(int *)arg, .events = POLLIN};

	poll(&f, 1, -1);
	sem_post(&sem);
	return NULL;
}

static void *signal_and_post(void *arg)
{
	sigset_t set;
	int sig;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigwait(&set, &sig);
	sem_post(&sem);
	return NULL;
}

/* A child that does something after a while. */
static int child(int write_to, int sig, sem_t *shared)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	usleep(700000);
	if (write_to >= 0 && write(write_to, "x", 1) < 0)
		_exit(1);
	if (sig)
		kill(parent, sig);
	if (shared)
		sem_post(shared);
	_exit(0);
}

/* A child writes to the eventfd, which needs eight bytes. */
static void notify(void)
{
	if (fork())
		return;
	usleep(700000);
	_exit(eventfd_write(ends[0], 1));
}

/* A process that is no child any more writes after a while. */
static void orphan(int write_to)
{
	pid_t pid = fork();

	if (!pid) {
		child(write_to, 0, NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void wait_timed(void)
{
	struct timespec t = soon(700);

	pthread_mutex_lock(&a);
	while (pthread_cond_timedwait(&cond, &a, &t) != ETIMEDOUT)
		;
	t = soon(300);
	sem_timedwait(&sem, &t);
}

static void wait_shared(void)
{
	sem_t *s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	sem_init(s, 1, 0);
	child(-1, 0, s);
	while (sem_wait(s) < 0)
		;
}

static void watchdog(int sig)
{
	(void)sig;
	_exit(write(1, "end\n", 4) != 4);
}

static void limit(int fd)
{
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_usec = 700000},
		   sizeof(struct timeval));
}

static void wait_a_while(const char *how, pthread_t *t)
{
	sigset_t set;
	int zero = 0;

	if (!strcmp(how, "timed"))
		wait_timed();
	else if (!strcmp(how, "sleep"))
		pthread_create(t, NULL, sleep_and_post, NULL), wait_sem();
	else if (!strcmp(how, "handler"))
		signal(SIGALRM, post), alarm(1), wait_sem();
	else if (!strcmp(how, "alarmed"))
		signal(SIGALRM, post), alarm(1), pthread_create(t, NULL, take, NULL), pthread_join(*t, NULL);
	else if (!strcmp(how, "killed"))
		signal(SIGUSR1, post), child(-1, SIGUSR1, NULL), wait_sem();
	else if (!strcmp(how, "child"))
		waitpid(child(-1, 0, NULL), NULL, 0);
	else if (!strcmp(how, "stdin"))
		pthread_create(t, NULL, read_and_post, &zero), wait_sem();
	else if (!strcmp(how, "poll") && pipe(ends) == 0)
		child(ends[1], 0, NULL), pthread_create(t, NULL, poll_and_post, &ends[0]), wait_sem();
	else if (!strcmp(how, "piped") && pipe(ends) == 0)
		child(ends[1], 0, NULL), pthread_create(t, NULL, read_and_post, &ends[0]), wait_sem();
	else if (!strcmp(how, "orphan") && pipe(ends) == 0)
		orphan(ends[1]), pthread_create(t, NULL, read_and_post, &ends[0]), wait_sem();
	else if (!strcmp(how, "watchdog"))
		signal(SIGALRM, watchdog), alarm(1), pthread_create(t, NULL, cycle, NULL), cycle(t);
	else if (!strcmp(how, "limited") && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
		limit(ends[0]), pthread_create(t, NULL, receive, &ends[0]), wait_sem();
	else if (!strcmp(how, "paired") && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
		child(ends[1], 0, NULL), close(ends[1]), pthread_create(t, NULL, receive, &ends[0]),
		    wait_sem();
	else if (!strcmp(how, "notified"))
		ends[0] = eventfd(0, EFD_NONBLOCK), watch(ends[0]), pthread_create(t, NULL, wait_epoll, NULL),
		notify(), wait_sem();
	else if (!strcmp(how, "shared"))
		wait_shared();
	else if (!strcmp(how, "sigwait")) {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR2);
		pthread_sigmask(SIG_BLOCK, &set, NULL);
		child(-1, SIGUSR2, NULL);
		pthread_create(t, NULL, signal_and_post, NULL);
		wait_sem();
	}
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	main_thread = pthread_self();
	sem_init(&sem, 0, 0);
	pthread_barrier_init(&both, NULL, 2);
	pthread_barrier_init(&three, NULL, 3);
	wait_for_ever(argv[1], &t);
	wait_a_while(argv[1], &t);
	puts("end");
	return 0;
}
