/* Boxes: see box.h. */
#include "process/box.h"
#include "base/assert.h"
#include "base/debug.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAYERS_MOST 96

/* As in <linux/ipv6.h>, which contradicts <netinet/in.h>. */
struct in6_ifreq {
	struct in6_addr ifr6_addr;
	uint32_t ifr6_prefixlen;
	int ifr6_ifindex;
};

/* ---- what to mount ---- */

typedef FR_VEC(char *) fr_box_strings;

/* Undoes the octal escapes of /proc/self/mountinfo. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] && s[2] && s[3]) {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

static void read_mount_points(fr_box_strings *ret)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		char point[4096];

		if (sscanf(line, "%*s %*s %*s %*s %4095s", point) == 1) {
			unescape(point);
			fr_vec_push(ret, fr_xstrdup(point));
		}
	}
	free(line);
	if (f)
		fclose(f);
}

static bool is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !strncmp(path, dir, n) && path[n] == '/';
}

static bool has_mount_below(const fr_box_strings *points, const char *dir)
{
	FR_VEC_FOREACH (p, points)
		if (is_below(*p, dir))
			return true;
	return false;
}

/* In the options of an overlay, a backslash comes before these. */
static char *escaped(const char *dir)
{
	struct fr_buf b = {0};

	for (; *dir; dir++) {
		if (strchr(":,\\", *dir))
			fr_buf_add(&b, "\\", 1);
		fr_buf_add(&b, dir, 1);
	}
	fr_buf_add(&b, "", 1);
	return b.s;
}

static void add_layer(struct fr_box *b, const char *dir)
{
	FR_CLEANUP(fr_freep) char *lower = escaped(dir), *top = escaped(b->top);
	size_t n = b->layer.n;
	struct fr_box_layer l = {.dir = fr_xstrdup(dir),
				 .upper = fr_xasprintf("%s/u%zu", b->top, n),
				 .work = fr_xasprintf("%s/w%zu", b->top, n)};

	fr_assert(n < LAYERS_MOST && *dir == '/');
	l.options = fr_xasprintf("lowerdir=%s,upperdir=%s/u%zu,workdir=%s/w%zu%s", lower, top, n,
				 top, n, b->user ? ",userxattr" : "");
	fr_vec_push(&b->layer, l);
}

/* Does the path lead through this folder to a file that needs a fix? */
static bool leads_to_fix(const struct fr_box *b, const char *dir)
{
	FR_VEC_FOREACH (f, &b->fix)
		if (is_below(f->path, dir))
			return true;
	return false;
}

/*
 * An overlay gives a copied folder its owner, which must exist in the user namespace. So an overlay
 * must begin at or below the last folder on the way to a fix that belongs to another user.
 */
static bool has_strange_folder(const struct fr_box *b, const char *dir)
{
	size_t n = strlen(dir);

	FR_VEC_FOREACH (f, &b->fix) {
		FR_CLEANUP(fr_freep) char *path = fr_xstrdup(f->path);

		if (!b->user || !is_below(path, dir))
			continue;
		for (char *p = strchr(path + n + 1, '/'); p; p = strchr(p + 1, '/')) {
			struct stat st;

			*p = 0;
			if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
			    (st.st_uid != geteuid() || st.st_gid != getegid()))
				return true;
			*p = '/';
		}
	}
	return false;
}

/* Adds the folder, or those in it, if it contains mount points or strange folders. */
static void add_folder(struct fr_box *b, const fr_box_strings *points, const char *dir)
{
	static const char *const never[] = {"/proc", "/sys", "/dev"};
	struct dirent *e;
	bool only_fixes;
	DIR *d;

	for (size_t i = 0; i < fr_array_size(never); i++)
		if (!strcmp(dir, never[i]))
			return;
	if (b->layer.n >= LAYERS_MOST)
		return;
	only_fixes = *dir && !has_mount_below(points, dir);
	if (only_fixes && !has_strange_folder(b, dir)) {
		add_layer(b, dir);
		return;
	}
	d = opendir(*dir ? dir : "/");
	while (d && (e = readdir(d))) {
		FR_CLEANUP(fr_freep) char *path = fr_xasprintf("%s/%s", dir, e->d_name);
		struct stat st;

		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && lstat(path, &st) == 0 &&
		    S_ISDIR(st.st_mode) && (!only_fixes || leads_to_fix(b, path)))
			add_folder(b, points, path);
	}
	if (d)
		closedir(d);
}

