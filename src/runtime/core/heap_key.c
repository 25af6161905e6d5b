/*
 * Finds the number in a block that it frees, and then in the memory of the module that allocates.
 * Blocks that were freed before keep the old number: their second free is only noticed later.
 */
#include "heap_key.h"
#include "module_span.h"
#include "real.h"

#define SIZE 1032 /* of the largest blocks that get the number: programs use few of them */
#define MARK UINT64_C(0xb10cb10cb10cb10c)
#define KEY UINT64_C(0x9e3779b97f4a7c15) /* no address, so that a use as a pointer crashes */
#define ADDRESS_BITS 47
_Static_assert(KEY >> ADDRESS_BITS != 0, "no address of a program");
_Static_assert(MARK >> ADDRESS_BITS != 0, "no address of a program");

/* The number that a freed block has in its second word, 0: none. */
static uint64_t key_now(void)
{
	volatile uint64_t *p = REAL(malloc)(SIZE);
	uint64_t key;

	if (!p)
		return 0;
	p[1] = MARK;
	REAL(free)((void *)p);
	key = p[1];
	/* Other allocators may keep addresses there. */
	return key == MARK || !(key >> ADDRESS_BITS) ? 0 : key;
}

struct search {
	uint64_t key;
	uintptr_t inside; /* an address of the module */
	uint64_t *at;
	unsigned found;
};

static int find_key(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *s = arg;
	struct frt_span m = frt_module_span(info);

	(void)size;
	if (s->inside < m.lo || s->inside >= m.hi)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t from = (info->dlpi_addr + ph->p_vaddr + 7) & ~(uintptr_t)7;
		uintptr_t to = info->dlpi_addr + ph->p_vaddr + ph->p_memsz;

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_W) || !(ph->p_flags & PF_R))
			continue;
		for (uint64_t *at = (uint64_t *)from; (uintptr_t)(at + 1) <= to; at++)
			if (*(volatile uint64_t *)at == s->key) {
				s->at = at;
				s->found++;
			}
	}
	return 1;
}

void frt_heap_key_fix(void)
{
	struct search s = {.key = key_now(), .inside = (uintptr_t)REAL(malloc)};

	if (!s.key)
		return;
	dl_iterate_phdr(find_key, &s);
	if (s.found == 1)
		*s.at = KEY;
}
