/*
 * Invariants of the runtime as code. A failed assertion is an error of forerun, never of the
 * program or of its input. The program then ends as if it had called abort, after a message that
 * names the condition. The inlined hooks and their fast paths have no assertions.
 */
#ifndef FRT_ASSERT_H
#define FRT_ASSERT_H

#include <stdbool.h>

/* Writes the message, sets SIGABRT to its default action and raises it. Async-signal-safe. */
void frt_assert_failed(const char *message) __attribute__((noreturn, cold));

#define FRT_ASSERT_TEXT(x) #x
#define FRT_ASSERT_MESSAGE(x, line) \
	"forerun: internal error: " x " is false (" __FILE__ ":" FRT_ASSERT_TEXT(line) ")\n"
#define frt_assert(x)                            \
	(__builtin_expect(!!(x), true) ? (void)0 \
				       : frt_assert_failed(FRT_ASSERT_MESSAGE(#x, __LINE__)))

#endif
