/*
 * Names the object on which an event synchronises, from the site tables of the calls that led to it
 * (format/site_table.h).
 *
 * If a function got the object from its caller, or a call is in a header of the system, the name at
 * the caller's site counts. A name that begins with a star is that of a pointer: the object's
 * symbol is better.
 */
#include "base/mem.h"
#include "base/assert.h"
#include "symbols/sites.h"
#include <string.h>

char fr_event_object_class(unsigned kind)
{
	if ((kind >= FR_EV_MUTEX_INIT && kind <= FR_EV_RW_UNLOCK) || kind == FR_EV_USER_LOCK ||
	    kind == FR_EV_USER_UNLOCK)
		return 'L';
	if (kind >= FR_EV_COND_INIT && kind <= FR_EV_COND_BROADCAST)
		return 'C';
	if (kind >= FR_EV_SEM_INIT && kind <= FR_EV_SEM_POST)
		return 'S';
	if (kind >= FR_EV_BARRIER_INIT && kind <= FR_EV_BARRIER_LEAVE)
		return 'B';
	return kind >= FR_EV_ONCE_BEGIN && kind <= FR_EV_ONCE_DONE ? 'O' : 0;
}

/* Returns the number of the call's objects of a class, and the first of them. */
static uint32_t of_class(const struct fr_site_info *s, char class, struct fr_site_object *ret)
{
	const char *p = s->kind == FR_SITE_CALL ? s->type : "";
	uint32_t n = 0;

	while (*p) {
		size_t length = strcspn(p, "\n");
		const char *end = p + length;

		if ((*p & ~0x20) == class && !n++) {
			bool passed = *p++ & 0x20;
			uint64_t stride = 0;

			for (; *p >= '0' && *p <= '9' && stride < UINT32_MAX; p++)
				stride = stride * 10 + (uint64_t)(*p - '0');
			p += *p == ' ';
			fr_assert(p <= end);
			*ret = (struct fr_site_object){p, (uint32_t)(end - p), stride, passed};
		}
		p = *end ? end + 1 : end;
	}
	return n;
}

static bool in_system_header(const struct fr_site_info *s)
{
	return s->known && fr_site_of_system(
			       s->nframes ? s->strings + s->frames[s->nframes - 1].file : s->file);
}

bool fr_sites_object(const struct fr_sites *s, char class, const uint32_t *site, size_t n,
		     struct fr_site_object *ret)
{
	for (size_t i = 0; class && i < n; i++) {
		struct fr_site_info at = fr_sites_get(s, site[i]);
		struct fr_site_object o;
		uint32_t count = of_class(&at, class, &o);

		if (count > 1 || (!count && !in_system_header(&at)))
			return false;
		if (count && !o.passed) {
			*ret = o;
			return o.length > 0;
		}
	}
	return false;
}

/* Returns whether the name denotes a part of the variable. */
static bool is_part_of(const struct fr_site_object *o, const char *symbol)
{
	const char *tail = strrchr(symbol, ':');
	size_t n = strcspn(o->name, ".[-\n");

	tail = tail ? tail + 1 : symbol;
	n = n < o->length ? n : o->length;
	return strlen(tail) == n && !strncmp(o->name, tail, n) && o->name[n] != '-';
}

char *fr_site_object_text(const struct fr_site_object *o, const char *symbol, uint64_t off)
{
	FR_CLEANUP(fr_freep) char *name = fr_xstrndup(o->name, o->length);
	char *index = strstr(name, "[]");

	if (symbol && *name == '*')
		return NULL;
	if (!symbol || !o->stride || !index || !is_part_of(o, symbol))
		return fr_steal(name);
	return fr_xasprintf("%.*s[%llu]%s", (int)(index - name), name,
			    (unsigned long long)(off / o->stride), index + 2);
}
