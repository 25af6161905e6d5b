#include "mixed.h"

__attribute__((noinline)) void tsan_step(int n)
{
	shared.a = (int)shared.b + 10; /* TSAN */
	native_step(n); /* TO_NATIVE */
}
