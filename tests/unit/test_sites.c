/* Site tables: checked to the last offset; out of an ELF file, to a file, and back. */
#include "fixture.h"
#include "trace/sites.h"
#include <elf.h>
#include <stdio.h>
#include <unistd.h>

static uint32_t fnv(const uint8_t *p, size_t n)
{
	uint32_t h = 0x811c9dc5u;

	while (n--)
		h = (h ^ *p++) * 0x01000193u;
	return h;
}

static void good_blob(void **state)
{
	const char *why = NULL;
	size_t n;
	void *b = fx_blob(5, &n);

	(void)state;
	assert_int_equal(fr_site_blob_check(b, n, &why), 0);
	free(b);
}

static void every_byte_of_a_blob(void **state)
{
	const char *why;
	size_t n;
	uint8_t *b = fx_blob(3, &n);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (int bit = 0; bit < 8; bit++) {
			/* the header is not under the checksum; all but this field is checked
			 * otherwise */
			if (i >= offsetof(struct fr_site_tu, dir) &&
			    i < offsetof(struct fr_site_tu, dir) + 4)
				continue;
			b[i] ^= (uint8_t)(1 << bit);
			assert_int_not_equal(fr_site_blob_check(b, n, &why), 0);
			b[i] ^= (uint8_t)(1 << bit);
		}
	for (size_t k = 0; k < n; k++) {
		uint8_t *part = fr_xmalloc(k);

		memcpy(part, b, k);
		assert_int_not_equal(fr_site_blob_check(part, k, &why), 0);
		free(part);
	}
	free(b);
}

/* Fields that point outside, under a checksum that fits. */
static void hostile_blobs(void **state)
{
	uint64_t seed = 17;
	const char *why;
	size_t n;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint8_t *b = fx_blob(3, &n);
		struct fr_site_tu *tu = (struct fr_site_tu *)b;
		size_t at = 12 + fx_random(&seed) % (n - 12);

		b[at] = (uint8_t)fx_random(&seed);
		tu->hash = fnv((uint8_t *)(tu + 1), n - sizeof(*tu));
		fr_site_blob_check(b, n, &why); /* the sanitizers watch */
		free(b);
	}
}

/* An ELF file with nothing but a segment that holds a site table. */
static void make_elf(const char *path, const void *blob, size_t n, uint64_t vaddr)
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

static void out_of_an_elf_file(void **state)
{
	char *dir = fx_folder(), *elf = fx_path(dir, "elf"), *path = fx_path(dir, "sites");
	struct fr_module_map m[] = {
	    {.bias = 0x100000, .lo = 0x100000, .hi = 0x200000, .path = elf},
	    {.bias = 0, .lo = 0x900000, .hi = 0x901000, .path = "/nonexistent"}};
	struct fr_units u = {0};
	struct fr_sites *s, *back;
	struct fr_site_info info;
	struct fr_err e;
	uint64_t name;
	size_t n;
	void *blob = fx_blob(5, &n);

	(void)state;
	make_elf(elf, blob, n, 0x3000);
	fr_vec_push(&u.unit, (struct fr_unit){0x103000, 1, 5});
	fr_vec_push(&u.unit, (struct fr_unit){0x103001, 6, 5});	 /* no table there */
	fr_vec_push(&u.unit, (struct fr_unit){0x900010, 11, 5}); /* no such file */
	fr_vec_push(&u.unit, (struct fr_unit){0x5, 16, 5});	 /* no module */
	fr_vec_push(&u.unit, (struct fr_unit){0x103000, 21, 6}); /* too many sites */
	/* names of events: one that is there, one with another length, one in no file */
	name = 0x103000 + (uint64_t)((char *)memmem(blob, n, "file.c", 6) - (char *)blob);
	fr_vec_push(&u.name, (struct fr_name){name, 6});
	fr_vec_push(&u.name, (struct fr_name){name + 1, 4});
	fr_vec_push(&u.name, (struct fr_name){0x900010, 4});
	fr_vec_push(&u.name, (struct fr_name){name, UINT64_MAX});
	s = fr_sites_build(m, 2, &u);
	assert_int_equal(fr_sites_count(s), 5);
	assert_non_null(fr_sites_missing(s, 3));
	assert_null(fr_sites_missing(s, 4));
	assert_int_equal(fr_sites_write(path, s, &e), 0);
	fr_sites_free(s);
	if (fr_sites_read(path, &back, &e) < 0)
		fail_msg("%s", e.msg);
	info = fr_sites_get(back, 3);
	assert_true(info.known);
	assert_string_equal(info.file, "file.c");
	assert_int_equal(info.line, 3);
	assert_string_equal(info.function, "func");
	assert_string_equal(info.name, "var");
	assert_string_equal(info.dir, "/src");
	assert_int_equal(info.nframes, 0);
	info = fr_sites_get(back, 1);
	assert_int_equal(info.nframes, 1);
	assert_string_equal(info.strings + info.frames[0].function, "outer");
	for (uint32_t id = 6; id < 40; id++)
		assert_false(fr_sites_get(back, id).known);
	assert_false(fr_sites_get(back, 0).known);
	assert_false(fr_sites_get(back, FR_SITE_PC_FIRST).known);
	assert_non_null(strstr(fr_sites_missing(back, 1), "/nonexistent"));
	assert_string_equal(fr_sites_name(back, name), "file.c");
	assert_null(fr_sites_name(back, name + 1));
	assert_null(fr_sites_name(back, 0x900010));
	fr_sites_free(back);
	fr_units_clear(&u);
	free(blob);
	free(elf);
	free(path);
	fx_remove(dir);
}

/* A module whose file is another one by now. */
static void another_build(void **state)
{
	char *dir = fx_folder(), *elf = fx_path(dir, "elf");
	struct fr_module_map m = {.lo = 0, .hi = 0x200000, .path = elf, .build_id_len = 4};
	struct fr_units u = {0};
	struct fr_sites *s;
	size_t n;
	void *blob = fx_blob(5, &n);

	(void)state;
	make_elf(elf, blob, n, 0x3000);
	fr_vec_push(&u.unit, (struct fr_unit){0x3000, 1, 5});
	s = fr_sites_build(&m, 1, &u);
	assert_non_null(strstr(fr_sites_missing(s, 0), "build-id"));
	fr_sites_free(s);
	fr_units_clear(&u);
	free(blob);
	free(elf);
	fx_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(good_blob),     cmocka_unit_test(every_byte_of_a_blob),
	    cmocka_unit_test(hostile_blobs), cmocka_unit_test(out_of_an_elf_file),
	    cmocka_unit_test(another_build),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
