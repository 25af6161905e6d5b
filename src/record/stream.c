/* The program's standard streams: opens the descriptors that replace them. Pumps are in pump.c. */
#include "record/stream.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/mem.h"
#include "record/carrier.h"
#include "record/pump.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const char *const stream_name[3] = {"stdin", "stdout", "stderr"};

void fr_streams_guard(struct fr_streams *s)
{
	*s = (struct fr_streams){
	    .master = -1, .terminal = -1, .stop_fd = -1, .gone_fd = -1, .ended_fd = -1, .line = -1};
	for (int i = 0; i < 3; i++) {
		s->child[i] = i;
		if (fcntl(i, F_GETFD) < 0 && errno == EBADF) {
			s->closed[i] = true;
			s->child[i] = -1;
			if (open("/dev/null", O_RDWR) != i)
				continue; /* no /dev/null: a later open takes the number */
		}
	}
}

static bool is_null(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);
}

/* Returns whether two descriptors are the same open file: they share position and flags. */
static bool same_open_file(int a, int b)
{
	struct stat x, y;
	long r = syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, a, b);

	if (r >= 0 && r <= 2)
		return r == 0;
	if (fstat(a, &x) < 0 || fstat(b, &y) < 0 || x.st_dev != y.st_dev || x.st_ino != y.st_ino)
		return false;
	return !S_ISREG(x.st_mode) || lseek(a, 0, SEEK_CUR) == lseek(b, 0, SEEK_CUR);
}

/* Returns whether the order of output to a and b matters: same open file, pipe or device. */
static bool same_target(int a, int b)
{
	struct stat x, y;

	if (same_open_file(a, b))
		return true;
	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino && !S_ISREG(x.st_mode);
}

static int open_keep(struct fr_streams *s, const char *dir, int i, enum fr_stream_kind kind,
		     struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", dir, stream_name[i]);
	int fd = fr_dir_create(path, O_WRONLY, reterr);

	if (fd < 0)
		return fd;
	s->stat[i].kind = kind;
	s->stat[i].kept = true;
	return fd;
}

static struct fr_pump *add_pump(struct fr_streams *s, int from, int to, int keep)
{
	struct fr_pump *p = &s->pump[s->n_pumps++];

	fr_assert(s->n_pumps <= FR_PUMPS && s->flows);
	*p = (struct fr_pump){.all = s, .from = from, .to = to, .keep = keep};
	p->flow = &s->flows->flow[p - s->pump];
	return p;
}

static void close_in_parent(struct fr_streams *s, int fd)
{
	fr_assert(s->n_close < fr_array_size(s->to_close));
	s->to_close[s->n_close++] = fd;
}

/* Opens the pseudo-terminal, which all streams share that are the terminal. */
static int open_pty(struct fr_streams *s, int terminal, bool input, struct fr_err *reterr)
{
	struct termios t;
	struct winsize size;
	int slave;

	if (tcgetattr(terminal, &s->saved) < 0)
		return fr_err_set(reterr, -errno, "cannot read the settings of the terminal");
	t = s->saved;
	if (!input) /* the real terminal, not in raw mode, does the output processing */
		t.c_oflag &= ~(tcflag_t)OPOST;
	if (ioctl(terminal, TIOCGWINSZ, &size) < 0)
		size = (struct winsize){.ws_row = 24, .ws_col = 80};
	if (openpty(&s->master, &slave, NULL, &t, &size) < 0)
		return fr_err_set(reterr, -errno, "cannot open a pseudo-terminal");
	fcntl(s->master, F_SETFD, FD_CLOEXEC);
	fcntl(s->master, F_SETFL, O_RDWR | O_NONBLOCK);
	fcntl(slave, F_SETFD, FD_CLOEXEC);
	close_in_parent(s, slave);
	s->terminal = terminal;
	s->session = input;
	return slave;
}

static int open_input(struct fr_streams *s, const char *dir, int *slave, struct fr_err *reterr)
{
	struct fr_run_stream *stat = &s->stat[FR_STDIN];
	struct fr_pump *p;
	int fds[2], keep;
	struct stat st;

	if (s->closed[0]) {
		stat->kind = FR_STREAM_CLOSED;
		stat->kept = true;
		return 0;
	}
	if (fstat(0, &st) < 0)
		return fr_err_set(reterr, -errno, "cannot examine standard input");
	if (is_null(&st)) {
		stat->kind = FR_STREAM_NULL;
		stat->kept = true;
		return 0;
	}
	if (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode)) {
		keep = open_keep(s, dir, 0, FR_STREAM_FILE, reterr);
		if (keep < 0)
			return keep;
		stat->kept = S_ISREG(st.st_mode) && fr_pump_copy(0, keep, &stat->bytes) == 0;
		close(keep);
		return 0;
	}
	keep = open_keep(s, dir, 0, isatty(0) ? FR_STREAM_TTY : FR_STREAM_PIPE, reterr);
	if (keep < 0)
		return keep;
	if (isatty(0)) {
		*slave = open_pty(s, 0, true, reterr);
		if (*slave < 0)
			return *slave;
		s->child[0] = *slave;
		p = add_pump(s, 0, s->master, keep);
	} else {
		if (pipe2(fds, O_CLOEXEC) < 0)
			return fr_err_set(reterr, -errno, "cannot create a pipe");
		fcntl(fds[1], F_SETFL, O_NONBLOCK);
		s->child[0] = fds[0];
		close_in_parent(s, fds[0]);
		p = add_pump(s, 0, fds[1], keep);
		p->close_to = true;
	}
	p->input = true;
	p->stat = stat;
	return 0;
}

