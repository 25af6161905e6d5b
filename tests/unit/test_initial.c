/* Initial contents of memory: from ELF files, in the run folder, and as the loader uses them. */
#include "runs.h"
#include "trace/initial.h"
#include "model/model.h"
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#define X UINT64_C(0x5000)
#define L UINT64_C(0x6000)
#define M UINT64_C(0x6040)

/* ---- the loader ---- */

/*
 * Thread 1 reads 1, which thread 2 wrote after its stamp. Main's write is due before that stamp.
 * Threads that want the value that it overwrites go first: is thread 1 one of them?
 */
static void race(struct run *r)
{
	run_fork(r, 1, 2);
	run_fork(r, 1, 3);
	run_write(r, 1, X + 4, 4, 3);
	run_lock(r, 1, L);
	run_lock(r, 3, M);
	run_write(r, 3, X + 4, 4, 1);
	run_read(r, 2, X + 4, 4, 1);
	run_lock(r, 2, L + 128);
	run_lock(r, 3, L + 192);
}

#define AS_IT_WAS "0 write 3, 0 acquire, 2 acquire, 2 write 1, 1 read 1, 1 acquire, 2 acquire"

#define AT_THE_START "1 read 1, 0 write 3, 0 acquire, 2 acquire, 1 acquire, 2 write 1, 2 acquire"

static void known_values_explain_reads(void **state)
{
	static const uint32_t bytes[3] = {1, 2, 1};
	struct run r = {0};

	(void)state;
	race(&r);
	run_initial(&r, X, NULL, 8);
	run_expect(&r, AS_IT_WAS);
	race(&r);
	run_initial(&r, X + 1, NULL, 2);
	run_initial(&r, X + 3, bytes, 5); /* 1, 0, 0, 0, 2 */
	run_expect(&r, AS_IT_WAS);
	/* It is 1 indeed: then nothing speaks for the write. */
	race(&r);
	run_initial(&r, X, bytes + 1, 8);
	run_expect(&r, AT_THE_START);
}

/* Thread 1 sets two variables of one granule and sets them back; thread 2 reads the second. */
static void set_back(struct run *r, uint64_t back, uint64_t value)
{
	run_sync(r, 1, FR_EV_THREAD_START, 0, 0);
	run_fork(r, 1, 2);
	run_fork(r, 1, 3);
	run_lock(r, 2, L);
	run_write(r, 2, X, 4, 5);
	run_write(r, 2, X + 4, 4, 6);
	run_unlock(r, 2, L);
	run_lock(r, 2, L);
	run_write(r, 2, X, 4, back);
	run_write(r, 2, X + 4, 4, back);
	run_unlock(r, 2, L);
	run_lock(r, 3, L);
	run_read(r, 3, X + 4, 4, value);
	run_unlock(r, 3, L);
}

#define SET_BACK(x)                                                                        \
	"1 acquire, 1 write 5, 1 write 6, 1 release, 1 acquire, 1 write " x ", 1 write " x \
	", 1 release, 2 acquire, 2 read " x ", 2 release"

/* A read could have come before all writes: the loader adds a first write of the initial value. */
static void a_read_before_all_writes_gets_a_first_write(void **state)
{
	static const uint32_t bytes[2] = {1, 2};
	struct run r = {0};

	(void)state;
	set_back(&r, 0, 0);
	run_initial(&r, X, NULL, 8);
	run_expect(&r, "0 ~write 0, " SET_BACK("0"));
	set_back(&r, 2, 2);
	run_initial(&r, X, bytes, 8);
	run_expect(&r, "0 ~write 2, " SET_BACK("2"));
	/* Another value, or not known. */
	set_back(&r, 1, 1);
	run_initial(&r, X, bytes, 8);
	run_expect(&r, SET_BACK("1"));
	set_back(&r, 0, 0);
	run_initial(&r, X, NULL, 5);
	run_expect(&r, SET_BACK("0"));
	set_back(&r, 0, 0);
	run_expect(&r, SET_BACK("0"));
}

