/*
 * Types the recorded input of the terminal. If all of it were typed at once, the terminal would
 * echo the text before the questions that it answers. It would also lose text where the program
 * changes the terminal's mode and discards input, as a password prompt does. So the next line is
 * typed when the program asks for it: a thread sleeps in a call that reads the terminal
 * (process/terminal_wait.h), and the kernel has delivered everything that was typed before.
 *
 * If a thread sleeps and may look for input afterwards (it tries to read from time to time, or
 * signals tell it about input), this types one line ahead, but no more. Input that the user typed
 * ahead in the recorded run is echoed when it is asked for, and input that was never read is not
 * echoed at all. So the comparison of outputs ignores the echo (compare_output.c).
 */
#include "confirm/terminal_input.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define SAMPLES 2 /* that see no progress, before a line is typed ahead */
#define END '\4'  /* end of input, the default of terminals */
#define ESCAPE '\33'

/* Returns the length of an escape sequence: "ESC [ 1 ; 5 C", "ESC O P", "ESC x". */
static size_t escape_length(const char *s, size_t n)
{
	size_t i = 2;

	fr_assert(n && s[0] == ESCAPE);
	if (n < 3 || (s[1] != '[' && s[1] != 'O'))
		return n < 2 ? n : 2;
	while (i < n && (s[i] < '@' || s[i] > '~'))
		i++;
	return fr_min(i + 1, n);
}

size_t fr_typing_next(const char *s, size_t n, bool lines)
{
	size_t i = 0;

	if (!n)
		return 0;
	if (lines) {
		while (i < n && s[i] != '\n' && s[i] != '\r' && s[i] != END)
			i++;
		return fr_min(i + 1, n);
	}
	if (s[0] == ESCAPE)
		return escape_length(s, n);
	for (i = 1; i < n && ((unsigned char)s[i] & 0xc0) == 0x80; i++)
		; /* the rest of a UTF-8 character */
	return i;
}

static void type(struct fr_typing *t, int master, bool lines)
{
	static const char end = END;
	const char *s = t->at < t->n ? t->s + t->at : &end;
	size_t n = t->at < t->n ? fr_typing_next(s, t->n - t->at, lines) : 1;
	ssize_t k = write(master, s, n);

	fr_assert(n && k <= (ssize_t)n);
	if (k < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (t->at < t->n)
		t->at += k > 0 ? (size_t)k : n;
	else
		t->over = true;
}

bool fr_typing_unread(int slave)
{
	struct pollfd p = {.fd = slave, .events = POLLIN};
	int n = 0;

	if (poll(&p, 1, 0) > 0)
		return true;
	/* a program that wants several keys at once does not see fewer */
	return ioctl(slave, FIONREAD, &n) == 0 && n > 0;
}

/* Is a line to be typed ahead? */
static bool ahead(struct fr_typing *t, bool unread, uint64_t where)
{
	if (unread || where != t->where) {
		t->where = where;
		t->samples = 0;
	} else {
		t->samples++;
	}
	return t->samples >= SAMPLES;
}

void fr_typing_check(struct fr_typing *t, int slave, int master, const struct fr_typing_seen *seen)
{
	struct termios mode;

	fr_assert(t->at <= t->n);
	if (t->over || seen->asks == FR_ASKS_NO ||
	    (seen->asks == FR_ASKS_MAYBE && !ahead(t, seen->unread, seen->where)))
		return;
	t->samples = 0;
	type(t, master, tcgetattr(slave, &mode) < 0 || mode.c_lflag & ICANON);
}
