/*
 * operator delete of programs with a sanitizer's allocator, which does not call free. Linked only
 * into such programs; the linker gets --wrap for each of them (src/cmd/cmd_cc.c).
 *
 * Under a schedule the turn must not end between the event and the release (ctl.h), and the
 * sanitizer has no hook after the release. Without a schedule this only calls the real function.
 * Not handled: libraries that forerun did not link, libstdc++ among them, call the sanitizer's own
 * operator: there, later steps may come before the memory is released.
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
