/* See own_object.h. */
#include "process/own_object.h"
#include "base/assert.h"
#include "base/mem.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define NAME 64
_Static_assert(sizeof("socket:[4294967295]") <= NAME, "no name that counts is cut");
#define INFO 8192 /* a longer file of fdinfo tells nothing */

#define EVENTFD "anon_inode:[eventfd]"
#define EPOLL "anon_inode:[eventpoll]"

static const char *name_of(pid_t pid, int fd, char ret[NAME])
{
	char path[64];
	ssize_t n;

	fr_assert(pid > 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
	n = readlink(path, ret, NAME - 1);
	ret[n > 0 ? n : 0] = 0;
	return ret;
}

static bool starts_with(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

/* Reads the kernel's facts about a descriptor, beginning with `key`; "": none begins so. NULL: not
   all facts can be read. */
static const char *info_of(const char *pid, const char *fd, const char *key, char ret[INFO])
{
	char path[64];
	const char *found;
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.16s/fdinfo/%.16s", pid, fd);
	f = fopen(path, "re");
	n = f ? fread(ret, 1, INFO - 1, f) : 0;
	if (f)
		fclose(f);
	ret[n] = 0;
	found = strstr(ret, key);
	return !f || !n || n == INFO - 1 ? NULL : found ? found : "";
}

/* ---- other processes ---- */

/* An object: the name, and if objects share it, a part of fdinfo that begins with `key`. */
struct object {
	const char *name, *key, *info;
};

/* Has the process the object open, or may it have? */
static bool may_have(const char *pid, const struct object *o)
{
	char path[64], link[NAME], info[INFO];
	bool has = false;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%.16s/fd", pid);
	d = opendir(path);
	if (!d)
		return errno != ENOENT && errno != ESRCH; /* it has ended */
	while (!has && (e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, link, sizeof(link) - 1);
		const char *found;

		link[n > 0 ? n : 0] = 0;
		if (strcmp(link, o->name) != 0)
			continue;
		found = o->key ? info_of(pid, e->d_name, o->key, info) : NULL;
		has = !found || !strcmp(found, o->info); /* an empty epoll is another one */
	}
	closedir(d);
	return has;
}

static bool nobody_else(pid_t pid, const struct object *o)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	bool own = d;

	while (d && own && (e = readdir(d)))
		own = !isdigit((unsigned char)*e->d_name) || atoi(e->d_name) == pid ||
		      !may_have(e->d_name, o);
	if (d)
		closedir(d);
	return own;
}

/* ---- sockets ---- */

/* The inode of the peer of a UNIX socket, 0: not known. */
static uint32_t peer_of(uint32_t inode)
{
	struct {
		struct nlmsghdr h;
		struct unix_diag_req r;
	} ask = {.h = {.nlmsg_len = sizeof(ask),
		       .nlmsg_type = SOCK_DIAG_BY_FAMILY,
		       .nlmsg_flags = NLM_F_REQUEST},
		 .r = {.sdiag_family = AF_UNIX,
		       .udiag_states = ~0U,
		       .udiag_ino = inode,
		       .udiag_show = UDIAG_SHOW_PEER,
		       .udiag_cookie = {~0U, ~0U}}};
	union {
		struct nlmsghdr h;
		char bytes[1024];
	} answer;
	FR_CLEANUP(fr_closep)
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	ssize_t n = fd >= 0 && send(fd, &ask, sizeof(ask), 0) == (ssize_t)sizeof(ask)
			? recv(fd, &answer, sizeof(answer), MSG_DONTWAIT)
			: -1;
	const struct unix_diag_msg *m = NLMSG_DATA(&answer.h);
	const struct rtattr *a = (const struct rtattr *)(m + 1);
	unsigned left;

	if (n < (ssize_t)NLMSG_LENGTH(sizeof(*m)) || !NLMSG_OK(&answer.h, (size_t)n) ||
	    answer.h.nlmsg_type != SOCK_DIAG_BY_FAMILY || m->udiag_ino != inode)
		return 0;
	left = (unsigned)(answer.h.nlmsg_len - NLMSG_LENGTH(sizeof(*m)));
	for (; RTA_OK(a, left); a = RTA_NEXT(a, left))
		if (a->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(a) >= sizeof(uint32_t))
			return *(const uint32_t *)RTA_DATA(a);
	return 0;
}

/* Do calls on this socket wait without a timeout? */
static bool waits_for_ever(pid_t pid, int fd)
{
	static const int timeout[] = {SO_RCVTIMEO, SO_SNDTIMEO};
	FR_CLEANUP(fr_closep) int p = (int)syscall(SYS_pidfd_open, pid, 0);
	FR_CLEANUP(fr_closep) int copy = p < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, p, fd, 0);
	bool yes = copy >= 0;

	for (unsigned i = 0; yes && i < fr_array_size(timeout); i++) {
		struct timeval t = {.tv_sec = 1};
		socklen_t n = sizeof(t);

		yes = getsockopt(copy, SOL_SOCKET, timeout[i], &t, &n) == 0 && !t.tv_sec &&
		      !t.tv_usec;
	}
	return yes;
}

