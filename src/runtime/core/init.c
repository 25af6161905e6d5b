/*
 * Start and end of recording: maps the pool that the recorder made (fr_pool_reader_create), makes
 * the main thread, and reports the modules and units of the program. Runs from .preinit_array,
 * before any constructor of the program. When nothing is recorded, frt_pool and frt_self stay NULL,
 * and every hook returns at once.
 */
#include "rt_access.h"
#include "crash.h"
#include "rt_branch.h"
#include "runtime/control/ctl.h"
#include "runtime/control/ctl_ghost.h"
#include "format/hook_abi.h"
#include "heap_key.h"
#include "module_span.h"
#include "peer.h"
#include "rt_assert.h"
#include "rt_pool.h"
#include "real.h"
#include "sanitizer.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* pthread_atfork calls this function; no header declares it. */
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *dso);
extern void *__dso_handle __attribute__((visibility("hidden")));

struct fr_pool *frt_pool;

static _Atomic uint32_t next_site = 1;

static void report(const char *what, const char *name)
{
	struct {
		const char *s;
	} parts[] = {{"forerun: "}, {what}, {name}, {"\n"}};

	for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (write(2, parts[i].s, strlen(parts[i].s)) < 0)
			return;
}

/* ---- options ---- */

/* The value of `key` in "key=value:...", or NULL. */
static const char *option(const char *key)
{
	size_t n = strlen(key);

	for (const char *p = frt_pool->options; p; p = strchr(p, ':')) {
		p += *p == ':';
		if (!strncmp(p, key, n) && p[n] == '=')
			return p + n + 1;
	}
	return NULL;
}

bool frt_option_bool(const char *key, bool def)
{
	const char *v = option(key);

	return v ? *v != '0' && *v != 'n' && *v != 'f' : def;
}

uint64_t frt_option_u64(const char *key, uint64_t def)
{
	const char *v = option(key);
	uint64_t n = 0;

	if (!v || *v < '0' || *v > '9')
		return def;
	for (; *v >= '0' && *v <= '9'; v++)
		n = n * 10 + (uint64_t)(*v - '0');
	return n;
}

/* ---- modules ---- */

static void read_build_id(struct fr_pool_module *m, const void *note, size_t size)
{
	const char *p = note, *end = p + size;

	while (end - p >= (long)sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *n = (const void *)p;
		const char *name = p + sizeof(*n);
		const char *desc = name + ((n->n_namesz + 3) & ~3u);

		p = desc + ((n->n_descsz + 3) & ~3u);
		if (p > end || p < desc)
			return;
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && !memcmp(name, "GNU", 4) &&
		    n->n_descsz <= sizeof(m->build_id)) {
			m->build_id_len = (uint8_t)n->n_descsz;
			memcpy(m->build_id, desc, n->n_descsz);
			return;
		}
	}
}

static int add_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct frt_span span = frt_module_span(info);
	struct fr_pool_module m = {.bias = info->dlpi_addr, .lo = span.lo, .hi = span.hi};
	uint32_t n = atomic_load(&frt_pool->modules);
	const char *name = info->dlpi_name;

	frt_assert(n <= FR_POOL_MAX_MODULES);
	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_NOTE)
			read_build_id(&m, (const void *)at, ph->p_filesz);
	}
	/* The loader does not name the executable, which comes first. */
	if ((!name || !*name) && !n)
		name = (const char *)getauxval(AT_EXECFN);
	strncpy(m.path, name ? name : "", sizeof(m.path) - 1);
	for (uint32_t i = 0; i < n; i++)
		if (frt_pool->module[i].lo == m.lo && frt_pool->module[i].hi == m.hi &&
		    !strcmp(frt_pool->module[i].path, m.path))
			return 0;
	if (n < FR_POOL_MAX_MODULES) {
		frt_pool->module[n] = m;
		atomic_store(&frt_pool->modules, n + 1);
	}
	return 0;
}

void frt_scan_modules(void)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;

	if (!frt_pool || atomic_flag_test_and_set(&busy))
		return;
	dl_iterate_phdr(add_module, NULL);
	atomic_flag_clear(&busy);
}

