/* The program has functions of its own under names of libc. */
/* build: -fno-builtin */
#include "truth.h"

static int calls;

size_t strnlen(const char *s, size_t n)
{
	calls++;
	return n < 3 || !s[0] ? 0 : 1000;
}

char *strchrnul(const char *s, int c)
{
	(void)c;
	calls++;
	return (char *)s;
}

int isdigit(int c)
{
	return c == 'x';
}

static void *work(void *unused)
{
	tick();
	pthread_mutex_lock(&truth_lock);
	assert(strnlen("abc", 3) == 1000 && isdigit('x') && !isdigit('1'));
	pthread_mutex_unlock(&truth_lock);
	return unused;
}

int main(void)
{
	both(work, work, NULL);
	return calls != 2;
}
