/*
 * Fields and objects: see object_field.h. Each site is examined once.
 *
 * Not handled: pointers to variables: `p->x` and `p->y` count as one object if the pointer is
 * called `p` in both. Elements of arrays: `a[].x` and `a[].y` may belong to two objects.
 */
#include "generate/object_field.h"
#include "base/hash.h"
#include <string.h>

static uint32_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = fr_hash_bytes(FR_HASH_START, s, n);

	return (uint32_t)(h ^ h >> 32) | 1;
}

/* The end of the variable's name, where the field begins; NULL if there is no field. */
static const char *field_in(const char *name)
{
	const char *dot = strchr(name, '.'), *arrow = strstr(name, "->");

	return !dot || (arrow && arrow < dot) ? arrow : dot;
}

static struct fr_field field_of(struct fr_fields *f, const struct fr_model *m, uint32_t site)
{
	uint64_t *at = fr_map_put(&f->sites, site);

	if (!*at) {
		struct fr_site_info s = fr_sites_get(m->trace->sites, site);
		const char *field = s.kind == FR_SITE_ACCESS ? field_in(s.name) : NULL;

		*at = 1; /* not a field */
		if (field)
			*at = (uint64_t)hash_bytes(s.name, (size_t)(field - s.name)) << 32 |
			      hash_bytes(s.name, strlen(s.name));
	}
	return (struct fr_field){(uint32_t)(*at >> 32), (uint32_t)*at};
}

uint64_t fr_fields_object(struct fr_fields *f, const struct fr_model *m, fr_ev e)
{
	const struct fr_mev *v = &m->ev[e];
	uint32_t heap = m->cls[FR_C_LOC].obj[v->obj].aux;
	struct fr_field x = {0};

	fr_assert(fr_is_access(v) && heap <= m->cls[FR_C_HEAP].n);
	if (m->trace && !m->trace->run.imported)
		x = field_of(f, m, v->site);
	return !x.object ? 0 : heap ? (uint64_t)heap << 32 : x.object;
}

bool fr_fields_together(struct fr_fields *f, const struct fr_model *m, fr_ev a, fr_ev b)
{
	uint64_t object = fr_fields_object(f, m, a);

	return object && object == fr_fields_object(f, m, b) &&
	       field_of(f, m, m->ev[a].site).name != field_of(f, m, m->ev[b].site).name;
}

void fr_fields_free(struct fr_fields *f)
{
	fr_map_free(&f->sites);
}
