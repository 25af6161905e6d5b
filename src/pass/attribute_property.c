/*
 * Properties of attributes: see attribute_property.h. Each attribute becomes the text of a
 * property, which the site table carries to `forerun predict` (fr_property_kinds_of_attributes in
 * generate/property_read.c).
 *
 *   guarded_by       no access while another thread holds the lock
 *   requires         no call while another thread holds the lock
 *   acquired_before  the thread that holds the second lock does not take the first
 *
 * Locks:   a member of the record that has the attribute (or whose method or parameter has it), at
 *          a constant distance from its start; or a global variable, by its name. The record may
 *          wrap the lock of the library: the distance is that of the innermost one. An order of two
 *          members is checked where the calls that take them show the names.
 * Not here: attributes whose argument is another expression (`parent->mu`, `*lock`); the target of
 *          a pointer (pt_guarded_by); elements of arrays, and fields of class types, whose methods
 *          access them by the names of their own fields; shared capabilities.
 */
#include "attribute_property.h"
#include "base/assert.h"
#include "func.h"
#include "site.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NAME_MAX_ 60 /* of a property */
#define DEPTH 8

/* The process compiles one module, so one list for the process is enough. */
static FR_VEC(char *) texts;

struct guard_lock {
	bool member;
	uint64_t distance; /* member: from the start of the object */
	char name[128]; /* global: its name; member: RECORD.MEMBER if `by_name`, else as written */
	bool by_name;	/* member: select it by the name at the call that takes it */
};

static void add(struct fr_buf *b)
{
	FR_VEC_FOREACH (t, &texts)
		if (!strcmp(*t, b->s))
			return;
	fr_vec_push(&texts, fr_xstrdup(b->s));
}

/* ---- text ---- */

/* Appends a name as a glob: characters with another meaning match any character. */
static void put_glob(struct fr_buf *b, const char *name)
{
	for (; *name; name++)
		fr_buf_printf(b, "%c",
			      isalnum((unsigned char)*name) || strchr("_:.", *name) ? *name : '?');
}

/* Begins a property: its name consists of the attribute and of the names that it is about. */
static void put_head(struct fr_buf *b, const char *what, const char *subject, bool object)
{
	size_t at;

	fr_buf_puts(b, "property ");
	at = b->n;
	fr_buf_printf(b, "%s_%s", what, subject);
	while (b->n > at + NAME_MAX_)
		b->s[--b->n] = 0;
	for (char *s = b->s + at; *s; s++)
		if (!isalnum((unsigned char)*s))
			*s = '_';
	fr_buf_printf(b, "(%s) {\n", object ? "void *object" : "");
}

/* Appends `event NAME lock...` or `event NAME unlock...`. */
static void put_lock(struct fr_buf *b, const char *event, const char *kind,
		     const struct guard_lock *l)
{
	fr_buf_printf(b, "    event %s ", event);
	if (l->member && l->by_name) {
		fr_buf_printf(b, "%s(", kind);
		put_glob(b, l->name);
		fr_buf_puts(b, ") && !shared && object(object);\n");
		return;
	}
	if (l->member) {
		fr_buf_printf(b, "%s && !shared && object(object, %llu);\n", kind,
			      (unsigned long long)l->distance);
		return;
	}
	fr_buf_printf(b, "(%s(", kind);
	put_glob(b, l->name);
	fr_buf_printf(b, ") || %s(*::", kind);
	put_glob(b, l->name);
	fr_buf_puts(b, ")) && !shared;\n");
}

/* ---- types ---- */

static fr_md record_of(LLVMContextRef c, fr_md type)
{
	fr_md t = fr_di_strip(c, type);

	if (t && fr_di_is_pointer(fr_di_tag(t)))
		t = fr_di_strip(c, fr_di_base(c, t));
	return t && fr_di_is_record(fr_di_tag(t)) ? t : NULL;
}

static bool is_library_lock(LLVMContextRef c, fr_md type)
{
	static const char *const names[] = {"pthread_mutex_t", "pthread_rwlock_t",
					    "pthread_spinlock_t", "mtx_t"};

	for (unsigned i = 0; type && i < DEPTH; i++) {
		for (size_t k = 0; k < fr_array_size(names); k++)
			if (!strcmp(fr_di_name(c, type), names[k]))
				return true;
		if (fr_di_tag(type) != FR_DW_typedef && fr_di_tag(type) != FR_DW_const &&
		    fr_di_tag(type) != FR_DW_volatile)
			return false;
		type = fr_di_base(c, type);
	}
	return false;
}

