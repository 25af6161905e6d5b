/* Uses what own_a.c has. */

extern int times, clock[3];
extern double select;
int poll(int x);
unsigned sleep(unsigned s);
int kill(int pid, int sig);

double all(void)
{
	/* Harmless if they come to libc after all: no time, no signal. */
	return times + clock[2] + select + poll(3) + (sleep(0) + 8) + kill(0, 0);
}
