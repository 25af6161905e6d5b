/*
 * Judges one execution: does the order in which its events happened violate a property? The
 * automaton reads the events of each instance from the first to the last, as it would watch the
 * program while it runs.
 *
 * Order:  the execution ran under a schedule, one thread at a time, and its trace has the beginning
 *         of each turn (FR_STAMP_TURN). So the order of all hooks is known exactly.
 * ||:     two events were the next steps of their threads at once if nothing of the second one's
 *         thread happened between the first and it.
 * Open:   the answer is FR_WATCH_OPEN if an event of the finding is missing (the program ended
 *         before it was written), or if a limit stopped the automaton.
 */
#ifndef FR_GENERATE_PROPERTY_WATCH_H
#define FR_GENERATE_PROPERTY_WATCH_H

#include "generate/property.h"

enum fr_watch_answer { FR_WATCH_OPEN, FR_WATCH_KEPT, FR_WATCH_VIOLATED };

/* A hook of the execution. */
struct fr_watch_hook {
	const char *thread; /* path */
	uint64_t hook;
};
/* Is an instance violated that all these events belong to? over: the execution came to the end of
   the run, so a formula such as <> is judged there. */
enum fr_watch_answer fr_property_watch(const struct fr_property_kind *kind,
				       const struct fr_model *m, const struct fr_watch_hook *hook,
				       size_t n, bool over);

#endif