/* The distance of the first lock of the library from the start of a lock's type. */
static bool inner_lock(LLVMContextRef c, fr_md type, unsigned depth, uint64_t *ret)
{
	fr_md record = fr_di_strip(c, type), elements;

	if (is_library_lock(c, type))
		return true;
	if (depth == DEPTH || !record || !fr_di_is_record(fr_di_tag(record)))
		return false;
	elements = fr_di_elements(c, record);
	for (unsigned i = 0; i < fr_md_nops(c, elements); i++) {
		fr_md e = fr_md_op(c, elements, i);
		unsigned tag = fr_di_tag(e);
		uint64_t inside = 0;

		if ((tag != FR_DW_member && tag != FR_DW_inheritance) ||
		    !inner_lock(c, fr_di_base(c, e), depth + 1, &inside))
			continue;
		*ret = LLVMDITypeGetOffsetInBits(e) / 8 + inside;
		return true;
	}
	return false;
}

/* The member of a record with a name, also of its base classes. */
static bool member_of(LLVMContextRef c, fr_md record, const char *name, unsigned depth,
		      struct guard_lock *ret)
{
	fr_md elements = record && depth < DEPTH ? fr_di_elements(c, record) : NULL;

	for (unsigned i = 0; elements && i < fr_md_nops(c, elements); i++) {
		fr_md e = fr_md_op(c, elements, i);
		uint64_t offset;

		if (fr_di_tag(e) == FR_DW_inheritance) {
			offset = LLVMDITypeGetOffsetInBits(e) / 8;
			if (!member_of(c, fr_di_strip(c, fr_di_base(c, e)), name, depth + 1, ret))
				continue;
			ret->distance += offset;
			return true;
		}
		if (fr_di_tag(e) != FR_DW_member || strcmp(fr_di_name(c, e), name) ||
		    fr_di_is_pointer(fr_di_tag(fr_di_strip(c, fr_di_base(c, e)))))
			continue;
		offset = 0;
		inner_lock(c, fr_di_base(c, e), 0, &offset);
		ret->member = true;
		ret->distance = LLVMDITypeGetOffsetInBits(e) / 8 + offset;
		return true;
	}
	return false;
}

/* ---- arguments ---- */

/* The next argument of an attribute without blanks, & and this->. Returns false after the last. */
static bool next_argument(const char **at, char ret[128])
{
	size_t n = 0;

	while (isspace((unsigned char)**at) || **at == ',' || **at == '&')
		++*at;
	if (!strncmp(*at, "this->", 6))
		*at += 6;
	for (; **at && **at != ','; ++*at)
		if (!isspace((unsigned char)**at) && n < 127)
			ret[n++] = **at;
	ret[n] = 0;
	return n;
}

static bool is_name(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != ':')
			return false;
	return true;
}

/* The lock that an argument names, of a record (NULL: none) or global. */
static bool lock_of(LLVMContextRef c, fr_md record, const char *argument, struct guard_lock *ret)
{
	const char *last = strrchr(argument, ':');

	*ret = (struct guard_lock){0};
	if (!is_name(argument))
		return false;
	snprintf(ret->name, sizeof(ret->name), "%s", last ? last + 1 : argument);
	member_of(c, record, argument, 0, ret);
	return true;
}

/* ---- properties ---- */

/* use: the pointcut of the accesses or calls that need the lock. */
static void guarded(const char *what, const char *subject, const struct guard_lock *l,
		    const char *use)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	put_head(&b, what, subject, l->member);
	put_lock(&b, "lock", "lock", l);
	put_lock(&b, "unlock", "unlock", l);
	fr_buf_printf(&b, "    event use %s;\n    pattern: lock(t1) use(t1)* use(t2)\n}\n", use);
	add(&b);
}

static void guarded_access(const char *subject, const struct guard_lock *l)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf use = {0};

	fr_buf_puts(&use, "(get(");
	put_glob(&use, subject);
	fr_buf_puts(&use, ") || set(");
	put_glob(&use, subject);
	fr_buf_printf(&use, "))%s", l->member ? " && object(object)" : "");
	guarded("guarded_by", subject, l, use.s);
}

/* The lock `first` comes before the lock `second`. */
static void ordered(const char *subject, const struct guard_lock *first,
		    const struct guard_lock *second)
{
	FR_CLEANUP(fr_buf_free) struct fr_buf b = {0};

	put_head(&b, "acquired_before", subject, first->member || second->member);
	put_lock(&b, "second", "lock", second);
	put_lock(&b, "first", "lock", first);
	put_lock(&b, "release", "unlock", second);
	fr_buf_puts(&b, "    pattern: second(t1) first(t1)\n}\n");
	add(&b);
}

