/*
 * Shapes of atomicity and atomic-set violations: which accesses of the two threads read, which
 * write, and their order.
 */
#ifndef FR_MODEL_REGION_SHAPE_H
#define FR_MODEL_REGION_SHAPE_H

/*
 * X(NAME, "operations", "accesses"): R or W for each access; then the accesses with ' for those of
 * the other thread and 1 or 2 for the location. ACROSS: the other thread accesses location 2 first.
 * P(NAME, number, ...): the literature has this number for the shape.
 *
 * WWW only loses the remote write. The same values result if that write comes first, so it is a bug
 * only where it does harm.
 */
#define FR_SHAPES(X, P)                             \
	X(RWW, "RWW", "R-W-W")                      \
	X(WWR, "WWR", "W-W-R")                      \
	X(RWR, "RWR", "R-W-R")                      \
	X(WRW, "WRW", "W-R-W")                      \
	X(WWW, "WWW", "W-W-W")                      \
	X(RWRW, "RWRW", "R1 W'1 R'2 W2")            \
	P(RWWR, 11, "RWWR", "R1 W'1 W'2 R2")        \
	X(RWWW, "RWWW", "R1 W'1 W'2 W2")            \
	P(WRRW, 9, "WRRW", "W1 R'1 R'2 W2")         \
	X(WRWR, "WRWR", "W1 R'1 W'2 R2")            \
	X(WRWW, "WRWW", "W1 R'1 W'2 W2")            \
	X(WWRW, "WWRW", "W1 W'1 R'2 W2")            \
	X(WWWR, "WWWR", "W1 W'1 W'2 R2")            \
	P(WWWW, 6, "WWWW", "W1 W'1 W'2 W2")         \
	X(ACROSS_RRWW, "RRWW", "R1 R'2 W'1 W2")     \
	P(ACROSS_RWWR, 12, "RWWR", "R1 W'2 W'1 R2") \
	X(ACROSS_RWWW, "RWWW", "R1 W'2 W'1 W2")     \
	P(ACROSS_WRRW, 10, "WRRW", "W1 R'2 R'1 W2") \
	X(ACROSS_WWRR, "WWRR", "W1 W'2 R'1 R2")     \
	X(ACROSS_WWRW, "WWRW", "W1 W'2 R'1 W2")     \
	X(ACROSS_WRWW, "WRWW", "W1 R'2 W'1 W2")     \
	X(ACROSS_WWWR, "WWWR", "W1 W'2 W'1 R2")     \
	P(ACROSS_WWWW, 7, "WWWW", "W1 W'2 W'1 W2")

enum fr_shape {
	FR_SHAPE_NONE, /* the kind of bug has only one shape */
#define FR_X(n, ops, accesses) FR_SHAPE_##n,
#define FR_P(n, number, ops, accesses) FR_SHAPE_##n,
	FR_SHAPES(FR_X, FR_P)
#undef FR_X
#undef FR_P
	    FR_SHAPE_COUNT
};
/* "11: R1 W'1 W'2 R2", as in findings.json. NULL for FR_SHAPE_NONE, like the next. */
extern const char *const fr_shape_name[];
/* "RWWR" */
extern const char *const fr_shape_operations[];

#endif
