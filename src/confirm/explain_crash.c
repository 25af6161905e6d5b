/*
 * Describes the signal that ended a re-execution: the place and its callers. The runtime has stored
 * the program counter and the thread's calls.
 */
#include "confirm/judge.h"
#include "symbols/pcsite.h"
#include <inttypes.h>
#include <signal.h>
#include <string.h>

/* Is the place in the innermost function that the thread is known to have entered? */
static bool in_frame(const struct fr_judge *j, const struct fr_pcsite *p,
		     const struct fr_control_file_stack *stack)
{
	uint32_t n = stack->n;
	struct fr_site_info f = fr_sites_get(j->sites, n ? stack->func[n - 1] : 0);

	return n && p->how == FR_PCSITE_SOURCE && p->physical && f.known &&
	       !strcmp(p->physical, f.physical);
}

static void pc_place(struct fr_judge *j, uint64_t pc, const struct fr_control_file_stack *stack,
		     struct fr_buf *out)
{
	struct fr_pcsite p = {.how = FR_PCSITE_NOTHING};

	if (pc)
		fr_pcsite_resolve(j->pcs, pc, &p);
	if (p.how == FR_PCSITE_SOURCE)
		fr_buf_printf(out, " at %s:%" PRIu32 " in %s()", p.file, p.line, p.function);
	else if (p.how == FR_PCSITE_SYMBOL)
		fr_buf_printf(out, " in %s()", p.function);
	if (in_frame(j, &p, stack))
		return;
	/* In a library, or at an unknown place: print its caller. */
	for (uint32_t i = stack->n; i-- > 0;)
		if (stack->call[i] && !fr_explain_of_system(j->sites, stack->call[i])) {
			fr_buf_puts(out, ", called at ");
			fr_explain_place(j->sites, stack->call[i], out);
			return;
		}
}

/* Prints the callers, innermost first. */
static void callers(const struct fr_judge *j, const struct fr_control_file_stack *stack,
		    struct fr_buf *out)
{
	uint32_t said = 0;

	for (uint32_t i = stack->n; i-- > 1 && said < 8;) {
		if (!stack->call[i - 1])
			continue;
		fr_buf_puts(out, said++ ? " < " : "; called at ");
		fr_explain_place(j->sites, stack->call[i - 1], out);
	}
}

void fr_explain_crash(struct fr_judge *j, const struct fr_execution *r, struct fr_buf *out)
{
	const struct fr_control_file_crash *c = &r->file.c->crash;
	const char *name = sigabbrev_np(r->signal);

	fr_buf_printf(out, "%s%s", name ? "SIG" : "signal ", name ? name : "");
	if (!name)
		fr_buf_printf(out, "%d", r->signal);
	if ((int)c->signal != r->signal)
		return;
	if (c->stack.id)
		fr_buf_printf(out, " in thread %s", fr_execution_thread(r, c->stack.id));
	pc_place(j, c->pc, &c->stack, out);
	if (r->signal == SIGSEGV || r->signal == SIGBUS)
		fr_buf_printf(out, ", address 0x%" PRIx64, c->addr);
	callers(j, &c->stack, out);
}
