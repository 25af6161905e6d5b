/*
 * Sentences about source positions and about crashes. The runtime has stored the program
 * counter and the thread's calls (format/crash_record.h). Its numbers are the program's: any is
 * possible.
 */
#ifndef FR_FINDINGS_EXPLAIN_CRASH_H
#define FR_FINDINGS_EXPLAIN_CRASH_H

#include "base/mem.h"
#include "format/crash_record.h"
#include "symbols/pcsite.h"
#include "symbols/sites.h"

/* "bank.c:31 in withdraw()", or "an unknown source line". */
void fr_explain_position(const struct fr_sites *sites, uint32_t site, struct fr_buf *out);
/* Is the site in a system header, or unknown? */
bool fr_explain_of_system(const struct fr_sites *sites, uint32_t site);
/* Returns the site, or its nearest caller outside system headers. */
uint32_t fr_explain_own_site(const struct fr_sites *sites, uint32_t site,
			     const struct fr_crash_stack *stack);

/* Returns the source name of the object at addr on which a call of this kind synchronises, as a new
   string; NULL: not known. `site` is the call, then the calls around it, innermost first. */
char *fr_explain_object(const struct fr_sites *sites, const struct fr_module_map *modules, size_t n,
			unsigned kind, uint64_t addr, const uint32_t *site, size_t nsites);

struct fr_explainer {
	const struct fr_sites *sites;
	struct fr_pcsites *pcs;
};
/* Is the position in the innermost function that the thread is known to have entered? */
bool fr_explain_in_frame(const struct fr_explainer *x, const struct fr_pcsite *p,
			 const struct fr_crash_stack *stack);
/* The signal `sig` ended the program: "SIGSEGV in thread 0.1 at bank.c:31 in withdraw(), address
   0x0; called at bank.c:50 in main()". c may be about another signal; then it adds nothing. */
void fr_explain_crash(const struct fr_explainer *x, int sig, const struct fr_crash *c,
		      const char *thread, struct fr_buf *out);

#endif
