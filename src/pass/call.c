/*
 * Calls: records the position of the call (frt_h_call), the objects that it synchronises on
 * (sync_name.c), and the reads of arguments passed by value in memory. Redirects libc functions to
 * recording ones (format/hook_abi.h, FRT_LIBC), unless the program has its own (own_libc_name.c).
 *
 * Not seen: accesses inside libatomic and in functions that were not compiled with the pass.
 */
#include "func.h"
#include "base/assert.h"
#include "access_origin.h"
#include "format/hook_abi.h"
#include "influence.h"
#include "mark.h"
#include "sync_name.h"
#include <stdio.h>
#include <string.h>

/* Result and parameters: p pointer, i int, z size_t or long (64 bits), v void, '.' variadic. */
/* clang-format off */
static const struct {
	const char *name, *type;
} libc[] = {
    {"memcpy", "pppz"},	   {"memmove", "pppz"},	    {"memset", "ppiz"},	     {"memcmp", "ippz"},
    {"bcmp", "ippz"},	   {"memchr", "ppiz"},	    {"mempcpy", "pppz"},     {"strlen", "zp"},
    {"strnlen", "zpz"},	   {"strcpy", "ppp"},	    {"stpcpy", "ppp"},	     {"strncpy", "pppz"},
    {"strcat", "ppp"},	   {"strncat", "pppz"},	    {"strcmp", "ipp"},	     {"strncmp", "ippz"},
    {"strcasecmp", "ipp"}, {"strncasecmp", "ippz"}, {"strchr", "ppi"},	     {"strrchr", "ppi"},
    {"strstr", "ppp"},	   {"strdup", "pp"},	    {"strndup", "ppz"},	     {"sprintf", "ipp."},
    {"snprintf", "ipzp."}, {"vsprintf", "ippp"},    {"vsnprintf", "ipzpp"},  {"puts", "ip"},
    {"fputs", "ipp"},	   {"fgets", "ppip"},	    {"fread", "zpzzp"},	     {"fwrite", "zpzzp"},
    {"read", "zipz"},	   {"write", "zipz"},	    {"pread", "zipzz"},	     {"pwrite", "zipzz"},
    {"recv", "zipzi"},	   {"send", "zipzi"},	    {"recvfrom", "zipzipp"}, {"sendto", "zipzipi"},
    {"readv", "zipi"},	   {"writev", "zipi"},	    {"qsort", "vpzzp"},	     {"strtol", "zppi"},
    {"strtoul", "zppi"},   {"strtoll", "zppi"},	    {"strtoull", "zppi"},    {"atoi", "ip"},
    {"atol", "zp"},
    {"__read_chk", "zipzz"}, {"__pread_chk", "zipzzz"}, {"__recv_chk", "zipzzi"},
    {"__recvfrom_chk", "zipzzipp"}, {"__fgets_chk", "ppzip"}, {"__fread_chk", "zpzzzp"},
    {"time", "zp"}, {"clock", "z"}, {"times", "zp"}, {"kill", "iii"}, {"poll", "ipzi"},
    {"select", "iipppp"}, {"accept", "iipp"}, {"sleep", "ii"}, {"alarm", "ii"}, {"pause", "i"},
    {"socketpair", "iiiip"}, {"close", "ii"}, {"shutdown", "iii"}, {"connect", "iipi"},
    {"pipe", "ip"}, {"pipe2", "ipi"}, {"socket", "iiii"},
    {"sendmsg", "zipi"}, {"sendmmsg", "iipii"}, {"recvmsg", "zipi"}, {"recvmmsg", "iipiip"},
    {"pwritev", "zipiz"}, {"pwritev64", "zipiz"}, {"preadv", "zipiz"}, {"preadv64", "zipiz"},
    {"vmsplice", "zipzi"}, {"mq_send", "iipzi"}, {"mq_timedsend", "iipzip"},
    {"mq_receive", "zipzp"}, {"mq_timedreceive", "zipzpp"}, {"msgsnd", "iipzi"},
    {"msgrcv", "zipzzi"}, {"semop", "iipz"}, {"semtimedop", "iipzp"}, {"aio_write", "ip"},
    {"aio_return", "zp"}, {"lio_listio", "iipip"}, {"eventfd_read", "iip"},
    {"timerfd_settime", "iiipp"}, {"accept4", "iippi"}, {"getsockname", "iipp"},
    {"getpeername", "iipp"}, {"waitpid", "iipi"}, {"wait", "ip"}, {"epoll_wait", "iipii"},
    {"epoll_pwait", "iipiip"}, {"getline", "zppp"}, {"getdelim", "zppip"}, {"pread64", "zipzz"},
    {"pwrite64", "zipzz"}, {"open", "ipi."}, {"openat", "iipi."}, {"creat", "ipi"},
    {"access", "ipi"}, {"stat", "ipp"}, {"lstat", "ipp"}, {"mkdir", "ipi"}, {"rmdir", "ip"},
    {"unlink", "ip"}, {"remove", "ip"}, {"rename", "ipp"}, {"link", "ipp"}, {"symlink", "ipp"},
    {"truncate", "ipz"}, {"flock", "iii"}, {"bind", "iipi"}, {"listen", "iii"}, {"tee", "ziizi"},
    {"splice", "zipipzi"}, {"printf", "ip."}, {"vprintf", "ipp"}, {"fprintf", "ipp."},
    {"vfprintf", "ippp"}, {"dprintf", "iip."}, {"vdprintf", "iipp"}, {"asprintf", "ipp."},
    {"vasprintf", "ippp"}, {"__printf_chk", "iip."}, {"__fprintf_chk", "ipip."},
    {"__vfprintf_chk", "ipipp"}, {"__isoc99_scanf", "ip."}, {"__isoc99_vscanf", "ipp"},
    {"__isoc99_fscanf", "ipp."}, {"__isoc99_vfscanf", "ippp"}, {"__isoc99_sscanf", "ipp."},
    {"__isoc99_vsscanf", "ippp"},
};
/* clang-format on */
#define FR_X(n) +1
_Static_assert(sizeof(libc) / sizeof(libc[0]) == 0 FRT_LIBC(FR_X),
	       "a function of FRT_LIBC has no signature");
