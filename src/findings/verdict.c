/* Verdicts and harms. */
#include "findings/verdict.h"
#include "base/mem.h"
#include <string.h>

const char *const fr_verdict_name[] = {
#define FR_X(n, s) s,
    FR_VERDICTS(FR_X)
#undef FR_X
};
const char *const fr_harm_name[] = {
#define FR_X(n, s, t) s,
    FR_HARMS(FR_X)
#undef FR_X
};
static const char *const harm_text[] = {
#define FR_X(n, s, t) t,
    FR_HARMS(FR_X)
#undef FR_X
};

enum fr_verdict fr_verdict_of(const char *name)
{
	for (size_t i = 0; i < fr_array_size(fr_verdict_name); i++)
		if (!strcmp(name, fr_verdict_name[i]))
			return (enum fr_verdict)i;
	return FR_VERDICT_PREDICTED;
}

enum fr_harm fr_harm_of(const char *name)
{
	for (size_t i = 0; name && i < fr_array_size(fr_harm_name); i++)
		if (!strcmp(name, fr_harm_name[i]))
			return (enum fr_harm)i;
	return FR_HARM_NONE;
}

const char *fr_harm_text(const char *name)
{
	for (size_t i = 0; name && i < fr_array_size(fr_harm_name); i++)
		if (!strcmp(name, fr_harm_name[i]))
			return harm_text[i];
	return NULL;
}
