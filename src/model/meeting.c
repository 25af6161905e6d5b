/* The names of meetings and roles. */
#include "model/meeting.h"
#include <stddef.h>

const char *const fr_meeting_name[] = {
#define FR_X(n, s) s,
    FR_MEETINGS(FR_X)
#undef FR_X
};

const char *const fr_needs_name[] = {NULL,
#define FR_X(n, s, kind, asleep) s,
				     FR_NEEDS(FR_X)
#undef FR_X
};

const char *const fr_needs_kind[][2] = {{NULL, NULL},
#define FR_X(n, s, kind, asleep) {kind, asleep},
					FR_NEEDS(FR_X)
#undef FR_X
};

const char *const fr_role_name[] = {NULL,
#define FR_X(n, s) s,
				    FR_ROLES(FR_X)
#undef FR_X
};
