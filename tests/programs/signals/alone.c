#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t fired;
static int count;

static void on_alarm(int sig)
{
	fired = sig;
}

static void *work(void *arg)
{
	count++;
	return arg;
}

int main(int argc, char **argv)
{
	struct itimerval soon = {{0, 20000}, {0, 20000}};
	sigset_t mask;
	pthread_t a, b;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	signal(SIGALRM, on_alarm);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!fired)
		argc > 1 && !strcmp(argv[1], "pause") ? pause() : sigsuspend(&mask);
	return 0;
}