/* Bytes that are not in a range are not known, whatever is around them. */
static void bytes_outside_ranges_are_unknown(void **state)
{
	struct run r = {0};

	(void)state;
	race(&r);
	run_initial(&r, X, NULL, 4);
	run_initial(&r, X + 8, NULL, 8);
	run_expect(&r, AT_THE_START);
}

/* New memory: an anonymous mapping is zero, the mapping of a file has the content of the file. */
static void anonymous_mappings_are_zero(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	for (unsigned anonymous = 0; anonymous < 2; anonymous++) {
		run_sync(&r, 1, FR_EV_ALLOC, X, anonymous ? FR_MEM_ANON : FR_MEM_MMAP);
		run_ext(&r, 1, 4096, 0, 0);
		race(&r);
		m = run_load(&r);
		run_check_feasible(m);
		assert_string_equal(run_text(m),
				    anonymous ? "0 alloc, " AS_IT_WAS : "0 alloc, " AT_THE_START);
		fr_model_free(m);
	}
}

/* An unrecorded thread has written before. */
static void unrecorded_writes_override_the_file(void **state)
{
	struct run r = {0};
	struct fr_model *m;

	(void)state;
	run_fork(&r, 1, 2);
	run_initial(&r, X, NULL, 64);
	run_read(&r, 1, X, 4, 7);
	run_read(&r, 2, X, 4, 7);
	run_lock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, L);
	run_write(&r, 2, X, 4, 5);
	run_read(&r, 1, X + 8, 4, 6); /* no thread writes this one: does not count */
	run_read(&r, 2, X + 8, 4, 6);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m),
			    "0 read 7, 0 acquire, 0 release, 1 read 7, 1 acquire, 1 write 5");
	assert_int_equal(m->count[FR_MC_starts_differ], 1);
	assert_int_equal(m->count[FR_MC_reads_unexplained], 0);
	fr_model_free(m);
	/* It was as the file has it once: then it was written in between. */
	run_fork(&r, 1, 2);
	run_initial(&r, X, NULL, 64);
	run_read(&r, 1, X, 4, 0);
	run_lock(&r, 1, L);
	run_unlock(&r, 1, L);
	run_lock(&r, 2, L);
	run_read(&r, 2, X, 4, 7);
	run_write(&r, 2, X, 4, 5);
	m = run_load(&r);
	run_check_feasible(m);
	assert_string_equal(run_text(m), "0 read 0, 0 acquire, 0 release, 1 acquire, 1 ~write 7, "
					 "+1 read 7, 1 write 5");
	assert_int_equal(m->count[FR_MC_starts_differ], 0);
	assert_int_equal(m->count[FR_MC_reads_unexplained], 1);
	fr_model_free(m);
}

/* ---- the file ---- */

static void the_file_reads_back(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "memory"), *good;
	struct fr_initial *back;
	struct run r = {0};
	struct fr_err e = {0};
	size_t n;

	(void)state;
	for (unsigned round = 0; round < 2; round++) { /* as it is, compressed */
		size_t size = round ? 4000 : 40;
		char bytes[4000] = "what was there";

		run_initial(&r, 0x1000, NULL, 0x1000);
		run_initial(&r, 0x2000, bytes, size);
		run_initial(&r, 0x9001, NULL, 3);
		run_initial(&r, 0x9010, bytes + 1, 5);
		assert_true(fr_initial_write(path, r.initial, NULL) > 0);
		fr_initial_free(r.initial);
		r.initial = NULL;
		if (fr_initial_read(path, &back, &e) < 0)
			fail_msg("%s", e.msg);
		assert_int_equal(back->range.n, 4);
		assert_int_equal(back->bytes.n, size + 5);
		assert_true(back->range.v[0].zeroed && !back->range.v[1].zeroed);
		assert_int_equal(back->range.v[2].lo, 0x9001);
		assert_int_equal(back->range.v[2].hi, 0x9004);
		assert_memory_equal(back->bytes.s + back->range.v[1].at, bytes, size);
		assert_memory_equal(back->bytes.s + back->range.v[3].at, "hat w", 5);
		fr_initial_free(back);
		good = fx_read(path, &n);
		for (size_t i = 0; i < n; i++) {
			good[i] ^= 0x10;
			fx_write(path, good, n);
			good[i] ^= 0x10;
			assert_true(fr_initial_read(path, &back, &e) < 0 && strstr(e.msg, path));
			fx_write(path, good, i);
			assert_true(fr_initial_read(path, &back, &e) < 0 && strstr(e.msg, path));
		}
		free(good);
	}
	free(path);
	fx_remove(dir);
}

