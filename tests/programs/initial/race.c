/*
 * race SCRIPT: three threads race on statics, in an order that is given: "ar0 bw12 cr1" is: thread
 * a reads variable 0, thread b writes 2 to variable 1, thread c reads variable 1; "al": thread a
 * takes a lock of its own. What keeps them in this order is not recorded (order.c). Prints what
 * each thread has read. What a thread does depends on it too.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void order_await(long n);
void order_next(void);

#define MAX 200
static volatile int zero, two = 2; /* the variables; 0 and 1 */
static struct step {
	char thread, what, variable, value;
} step[MAX];
static int steps;
static pthread_barrier_t all_there;

static void *worker(void *arg)
{
	pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
	char me = (char)(long)arg, seen[MAX + 1] = "";
	volatile int unused = 0;
	int n = 0;

	pthread_barrier_wait(&all_there);
	for (int i = 0; i < steps; i++) {
		if (step[i].thread != me)
			continue;
		order_await(i);
		if (step[i].what == 'r') {
			int v = step[i].variable == '0' ? zero : two;

			seen[n++] = (char)('0' + v);
			order_next();
			while (v-- > 0)
				unused += v;
			continue;
		}
		if (step[i].what == 'l') {
			pthread_mutex_lock(&own);
			pthread_mutex_unlock(&own);
		} else if (step[i].variable == '0')
			zero = step[i].value - '0';
		else
			two = step[i].value - '0';
		order_next();
	}
	return strdup(seen);
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	for (const char *p = argc > 1 ? argv[1] : ""; *p && steps < MAX; p += strcspn(p, " "), p += *p == ' ') {
		step[steps] = (struct step){p[0], p[1], p[1] == 'l' ? 0 : p[2], p[1] == 'w' ? p[3] : 0};
		steps++;
	}
	pthread_barrier_init(&all_there, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, (void *)(long)('a' + i));
	for (int i = 0; i < 3; i++) {
		void *seen;

		pthread_join(t[i], &seen);
		printf("%s\n", (char *)seen);
		free(seen);
	}
	return 0;
}
