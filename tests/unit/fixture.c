/* The common parts of the unit tests. */
#include "fixture.h"
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t fx_env(const char *name, uint64_t otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

uint64_t fx_random(uint64_t *state)
{
	uint64_t x = *state ? *state : UINT64_C(88172645463325252);

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return *state = x;
}

char *fx_folder(void)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = fr_xasprintf("%s/forerun-unit.XXXXXX", tmp && *tmp ? tmp : "/tmp");

	assert_non_null(mkdtemp(dir));
	return dir;
}

void fx_remove(char *dir)
{
	struct dirent *d;
	DIR *h = opendir(dir);

	while (h && (d = readdir(h)))
		if (d->d_name[0] != '.') {
			char *path = fx_path(dir, d->d_name);

			unlink(path);
			free(path);
		}
	if (h)
		closedir(h);
	rmdir(dir);
	free(dir);
}

char *fx_path(const char *dir, const char *name)
{
	return fr_xasprintf("%s/%s", dir, name);
}

char *fx_read(const char *path, size_t *ret_n)
{
	FILE *f = fopen(path, "rb");
	char *p;
	long n;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	p = fr_xcalloc(1, (size_t)n + 1);
	assert_int_equal(fread(p, 1, (size_t)n, f), (size_t)n);
	fclose(f);
	*ret_n = (size_t)n;
	return p;
}

/* In place: some file systems write a file out at once when it was emptied first. */
void fx_write(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

	assert_true(fd >= 0);
	assert_int_equal(fr_io_write_all(fd, p, n, NULL), 0);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	assert_int_equal(close(fd), 0);
}

static uint32_t fnv(const uint8_t *p, size_t n)
{
	uint32_t h = 0x811c9dc5u;

	while (n--)
		h = (h ^ *p++) * 0x01000193u;
	return h;
}

void *fx_blob(uint32_t n, size_t *ret_size)
{
	static const char strings[] = "\0file.c\0func\0var\0int\0/src\0outer";
	size_t size = sizeof(struct fr_site_tu) + n * sizeof(struct fr_site) +
		      sizeof(struct fr_site_frame) + sizeof(strings);
	struct fr_site_tu *tu = fr_xcalloc(1, size);
	struct fr_site *s = (struct fr_site *)(tu + 1);
	struct fr_site_frame *f = (struct fr_site_frame *)(s + n);

	*tu = (struct fr_site_tu){.magic = FR_SITE_MAGIC,
				  .version = FR_SITE_VERSION,
				  .size = (uint32_t)size,
				  .nsites = n,
				  .nframes = 1,
				  .strings = sizeof(strings),
				  .dir = 21};
	for (uint32_t i = 0; i < n; i++)
		s[i] = (struct fr_site){.file = 1,
					.line = i + 1,
					.column = 7,
					.kind = FR_SITE_ACCESS,
					.access = FR_SITE_READ,
					.function = 8,
					.name = 13,
					.type = 17,
					.frame = i == 0,
					.nframes = i == 0,
					.physical = 26};
	*f = (struct fr_site_frame){.function = 26, .file = 1, .line = 99, .column = 3};
	memcpy(f + 1, strings, sizeof(strings));
	tu->hash = fnv((uint8_t *)(tu + 1), size - sizeof(*tu));
	*ret_size = size;
	return tu;
}

struct fr_event fx_event(uint32_t thread, uint64_t k)
{
	return (struct fr_event){
	    .w0 = fr_w0(0x10000 + k % 97 * 8, k % 3 ? FR_EV_READ : FR_EV_WRITE, 3),
	    .value = (uint64_t)thread << 32 | k,
	    .site = 1 + (uint32_t)(k % 5),
	    .hook = (uint32_t)k + 1};
}

/* ---- a run folder ---- */

