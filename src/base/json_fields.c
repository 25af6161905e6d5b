/* Fields of JSON records: see json_fields.h. */
#include "base/json_fields.h"
#include "base/assert.h"
#include "base/names.h"
#include <limits.h>

/* Returns whether there is a member to read. */
static bool reads(const struct fr_json_fields *x, const char *key, unsigned flags)
{
	return !(flags & FR_FIELD_NEW) || fr_json_get(x->o, key);
}

void fr_field_str(struct fr_json_fields *x, const char *key, const char **v, unsigned flags)
{
	const struct fr_json *j = fr_json_get(x->o, key);
	const char *s = fr_json_str(j);

	if (x->w)
		fr_jw_pair(x->w, key, *v);
	else if (s)
		*v = x->keep(x->arg, s);
	else if (flags & FR_FIELD_NULL && j && j->type == FR_JSON_NULL)
		*v = NULL;
	else if (reads(x, key, flags))
		fr_json_bad(&x->in, j, key);
}

void fr_field_u64(struct fr_json_fields *x, const char *key, uint64_t *v, unsigned flags)
{
	if (x->w)
		fr_jw_pair_u64(x->w, key, *v);
	else if (reads(x, key, flags))
		*v = fr_json_need_u64(&x->in, x->o, key);
}

void fr_field_u32(struct fr_json_fields *x, const char *key, uint32_t *v, unsigned flags)
{
	uint64_t wide = *v;

	fr_field_u64(x, key, &wide, flags);
	if (wide > UINT32_MAX)
		fr_json_bad(&x->in, fr_json_get(x->o, key), key);
	*v = (uint32_t)wide;
}

void fr_field_f64(struct fr_json_fields *x, const char *key, double *v)
{
	if (x->w)
		fr_jw_pair_f64(x->w, key, *v);
	else
		*v = fr_json_need_f64(&x->in, x->o, key);
}

void fr_field_bool(struct fr_json_fields *x, const char *key, bool *v, unsigned flags)
{
	if (x->w)
		fr_jw_pair_bool(x->w, key, *v);
	else if (reads(x, key, flags))
		*v = fr_json_need_bool(&x->in, x->o, key);
}

void fr_field_int_or(struct fr_json_fields *x, const char *key, int *v, int none)
{
	uint32_t number = (uint32_t)*v;

	if (!fr_field_present(x, key, *v != none)) {
		*v = none;
		return;
	}
	fr_field_u32(x, key, &number, 0);
	if (number > INT_MAX)
		fr_json_bad(&x->in, fr_json_get(x->o, key), key);
	*v = (int)(number & INT_MAX);
}

size_t fr_field_index(struct fr_json_fields *x, const char *key, const char *const *names, size_t n,
		      size_t v, unsigned flags)
{
	const struct fr_json *j = fr_json_get(x->o, key);

	if (x->w) {
		fr_assert(v < n);
		fr_jw_pair(x->w, key, names[v]);
		return v;
	}
	if (!reads(x, key, flags))
		return v;
	v = fr_names_find(names, n, fr_json_str(j));
	if (v < n && (names[v] || (j && j->type == FR_JSON_NULL)))
		return v;
	fr_json_bad(&x->in, j, key);
	return 0;
}

bool fr_field_present(struct fr_json_fields *x, const char *key, bool present)
{
	const struct fr_json *j = fr_json_get(x->o, key);

	if (!x->w)
		return !j || j->type != FR_JSON_NULL;
	if (!present)
		fr_jw_pair(x->w, key, NULL);
	return present;
}

void fr_field_begin(struct fr_json_fields *x, const char *key)
{
	if (x->w) {
		fr_jw_key(x->w, key);
		fr_jw_open(x->w, '{');
		return;
	}
	x->o = fr_json_get(x->o, key);
	if (!x->o || x->o->type != FR_JSON_OBJECT)
		fr_json_bad(&x->in, x->o, key);
}

void fr_field_end(struct fr_json_fields *x, const struct fr_json *outer)
{
	if (x->w)
		fr_jw_close(x->w, '}');
	x->o = outer;
}
