/*
 * Functions with the names of libc's, as programs define them for themselves. Each counts its
 * calls: what calls it, and how often, must not change under forerun.
 */
#ifndef OWN_NAMES_H
#define OWN_NAMES_H

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
extern unsigned own_calls[32];
/* Prints them. */
void own_print(void);
#ifdef __cplusplus
}
#endif

#endif