/* Ranges that forerun never writes, under checksums that fit: they overlap, they are empty. */
static void invalid_ranges_are_refused(void **state)
{
	static const struct {
		uint64_t at, n;
	} bad[] = {{0x1fff, 8}, {0x2000, 0}, {UINT64_MAX - 3, 8}, {UINT64_C(1) << 48, 8}};
	char *dir = fx_folder(), *path = fx_path(dir, "memory");

	(void)state;
	for (size_t i = 0; i < fr_array_size(bad); i++) {
		struct fr_initial *back = NULL;
		struct fr_err e = {0};
		struct run r = {0};

		run_initial(&r, 0x1000, NULL, 0x1000);
		run_initial(&r, bad[i].at, NULL, bad[i].n);
		assert_true(fr_initial_write(path, r.initial, NULL) > 0);
		fr_initial_free(r.initial);
		assert_int_equal(fr_initial_read(path, &back, &e), -EBADMSG);
		assert_non_null(strstr(e.msg, "invalid ranges"));
	}
	free(path);
	fx_remove(dir);
}

/* A folder whose run.json names the file. */
static void a_missing_file_is_an_error(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "memory");
	struct fr_model *m = NULL;
	struct run r = {0};
	struct fr_err e = {0};

	(void)state;
	race(&r);
	run_initial(&r, X, NULL, 8);
	run_save(&r, dir);
	assert_int_equal(unlink(path), 0);
	assert_true(fr_model_load(dir, &m, &e) < 0);
	assert_non_null(strstr(e.msg, "memory"));
	free(path);
	fx_remove(dir);
}

/* ---- ELF ---- */

enum { COVERED_NOT, COVERED_ZERO, COVERED_BYTES };

/* How all of the bytes are covered; -1: not all alike. */
static int covered(const struct fr_initial *x, uint64_t addr, const void *want, size_t n)
{
	int how = -1;

	for (size_t i = 0; i < n; i++) {
		int now = COVERED_NOT;

		FR_VEC_FOREACH (g, &x->range) {
			if (addr + i < g->lo || addr + i >= g->hi)
				continue;
			now = g->zeroed ? COVERED_ZERO : COVERED_BYTES;
			if (!g->zeroed)
				assert_int_equal(x->bytes.s[g->at + addr + i - g->lo],
						 ((const char *)want)[i]);
		}
		if (i && now != how)
			return -1;
		how = now;
	}
	return how;
}

/*
 * A file by hand: data of 64 bytes at 0x2000, then 192 zeros; at 0x2008 a relative relocation, at
 * 0x2010 to 0x2020 and 0x2030 short ones, at 0x2060 a variable of 20 bytes that is copied there.
 */
