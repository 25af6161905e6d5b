/* A line through a pseudo-terminal. The receiver then owns the plain record. */
/* link: -lutil */
#include "truth.h"
#include <pty.h>
#include <termios.h>

static int m, s;
static int record[2];

static void *sender(void *unused)
{
	record[0] = 3;
	record[1] = 4;
	assert(write(m, "line\n", 5) == 5);
	return unused;
}

static void *receiver(void *unused)
{
	char c[16];

	assert(read(s, c, sizeof(c)) == 5);
	assert(record[0] + record[1] == 7);
	record[0] = 0;
	return unused;
}

int main(void)
{
	struct termios t;

	if (openpty(&m, &s, NULL, NULL, NULL) != 0)
		return 0; /* no terminals here */
	tcgetattr(s, &t);
	t.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(s, TCSANOW, &t);
	both(receiver, sender, NULL);
	return record[0];
}
