/*
 * The hooks of plain accesses, for runtimes of tests. The file that includes it defines `note`,
 * which is called with the bytes of each access, and `event`, which is called once for each call of
 * a hook.
 */
#include "format/hook_abi.h"
#include "runtime/core/rt.h"
#include <stdlib.h>
#include <string.h>

/* Recording is on. */
_Thread_local struct frt_thread *frt_self = (struct frt_thread *)1;

static void note(const void *addr, uint64_t size, int write);
static void event(void);

void mock_access(const void *addr, uint64_t size, int write, uint32_t site)
{
	(void)site;
	event();
	note(addr, size, write);
}

static void strided(const void *base, uint64_t count, int64_t stride, uint32_t elem, int write)
{
	event();
	for (uint64_t i = 0; i < count; i++)
		note((const char *)base + (int64_t)i * stride, elem, write);
}

void frt_h_stride_read(const void *base, uint64_t count, int64_t stride, uint32_t elem,
		       uint32_t site)
{
	(void)site;
	strided(base, count, stride, elem, 0);
}
void frt_h_stride_write(const void *base, uint64_t count, int64_t stride, uint32_t elem,
			uint32_t site)
{
	(void)site;
	strided(base, count, stride, elem, 1);
}
void frt_h_read16(const void *a, uint64_t lo, uint64_t hi, uint32_t s)
{
	(void)lo, (void)hi;
	mock_access(a, 16, 0, s);
}
void frt_h_write16(const void *a, uint64_t lo, uint64_t hi, uint32_t s)
{
	(void)lo, (void)hi;
	mock_access(a, 16, 1, s);
}
void frt_h_read_u(const void *a, uint64_t v, uint32_t s, uint32_t size)
{
	(void)v;
	mock_access(a, size, 0, s);
}
void frt_h_write_u(const void *a, uint64_t v, uint32_t s, uint32_t size)
{
	(void)v;
	mock_access(a, size, 1, s);
}
void frt_h_range_read(const void *a, uint64_t n, uint32_t s)
{
	mock_access(a, n, 0, s);
}
void frt_h_range_write(const void *a, uint64_t n, uint32_t s)
{
	mock_access(a, n, 1, s);
}
void frt_h_stack_free(const void *a, uint64_t n, uint32_t s)
{
	(void)a, (void)n, (void)s;
}
void frt_h_fails(uint32_t s)
{
	(void)s;
}

void frt_register_unit(const void *blob, uint32_t *base, uint32_t nsites, uint32_t abi)
{
	(void)nsites;
	if (memcmp(blob, "FRTS", 4) || abi != FRT_ABI)
		abort();
	*base = 1;
}
