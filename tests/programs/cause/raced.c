/*
 * The recorded run reads a pointer without a lock after another thread has cleared it, and crashes.
 * FIXED: the pointer is atomic, and the reader copes.
 * UNRELATED: main crashes in every order (pointer_main.h).
 *
 * order: 0,2,1
 */
#include <pthread.h>
#include <stdlib.h>

#ifdef FIXED
static int *_Atomic p;
#else
static int *volatile p;
#endif

static void *use(void *arg)
{
	int *q = p;

#if defined FIXED || defined UNRELATED
	if (!q)
		return arg;
#endif
	return *q == 3 ? arg : NULL;
}

static void *clear(void *arg)
{
	p = NULL;
	return arg;
}

#include "pointer_main.h"
