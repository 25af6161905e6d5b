/* The memory of a loaded module. */
#ifndef FRT_MODULE_SPAN_H
#define FRT_MODULE_SPAN_H

#include <link.h>
#include <stdint.h>

struct frt_span {
	uintptr_t lo, hi; /* lo > hi: the module has no memory */
};

/* From the first byte of its segments to the end of the last one. */
static inline struct frt_span frt_module_span(const struct dl_phdr_info *info)
{
	struct frt_span r = {.lo = UINTPTR_MAX};

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_LOAD) {
			r.lo = at < r.lo ? at : r.lo;
			r.hi = at + ph->p_memsz > r.hi ? at + ph->p_memsz : r.hi;
		}
	}
	return r;
}

#endif