#undef FR_X

static bool fits(struct fr_pass_unit *u, LLVMTypeRef t, const char *sig)
{
	LLVMTypeRef params[8];
	unsigned n = LLVMCountParamTypes(t), want = (unsigned)strlen(sig) - 1;
	bool variadic = sig[want] == '.';

	fr_assert(want <= strlen(sig)); /* a letter for the result comes first */
	want -= variadic;
	if (n != want || n > 8 || LLVMIsFunctionVarArg(t) != variadic)
		return false;
	LLVMGetParamTypes(t, params);
	for (unsigned i = 0; i <= n; i++) {
		LLVMTypeRef x = i ? params[i - 1] : LLVMGetReturnType(t);
		LLVMTypeRef w = sig[i] == 'p'	? u->ptr
				: sig[i] == 'i' ? u->i32
				: sig[i] == 'z' ? u->i64
						: u->tvoid;

		if (x != w)
			return false;
	}
	return true;
}

static void redirect(struct fr_func *f, LLVMValueRef call, const char *name, LLVMValueRef callee)
{
	struct fr_pass_unit *u = f->u;
	LLVMTypeRef t = LLVMGetCalledFunctionType(call);
	LLVMValueRef to;
	char other[64];
	int n;

	fr_assert(LLVMIsAFunction(callee));
	if (!fr_define_redirects(callee))
		return;
	for (size_t i = 0; i < fr_array_size(libc); i++) {
		if (strcmp(libc[i].name, name) || !fits(u, t, libc[i].type))
			continue;
		n = snprintf(other, sizeof(other), "frt_libc_%s", name);
		fr_assert(n > 0 && (size_t)n < sizeof(other));
		to = LLVMGetNamedFunction(u->mod, other);
		if (!to)
			to = LLVMAddFunction(u->mod, other, t);
		to = fr_define_choose(u, name, callee, to);
		LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, to);
		u->count[FR_PC_libc]++;
		return;
	}
}

