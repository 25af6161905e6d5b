/* Finds the end of mapped memory by bisection: see mapped.h. */
#include "mapped.h"
#include "format/event.h"
#include <errno.h>
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* msync with MS_ASYNC writes nothing and fails if a page is missing. */
static bool is_mapped(uint64_t from, uint64_t to)
{
	return syscall(SYS_msync, from, to - from, (long)MS_ASYNC) == 0;
}

uint64_t frt_mapped(const void *addr, uint64_t n)
{
	uint64_t page = getauxval(AT_PAGESZ), most = FR_ADDR_MASK & -page, middle;
	uint64_t from = (uintptr_t)addr & -page, end = (uintptr_t)addr + n, lo = from, hi;
	int saved = errno;

	end = end < (uintptr_t)addr || end > most ? most : end;
	hi = (end + page - 1) & -page;
	if (is_mapped(from, hi))
		lo = end;
	while (lo < end && hi - lo > page) { /* [from, lo) is mapped, [from, hi) is not */
		middle = lo + (hi - lo) / 2 / page * page;
		if (is_mapped(from, middle))
			lo = middle;
		else
			hi = middle;
	}
	errno = saved;
	return lo > (uintptr_t)addr ? lo - (uintptr_t)addr : 1;
}
