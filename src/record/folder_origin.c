/* The seal that distinguishes this user's run folders from foreign ones (folder_origin.h). */
#include "record/folder_origin.h"
#include "base/assert.h"
#include "base/dir.h"
#include "base/json.h"
#include "base/output.h"
#include "base/sha256.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEY_SIZE 32

struct key {
	uint8_t byte[KEY_SIZE];
	size_t n; /* 0: no key */
};

/* ---- the key ---- */

/* Reads the key. Refuses a key that another user could read or write. */
static bool read_key(int dir, struct key *ret)
{
	FR_CLEANUP(fr_closep)
	int fd = openat(dir, "key", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    st.st_mode & 077 || fr_io_pread(fd, ret->byte, KEY_SIZE, 0) != KEY_SIZE)
		return false;
	ret->n = KEY_SIZE;
	return true;
}

/* Makes the key. If several processes do this at the same time, one of them wins. */
static void make_key(int dir)
{
	uint8_t byte[KEY_SIZE];
	char tmp[48];
	int fd;

	if (getrandom(byte, sizeof(byte), 0) != sizeof(byte))
		return;
	fd = fr_dir_temporary(dir, tmp);
	if (fd < 0)
		return;
	if (fr_io_write_all(fd, byte, sizeof(byte), NULL) == 0)
		linkat(dir, tmp, dir, "key", 0);
	close(fd);
	unlinkat(dir, tmp, 0);
}

static void get_key(bool make, struct key *ret)
{
	const struct passwd *user = getpwuid(geteuid());
	FR_CLEANUP(fr_freep) char *path = NULL;
	FR_CLEANUP(fr_closep) int dir = -1;
	struct stat st;

	*ret = (struct key){0};
	if (!user || user->pw_dir[0] != '/' || stat(user->pw_dir, &st) < 0 ||
	    st.st_uid != geteuid())
		return;
	path = fr_xasprintf("%s/.local/state/forerun", user->pw_dir);
	if (make && fr_output_enter(path, &dir, NULL) < 0)
		return;
	if (!make)
		dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || read_key(dir, ret) || !make)
		return;
	make_key(dir);
	read_key(dir, ret);
}

/* ---- the authenticated data ---- */

/* Adds a field after its length, so that different runs have different bytes. */
static void add(struct fr_buf *b, const void *p, size_t n)
{
	uint64_t length = n;

	fr_buf_add(b, &length, sizeof(length));
	fr_buf_add(b, p, n);
}

static void add_text(struct fr_buf *b, const char *s)
{
	add(b, s ? s : "", s ? strlen(s) : 0);
}

static void add_run(struct fr_buf *b, const struct fr_run *run)
{
	uint64_t n[2] = {run->args.n, run->env.n};

	fr_assert(run->program && run->path);
	add_text(b, "forerun origin 1");
	add(b, run->run_id, sizeof(run->run_id));
	add_text(b, run->program);
	add_text(b, run->path);
	add_text(b, run->cwd);
	add_text(b, run->options);
	add(b, n, sizeof(n));
	FR_VEC_FOREACH (s, &run->args)
		add_text(b, *s);
	FR_VEC_FOREACH (s, &run->env)
		add_text(b, *s);
	if (run->order) /* absent in old run folders */
		add_text(b, run->order);
}

void fr_origin_digest(const struct fr_run *run, char ret[65])
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	uint8_t digest[FR_SHA256_SIZE];
	struct fr_sha256 s;

	add_run(&b, run);
	fr_sha256_init(&s);
	fr_sha256_add(&s, b.s, b.n);
	fr_sha256_end(&s, digest);
	fr_sha256_hex(digest, ret);
}

/* Computes the MAC. Returns false if nothing distinguishes the folder from a copy. */
static bool mac_of(const char *dir, const char *path, const struct fr_run *run, bool make,
		   char ret[65])
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	uint8_t mac[FR_SHA256_SIZE];
	struct statx st;
	struct key key;
	uint64_t id[4];

	if (statx(fr_dir_fd(dir), "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME | STATX_UID, &st) < 0)
		return false;
	get_key(make, &key);
	if (!(st.stx_mask & STATX_BTIME)) {
		if (!key.n)
			return false;
		st.stx_btime = (struct statx_timestamp){0};
	}
	id[0] = st.stx_ino;
	id[1] = (uint64_t)st.stx_btime.tv_sec;
	id[2] = st.stx_btime.tv_nsec;
	id[3] = st.stx_uid;
	add(&b, id, sizeof(id));
	add_text(&b, path);
	add_run(&b, run);
	fr_assert(!key.n || key.n == KEY_SIZE);
	fr_hmac_sha256(key.byte, key.n, b.s, b.n, mac);
	explicit_bzero(&key, sizeof(key));
	fr_sha256_hex(mac, ret);
	return true;
}

/* ---- the seal ---- */

int fr_origin_write(const char *dir, const struct fr_run *run, struct fr_err *reterr)
{
	FR_CLEANUP(fr_freep) char *file = fr_xasprintf("%s/origin", dir), *path = NULL;
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};
	struct fr_jw w = {.out = &b};
	char mac[65];

	path = realpath(dir, NULL);
	if (!path || !mac_of(dir, path, run, true, mac))
		return 0; /* no seal: the user will have to trust the folder */
	fr_jw_open(&w, '{');
	fr_jw_pair(&w, "path", path);
	fr_jw_pair(&w, "mac", mac);
	fr_jw_close(&w, '}');
	fr_buf_puts(&b, "\n");
	return fr_dir_replace(file, b.s, b.n, reterr);
}

/* Reads the seal: the path at which the folder was made, and the MAC. */
static bool read_seal(const char *dir, char **ret_path, char **ret_mac)
{
	FR_CLEANUP(fr_freep) char *file = fr_xasprintf("%s/origin", dir);
	FR_CLEANUP(fr_json_freep) struct fr_json *j = NULL;
	const char *path, *mac;
	struct fr_mapped m;

	if (fr_dir_map(file, &m, NULL) < 0)
		return false;
	if (fr_json_parse(file, m.p, m.n, &j, NULL) < 0)
		j = NULL;
	fr_io_unmap(&m);
	path = fr_json_str(fr_json_get(j, "path"));
	mac = fr_json_str(fr_json_get(j, "mac"));
	if (!path || !mac)
		return false;
	*ret_path = fr_xstrdup(path);
	*ret_mac = fr_xstrdup(mac);
	return true;
}

char *fr_origin_foreign(const char *dir, const struct fr_run *run)
{
	FR_CLEANUP(fr_freep) char *made = NULL, *mac = NULL, *now = NULL;
	char want[65];
	struct stat st;

	if (fstat(fr_dir_fd(dir), &st) < 0)
		return fr_xasprintf("cannot examine it: %s", strerror(errno));
	if (st.st_uid != geteuid())
		return fr_xasprintf("it belongs to another user (%u)", (unsigned)st.st_uid);
	if (!read_seal(dir, &made, &mac))
		return fr_xstrdup("it does not say where it was created");
	now = realpath(dir, NULL);
	if (!now || strcmp(now, made) != 0)
		return fr_xasprintf("it was created as '%s', and moved or copied here", made);
	if (!mac_of(dir, now, run, false, want) || strcmp(want, mac) != 0)
		return fr_xstrdup(
		    "it was copied or unpacked here, or changed since it was created");
	return NULL;
}
