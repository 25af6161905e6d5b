#include "model/region_kind.h"
#include <string.h>

const char *const fr_region_name[] = {NULL,
#define FR_X(n, s) s,
				      FR_REGIONS(FR_X)
#undef FR_X
};

bool fr_region_find(const char *name, enum fr_region *ret)
{
	*ret = FR_REGION_NONE;
	for (int i = 1; name && i < FR_REGION_COUNT; i++)
		if (!strcmp(name, fr_region_name[i]))
			*ret = (enum fr_region)i;
	return !name || *ret != FR_REGION_NONE;
}
