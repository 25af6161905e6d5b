/* Turns mangled C++ names into source names. */
#ifndef FR_SYMBOLS_DEMANGLE_H
#define FR_SYMBOLS_DEMANGLE_H

/* "ns::queue" for "_ZN2ns5queueE", a copy for any other name. The caller frees the result. */
char *fr_demangle(const char *name);

#endif
