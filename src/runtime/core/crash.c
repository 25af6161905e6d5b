/*
 * Reports how the program dies: writes the signal, its program counter and the text of an assertion
 * to the pool, or to the control file of a re-execution. Then the program dies as it would without
 * forerun.
 *
 * Invariant:   the program does not see the runtime's handlers. Handlers that it sets itself take
 *              effect. When it sets the default action, it gets the runtime's handler, which ends
 *              in the default action. A sanitizer's handlers stay, because its report has more
 *              detail; in a re-execution the runtime looks at the address of a fault before.
 * Safety:      everything in the handler is async-signal-safe. If several threads crash, only the
 *              first is reported.
 * Not handled: a stack overflow in a thread other than the main one, which has no stack for the
 *              handler: the kernel kills the program, and the line is not known. std::terminate
 *              and failed assertions of libraries are reported as SIGABRT.
 */
#include "crash.h"
#include "runtime/control/ctl_freed.h"
#include "runtime/control/ctl_state.h"
#include "real.h"
#include "rt_assert.h"
#include "sanitizer.h"
#include <stdatomic.h>
#include <sys/syscall.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
#define SIGNALS (sizeof(signals) / sizeof(*signals))

static struct sigaction action;
static bool installed;
static char stack[64 << 10] __attribute__((aligned(64)));

static uint64_t program_counter(const void *context)
{
	const ucontext_t *u = context;

#if defined(__x86_64__)
	return (uint64_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return u->uc_mcontext.pc;
#else
#error "no program counter known for this machine"
#endif
}

/* Where to report; NULL: nowhere, because this process is a child. */
static struct fr_crash *record(void)
{
	if (!frt_pool || syscall(SYS_getpid) != atomic_load(&frt_pool->pid))
		return NULL;
	return frt_ctl && !frt_ctl->recording ? &frt_ctl->crash : &frt_pool->crash;
}

static bool is_fault(int sig, const siginfo_t *info)
{
	return (sig == SIGSEGV || sig == SIGBUS) && info->si_code > 0;
}

static void report(int sig, const siginfo_t *info, const void *context)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;
	struct fr_crash *c = record();

	if (!c || atomic_flag_test_and_set(&reported))
		return;
	c->signal = (uint32_t)sig;
	c->sent = info->si_code <= 0 && info->si_pid != atomic_load(&frt_pool->pid);
	c->code = (uint32_t)info->si_code;
	c->addr = (uintptr_t)info->si_addr;
	c->pc = program_counter(context);
	if (frt_self) {
		frt_ctl_stack(frt_self, &c->stack);
		c->hook = (uint32_t)frt_self->hook;
	}
	if (frt_self && frt_controlled() && is_fault(sig, info))
		frt_ctl_faulted(frt_self, c->addr);
}

/* The default action is already in force again (SA_RESETHAND). */
static void crashed(int sig, siginfo_t *info, void *context)
{
	report(sig, info, context);
	/* A faulting instruction will fault again. A signal that was sent, or that comes after its
	   cause, is sent again and stays pending until this handler returns. */
	if (info->si_code <= 0 || sig == SIGTRAP || sig == SIGABRT)
		syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), sig);
}

/* The handlers of a sanitizer, which tells nobody the address of a fault. */
static struct sigaction sanitizer[SIGNALS];

/* In a re-execution: stands before the handler of the sanitizer. */
static void faulted(int sig, siginfo_t *info, void *context)
{
	if (frt_self && is_fault(sig, info))
		frt_ctl_faulted(frt_self, (uintptr_t)info->si_addr);
	for (unsigned i = 0; i < SIGNALS; i++)
		if (sig == signals[i]) {
			frt_assert(sanitizer[i].sa_sigaction);
			sanitizer[i].sa_sigaction(sig, info, context);
		}
}

static void stand_before(unsigned i, const struct sigaction *was)
{
	struct sigaction before = *was;

	if (!frt_sanitizer_there || !frt_controlled() || !(was->sa_flags & SA_SIGINFO) ||
	    (signals[i] != SIGSEGV && signals[i] != SIGBUS))
		return;
	sanitizer[i] = *was;
	before.sa_sigaction = faulted;
	sigaction(signals[i], &before, NULL);
}

void frt_crash_hide(int sig, struct sigaction *a)
{
	for (unsigned i = 0; i < SIGNALS; i++)
		if (sig == signals[i] && a->sa_sigaction == faulted)
			*a = sanitizer[i];
}

const struct sigaction *frt_crash_default(int sig)
{
	for (unsigned i = 0; installed && i < SIGNALS; i++)
		if (sig == signals[i])
			return &action;
	return NULL;
}

bool frt_crash_is(const void *handler)
{
	return handler == (void *)crashed;
}

void frt_crash_init(void)
{
	stack_t mine = {.ss_sp = stack, .ss_size = sizeof(stack)}, old;

	frt_assert(!installed && frt_pool);
	installed = true;
	action.sa_sigaction = crashed;
	action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
	sigemptyset(&action.sa_mask);
	if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
		sigaltstack(&mine, NULL);
	for (unsigned i = 0; i < SIGNALS; i++) {
		struct sigaction was;

		if (sigaction(signals[i], NULL, &was) != 0)
			continue;
		if (was.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
		else
			stand_before(i, &was);
	}
}

/* ---- assertions ---- */

static _Thread_local bool asserts __attribute__((tls_model("initial-exec")));

bool frt_crash_asserts(void)
{
	return asserts;
}

struct text {
	char *at, *end;
};

static void put(struct text *t, const char *s)
{
	frt_assert(t->at <= t->end);
	while (s && *s && t->at < t->end)
		*t->at++ = *s++;
	*t->at = 0;
}

static void put_number(struct text *t, unsigned n)
{
	char digits[12], *p = digits + sizeof(digits) - 1;

	*p = 0;
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	put(t, p);
}

void frt_wrap___assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
	struct fr_crash *c = record();

	asserts = true;
	if (c && !*c->assertion) {
		struct text t = {.at = c->assertion, .end = c->assertion + FR_CRASH_TEXT - 1};

		put(&t, file);
		put(&t, ":");
		put_number(&t, line);
		put(&t, ": Assertion `");
		put(&t, what);
		put(&t, "' failed");
	}
	REAL(__assert_fail)(what, file, line, function);
	__builtin_unreachable();
}
