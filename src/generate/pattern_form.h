/* The forms of candidate that a match of a pattern gives. */
#ifndef FR_GENERATE_PATTERN_FORM_H
#define FR_GENERATE_PATTERN_FORM_H

#include "generate/pattern.h"

/* Is the step of b the next of its thread after that of a? */
bool fr_pattern_adjacent(const struct fr_model *m, fr_ev a, fr_ev b);
/* Does a match have a form at all? */
bool fr_pattern_has_form(const struct fr_pattern *p, const struct fr_model *m,
			 const struct fr_causality *c, const fr_ev *ev);
/* Adds all forms of a match. ev: one event for each of the pattern, in its order. */
void fr_pattern_forms(const struct fr_pattern *p, const struct fr_model *m,
		      const struct fr_causality *c, const fr_ev *ev, struct fr_group *ret);

#endif
