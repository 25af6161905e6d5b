/* Verdicts and harms: their names in findings.json, their order, and what people read. */
#ifndef FR_FINDINGS_VERDICT_H
#define FR_FINDINGS_VERDICT_H

/* X(NAME, "name"): the better the later. */
#define FR_VERDICTS(X)            \
	X(PREDICTED, "predicted") \
	X(REFUTED, "refuted")     \
	X(UNKNOWN, "unknown")     \
	X(CONFIRMED, "confirmed")

enum fr_verdict {
#define FR_X(n, s) FR_VERDICT_##n,
	FR_VERDICTS(FR_X)
#undef FR_X
};
extern const char *const fr_verdict_name[];

/* X(NAME, "name", "what the program does"): the worse the later. */
#define FR_HARMS(X)                                                    \
	X(NONE, "none seen", "no harm was seen")                       \
	X(OUTPUT, "output", "the program then writes something else")  \
	X(EXIT, "exit", "the program then exits with another status")  \
	X(SANITIZER, "sanitizer", "a sanitizer then reports an error") \
	X(HANG, "hang", "the program then hangs")                      \
	X(ASSERT, "assert", "the program then fails an assertion")     \
	X(CRASH, "crash", "the program then crashes")

enum fr_harm {
#define FR_X(n, s, t) FR_HARM_##n,
	FR_HARMS(FR_X)
#undef FR_X
};
extern const char *const fr_harm_name[];

/* By name; the least of them if it is none. */
enum fr_verdict fr_verdict_of(const char *name);
enum fr_harm fr_harm_of(const char *name);
/* What the program does, of a name; NULL: it is none. */
const char *fr_harm_text(const char *name);

/* Behind the end of a run that came before its targets met, in the detail. */
#define FR_BEFORE_THROUGH " before the schedule was through"

#endif