/* The attribute of an annotation, as its name; *ret_arguments: its arguments. NULL: another one. */
static const char *attribute_of(LLVMValueRef string, const char **ret_arguments)
{
	static char name[32];
	LLVMValueRef text = LLVMIsAGlobalVariable(string) ? LLVMGetInitializer(string) : NULL;
	const char *s, *colon;
	size_t n;

	if (!text || !LLVMIsConstantString(text))
		return NULL;
	s = LLVMGetAsString(text, &n);
	if (n < strlen(FR_GUARD_MARK) || strncmp(s, FR_GUARD_MARK, strlen(FR_GUARD_MARK)))
		return NULL;
	s += strlen(FR_GUARD_MARK);
	colon = strchr(s, ':');
	if (!colon || (size_t)(colon - s) >= sizeof(name))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)(colon - s), s);
	*ret_arguments = colon + 1;
	return name;
}

/* ---- variables ---- */

/* An attribute of a variable or a field. `name`: in the source; `member`: of the field alone. */
static void see_variable(LLVMContextRef c, const char *what, const char *arguments, fr_md record,
			 const char *name, const char *member)
{
	struct guard_lock l, own;
	char argument[128];

	while (next_argument(&arguments, argument)) {
		if (!lock_of(c, record, argument, &l))
			continue;
		if (!strcmp(what, "guarded_by")) {
			guarded_access(name, &l);
			continue;
		}
		if (strcmp(what, "before") && strcmp(what, "after"))
			continue;
		own = (struct guard_lock){0};
		snprintf(own.name, sizeof(own.name), "%s", name);
		if (record && !member_of(c, record, member, 0, &own))
			continue;
		if (own.member != l.member)
			continue; /* no object that both belong to */
		/* Two locks anywhere may be as far apart as these. Only names tell that they are
		   members of one object. */
		own.by_name = l.by_name = own.member;
		if (l.member) {
			char *whole = fr_xasprintf("%.*s.%s", (int)(strrchr(name, '.') - name),
						   name, argument);

			snprintf(l.name, sizeof(l.name), "%s", whole);
			free(whole);
		}
		if (!strcmp(what, "before"))
			ordered(name, &own, &l);
		else
			ordered(name, &l, &own);
	}
}

/* Does the member of a record begin at this distance? */
static bool begins_at(LLVMContextRef c, fr_md record, const char *member, uint64_t distance)
{
	fr_md elements = fr_di_elements(c, record);

	for (unsigned i = 0; i < fr_md_nops(c, elements); i++) {
		fr_md e = fr_md_op(c, elements, i);

		if (fr_di_tag(e) == FR_DW_member && !strcmp(fr_di_name(c, e), member))
			return LLVMDITypeGetOffsetInBits(e) / 8 == distance;
	}
	return false;
}

/* An attribute of a field, whose address is that of the path. Of nested fields that begin there,
   the outermost one that has a lock of this name beside it has the attribute; for a global lock,
   the innermost one. */
static void see_field(struct fr_path_ctx *c, const char *what, const char *arguments,
		      const struct fr_path *p)
{
	const char *line = p->fields.s;
	char name[256] = "", argument[128], lock[128];
	fr_md record = NULL;
	const char *first = arguments;

	if (!next_argument(&first, lock))
		return;
	for (unsigned i = 0; i < p->records && line; i++, line = strchr(line + 1, '\n')) {
		int n = (int)strcspn(line + 1, "\n");
		const char *blank = memrchr(line + 1, ' ', (size_t)n), *dot;
		struct guard_lock l = {0};

		fr_assert(blank);
		snprintf(argument, sizeof(argument), "%.*s", (int)(blank - line - 1), line + 1);
		dot = strrchr(argument, '.');
		if (!dot || !begins_at(c->ctx, p->record[i], dot + 1, strtoull(blank, NULL, 10)))
			continue;
		record = p->record[i];
		snprintf(name, sizeof(name), "%s", argument);
		if (member_of(c->ctx, record, lock, 0, &l))
			break;
	}
	if (record)
		see_variable(c->ctx, what, arguments, record, name, strrchr(name, '.') + 1);
}

void fr_guard_field(struct fr_path_ctx *c, LLVMValueRef call)
{
	const char *what = fr_intrinsic(call), *arguments;
	struct fr_path p = {0};

	if (!what || strncmp(what, "ptr.annotation", 14))
		return;
	what = attribute_of(LLVMGetOperand(call, 1), &arguments);
	if (!what)
		return;
	LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0)); /* for the names of accesses */
	if (!fr_path_of(c, LLVMGetOperand(call, 0), &p))
		return;
	fr_path_end(c, &p, 1);
	if (p.fields.n)
		see_field(c, what, arguments, &p);
	fr_path_free(&p);
}

/* ---- functions ---- */

