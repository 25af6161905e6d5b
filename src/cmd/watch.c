/* The prover asks the automata: see watch.h. */
#include "cmd/watch.h"

static enum fr_property_judged ask(void *arg, const struct fr_schedule_file *s, const char *events,
				   bool over)
{
	switch (fr_watched_properties_ask(arg, s, events, over)) {
	case FR_WATCH_VIOLATED:
		return FR_PROPERTY_VIOLATED;
	case FR_WATCH_KEPT:
		return FR_PROPERTY_KEPT;
	default:
		return FR_PROPERTY_OPEN;
	}
}

void fr_watch_by(struct fr_prover *p, struct fr_watched_properties *w)
{
	p->watch = (struct fr_prover_watch){fr_watched_properties_has, ask, w};
}