static void make_elf(const char *path, unsigned machine)
{
	struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph[2];
		Elf64_Shdr sh[4];
		Elf64_Sym sym[2];
		Elf64_Rela rela[3];
		uint64_t relr[2];
		char data[64];
	} f = {0};
	FILE *out = fopen(path, "wb");

	f.eh = (Elf64_Ehdr){.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
			    .e_type = ET_DYN,
			    .e_machine = (uint16_t)machine,
			    .e_version = EV_CURRENT,
			    .e_phoff = offsetof(__typeof__(f), ph),
			    .e_shoff = offsetof(__typeof__(f), sh),
			    .e_ehsize = sizeof(Elf64_Ehdr),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 2,
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = 4};
	f.ph[0] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R, .p_filesz = 64, .p_memsz = 64};
	f.ph[1] = (Elf64_Phdr){.p_type = PT_LOAD,
			       .p_flags = PF_R | PF_W,
			       .p_offset = offsetof(__typeof__(f), data),
			       .p_vaddr = 0x2000,
			       .p_filesz = 64,
			       .p_memsz = 256};
	f.sh[1] = (Elf64_Shdr){.sh_type = SHT_DYNSYM,
			       .sh_flags = SHF_ALLOC,
			       .sh_offset = offsetof(__typeof__(f), sym),
			       .sh_size = sizeof(f.sym),
			       .sh_entsize = sizeof(Elf64_Sym),
			       .sh_addralign = 8};
	f.sh[2] = (Elf64_Shdr){.sh_type = SHT_RELA,
			       .sh_flags = SHF_ALLOC,
			       .sh_link = 1,
			       .sh_offset = offsetof(__typeof__(f), rela),
			       .sh_size = sizeof(f.rela),
			       .sh_entsize = sizeof(Elf64_Rela),
			       .sh_addralign = 8};
	f.sh[3] = (Elf64_Shdr){.sh_type = 19, /* SHT_RELR */
			       .sh_flags = SHF_ALLOC,
			       .sh_offset = offsetof(__typeof__(f), relr),
			       .sh_size = sizeof(f.relr),
			       .sh_entsize = 8,
			       .sh_addralign = 8};
	f.sym[1] = (Elf64_Sym){.st_size = 20, .st_value = 0x2060};
	f.rela[0] = (Elf64_Rela){0x2060, ELF64_R_INFO(1, R_X86_64_COPY), 0};
	f.rela[1] = (Elf64_Rela){0x2008, ELF64_R_INFO(0, R_X86_64_RELATIVE), 0x40};
	f.relr[0] = 0x2010;
	f.relr[1] = 1 | 1 << 1 | 1 << 4; /* the next word, and the third after it */
	for (unsigned i = 0; i < sizeof(f.data); i++)
		f.data[i] = (char)(i + 1);
	assert_non_null(out);
	assert_int_equal(fwrite(&f, sizeof(f), 1, out), 1);
	assert_int_equal(fclose(out), 0);
}