static bool socket_is_own(pid_t pid, int fd, const char *name)
{
	uint32_t inode = (uint32_t)strtoul(name + strlen("socket:["), NULL, 10);
	uint32_t peer = peer_of(inode);
	char other[NAME];

	snprintf(other, sizeof(other), "socket:[%" PRIu32 "]", peer);
	return peer && waits_for_ever(pid, fd) &&
	       nobody_else(pid, &(struct object){.name = name}) &&
	       nobody_else(pid, &(struct object){.name = other});
}

/* ---- eventfds ---- */

/* Descriptors of these kinds do not write to an eventfd. */
static bool is_harmless(const char *name)
{
	static const char *const kind[] = {"pipe:[",
					   "socket:[",
					   EVENTFD,
					   EPOLL,
					   "anon_inode:[timerfd]",
					   "anon_inode:[signalfd]",
					   "anon_inode:inotify",
					   "/dev/null",
					   "/dev/zero",
					   "/dev/tty",
					   "/dev/pts/",
					   "/dev/random",
					   "/dev/urandom",
					   "/dev/shm/"};

	for (unsigned i = 0; i < fr_array_size(kind); i++)
		if (starts_with(name, kind[i]))
			return true;
	return *name == '/' && !starts_with(name, "/dev/");
}

/* May the kernel write to an eventfd of the process? It does so for asynchronous input and output,
   virtual machines and devices. */
static bool kernel_may_write(pid_t pid)
{
	char path[64], line[512], name[NAME];
	bool may = false;
	struct dirent *e;
	FILE *f;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "re");
	while (f && !may && fgets(line, sizeof(line), f))
		may = strstr(line, "/[aio]");
	may |= !f;
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	d = opendir(path);
	while (d && !may && (e = readdir(d)))
		may = isdigit((unsigned char)*e->d_name) &&
		      !is_harmless(name_of(pid, atoi(e->d_name), name));
	may |= !d;
	if (d)
		closedir(d);
	return may;
}

/* ---- any object ---- */

static bool is_own(pid_t pid, int fd, bool nested);

/* Are all objects that the epoll instance watches the process's own? */
static bool targets_are_own(pid_t pid, const char *info)
{
	for (const char *p = info; (p = strstr(p, "tfd:")); p++)
		if (!is_own(pid, atoi(p + strlen("tfd:")), true))
			return false;
	return true;
}

static bool anonymous_is_own(pid_t pid, int fd, const char *name, bool nested)
{
	bool epoll = !strcmp(name, EPOLL);
	char info[INFO], p[16], f[16];
	struct object o = {.name = name, .key = epoll ? "tfd:" : "eventfd-id:"};

	snprintf(p, sizeof(p), "%d", (int)pid);
	snprintf(f, sizeof(f), "%d", fd);
	o.info = info_of(p, f, o.key, info);
	if (!o.info || !*o.info || (epoll && nested) || !nobody_else(pid, &o))
		return false;
	return epoll ? targets_are_own(pid, o.info) : !kernel_may_write(pid);
}

static bool is_own(pid_t pid, int fd, bool nested)
{
	char name[NAME];

	name_of(pid, fd, name);
	if (starts_with(name, "pipe:["))
		return nobody_else(pid, &(struct object){.name = name});
	if (starts_with(name, "socket:["))
		return socket_is_own(pid, fd, name);
	return (!strcmp(name, EVENTFD) || !strcmp(name, EPOLL)) &&
	       anonymous_is_own(pid, fd, name, nested);
}

bool fr_object_is_own(pid_t pid, int fd)
{
	return is_own(pid, fd, false);
}

bool fr_object_may_be_own(pid_t pid, int fd)
{
	char name[NAME];

	name_of(pid, fd, name);
	return starts_with(name, "pipe:[") || starts_with(name, "socket:[") ||
	       !strcmp(name, EVENTFD) || !strcmp(name, EPOLL);
}
