/* Names and texts of verdicts, harms and good orders. */
#include "findings/verdict.h"
#include "base/assert.h"
#include "base/mem.h"
#include <string.h>

const char *const fr_verdict_name[] = {
#define FR_X(n, s) s,
    FR_VERDICTS(FR_X)
#undef FR_X
};

const char *const fr_good_order_name[] = {
#define FR_X(n, s) s,
    FR_GOOD_ORDERS(FR_X)
#undef FR_X
};

static const struct {
	const char *name, *text;
} harm[] = {
#define FR_X(n, s, t) {s, t},
    FR_HARMS(FR_X)
#undef FR_X
};

const char *fr_harm_name(enum fr_harm h)
{
	fr_assert(h == FR_HARM_NOT_KNOWN || (size_t)h < fr_array_size(harm));
	return h == FR_HARM_NOT_KNOWN ? NULL : harm[h].name;
}

const char *fr_harm_text(enum fr_harm h)
{
	fr_assert(h == FR_HARM_NOT_KNOWN || (size_t)h < fr_array_size(harm));
	return h == FR_HARM_NOT_KNOWN ? NULL : harm[h].text;
}

bool fr_harm_find(const char *name, enum fr_harm *ret)
{
	*ret = FR_HARM_NOT_KNOWN;
	for (size_t i = 0; name && i < fr_array_size(harm); i++)
		if (!strcmp(name, harm[i].name))
			*ret = (enum fr_harm)i;
	return !name || *ret != FR_HARM_NOT_KNOWN;
}
