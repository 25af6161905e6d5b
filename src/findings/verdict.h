/* Verdicts, harms and good orders: their names in findings.json, their texts in reports. */
#ifndef FR_FINDINGS_VERDICT_H
#define FR_FINDINGS_VERDICT_H

#include <stdbool.h>

/* X(NAME, "name"), from the weakest to the strongest. */
#define FR_VERDICTS(X)            \
	X(PREDICTED, "predicted") \
	X(REFUTED, "refuted")     \
	X(UNKNOWN, "unknown")     \
	X(CONFIRMED, "confirmed")

enum fr_verdict {
#define FR_X(n, s) FR_VERDICT_##n,
	FR_VERDICTS(FR_X)
#undef FR_X
	    FR_VERDICT_COUNT
};
extern const char *const fr_verdict_name[];

/* X(NAME, "name", "text in reports"), from harmless to worst. */
#define FR_HARMS(X)                                                    \
	X(NONE, "none seen", "no harm was seen")                       \
	X(UNKNOWN, "unknown", "forerun did not see the program's end") \
	X(OUTPUT, "output", "the program then writes something else")  \
	X(EXIT, "exit", "the program then exits with another status")  \
	X(SANITIZER, "sanitizer", "a sanitizer then reports an error") \
	X(HANG, "hang", "the program then hangs")                      \
	X(ASSERT, "assert", "the program then fails an assertion")     \
	X(CRASH, "crash", "the program then crashes")

enum fr_harm {
	FR_HARM_NOT_KNOWN = -1, /* the finding has not been tried */
#define FR_X(n, s, t) FR_HARM_##n,
	FR_HARMS(FR_X)
#undef FR_X
};

/* Returns the name; NULL for FR_HARM_NOT_KNOWN. */
const char *fr_harm_name(enum fr_harm h);
/* Returns the text in reports; NULL for FR_HARM_NOT_KNOWN. */
const char *fr_harm_text(enum fr_harm h);
/* Finds a harm by its name. Returns false for an unknown name. NULL names FR_HARM_NOT_KNOWN. */
bool fr_harm_find(const char *name, enum fr_harm *ret);
/* Returns whether a re-execution has shown harm. */
static inline bool fr_harm_seen(enum fr_harm h)
{
	return h > FR_HARM_UNKNOWN;
}

/* X(NAME, "name"): an order without the violation, in which the program ends well although the
   recorded run failed. */
#define FR_GOOD_ORDERS(X)               \
	X(NONE, NULL)                   \
	X(SWAPPED, "other-order")       \
	X(FIRST_FIRST, "first-first")   \
	X(SECOND_FIRST, "second-first") \
	X(LAST_FIRST, "last-first")

/* SWAPPED: the two accesses in the other order. FIRST_FIRST: all events of the first event's
   thread come before the others. SECOND_FIRST: they come after the others. LAST_FIRST: all events
   of the last event's thread, one of three, come before the others. */
enum fr_good_order {
#define FR_X(n, s) FR_GOOD_##n,
	FR_GOOD_ORDERS(FR_X)
#undef FR_X
	    FR_GOOD_COUNT
};
extern const char *const fr_good_order_name[];

#endif