static void values_come_from_the_elf_files(void **state)
{
	char *dir = fx_folder(), *path = fx_path(dir, "elf"), want[64];
	struct fr_module_map m[] = {
	    {.bias = 0x100000, .lo = 0x100000, .hi = 0x103000, .path = path},
	    {.bias = 0x200000, .lo = 0x200000, .hi = 0x203000, .path = path}, /* not ours */
	    {.bias = 0x100000, .lo = 0x100000, .hi = 0x103000, .path = path}, /* the first again */
	    {.bias = 0x300000, .lo = 0x102fff, .hi = 0x303000, .path = path}};
	struct fr_units u = {0};
	struct fr_initial *x;

	(void)state;
	for (unsigned i = 0; i < sizeof(want); i++)
		want[i] = (char)(i + 1);
	make_elf(path, EM_X86_64);
	fr_vec_push(&u.unit, (struct fr_unit){0x100010, 1, 5});
	x = fr_initial_build(m, 3, &u);
	assert_int_equal(covered(x, 0x102000, want, 8), COVERED_BYTES);
	assert_int_equal(covered(x, 0x102008, want + 8, 24), COVERED_NOT);
	assert_int_equal(covered(x, 0x102020, want + 32, 16), COVERED_BYTES);
	assert_int_equal(covered(x, 0x102030, want + 48, 8), COVERED_NOT);
	assert_int_equal(covered(x, 0x102038, want + 56, 8), COVERED_BYTES);
	assert_int_equal(covered(x, 0x102040, NULL, 32), COVERED_ZERO);
	assert_int_equal(covered(x, 0x102060, NULL, 20), COVERED_NOT);
	assert_int_equal(covered(x, 0x102074, NULL, 0x100 - 0x74), COVERED_ZERO);
	assert_int_equal(covered(x, 0x102100, NULL, 0x100), COVERED_NOT);
	assert_int_equal(covered(x, 0x202000, NULL, 0x200), COVERED_NOT);
	fr_initial_free(x);
	/* Another module was in the same place. */
	x = fr_initial_build(m, 4, &u);
	assert_int_equal(x->range.n, 0);
	fr_initial_free(x);
	/* Another file than the one that ran, one of another processor, none. */
	m[0].build_id_len = 4;
	x = fr_initial_build(m, 1, &u);
	assert_int_equal(x->range.n, 0);
	fr_initial_free(x);
	m[0].build_id_len = 0;
	make_elf(path, EM_AARCH64);
	x = fr_initial_build(m, 1, &u);
	assert_int_equal(x->range.n, 0);
	fr_initial_free(x);
	unlink(path);
	x = fr_initial_build(m, 1, &u);
	assert_int_equal(x->range.n, 0);
	fr_initial_free(x);
	fr_units_clear(&u);
	free(path);
	fx_remove(dir);
}

static int zero[100], five[3] = {5, 6, 7}, *pointer = &five[1];
static _Thread_local int own = 3;

static int find_self(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct fr_module_map *m = arg;

	(void)size;
	m->bias = info->dlpi_addr;
	m->lo = UINT64_MAX;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD) {
			uint64_t at = m->bias + info->dlpi_phdr[i].p_vaddr;

			m->lo = fr_min(m->lo, at);
			m->hi = at + info->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

/* This program itself. */
static void values_of_this_program_are_right(void **state)
{
	struct fr_module_map m = {.path = "/proc/self/exe"};
	struct fr_units u = {0};
	struct fr_initial *x;
	int how;

	(void)state;
	dl_iterate_phdr(find_self, &m);
	fr_vec_push(&u.unit, (struct fr_unit){m.lo, 1, 5});
	x = fr_initial_build(&m, 1, &u);
	assert_int_equal(covered(x, (uintptr_t)zero, NULL, sizeof(zero)), COVERED_ZERO);
	assert_int_equal(covered(x, (uintptr_t)five, (const int[3]){5, 6, 7}, sizeof(five)),
			 COVERED_BYTES);
	/* Where it is known when linking, it may be in the file. */
	how = covered(x, (uintptr_t)&pointer, &(int *){&five[1]}, sizeof(pointer));
	assert_true(how == COVERED_NOT || how == COVERED_BYTES);
	assert_int_equal(covered(x, (uintptr_t)&stdout, NULL, sizeof(stdout)), COVERED_NOT);
	assert_int_equal(covered(x, (uintptr_t)&own, NULL, sizeof(own)), COVERED_NOT);
	fr_initial_free(x);
	fr_units_clear(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_values_explain_reads),
	    cmocka_unit_test(a_read_before_all_writes_gets_a_first_write),
	    cmocka_unit_test(bytes_outside_ranges_are_unknown),
	    cmocka_unit_test(anonymous_mappings_are_zero),
	    cmocka_unit_test(unrecorded_writes_override_the_file),
	    cmocka_unit_test(the_file_reads_back),
	    cmocka_unit_test(invalid_ranges_are_refused),
	    cmocka_unit_test(a_missing_file_is_an_error),
	    cmocka_unit_test(values_come_from_the_elf_files),
	    cmocka_unit_test(values_of_this_program_are_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
