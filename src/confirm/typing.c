/*
 * Typing. If it were all typed at once, the terminal would echo the text before the questions that
 * it answers. It would also lose text where the program changes the terminal's mode and discards
 * input, as a password prompt does. So the next line is typed when the program waits for it: no
 * typed input is unread, and a thread that has the turn, or lost it, sleeps in several looks in a
 * row. On a busy machine the kernel needs time to deliver input, so more looks are needed until the
 * input was seen unread or the program has made progress.
 *
 * If a thread waits for something else, this types one line ahead, but no more. Input that the user
 * typed ahead in the recorded run is echoed when it is asked for, and input that was never read is
 * not echoed at all. So the comparison of outputs ignores the echo (compare_output.c).
 */
#include "confirm/typing.h"
#include "base/assert.h"
#include "base/mem.h"
#include <errno.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define LOOKS 2
#define ARRIVES 50 /* looks, each a millisecond or two */
#define END '\4'   /* end of input, the default of terminals */
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

void fr_typing_look(struct fr_typing *t, int slave, int master, bool asleep, uint64_t where)
{
	struct termios mode;
	int unread = 0;

	fr_assert(t->at <= t->n);
	if (t->over)
		return;
	if (!asleep || where != t->where || ioctl(slave, FIONREAD, &unread) < 0 || unread) {
		t->sent &= where == t->where && unread <= 0;
		t->where = where;
		t->looks = 0;
		return;
	}
	if (++t->looks < (t->sent ? ARRIVES : LOOKS))
		return;
	t->looks = 0;
	t->sent = true;
	type(t, master, tcgetattr(slave, &mode) < 0 || mode.c_lflag & ICANON);
}
