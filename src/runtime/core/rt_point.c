/*
 * Calls and executions of functions that the user named at compile time. They are never dropped,
 * and end the span in which repeated reads are dropped, as every event with a stamp does. Calls
 * that fail are not recorded: only the controller wants to know.
 */
#include "format/hook_abi.h"
#include "rt.h"
#include "rt_assert.h"
#include "runtime/control/ctl.h"
#include <stdarg.h>

void frt_h_point(uint32_t site, uint32_t what, const uint32_t *meta, uint32_t n, ...)
{
	struct frt_thread *t = frt_self;
	struct fr_event e[1 + FR_CALL_ARGS];
	va_list values;

	if (!t)
		return;
	frt_assert(n <= FR_CALL_ARGS);
	e[0] = (struct fr_event){
	    .w0 = fr_w0(t->depth, what & 0xff, what >> 8), .value = frt_stamp(), .site = site};
	va_start(values, n);
	for (uint32_t i = 0; i < n; i++)
		e[i + 1] = (struct fr_event){.w0 = fr_w0(meta[i] & 0xff, FR_EV_EXT, 0),
					     .value = va_arg(values, uint64_t),
					     .site = meta[i] >> 8};
	va_end(values);
	frt_emit(t, e, n + 1);
}

void frt_h_fails(uint32_t site)
{
	struct frt_thread *t = frt_self;

	if (t && frt_controlled())
		frt_ctl_fails(t, site);
}
