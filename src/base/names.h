/* Tables of names: the strings of an enum, by its values. */
#ifndef FR_BASE_NAMES_H
#define FR_BASE_NAMES_H

#include <stddef.h>
#include <string.h>

/* Returns the index of a name in a table of n, or n if it is not there. A NULL equals only NULL. */
static inline size_t fr_names_find(const char *const *names, size_t n, const char *name)
{
	size_t i = 0;

	while (i < n && (name && names[i] ? strcmp(name, names[i]) != 0 : name != names[i]))
		i++;
	return i;
}

#endif