static void make_run_json(const char *dir, const struct fr_writer *w, const uint8_t *id)
{
	struct fr_writer_stats st = fr_writer_stats(w);
	char *path = fx_path(dir, "run.json");
	struct fr_run run = {.version = fr_xstrdup("0.1.0"),
			     .program = fr_xstrdup("./prog"),
			     .path = fr_xstrdup("/bin/prog"),
			     .cwd = fr_xstrdup("/"),
			     .options = fr_xstrdup(""),
			     .order = fr_xstrdup("0+,1"),
			     .started = fr_xstrdup("2026-01-01T00:00:00Z"),
			     .complete = true,
			     .threads = st.threads,
			     .events = st.events,
			     .slots = st.slots,
			     .trace_bytes = st.bytes};

	memcpy(run.run_id, id, 16);
	fr_vec_push(&run.args, fr_xstrdup("a\"\\\xff\n"));
	fr_vec_push(&run.env, fr_xstrdup("LANG=C"));
	for (int i = 0; i < 3; i++)
		run.stream[i] = (struct fr_run_stream){.kind = FR_STREAM_NULL, .kept = true};
	run.counters[FR_RTC_dropped_repeat] = 7;
	fr_vec_push(&run.unmodelled, (struct fr_run_unmodelled){fr_xstrdup("pthread_odd"), 3});
	fr_vec_push(&run.modules, (struct fr_module_map){.bias = 0x1000,
							 .lo = 0x1000,
							 .hi = 0x9000,
							 .path = fr_xstrdup("/bin/prog"),
							 .build_id_len = 2,
							 .build_id = {0xab, 0x01}});
	assert_int_equal(fr_run_write(path, &run, NULL), 0);
	fr_run_clear(&run);
	free(path);
}

void fx_elf(const char *path, const void *blob, size_t n, uint64_t vaddr)
{
	struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph;
	} h = {.eh = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		      .e_type = ET_DYN,
		      .e_machine = EM_X86_64,
		      .e_version = EV_CURRENT,
		      .e_phoff = sizeof(Elf64_Ehdr),
		      .e_ehsize = sizeof(Elf64_Ehdr),
		      .e_phentsize = sizeof(Elf64_Phdr),
		      .e_phnum = 1},
	       .ph = {.p_type = PT_LOAD,
		      .p_offset = sizeof(h),
		      .p_vaddr = vaddr,
		      .p_filesz = n,
		      .p_memsz = n}};
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	fwrite(&h, sizeof(h), 1, f);
	fwrite(blob, n, 1, f);
	assert_int_equal(fclose(f), 0);
}

struct fr_sites *fx_sites(uint32_t n)
{
	char *dir = fx_folder(), *elf = fx_path(dir, "elf");
	struct fr_module_map m = {.bias = 0x100000, .lo = 0x100000, .hi = 0x200000, .path = elf};
	struct fr_units u = {0};
	struct fr_sites *s;
	size_t size;
	void *blob = fx_blob(n, &size);

	fx_elf(elf, blob, size, 0x3000);
	fr_vec_push(&u.unit, (struct fr_unit){0x103000, 1, n});
	s = fr_sites_build(&m, 1, &u);
	assert_int_equal(fr_sites_count(s), n);
	fr_units_clear(&u);
	free(blob);
	free(elf);
	fx_remove(dir);
	return s;
}

static void make_sites(const char *dir)
{
	struct fr_units units = {0};
	char *path = fx_path(dir, "sites");
	struct fr_sites *s;

	/* No module holds it: the record says so, and the site file has something in it. */
	fr_vec_push(&units.unit, (struct fr_unit){0x5000, 1, 5});
	s = fr_sites_build(NULL, 0, &units);
	assert_int_equal(fr_sites_write(path, s, NULL), 0);
	fr_sites_free(s);
	fr_units_clear(&units);
	free(path);
}

uint64_t fx_run(const char *dir)
{
	static const uint8_t id[16] = "0123456789abcdef";
	struct fr_pool_thread threads[2] = {{.id = 1, .hook = 30},
					    {.id = 2, .parent = 1, .nth = 1}};
	char *path = fx_path(dir, "trace");
	struct fr_event e[12];
	struct fr_writer *w;
	uint64_t events;

	assert_int_equal(fr_writer_create(path, id, &w, NULL), 0);
	for (uint32_t seq = 0; seq < 3; seq++) {
		for (uint32_t i = 0; i < 10; i++)
			e[i] = fx_event(1, seq * 10 + i);
		e[4] = (struct fr_event){.w0 = fr_w0(0x20, FR_EV_MUTEX_LOCK, 0),
					 .value = seq * 10 + 4,
					 .site = 3,
					 .hook = seq * 10 + 5};
		assert_int_equal(fr_writer_add(w, 1, seq, seq * 10, e, 10), 0);
		if (seq)
			continue;
		e[0] =
		    (struct fr_event){.w0 = fr_w0(1, FR_EV_THREAD_START, 0), .value = 3, .hook = 1};
		e[1] = (struct fr_event){.w0 = fr_w0(1, FR_EV_EXT, 0), .hook = 1};
		e[2] = (struct fr_event){.w0 = fr_w0(0, FR_EV_FRAMES, 1), .hook = 1};
		e[3] = (struct fr_event){.w0 = fr_w0(2, FR_EV_EXT, 0), .value = 1, .hook = 1};
		for (uint32_t i = 4; i < 12; i++)
			e[i] = fx_event(2, i - 3);
		assert_int_equal(fr_writer_add(w, 2, 0, 0, e, 12), 0);
	}
	assert_int_equal(fr_writer_flush(w), 0);
	assert_int_equal(fr_writer_end(w, threads, 2, 0), 0);
	make_run_json(dir, w, id);
	make_sites(dir);
	events = fr_writer_stats(w).events;
	fr_writer_free(w);
	free(path);
	return events;
}

