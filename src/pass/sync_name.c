/*
 * Finds the lock, condition variable or semaphore that a call is about, as the source names it:
 * `q->lock` of pthread_mutex_lock(&q->lock), of std::lock_guard g(q->lock), of a function of the
 * program that takes a pthread_mutex_t *.
 *
 * The functions of libc are known by name. For others, the debug information shows which parameters
 * are pointers or references to such objects, or to records that hold nothing but one.
 * Passed on:   in system headers, and where a function gets the object from its caller, the name
 *              says nothing (`*m`), but the caller's name does. Inlined calls are looked up here,
 *              by location; for the others, the analysis uses the recorded call stack.
 * Not handled: functions whose parameters the compiler has split or joined; objects behind void *.
 */
#include "sync_name.h"
#include "format/site_table.h"
#include "access_name.h"
#include <string.h>

#define DEPTH_MAX 24

/* ---- types ---- */

static const struct {
	const char *name;
	char class;
} typedefs[] = {{"pthread_mutex_t", 'L'},
		{"pthread_rwlock_t", 'L'},
		{"pthread_spinlock_t", 'L'},
		{"mtx_t", 'L'},
		{"pthread_cond_t", 'C'},
		{"cnd_t", 'C'},
		{"sem_t", 'S'},
		{"pthread_once_t", 'O'},
		{"once_flag", 'O'},
		{"pthread_barrier_t", 'B'}},
  of_std[] = {{"mutex", 'L'},	     {"recursive_mutex", 'L'},	  {"timed_mutex", 'L'},
	      {"shared_mutex", 'L'}, {"shared_timed_mutex", 'L'}, {"recursive_timed_mutex", 'L'},
	      {"once_flag", 'O'},    {"condition_variable", 'C'}, {"condition_variable_any", 'C'}};

static bool in_std(LLVMContextRef c, fr_md t)
{
	for (unsigned i = 0; t && i < DEPTH_MAX; i++) {
		t = fr_di_scope(c, t);
		if (fr_md_is(t, LLVMDINamespaceMetadataKind) && !strcmp(fr_di_name(c, t), "std"))
			return true;
	}
	return false;
}

/* The class of an object by the name of its type, 0: none. */
static char class_named(LLVMContextRef c, fr_md t)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		unsigned tag = fr_di_tag(t);

		if (tag == FR_DW_typedef)
			for (size_t k = 0; k < fr_array_size(typedefs); k++)
				if (!strcmp(fr_di_name(c, t), typedefs[k].name))
					return typedefs[k].class;
		if (fr_di_is_record(tag)) {
			for (size_t k = 0; k < fr_array_size(of_std); k++)
				if (!strcmp(fr_di_name(c, t), of_std[k].name) && in_std(c, t))
					return of_std[k].class;
			return 0;
		}
		if (!tag || fr_di_is_pointer(tag) || tag == FR_DW_array || tag == FR_DW_subroutine)
			return 0;
		if (fr_md_is(t, LLVMDIBasicTypeMetadataKind))
			return 0;
		t = fr_di_base(c, t);
	}
	return 0;
}

/* The member that is all of a record, NULL: none. */
static fr_md only_member(LLVMContextRef c, fr_md record)
{
	fr_md elements = fr_di_elements(c, record);

	for (unsigned i = 0, n = fr_md_nops(c, elements); i < n; i++) {
		fr_md e = fr_md_op(c, elements, i);
		unsigned tag = fr_md_is(e, LLVMDIDerivedTypeMetadataKind) ? LLVMGetDINodeTag(e) : 0;

		if ((tag == FR_DW_member || tag == FR_DW_inheritance) &&
		    !(LLVMDITypeGetFlags(e) & LLVMDIFlagStaticMember) &&
		    fr_di_size(c, fr_di_base(c, e)) == fr_di_size(c, record))
			return fr_di_base(c, e);
	}
	return NULL;
}

