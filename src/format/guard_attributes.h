/*
 * The attributes of clang's thread-safety analysis that become properties. `forerun cc` defines a
 * macro for each spelling, which keeps the attribute and adds an annotation that the pass reads
 * (src/pass/attribute_property.c): FR_GUARD_MARK "NAME:ARGUMENTS".
 */
#ifndef FR_FORMAT_GUARD_ATTRIBUTES_H
#define FR_FORMAT_GUARD_ATTRIBUTES_H

#define FR_GUARD_MARK "forerun:"

/* X(spelling, NAME) */
#define FR_GUARD_ATTRIBUTES(X)                  \
	X(guarded_by, "guarded_by")             \
	X(requires_capability, "requires")      \
	X(exclusive_locks_required, "requires") \
	X(acquired_before, "before")            \
	X(acquired_after, "after")

#endif
