#include "model/region_kind.h"

const char *const fr_region_name[] = {NULL,
#define FR_X(n, s) s,
				      FR_REGIONS(FR_X)
#undef FR_X
};
