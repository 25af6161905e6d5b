#include "model/region_shape.h"
#include <stddef.h>

const char *const fr_shape_name[] = {NULL,
#define FR_X(n, ops, accesses) accesses,
#define FR_P(n, number, ops, accesses) #number ": " accesses,
				     FR_SHAPES(FR_X, FR_P)
#undef FR_X
#undef FR_P
};

const char *const fr_shape_operations[] = {NULL,
#define FR_X(n, ops, accesses) ops,
#define FR_P(n, number, ops, accesses) ops,
					   FR_SHAPES(FR_X, FR_P)
#undef FR_X
#undef FR_P
};
