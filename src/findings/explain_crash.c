/* Sentences about source positions and crashes: see explain_crash.h. */
#include "findings/explain_crash.h"
#include "findings/finding.h"
#include "symbols/symbol.h"
#include <inttypes.h>
#include <signal.h>
#include <string.h>

void fr_explain_position(const struct fr_sites *sites, uint32_t site, struct fr_buf *out)
{
	struct fr_site_info s = fr_sites_get(sites, site);
	struct fr_position at = {.file = s.file, .function = s.function, .line = s.line};

	for (uint32_t i = 0; s.known && i < s.nframes && fr_position_of_system(&at); i++)
		at = (struct fr_position){.file = s.strings + s.frames[i].file,
					  .function = s.strings + s.frames[i].function,
					  .line = s.frames[i].line};
	if (!site || !s.known || !at.line) {
		fr_buf_puts(out, "an unknown source line");
		return;
	}
	fr_buf_printf(out, "%s:%" PRIu32, at.file, at.line);
	if (*at.function)
		fr_buf_printf(out, " in %s()", at.function);
}

bool fr_explain_of_system(const struct fr_sites *sites, uint32_t site)
{
	struct fr_site_info s = fr_sites_get(sites, site);
	struct fr_position at = {.file = s.file, .function = s.function};

	if (!s.known)
		return true;
	for (uint32_t i = 0; i < s.nframes && fr_position_of_system(&at); i++)
		at.file = s.strings + s.frames[i].file;
	return fr_position_of_system(&at);
}

uint32_t fr_explain_own_site(const struct fr_sites *sites, uint32_t site,
			     const struct fr_crash_stack *stack)
{
	if (site && !fr_explain_of_system(sites, site))
		return site;
	for (uint32_t i = stack->n; i-- > 1;)
		if (stack->call[i - 1] && !fr_explain_of_system(sites, stack->call[i - 1]))
			return stack->call[i - 1];
	return site;
}

char *fr_explain_object(const struct fr_sites *sites, const struct fr_module_map *modules, size_t n,
			unsigned kind, uint64_t addr, const uint32_t *site, size_t nsites)
{
	FR_CLEANUP(fr_freep) char *symbol = NULL;
	struct fr_site_object o;
	uint64_t off = 0;

	if (!fr_sites_object(sites, fr_event_object_class(kind), site, nsites, &o))
		return NULL;
	symbol = fr_symbol_find(modules, n, addr, &off);
	return fr_site_object_text(&o, symbol, off);
}

/* ---- crashes ---- */

bool fr_explain_in_frame(const struct fr_explainer *x, const struct fr_pcsite *p,
			 const struct fr_crash_stack *stack)
{
	uint32_t n = stack->n;
	struct fr_site_info f = fr_sites_get(x->sites, n ? stack->func[n - 1] : 0);

	return n && p->how == FR_PCSITE_SOURCE && p->physical && f.known &&
	       !strcmp(p->physical, f.physical);
}

static void pc_position(const struct fr_explainer *x, uint64_t pc,
			const struct fr_crash_stack *stack, struct fr_buf *out)
{
	struct fr_pcsite p = {.how = FR_PCSITE_NOTHING};

	if (pc)
		fr_pcsite_resolve(x->pcs, pc, &p);
	if (p.how == FR_PCSITE_SOURCE)
		fr_buf_printf(out, " at %s:%" PRIu32 " in %s()", p.file, p.line, p.function);
	else if (p.how == FR_PCSITE_SYMBOL)
		fr_buf_printf(out, " in %s()", p.function);
	if (fr_explain_in_frame(x, &p, stack))
		return;
	/* In a library, or at an unknown line: print its caller. */
	for (uint32_t i = stack->n; i-- > 0;)
		if (stack->call[i] && !fr_explain_of_system(x->sites, stack->call[i])) {
			fr_buf_puts(out, ", called at ");
			fr_explain_position(x->sites, stack->call[i], out);
			return;
		}
}

/* Prints the callers, innermost first. */
static void callers(const struct fr_explainer *x, const struct fr_crash_stack *stack,
		    struct fr_buf *out)
{
	uint32_t said = 0;

	for (uint32_t i = stack->n; i-- > 1 && said < 8;) {
		if (!stack->call[i - 1])
			continue;
		fr_buf_puts(out, said++ ? " < " : "; called at ");
		fr_explain_position(x->sites, stack->call[i - 1], out);
	}
}

void fr_explain_crash(const struct fr_explainer *x, int sig, const struct fr_crash *c,
		      const char *thread, struct fr_buf *out)
{
	const char *name = sigabbrev_np(sig);

	fr_buf_printf(out, "%s%s", name ? "SIG" : "signal ", name ? name : "");
	if (!name)
		fr_buf_printf(out, "%d", sig);
	if ((int)c->signal != sig)
		return;
	if (c->stack.id)
		fr_buf_printf(out, " in thread %s", thread);
	pc_position(x, c->pc, &c->stack, out);
	if (sig == SIGSEGV || sig == SIGBUS)
		fr_buf_printf(out, ", address 0x%" PRIx64, c->addr);
	callers(x, &c->stack, out);
}
