/*
 * Fields of JSON records. One function for each record lists its members once, in the order of the
 * file, and serves both directions. While writing, each call below adds a member with the
 * variable's value. While reading, each call sets the variable from the member.
 *
 *	static void position(struct fr_json_fields *x, struct fr_position *p)
 *	{
 *		fr_field_str(x, "file", &p->file, 0);
 *		fr_field_u32(x, "line", &p->line, 0);
 *	}
 *
 * Reading ignores other members. A missing or wrong member sets the error in x->in; later ones are
 * then of no interest.
 */
#ifndef FR_BASE_JSON_FIELDS_H
#define FR_BASE_JSON_FIELDS_H

#include "base/json.h"

struct fr_json_fields {
	struct fr_jw *w; /* writes to it; NULL = reads */
	/* reading: */
	struct fr_json_file in;
	const struct fr_json *o;		       /* the object whose members are read */
	const char *(*keep)(void *arg, const char *s); /* returns a string that lives on */
	void *arg;
};

#define FR_FIELD_NULL 1 /* strings: null stands for NULL */
#define FR_FIELD_NEW 2	/* old files lack it: the variable keeps its value */

void fr_field_str(struct fr_json_fields *x, const char *key, const char **v, unsigned flags);
void fr_field_u32(struct fr_json_fields *x, const char *key, uint32_t *v, unsigned flags);
void fr_field_u64(struct fr_json_fields *x, const char *key, uint64_t *v, unsigned flags);
void fr_field_f64(struct fr_json_fields *x, const char *key, double *v);
void fr_field_bool(struct fr_json_fields *x, const char *key, bool *v, unsigned flags);
/* A number from 0 on; null stands for `none`. */
void fr_field_int_or(struct fr_json_fields *x, const char *key, int *v, int none);
/* A value of an enum, by its name in a table of n. NULL in the table stands for null. */
#define fr_field_name(x, key, names, n, v, flags) \
	(*(v) = (__typeof__(*(v)))fr_field_index(x, key, names, n, (size_t)*(v), flags))
size_t fr_field_index(struct fr_json_fields *x, const char *key, const char *const *names, size_t n,
		      size_t v, unsigned flags);

/* For a value that may be null. Writes null if it is absent. Returns whether there is a value,
   which another call must then write or read. */
bool fr_field_present(struct fr_json_fields *x, const char *key, bool present);

/* An object: `record` lists its members. */
#define fr_field_object(x, key, record, v)         \
	do {                                       \
		const struct fr_json *o_ = (x)->o; \
		fr_field_begin(x, key);            \
		record(x, v);                      \
		fr_field_end(x, o_);               \
	} while (0)
void fr_field_begin(struct fr_json_fields *x, const char *key);
void fr_field_end(struct fr_json_fields *x, const struct fr_json *outer);

/* An array of strings, from or to a vector of pointers to char. */
#define fr_field_strings(x, key, vec)                                                           \
	do {                                                                                    \
		const struct fr_json *j_;                                                       \
		if ((x)->w) {                                                                   \
			fr_jw_key((x)->w, key);                                                 \
			fr_jw_open((x)->w, '[');                                                \
			FR_VEC_FOREACH (e_, vec)                                                \
				fr_jw_str((x)->w, *e_);                                         \
			fr_jw_close((x)->w, ']');                                               \
			break;                                                                  \
		}                                                                               \
		for (j_ = fr_json_need_list(&(x)->in, (x)->o, key); j_; j_ = j_->next)          \
			if (fr_json_str(j_))                                                    \
				fr_vec_push(vec,                                                \
					    (__typeof__(*(vec)->v))(x)->keep((x)->arg, j_->s)); \
			else                                                                    \
				fr_json_bad(&(x)->in, j_, key);                                 \
	} while (0)

/* An array of objects, from or to a vector. */
#define fr_field_list(x, key, vec, record)                                                         \
	do {                                                                                       \
		const struct fr_json *o_ = (x)->o, *j_;                                            \
		if ((x)->w) {                                                                      \
			fr_jw_key((x)->w, key);                                                    \
			fr_jw_open((x)->w, '[');                                                   \
			FR_VEC_FOREACH (e_, vec) {                                                 \
				fr_jw_open((x)->w, '{');                                           \
				record(x, e_);                                                     \
				fr_jw_close((x)->w, '}');                                          \
			}                                                                          \
			fr_jw_close((x)->w, ']');                                                  \
			break;                                                                     \
		}                                                                                  \
		for (j_ = fr_json_need_list(&(x)->in, o_, key); j_ && !(x)->in.r; j_ = j_->next) { \
			__typeof__(*(vec)->v) e_ = {0};                                            \
			(x)->o = j_;                                                               \
			record(x, &e_);                                                            \
			fr_vec_push(vec, e_);                                                      \
		}                                                                                  \
		(x)->o = o_;                                                                       \
	} while (0)

#endif