/* Finds the parameter that an argument of the form NAME->MEMBER or NAME.MEMBER is about: the only
   one whose record has the member. A plain MEMBER is one of `this`. */
static bool parameter_of(LLVMContextRef c, fr_md types, const char *argument, unsigned *ret_index,
			 struct guard_lock *ret)
{
	const char *arrow = strstr(argument, "->"), *dot = strrchr(argument, '.');
	const char *member = arrow ? arrow + 2 : dot ? dot + 1 : argument;
	unsigned found = 0, n = fr_md_nops(c, types);

	if (!is_name(member))
		return false;
	for (unsigned i = 1; i < n && (arrow || dot || i == 1); i++) {
		struct guard_lock l = {0};

		if (!member_of(c, record_of(c, fr_md_op(c, types, i)), member, 0, &l))
			continue;
		*ret = l;
		*ret_index = i - 1;
		found++;
	}
	return found == 1;
}

static void see_function(struct fr_pass_unit *u, const char *arguments, LLVMValueRef fn)
{
	fr_md sp = LLVMGetSubprogram(fn), type = sp ? fr_di_subtype(u->ctx, sp) : NULL;
	fr_md types = type ? fr_md_op(u->ctx, type, 3) : NULL;
	FR_CLEANUP(fr_buf_free) struct fr_buf name = {0};
	char argument[128];

	if (!types || LLVMIsDeclaration(fn))
		return;
	fr_point_name(u, fn, &name);
	while (next_argument(&arguments, argument)) {
		FR_CLEANUP(fr_buf_free) struct fr_buf use = {0};
		struct guard_lock l;
		unsigned index = 0;

		if (!parameter_of(u->ctx, types, argument, &index, &l) &&
		    !lock_of(u->ctx, NULL, argument, &l))
			continue;
		fr_buf_puts(&use, "before execution(");
		put_glob(&use, name.s);
		fr_buf_puts(&use, ")");
		if (l.member) {
			fr_buf_puts(&use, " && args(");
			while (index--)
				fr_buf_puts(&use, "_, ");
			fr_buf_puts(&use, "object, ..)");
		}
		guarded("requires", name.s, &l, use.s);
		fr_vec_push(&u->opt.calls, fr_xstrdup(name.s));
	}
}

void fr_guard_globals(struct fr_pass_unit *u)
{
	LLVMValueRef list = LLVMGetNamedGlobal(u->mod, "llvm.global.annotations");
	LLVMValueRef array = list ? LLVMGetInitializer(list) : NULL;

	for (unsigned i = 0; array && i < (unsigned)LLVMGetNumOperands(array); i++) {
		LLVMValueRef entry = LLVMGetOperand(array, i), of = LLVMGetOperand(entry, 0);
		const char *arguments, *what;
		struct fr_path_ctx c = {.ctx = u->ctx,
					.dl = u->dl,
					.md_dbg = LLVMGetMDKindIDInContext(u->ctx, "dbg", 3)};
		struct fr_path p = {0};

		what = attribute_of(LLVMGetOperand(entry, 1), &arguments);
		if (!what)
			continue;
		if (LLVMIsAFunction(of)) {
			if (!strcmp(what, "requires"))
				see_function(u, arguments, of);
		} else if (LLVMIsAGlobalVariable(of) && fr_path_of(&c, of, &p)) {
			see_variable(u->ctx, what, arguments, NULL, p.text.s, NULL);
		}
		fr_path_free(&p);
	}
}

/* ---- the module ---- */

bool fr_guard_strip(LLVMModuleRef m)
{
	FR_VEC(LLVMValueRef) call = {0};
	const char *arguments;
	bool any;

	for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
		const char *name;
		size_t n;

		name = LLVMGetValueName2(f, &n);
		if (strncmp(name, "llvm.ptr.annotation", 19) != 0)
			continue;
		for (LLVMUseRef x = LLVMGetFirstUse(f); x; x = LLVMGetNextUse(x))
			if (attribute_of(LLVMGetOperand(LLVMGetUser(x), 1), &arguments))
				fr_vec_push(&call, LLVMGetUser(x));
	}
	any = call.n;
	FR_VEC_FOREACH (c, &call) {
		LLVMReplaceAllUsesWith(*c, LLVMGetOperand(*c, 0)); /* without debug information */
		LLVMInstructionEraseFromParent(*c);
	}
	fr_vec_free(&call);
	return any;
}

void fr_guard_finish(struct fr_pass_unit *u)
{
	for (size_t i = 0; fr_unit_sites_count(u->sites) && i < texts.n; i++)
		fr_site_add(u->sites, &(struct fr_site_desc){
					  .kind = FR_SITE_EXEC, .name = "", .type = texts.v[i]});
}
