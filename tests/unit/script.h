/*
 * Models from text, for tests: one event a line,
 *
 *	THREAD OP [OBJECT] [=VALUE] [/MASK] [@SITE] [+] [atomic] [novalue] [timeout] [try] [benign]
 *		[forever]
 *
 * OP as in fr_op_name, or short: r w acq rel acqs rels fail fails begin wait sig bcast swait post
 * sfail enter leave. OBJECT: a letter or name of its own for each class; threads are numbers. A
 * semaphore `s:2` starts with 2, a barrier `b:2` is for 2 (at its first use). `+`: part of the step
 * before. Sites are line numbers, from 1, unless given. Locations have masks of 8 bytes unless
 * given.
 * ';' ends an event as a line does.
 */
#ifndef FR_UNIT_SCRIPT_H
#define FR_UNIT_SCRIPT_H

#include "model/model.h"

/* Validated; aborts with a message if the script makes no sense. */
struct fr_model *fr_script(const char *text);
/* The event with this site, the nth of them, counted from 0. */
fr_ev fr_script_ev(const struct fr_model *m, uint32_t site, uint32_t nth);

#endif