/* ---- units ---- */

/* The file that contains this address, or "". */
static const char *file_of(const void *address)
{
	uint64_t at = (uintptr_t)address;

	frt_scan_modules();
	for (uint32_t i = 0; i < atomic_load(&frt_pool->modules); i++)
		if (at >= frt_pool->module[i].lo && at < frt_pool->module[i].hi)
			return frt_pool->module[i].path;
	return "";
}

void frt_register_unit(const void *blob, uint32_t *base, uint32_t nsites, uint32_t abi)
{
	struct frt_thread *t = frt_self;
	struct fr_event e;

	*base = atomic_fetch_add(&next_site, nsites);
	if (frt_pool && (abi != FRT_ABI || *base + nsites >= FR_SITE_PC_FIRST)) {
		report(abi != FRT_ABI
			   ? "recording stops: another version of forerun cc built a part of "
			     "this file; rebuild it with this version: "
			   : "recording stops: more than two million instrumented sites "
			     "in one program: ",
		       file_of(blob));
		atomic_store(&frt_pool->stop_errno, abi != FRT_ABI ? EBADMSG : E2BIG);
		atomic_store(&frt_pool->state, FR_POOL_STOPPED);
		return;
	}
	if (!t)
		return;
	frt_scan_modules();
	e = (struct fr_event){
	    .w0 = fr_w0((uintptr_t)blob, FR_EV_TU, 0), .value = *base, .site = nsites};
	frt_put(t, &e, 1);
}

/* ---- attaching ---- */

/* "/proc/PID/fd/N", with any number of slashes at the start: returns N, else -1. */
static int number_in(const char *path)
{
	const char *last = path;
	int n = 0;

	for (const char *s = path; *s; s++)
		last = *s == '/' ? s + 1 : last;
	if (last - path < 4 || last[-2] != 'd' || last[-3] != 'f' || last[-4] != '/' || !*last)
		return -1;
	for (; *last >= '0' && *last <= '9' && n < 1 << 20; last++)
		n = n * 10 + (*last - '0');
	return *last ? -1 : n;
}

int frt_open_shared(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), n;

	if (fd >= 0 || (errno != EACCES && errno != EPERM))
		return fd;
	n = number_in(path);
	if (n < 3 || fcntl(n, F_GETFD) != 0)
		return -1;
	fd = fcntl(n, F_DUPFD_CLOEXEC, 3);
	close(n);
	return fd;
}