static void callee_text(struct fr_func *f, LLVMValueRef callee, struct fr_buf *b)
{
	fr_md sp = LLVMGetSubprogram(callee);
	const char *name;
	char *plain;
	size_t n;

	if (sp) {
		fr_di_qualified(f->u->ctx, sp, b);
		return;
	}
	name = LLVMGetValueName2(callee, &n);
	plain = fr_plain_name(name);
	fr_buf_puts(b, plain ? plain : name);
	free(plain);
}

/* The caller copies the target of such an argument. */
static void byval_reads(struct fr_func *f, LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
	struct fr_pass_unit *u = f->u;

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
		LLVMValueRef ptr = LLVMGetOperand(call, i);
		uint32_t site;
		bool local;

		if (!a || !fr_func_shared(f, ptr, &local))
			continue;
		site = fr_access_site(
		    f, call, ptr, FR_SITE_READ | FR_SITE_RANGE | (local ? FR_SITE_LOCAL : 0), i);
		fr_hook(u, FR_H_RANGE_READ,
			(LLVMValueRef[]){ptr,
					 fr_i64(u, fr_store_size(u, LLVMGetTypeAttributeValue(a))),
					 fr_site_value(u, site)});
		u->count[FR_PC_ranges]++;
	}
}

void fr_return_hooks(struct fr_func *f)
{
	struct fr_pass_unit *u = f->u;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->fn); b; b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
		struct fr_site_desc d = {.fn = f->fn, .kind = FR_SITE_CALL, .name = "exit"};
		uint32_t site;

		if (!last || LLVMIsAInvokeInst(last) || !fr_mark_has_call(u, last))
			continue;
		d.loc = fr_origin_call_loc(u->ctx, last);
		fr_before(u, last);
		site = fr_site_add(u->sites, &d);
		if (fr_mark_call(u, last, site))
			fr_hook(u, FR_H_FAILS, (LLVMValueRef[]){fr_site_value(u, site)});
	}
}

void fr_call_hook(struct fr_func *f, LLVMValueRef call)
{
	struct fr_pass_unit *u = f->u;
	LLVMValueRef callee;
	const char *name = fr_callee_name(call, &callee);
	struct fr_buf b = {0};
	uint32_t site;
	struct fr_site_desc d = {
	    .fn = f->fn, .loc = fr_origin_call_loc(u->ctx, call), .kind = FR_SITE_CALL};

	fr_assert(f->depth); /* after the frame's hooks */
	if (name && !strncmp(name, "frt_", 4))
		return;
	fr_buf_puts(&b, "");
	if (callee)
		callee_text(f, callee, &b);
	d.name = b.s;
	d.type = fr_sync_lookup(u->ctx, call);
	fr_before(u, call);
	byval_reads(f, call);
	site = fr_site_add(u->sites, &d);
	fr_influence_site(u, call, site);
	/* A call that replaces this frame is not made from it. */
	if (!LLVMIsACallInst(call) || LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail)
		fr_hook(u, FR_H_CALL, (LLVMValueRef[]){fr_site_value(u, site), f->depth});
	if (fr_mark_call(u, call, site))
		fr_hook(u, FR_H_FAILS, (LLVMValueRef[]){fr_site_value(u, site)});
	fr_buf_free(&b);
	if (!name)
		return;
	if (!strncmp(name, "__atomic_", 9))
		u->count[FR_PC_unknown_libatomic]++;
	fr_std_node_hook(u, call, callee, name);
	if (!fr_memop_checked(f, call, name))
		redirect(f, call, name, callee);
}
