/* The texts of enum fr_reason: see candidate.h. */
#include "model/candidate.h"
#include <string.h>

const char *const fr_reason_text[] = {
#define FR_X(n, s) [FR_WHY_##n] = s,
    FR_REASONS(FR_X)
#undef FR_X
};

const char *const fr_tier_name[] = {
#define FR_X(n, s) s,
    FR_TIERS(FR_X)
#undef FR_X
};

bool fr_tier_find(const char *name, enum fr_tier *ret)
{
	for (size_t i = 0; i < fr_array_size(fr_tier_name); i++)
		if (!strcmp(name, fr_tier_name[i])) {
			*ret = (enum fr_tier)i;
			return true;
		}
	return false;
}
