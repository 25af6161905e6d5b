/* The hooks that are inlined, as calls: for tests of the pass without the runtime. */
#include "format/hook_abi.h"

void mock_access(const void *addr, uint64_t size, int write, uint32_t site);
uint32_t mock_enter(uint32_t site);
void mock_leave(uint32_t d);

#define HOOK __attribute__((always_inline))
#define DEFINE(size)                                                                 \
	HOOK void frt_h_read##size(const void *addr, uint64_t value, uint32_t site)  \
	{                                                                            \
		(void)value;                                                         \
		mock_access(addr, size, 0, site);                                    \
	}                                                                            \
	HOOK void frt_h_write##size(const void *addr, uint64_t value, uint32_t site) \
	{                                                                            \
		(void)value;                                                         \
		mock_access(addr, size, 1, site);                                    \
	}
DEFINE(1)
DEFINE(2)
DEFINE(4)
DEFINE(8)

HOOK uint32_t frt_h_enter(uint32_t site)
{
	return mock_enter(site);
}
HOOK void frt_h_leave(uint32_t d)
{
	mock_leave(d);
}
HOOK void frt_h_restore(uint32_t d)
{
	mock_leave(d + 1);
}
HOOK void frt_h_branch(uint32_t site, uint64_t value, uint32_t aux)
{
	(void)site, (void)value, (void)aux;
}
HOOK void frt_h_call(uint32_t site, uint32_t d)
{
	(void)site, (void)d;
}