/* The class of a type, or of the record that holds only such an object. */
static char class_of(LLVMContextRef c, fr_md t)
{
	for (unsigned i = 0; t && i < DEPTH_MAX; i++) {
		char class = class_named(c, t);

		if (class)
			return class;
		t = fr_di_strip(c, t);
		if (!fr_di_is_record(fr_di_tag(t)))
			return 0;
		t = only_member(c, t);
	}
	return 0;
}

/* ---- arguments ---- */

/* The type that an argument must have: a named type of this class, exactly this type, or any. */
struct want {
	LLVMContextRef c;
	char class;
	bool any;
	fr_md type; /* NULL: a named type */
};

static bool is_wanted(void *ctx, fr_md type)
{
	const struct want *w = ctx;

	if (w->any)
		return !fr_di_is_record(fr_di_tag(fr_di_strip(w->c, type))) ||
		       fr_di_size(w->c, type) <= 8;
	if (w->type)
		return fr_di_strip(w->c, type) == fr_di_strip(w->c, w->type);
	return class_named(w->c, type) == w->class;
}

/* clang-format off */
/* Functions without debug information, by the beginnings of their names. */
static const struct {
	const char *prefix;
	char first, second; /* classes of the arguments */
} functions[] = {
    {"pthread_mutex_", 'L', 0}, {"pthread_rwlock_", 'L', 0}, {"pthread_spin_", 'L', 0},
    {"mtx_", 'L', 0}, {"pthread_cond_", 'C', 'L'}, {"cnd_", 'C', 'L'}, {"sem_", 'S', 0},
    {"pthread_barrier_", 'B', 0}, {"pthread_once", 'O', 0}, {"call_once", 'O', 0},
    {"forerun_lock", 'L', 0}, {"forerun_trylock", 'L', 0}, {"forerun_unlock", 'L', 0},
    /* members of libstdc++ and libc++ that are not inlined */
    {"_ZNSt18condition_variable", 'C', 0}, {"_ZNSt3__118condition_variable", 'C', 0},
    {"_ZNSt3__15mutex", 'L', 0}, {"_ZNSt3__115recursive_mutex", 'L', 0},
};
/* clang-format on */

static char class_by_name(const char *name, unsigned i)
{
	for (size_t k = 0; k < fr_array_size(functions); k++)
		if (!strncmp(name, functions[k].prefix, strlen(functions[k].prefix)))
			return !i ? functions[k].first : i == 1 ? functions[k].second : 0;
	return 0;
}

static struct want want_of(LLVMContextRef c, LLVMValueRef call, LLVMValueRef callee, unsigned i)
{
	struct want w = {.c = c};
	fr_md sp = callee ? LLVMGetSubprogram(callee) : NULL, types, t;
	const char *name = "";
	size_t n;

	if (callee && LLVMIsDeclaration(callee)) {
		name = LLVMGetValueName2(callee, &n);
		w.class = class_by_name(name, i);
		w.any = !strncmp(name, "forerun_", 8);
		if (w.class)
			return w;
	}
	types = sp ? fr_md_op(c, fr_di_subtype(c, sp), 3) : NULL;
	if (fr_md_nops(c, types) != LLVMGetNumArgOperands(call) + 1)
		return w;
	t = fr_di_strip(c, fr_md_op(c, types, i + 1));
	if (!fr_di_is_pointer(fr_di_tag(t)))
		return w;
	w.type = fr_di_base(c, t);
	w.class = class_of(c, w.type);
	return w;
}

/* True if the pointer is a parameter that never changes. */
static bool is_parameter(LLVMValueRef v)
{
	unsigned stores = 0;

	while (LLVMIsAGetElementPtrInst(v))
		v = LLVMGetOperand(v, 0);
	if (LLVMIsAArgument(v))
		return true;
	v = LLVMIsALoadInst(v) ? LLVMGetOperand(v, 0) : v;
	if (!LLVMIsAAllocaInst(v))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef s = LLVMGetUser(u);

		if (!LLVMIsAStoreInst(s))
			continue;
		if (LLVMGetOperand(s, 1) != v || !LLVMIsAArgument(LLVMGetOperand(s, 0)))
			return false;
		stores++;
	}
	return stores == 1;
}

