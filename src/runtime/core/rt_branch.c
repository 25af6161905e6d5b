/*
 * Writes branches: see rt_branch.h. With branch=all, every branch that has a hook.
 * Not seen: branches in code that forerun cc did not compile, -fsanitize=thread included.
 */
#include "rt_branch.h"
#include "rt_access.h"
#include "emit.h"
#include "slow.h"

_Thread_local uint8_t frt_branch_next __attribute__((tls_model("initial-exec")));

void frt_branch_init(const char *option)
{
	frt_filter.branch = !option || *option == '0' ? FRT_BRANCH_NONE
			    : *option == 'a'	      ? FRT_BRANCH_ALL
						      : FRT_BRANCH_KEPT;
}

void frt_branch_start(void)
{
	frt_branch_next = frt_filter.branch == FRT_BRANCH_ALL ? FRT_BRANCH_ALL : FRT_BRANCH_NONE;
}

FRT_PRESERVE void frt_slow_branch(uint32_t site, uint64_t value, uint32_t aux)
{
	struct frt_thread *t = frt_self;
	struct fr_event e = {.w0 = fr_w0(0, FR_EV_BRANCH, aux), .value = value, .site = site};

	if (frt_branch_next != FRT_BRANCH_ALL)
		frt_branch_next = FRT_BRANCH_NONE;
	if (!t)
		return;
	e.hook = (uint32_t)t->hook;
	frt_put_inline(t, &e, 1);
}