static void read_clocks(struct fr_pool *p)
{
	static const clockid_t id[FR_POOL_CLOCKS] = FR_POOL_CLOCK_IDS;
	struct timespec ts;

	for (int i = 0; i < FR_POOL_CLOCKS; i++)
		if (clock_gettime(id[i], &ts) == 0)
			p->clock[i] = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static struct fr_pool *map_pool(const char *path)
{
	int fd = frt_open_shared(path);
	struct fr_pool *p;
	uint32_t state = FR_POOL_NEW;

	if (fd < 0)
		return NULL; /* the variable is left over, and the recorder has gone */
	p = mmap(FRT_POOL_AT, FR_POOL_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd,
		 0);
	close(fd);
	if (p == MAP_FAILED) {
		report(
		    "cannot map the recording buffer (does 'ulimit -v' limit the address space?): ",
		    path);
		return NULL;
	}
	/* A thread fills one block at a time: the kernel need not read the others. */
	madvise(p, FR_POOL_SIZE, MADV_RANDOM);
	if (p->magic != FR_POOL_MAGIC || p->version != FR_POOL_VERSION) {
		report("another version of forerun built this file; rebuild it with this version: ",
		       (const char *)getauxval(AT_EXECFN));
	} else if (atomic_compare_exchange_strong(&p->state, &state, FR_POOL_ATTACHED)) {
		read_clocks(p);
		atomic_store(&p->pid, getpid());
		return p;
	} else if (state == FR_POOL_ATTACHED && atomic_load(&p->pid) == getpid()) {
		/* The same process after exec: the run ends with the events recorded so far. */
		atomic_store(&p->exited, 2);
	}
	munmap(p, FR_POOL_SIZE);
	return NULL;
}

static void attach(const char *path)
{
	struct fr_pool *p;
	struct frt_thread *t;
	uint64_t hot;

	frt_assert(!frt_pool && !frt_self);
	if (frt_sanitizer_alien()) {
		report("a program with this sanitizer cannot be recorded: build it without "
		       "-fsanitize=",
		       frt_sanitizer_alien());
		return;
	}
	p = map_pool(path);
	if (!p)
		return;
	frt_pool = p;
	frt_pool_attached();
	frt_filter.private_ = frt_option_bool("private", true);
	frt_filter.repeat = frt_option_bool("repeat", true);
	hot = frt_option_u64("hot", FRT_HOT);
	frt_filter.hot = (uint8_t)(hot > FRT_HOT ? FRT_HOT : hot);
	frt_branch_init(p->discard || p->judged ? "0" : option("branch"));
	if (p->discard) {
		frt_filter.discard = true;
		frt_filter.private_ = frt_filter.repeat = false;
	}
	if (!frt_shadow_init()) {
		report("out of memory: nothing is recorded", "");
		frt_pool = NULL;
		return;
	}
	t = frt_thread_new(NULL);
	if (!t) {
		frt_pool = NULL;
		return;
	}
	frt_assert(t->id == 1);
	frt_scan_modules();
	frt_sanitizer_init();
	if (!frt_sanitizer_tells)
		frt_heap_key_fix();
	frt_thread_find_tls();
	if (p->control_file[0] && !frt_ctl_attach(p->control_file)) {
		report("cannot map the control file: ", p->control_file);
		_exit(FRT_EXIT_CONTROL);
	}
	if (p->peers_file[0])
		frt_peers_attach(p->peers_file);
	if (frt_ctl && p->ghost_file[0])
		frt_peers = frt_ctl_ghost_attach(p->ghost_file);
	frt_crash_init();
	if (frt_ctl)
		frt_ctl_start(t);
	frt_thread_start(t, NULL);
	__register_atfork(NULL, NULL, frt_off_after_fork, &__dso_handle);
}

void frt_off_after_fork(void)
{
	struct fr_pool *p = frt_pool;

	frt_self = NULL;
	frt_pool = NULL;
	frt_ctl_off();
	frt_peers_off();
	frt_ctl_ghost_off();
	if (p)
		munmap(p, FR_POOL_SIZE);
}

void frt_finish(unsigned how)
{
	struct frt_thread *t = frt_self;

	if (t && t->announced_addr)
		frt_flush_announced(t);
	if (!frt_pool)
		return;
	if (frt_self) {
		frt_thread_counters(frt_self);
		frt_shadow_settle(frt_self);
	}
	atomic_store(&frt_pool->exited, how);
}

/* A return from main does not pass through the wrapper of exit. */
static __attribute__((destructor)) void finish_at_exit(void)
{
	frt_finish(1);
}

static void init(int argc, char **argv, char **envp)
{
	static const char name[] = FR_ENV_POOL "=";
	int saved = errno;

	(void)argc;
	(void)argv;
	for (; *envp; envp++)
		if (!strncmp(*envp, name, sizeof(name) - 1)) {
			attach(*envp + sizeof(name) - 1);
			errno = saved; /* the program starts with 0 */
			return;
		}
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
									      char **) = init;

void frt_unmodelled(const char *name)
{
	if (!frt_pool)
		return;
	frt_count(FR_RTC_unmodelled, 1);
	for (uint32_t i = 0; i < FR_POOL_MAX_UNMODELLED; i++) {
		struct fr_pool_unmodelled *u = &frt_pool->unmodelled_calls[i];
		uint64_t zero = 0;

		if (!atomic_load(&u->calls) &&
		    atomic_compare_exchange_strong(&u->calls, &zero, 1)) {
			strncpy(u->name, name, sizeof(u->name) - 1);
			atomic_fetch_add(&frt_pool->unmodelled, 1);
			return;
		}
		if (!strncmp(u->name, name, sizeof(u->name) - 1)) {
			atomic_fetch_add(&u->calls, 1);
			return;
		}
	}
}
