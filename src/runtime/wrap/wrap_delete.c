/*
 * operator delete of programs with a sanitizer's allocator, which does not come through free. Only
 * there this is linked, and the linker is given --wrap for each (cmd/cmd_cc.c).
 *
 * Under a schedule the turn must not end between the event and what it tells of (ctl.h), and the
 * sanitizer has no hook that comes after. Otherwise this is a jump.
 * Not handled: libraries that are not linked by forerun, libstdc++ among them, call the sanitizer's
 * own: what comes next there may come before the memory is given back.
 */
#include "format/deletes.h"
#include "runtime/control/ctl.h"
#include <stddef.h>

#define DELETE(name, params, args)                              \
	extern void __real_##name params __attribute__((weak)); \
	void __wrap_##name params;                              \
	void __wrap_##name params                               \
	{                                                       \
		struct frt_thread *t = frt_self;                \
                                                                \
		if (!frt_controlled() || !t || t->in_wrapper) { \
			__real_##name args;                     \
			return;                                 \
		}                                               \
		frt_ctl_hold(t);                                \
		__real_##name args;                             \
		frt_ctl_settle(NULL);                           \
	}

FRT_DELETES(DELETE)