/* ---- a program that records itself ---- */

bool fx_attach(struct fr_pool *p)
{
	uint32_t state = FR_POOL_NEW;

	if (!atomic_compare_exchange_strong(&p->state, &state, FR_POOL_ATTACHED))
		return false;
	atomic_store(&p->pid, getpid());
	return true;
}

struct fx_thread fx_thread_new(struct fr_pool *p, uint32_t parent, uint32_t nth)
{
	uint32_t slot = atomic_fetch_add(&p->threads, 1);
	struct fr_pool_thread *t = &fr_pool_threads(p)[slot];

	assert_true(slot < FR_POOL_MAX_THREADS);
	t->id = slot + 1;
	t->parent = parent;
	t->nth = nth;
	t->block = UINT32_MAX;
	atomic_fetch_add(&p->live, 1);
	atomic_store(&t->state, FR_THREAD_LIVE);
	return (struct fx_thread){p, t};
}

static uint32_t pop_free(struct fr_pool *p)
{
	uint64_t head = atomic_load(&p->free_list);

	while ((uint32_t)head) {
		uint32_t next = atomic_load(&fr_pool_block(p, (uint32_t)head - 1)->next);

		if (atomic_compare_exchange_weak(&p->free_list, &head,
						 ((head >> 32) + 1) << 32 | next))
			return (uint32_t)head - 1;
	}
	return UINT32_MAX;
}

static uint32_t wait_free(struct fr_pool *p)
{
	const struct timespec patience = {.tv_nsec = 200 * 1000 * 1000};
	uint32_t block;

	for (;;) {
		uint32_t seen = atomic_load(&p->free_wake);

		block = pop_free(p);
		if (block != UINT32_MAX || atomic_load(&p->state) != FR_POOL_ATTACHED)
			return block;
		atomic_fetch_add(&p->want, 1);
		atomic_fetch_add(&p->full_wake, 1);
		syscall(SYS_futex, &p->full_wake, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
		syscall(SYS_futex, &p->free_wake, FUTEX_WAIT, seen, &patience, NULL, 0);
		atomic_fetch_sub(&p->want, 1);
	}
}

void fx_close(struct fx_thread *t)
{
	struct fr_block *b;
	uint64_t head;

	if (t->t->block == UINT32_MAX)
		return;
	b = fr_pool_block(t->p, t->t->block);
	b->used = (uint32_t)(t->t->pos - b->slot);
	atomic_store(&b->state, FR_BLOCK_FULL);
	head = atomic_load(&t->p->full_list);
	do
		atomic_store(&b->next, (uint32_t)head);
	while (!atomic_compare_exchange_weak(&t->p->full_list, &head,
					     ((head >> 32) + 1) << 32 | (t->t->block + 1)));
	t->t->block = UINT32_MAX;
	t->t->pos = t->t->end = NULL;
	atomic_fetch_add(&t->p->full_wake, 1);
	syscall(SYS_futex, &t->p->full_wake, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool fx_put(struct fx_thread *t, const struct fr_event *e, unsigned n)
{
	if (t->t->block == UINT32_MAX || t->t->end - t->t->pos < (ptrdiff_t)n) {
		struct fr_block *b;
		uint32_t block;

		fx_close(t);
		if (atomic_load(&t->p->state) != FR_POOL_ATTACHED)
			return false;
		block = wait_free(t->p);
		if (block == UINT32_MAX)
			return false;
		b = fr_pool_block(t->p, block);
		for (uint32_t i = 0; i < FR_BLOCK_SLOTS; i++)
			if (b->slot[i].w0 || b->slot[i].value || b->slot[i].site || b->slot[i].hook)
				fail_msg("block %u is not empty at slot %u", block, i);
		b->thread = t->t->id;
		b->seq = t->t->seq++;
		b->first_hook = t->t->hook;
		atomic_store(&b->state, FR_BLOCK_OPEN);
		t->t->block = block;
		t->t->pos = b->slot;
		t->t->end = b->slot + FR_BLOCK_SLOTS;
	}
	memcpy(t->t->pos, e, n * sizeof(*e));
	__atomic_store_n(&t->t->pos, t->t->pos + n, __ATOMIC_RELEASE);
	t->t->hook++;
	return true;
}
