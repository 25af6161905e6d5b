/*
 * Ends the program when an invariant of the runtime is broken.
 *
 * A re-execution that ends so must not look like harm of the program. It gets the phase of one that
 * never began (`attached` in src/confirm/execution.c), which shows nothing.
 */
#include "rt_assert.h"
#include "runtime/control/ctl.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KERNEL_SIGSET 8	 /* bytes of the kernel's signal set */
#define EXIT_ABORTED 134 /* as a shell reports SIGABRT */

/* The program may handle, ignore or block SIGABRT. No handler may run: the runtime's state is
   broken. */
void frt_assert_failed(const char *message)
{
	static const struct {
		uint64_t handler, flags, restorer, mask;
	} by_default;
	uint64_t abort_only = UINT64_C(1) << (SIGABRT - 1);
	ssize_t r = write(2, message, strlen(message));

	(void)r;
	if (frt_ctl)
		atomic_store(&frt_ctl->phase, FR_PHASE_NEW);
	syscall(SYS_rt_sigaction, (long)SIGABRT, &by_default, NULL, (long)KERNEL_SIGSET);
	syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), (long)SIGABRT);
	syscall(SYS_rt_sigprocmask, (long)SIG_UNBLOCK, &abort_only, NULL, (long)KERNEL_SIGSET);
	for (;;)
		_exit(EXIT_ABORTED);
}