static void free_layer(struct fr_box_layer *l)
{
	free(l->dir);
	free(l->upper);
	free(l->work);
	free(l->options);
}

/* The layer that covers the mount point of the tmpfs is mounted last: it hides the tmpfs. */
static void put_top_last(struct fr_box *b)
{
	for (size_t i = 0; i + 1 < b->layer.n; i++)
		if (is_below(b->top, b->layer.v[i].dir) || !strcmp(b->top, b->layer.v[i].dir)) {
			struct fr_box_layer l = b->layer.v[i];

			b->layer.v[i] = b->layer.v[b->layer.n - 1];
			b->layer.v[b->layer.n - 1] = l;
			return;
		}
}

/* No overlay lies over a part of another one. */
static bool are_apart(const struct fr_box *b)
{
	for (size_t i = 0; i < b->layer.n; i++)
		for (size_t k = 0; k < b->layer.n; k++)
			if (is_below(b->layer.v[i].dir, b->layer.v[k].dir))
				return false;
	return true;
}

/* ---- in the child: system calls only ---- */

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), r = 0;
	size_t n = 0;

	while (text[n])
		n++;
	if (fd < 0)
		return -errno;
	if (write(fd, text, n) != (ssize_t)n)
		r = -errno;
	close(fd);
	return r;
}

static int become_same_user(const struct fr_box *b)
{
	int r = write_file("/proc/self/setgroups", "deny");

	if (r == -ENOENT)
		r = 0;
	if (!r)
		r = write_file("/proc/self/uid_map", b->uid_map);
	return r ? r : write_file("/proc/self/gid_map", b->gid_map);
}

static int add_address(int fd, int fd6, const struct fr_peer_address *a, unsigned number)
{
	struct in6_ifreq q6 = {.ifr6_prefixlen = 128, .ifr6_ifindex = 1}; /* loopback */
	struct ifreq q = {.ifr_name = "lo:\0\0\0"};
	struct sockaddr_storage x;

	memcpy(&x, a->bytes, fr_min(sizeof(x), (size_t)a->len));
	if (x.ss_family == AF_INET6) {
		q6.ifr6_addr = ((struct sockaddr_in6 *)&x)->sin6_addr;
		return ioctl(fd6, SIOCSIFADDR, &q6) < 0 && errno != EEXIST ? -errno : 0;
	}
	q.ifr_name[3] = (char)('a' + number % 26);
	q.ifr_name[4] = (char)('a' + number / 26 % 26);
	memcpy(&q.ifr_addr, &x, sizeof(q.ifr_addr));
	((struct sockaddr_in *)&q.ifr_addr)->sin_port = 0;
	if (ioctl(fd, SIOCSIFADDR, &q) < 0)
		return -errno;
	((struct sockaddr_in *)&q.ifr_netmask)->sin_addr.s_addr = 0xffffffff;
	return ioctl(fd, SIOCSIFNETMASK, &q) < 0 ? -errno : 0;
}

/* Every port may be used: ghosts play servers at low ports. */
static int network_up(const struct fr_box *b)
{
	struct ifreq q = {.ifr_name = "lo", .ifr_flags = IFF_UP};
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), r;
	int fd6 = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	r = ioctl(fd, SIOCSIFFLAGS, &q) < 0 ? -errno : 0;
	for (size_t i = 0; i < b->address.n && !r; i++)
		r = add_address(fd, fd6, &b->address.v[i], (unsigned)i);
	write_file("/proc/sys/net/ipv4/ip_unprivileged_port_start", "0");
	close(fd);
	if (fd6 >= 0)
		close(fd6);
	return r;
}

static int mount_layer(const struct fr_box_layer *l)
{
	struct stat st;

	if (lstat(l->dir, &st) < 0)
		return -errno;
	/* The upper layer shows through as the folder itself, with its own owner and mode. */
	if (mkdir(l->upper, 0700) < 0 || mkdir(l->work, 0700) < 0 ||
	    chmod(l->upper, st.st_mode & 07777) < 0)
		return -errno;
	if (chown(l->upper, st.st_uid, st.st_gid) < 0 && errno != EINVAL && errno != EPERM)
		return -errno;
	return mount("overlay", l->dir, "overlay", 0, l->options) < 0 ? -errno : 0;
}