static bool of_system(fr_md loc)
{
	fr_md file = loc ? LLVMDIScopeGetFile(LLVMDILocationGetScope(loc)) : NULL;
	unsigned n = 0;
	const char *p = file ? LLVMDIFileGetFilename(file, &n) : NULL;
	char *name = p ? fr_xstrndup(p, n) : NULL;
	bool r = name && fr_site_of_system(name);

	free(name);
	return r;
}

static void argument(struct fr_path_ctx *x, LLVMValueRef v, struct want *w, bool system,
		     struct fr_buf *text)
{
	char passed = (char)(w->class + 'a' - 'A');
	struct fr_path p;
	bool on;

	if (text->n)
		fr_buf_puts(text, "\n");
	if (system) {
		fr_buf_printf(text, "%c", passed);
		return;
	}
	if (!fr_path_of(x, v, &p))
		fr_buf_puts(&p.text, "");
	on = p.deref && !strpbrk(p.text.s, ".>[(") && class_of(x->ctx, p.type) == w->class &&
	     is_parameter(v);
	if (w->any && LLVMIsALoadInst(v)) /* the pointer itself */
		fr_path_end(x, &p, 0);
	else if (!fr_path_down(x, &p, is_wanted, w))
		p.text.n = 0;
	fr_buf_printf(text, "%c", on ? passed : w->class);
	if (p.text.n && p.stride && p.stride != UINT64_MAX)
		fr_buf_printf(text, "%llu", (unsigned long long)p.stride);
	if (p.text.n)
		fr_buf_printf(text, " %s", p.text.s);
	for (const char *f = p.text.n && p.fields.n ? p.fields.s : NULL; f; f = strchr(f + 1, '\n'))
		fr_buf_printf(text, "\n@%.*s", (int)strcspn(f + 1, "\n"), f + 1);
	fr_path_free(&p);
}

void fr_sync_name(struct fr_path_ctx *x, LLVMValueRef call, struct fr_buf *text)
{
	fr_md loc = LLVMInstructionGetDebugLoc(call);
	LLVMValueRef callee;

	if (fr_intrinsic(call) || !loc)
		return;
	fr_callee_name(call, &callee);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef v = LLVMGetOperand(call, i);
		struct want w;

		if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind)
			continue;
		w = want_of(x->ctx, call, callee, i);
		if (w.class)
			argument(x, v, &w, of_system(loc), text);
	}
}

/* ---- at the end of the pipeline ---- */

/* True if the text has nothing but objects that were passed on. */
static bool only_passed_on(const char *text, fr_md loc)
{
	if (!*text)
		return of_system(loc);
	for (const char *p = text; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
		if (*p >= 'A' && *p <= 'Z')
			return false;
	return true;
}

static const char *at(fr_md loc)
{
	const struct fr_access_name *n = fr_name_at(loc, false, FR_NAME_CALL);

	return n ? n->name : "";
}

const char *fr_sync_lookup(LLVMContextRef c, LLVMValueRef call)
{
	LLVMValueRef v =
	    LLVMGetMetadata(call, LLVMGetMDKindIDInContext(c, FR_SYNC_MD, strlen(FR_SYNC_MD)));
	fr_md loc = LLVMInstructionGetDebugLoc(call);
	const char *text = v ? fr_md_str(c, LLVMValueAsMetadata(v), 0) : at(loc);

	while (loc && only_passed_on(text, loc)) {
		fr_md outer = LLVMDILocationGetInlinedAt(loc);

		if (!outer)
			break;
		loc = outer;
		text = at(loc);
	}
	return text;
}