static int open_output(struct fr_streams *s, const char *dir, int i, int *slave,
		       struct fr_err *reterr)
{
	bool tty = !s->closed[i] && isatty(i);
	int fds[2], keep;

	if (s->closed[i]) {
		s->stat[i].kind = FR_STREAM_CLOSED;
		s->stat[i].kept = true;
		return 0;
	}
	if (i == FR_STDERR && !s->closed[1] && same_target(1, 2)) {
		s->child[2] = s->child[1];
		s->stat[i].kind = FR_STREAM_MERGED;
		s->stat[i].kept = true;
		return 0;
	}
	keep = open_keep(s, dir, i, tty ? FR_STREAM_TTY : FR_STREAM_PIPE, reterr);
	if (keep < 0)
		return keep;
	if (tty && (*slave < 0 || same_target(i, s->terminal))) {
		if (*slave < 0)
			*slave = open_pty(s, i, false, reterr);
		if (*slave < 0)
			return *slave;
		s->child[i] = *slave;
		/* A duplicate, because the pump closes it when nobody reads the output. */
		add_pump(s, fcntl(s->master, F_DUPFD_CLOEXEC, 3), i, keep)->stat = &s->stat[i];
		return 0;
	}
	if (pipe2(fds, O_CLOEXEC) < 0)
		return fr_err_set(reterr, -errno, "cannot create a pipe");
	s->child[i] = fds[1];
	close_in_parent(s, fds[1]);
	add_pump(s, fds[0], i, keep)->stat = &s->stat[i];
	return 0;
}

int fr_streams_open(struct fr_streams *s, const char *dir, struct fr_run_stream *run_streams,
		    struct fr_err *reterr)
{
	int slave = -1, r;
	void *flows;

	fr_assert(!s->n_pumps && !s->flows);
	s->stat = run_streams;
	s->stop_fd = eventfd(0, EFD_CLOEXEC);
	s->gone_fd = eventfd(0, EFD_CLOEXEC);
	s->ended_fd = eventfd(0, EFD_CLOEXEC);
	if (s->stop_fd < 0 || s->gone_fd < 0 || s->ended_fd < 0)
		return fr_err_set(reterr, -errno, "cannot create an event descriptor");
	flows = mmap(NULL, sizeof(*s->flows), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (flows == MAP_FAILED)
		return fr_err_set(reterr, -errno, "cannot share memory");
	s->flows = flows;
	r = open_input(s, dir, &slave, reterr);
	if (r < 0)
		return r;
	for (int i = 1; i < 3; i++) {
		r = open_output(s, dir, i, &slave, reterr);
		if (r < 0)
			return r;
	}
	/* No output stream is the terminal: forward the echo of the input to it. */
	if (s->session && s->child[1] != slave && s->child[2] != slave)
		add_pump(s, fcntl(s->master, F_DUPFD_CLOEXEC, 3), s->terminal, -1);
	return 0;
}

void fr_streams_finish(struct fr_streams *s, bool (*give_up)(void *), void *arg)
{
	uint64_t one = 1;

	if (write(s->stop_fd, &one, sizeof(one)) < 0 || write(s->gone_fd, &one, sizeof(one)) < 0)
		return;
	fr_carrier_join(s, give_up, arg);
	for (unsigned i = 0; i < s->n_pumps; i++) {
		const struct fr_pump *p = &s->pump[i];

		if (!p->stat)
			continue;
		p->stat->bytes = p->flow->bytes;
		p->stat->kept = p->flow->ended && !p->flow->cut;
	}
	fr_streams_restore(s);
}

void fr_streams_resize(struct fr_streams *s)
{
	struct winsize size;

	if (s->master >= 0 && ioctl(s->terminal, TIOCGWINSZ, &size) == 0)
		ioctl(s->master, TIOCSWINSZ, &size);
}

void fr_streams_restore(struct fr_streams *s)
{
	if (s->flows && atomic_exchange(&s->flows->raw, false))
		tcsetattr(s->terminal, TCSADRAIN, &s->saved);
}
