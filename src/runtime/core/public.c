/* The table behind public.h: the only file that names these functions (see own.h). */
#include "public.h"

#define FRT_X(n) extern __typeof__(n) n __attribute__((weak));
FRT_PUBLIC_WEAK(FRT_X)
#undef FRT_X

const struct frt_public frt_public = {
#define FRT_X(n) .n##_ = n,
    FRT_PUBLIC(FRT_X)
#undef FRT_X
};
