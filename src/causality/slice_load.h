/* Makes the graph of a run from the site tables of its units. */
#ifndef FR_CAUSALITY_SLICE_LOAD_H
#define FR_CAUSALITY_SLICE_LOAD_H

#include "causality/slice_graph.h"

struct fr_pure;
struct fr_sites;
/* Joins the graphs of all units (symbols/depends.h), and closes the result. pure may be NULL.
   Returns NULL if no unit has a graph. */
struct fr_slice_graph *fr_slice_load(const struct fr_sites *sites, const struct fr_pure *pure);

#endif
