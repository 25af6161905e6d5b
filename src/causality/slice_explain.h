/* Why a read matters always: the end of a shortest path from it to a sink (slice_graph.h). */
#ifndef FR_CAUSALITY_SLICE_EXPLAIN_H
#define FR_CAUSALITY_SLICE_EXPLAIN_H

#include "causality/slice.h"
#include "format/site_table.h"

enum fr_slice_why {
	FR_SLICE_WHY_FREE,    /* it does not: it matters to some candidates only */
	FR_SLICE_WHY_NO_CODE, /* forerun knows nothing about the code of this site */
	FR_SLICE_WHY_BRANCH,  /* it decides a branch */
	FR_SLICE_WHY_CALL,    /* it decides about a call of unknown code */
	FR_SLICE_WHY_PASSED,  /* unknown code gets it */
	FR_SLICE_WHY_MEMORY,  /* it gets into memory whose accesses the model leaves out */
	FR_SLICE_WHY_USED,    /* see `use` */
};

struct fr_slice_reason {
	enum fr_slice_why why;
	enum fr_node_use use;
	uint32_t site;	      /* of the branch, use or write; FR_SLICE_NOWHERE: not known */
	const char *function; /* the unknown code; "": not known */
	uint32_t through;     /* the last access or call on the path; FR_SLICE_NOWHERE: none */
};

/* Why a READ of this site matters. s NULL: there is no graph. */
struct fr_slice_reason fr_slice_explain(const struct fr_slice *s, uint32_t site);

#endif
