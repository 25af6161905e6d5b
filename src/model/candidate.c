/* The texts of enum fr_reason: see candidate.h. */
#include "model/candidate.h"

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
