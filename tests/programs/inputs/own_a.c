/* A program that defines names that libc defines too. Links with own_b.c. */
#include <stdio.h>

int times = 7;
int clock[3] = {1, 2, 3};
double select = 0.5;
int poll(int x) { return x + 1; }
unsigned sleep(unsigned s) { return s + 5; }
int kill(int pid, int sig) { return pid + sig + 506; }
double all(void);

int main(void)
{
	printf("%g\n", all());
	return 0;
}