/* failed: which layers cannot be mounted, which is then no error; NULL = it is one. */
static int enter(const struct fr_box *b, volatile bool *failed)
{
	int flags = CLONE_NEWNS | (b->user ? CLONE_NEWUSER : 0) | (b->network ? CLONE_NEWNET : 0) |
		    (b->objects ? CLONE_NEWIPC : 0);
	int r;

	if (unshare(flags) < 0)
		return -errno;
	r = b->user ? become_same_user(b) : 0;
	if (r < 0)
		return r;
	if (mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("tmpfs", b->top, "tmpfs", 0, "mode=700") < 0)
		return -errno;
	FR_VEC_FOREACH (l, &b->layer) {
		r = mount_layer(l);
		if (r < 0 && !failed)
			return r;
		if (r < 0)
			failed[l - b->layer.v] = true;
	}
	return b->network ? network_up(b) : 0;
}

int fr_box_enter(const struct fr_box *b)
{
	mode_t old = umask(0);
	int r = enter(b, NULL);

	if (!r)
		r = fr_box_fix_all(b);
	umask(old);
	return r;
}

/* ---- preparing ---- */

static void drop_failed(struct fr_box *b, const volatile bool *failed)
{
	size_t n = 0;

	for (size_t i = 0; i < b->layer.n; i++) {
		if (failed[i]) {
			fr_debug(FR_DEBUG_CONFIRM, "no overlay over %s", b->layer.v[i].dir);
			free_layer(&b->layer.v[i]);
		} else {
			b->layer.v[n++] = b->layer.v[i];
		}
	}
	b->layer.n = n;
}

/* Makes a box and ends it. */
static int try(struct fr_box *b, struct fr_err *reterr)
{
	static volatile bool failed[LAYERS_MOST];
	volatile int result = -ECHILD;
	volatile bool unfixed = false;
	int status;
	pid_t pid;

	fr_assert(b->layer.n <= LAYERS_MOST);
	for (size_t i = 0; i < LAYERS_MOST; i++)
		failed[i] = false;
	pid = vfork();
	if (!pid) {
		result = enter(b, failed);
		if (!result && fr_box_fix_all(b) < 0)
			unfixed = true;
		_exit(0);
	}
	if (pid < 0)
		return fr_err_set(reterr, -errno, "cannot start a process");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (result < 0)
		return fr_err_set(reterr, result, "this machine allows no namespaces");
	drop_failed(b, failed);
	if (unfixed)
		return fr_err_say(reterr, -EACCES,
				  "cannot restore the files that the recorded run changed");
	return 0;
}

/* Does an overlay cover each file that the recorded run changed? */
static int check_fixes(const struct fr_box *b, struct fr_err *reterr)
{
	FR_VEC_FOREACH (f, &b->fix) {
		bool covered = false;

		fr_assert(*f->path == '/');
		FR_VEC_FOREACH (l, &b->layer)
			covered |= is_below(f->path, l->dir);
		if (!covered)
			return fr_err_say(reterr, -ENOTSUP, "no overlay is possible over '%s'",
					  f->path);
	}
	return 0;
}

int fr_box_prepare(struct fr_box *b, const char *top, struct fr_err *reterr)
{
	fr_box_strings points = {0};
	int r;

	fr_assert(!b->top && !b->layer.n);
	b->top = realpath(top, NULL);
	if (!b->top)
		return fr_err_set(reterr, -errno, "cannot find '%s'", top);
	b->user = geteuid() != 0;
	snprintf(b->uid_map, sizeof(b->uid_map), "%u %u 1", geteuid(), geteuid());
	snprintf(b->gid_map, sizeof(b->gid_map), "%u %u 1", getegid(), getegid());
	read_mount_points(&points);
	add_folder(b, &points, "");
	add_folder(b, &points, "/dev/shm");
	FR_VEC_FOREACH (p, &points)
		free(*p);
	fr_vec_free(&points);
	fr_assert(are_apart(b));
	put_top_last(b);
	r = try(b, reterr);
	return r < 0 ? r : check_fixes(b, reterr);
}

void fr_box_free(struct fr_box *b)
{
	FR_VEC_FOREACH (l, &b->layer)
		free_layer(l);
	FR_VEC_FOREACH (f, &b->fix) {
		free(f->path);
		free(f->target);
		fr_closep(&f->content);
	}
	fr_vec_free(&b->layer);
	fr_vec_free(&b->fix);
	fr_vec_free(&b->address);
	free(b->top);
	*b = (struct fr_box){0};
}
