/*
 * A log for developers of forerun: FORERUN_DEBUG=oracle,confirm prints the actions of these
 * subsystems, a line each on standard error; FORERUN_DEBUG=all prints everything. The messages are
 * no interface.
 */
#ifndef FR_BASE_DEBUG_H
#define FR_BASE_DEBUG_H

#include <stdbool.h>

/* X(NAME, "name") */
#define FR_DEBUG_SUBSYSTEMS(X)  \
	X(RECORD, "record")     \
	X(MODEL, "model")       \
	X(GENERATE, "generate") \
	X(ORACLE, "oracle")     \
	X(PREDICT, "predict")   \
	X(CONFIRM, "confirm")

enum fr_debug {
#define FR_X(n, s) FR_DEBUG_##n,
	FR_DEBUG_SUBSYSTEMS(FR_X)
#undef FR_X
	    FR_DEBUG_COUNT
};

/* Reads FORERUN_DEBUG. Returns the first word that names no subsystem, or NULL. */
const char *fr_debug_init(void);
bool fr_debug_on(enum fr_debug s);
/* Prints "forerun[NAME]: MESSAGE" if the subsystem is on. Any thread may call it. */
void fr_debug_print(enum fr_debug s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Evaluates the arguments only if the subsystem is on. */
#define fr_debug(s, ...) (fr_debug_on(s) ? fr_debug_print(s, __VA_ARGS__) : (void)0)

#endif
