/*
 * Invariants as code. fr_assert stays on in release builds: use it outside hot loops. In a hot loop
 * use fr_assert_slow, which only builds with FR_SLOW_CHECKS check (the sanitizer build).
 *
 * A failed assertion is an error of forerun, never of its input: for a bad file or argument return
 * an error instead.
 */
#ifndef FR_BASE_ASSERT_H
#define FR_BASE_ASSERT_H

#include <stdbool.h>

/* Prints the condition and its source line, and aborts. */
void fr_assert_failed(const char *what, const char *file, int line) __attribute__((noreturn, cold));

#define fr_assert(x) \
	(__builtin_expect(!!(x), true) ? (void)0 : fr_assert_failed(#x, __FILE__, __LINE__))

#ifdef FR_SLOW_CHECKS
#define fr_assert_slow(x) fr_assert(x)
#else
#define fr_assert_slow(x) ((void)sizeof(!!(x)))
#endif

#endif
