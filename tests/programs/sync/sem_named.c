/* A named semaphore, opened twice: one object. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char name[64];
	sem_t *n, *again;

	snprintf(name, sizeof(name), "/forerun-test-%d", (int)getpid());
	n = sem_open(name, O_CREAT, 0600, 2);
	if (n == SEM_FAILED) {
		printf("named skipped\n");
		return 0;
	}
	again = sem_open(name, 0);
	sem_unlink(name);
	sem_wait(n);
	printf("named same %d\n", n == again);
	sem_close(again);
	sem_close(n);
	return 0;
}
