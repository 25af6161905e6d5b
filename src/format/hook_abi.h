/*
 * The interface between the pass and the runtime: the functions that instrumented code calls.
 *
 * runtime/core/hooks.c defines the hooks of FRT_INLINE_HOOKS and those marked "inlined". The build
 * compiles it to bitcode (hooks.bc); the pass links that into each module and always inlines it.
 * The others are ordinary functions of the runtime archive. `site` is always (load of the unit's
 * base) + (number of the site in the unit). Instrumented code calls access hooks right AFTER the
 * access; `value` is the value read or written, zero-extended.
 */
#ifndef FR_FORMAT_HOOK_ABI_H
#define FR_FORMAT_HOOK_ABI_H

#include <stdint.h>

#define FRT_ABI 3

/* Plain accesses, naturally aligned. */
/* clang-format off */
#define FRT_INLINE_HOOKS(X)                                                                        \
	X(frt_h_read1) X(frt_h_read2) X(frt_h_read4) X(frt_h_read8)                                \
	X(frt_h_write1) X(frt_h_write2) X(frt_h_write4) X(frt_h_write8)
/* clang-format on */

#define FRT_X(n) void n(const void *addr, uint64_t value, uint32_t site);
FRT_INLINE_HOOKS(FRT_X)
#undef FRT_X

/* Inlined. Call stacks: enter returns the depth d that leave, restore and call take. */
uint32_t frt_h_enter(uint32_t function_site);
void frt_h_leave(uint32_t d);	/* before each return, resume, or tail call */
void frt_h_restore(uint32_t d); /* after a landing pad, and after a call that may return twice */
/* Before each call that is not an intrinsic, in a function that has called enter. */
void frt_h_call(uint32_t call_site, uint32_t d);

/* Inlined. Called before a branch whose condition depends on a recorded read: aux and value as in
   FR_EV_BRANCH. It does not count as a hook: a schedule never names it. */
void frt_h_branch(uint32_t site, uint64_t value, uint32_t aux);

/* Ordinary functions. */

/* 16 bytes, aligned or not. */
void frt_h_read16(const void *addr, uint64_t lo, uint64_t hi, uint32_t site);
void frt_h_write16(const void *addr, uint64_t lo, uint64_t hi, uint32_t site);
/* Size 1, 2, 4 or 8, not known to be aligned. */
void frt_h_read_u(const void *addr, uint64_t value, uint32_t site, uint32_t size);
void frt_h_write_u(const void *addr, uint64_t value, uint32_t site, uint32_t size);
/* Any other size, and memory intrinsics: memcpy and memmove call frt_h_range_read with the source,
   then frt_h_range_write with the destination. n may be 0. */
void frt_h_range_read(const void *addr, uint64_t n, uint32_t site);
void frt_h_range_write(const void *addr, uint64_t n, uint32_t site);
/* The accesses of one site in a loop, called after the loop: `count` elements (may be 0) of `elem`
   bytes, `stride` bytes apart (may be negative), the first at `base`. */
void frt_h_stride_read(const void *base, uint64_t count, int64_t stride, uint32_t elem,
		       uint32_t site);
void frt_h_stride_write(const void *base, uint64_t count, int64_t stride, uint32_t elem,
			uint32_t site);
/*
 * The accesses of several sites in a loop, in the order of the loop's body. The pass calls this
 * where only the running program can tell whether the sites touch common locations. The function
 * sorts v in place and records the accesses so that those to one location keep their order.
 */
struct frt_stride {
	const void *base;
	uint64_t count; /* total number of elements */
	int64_t stride;
	uint32_t elem, site;
	uint32_t write;
	uint32_t cls;	/* entries of one class have the same stride */
	uint32_t times; /* elements in each iteration */
	uint32_t fixed; /* stride 0, the same address in every iteration: the runtime records the
			   first and the last access */
};
_Static_assert(sizeof(struct frt_stride) == 48,
	       "layout that the pass builds: bump FR_SITE_VERSION");
/* One access of the body, in the order of the body: its entry in v, its offset from the entry's
   element, its size. */
struct frt_stride_part {
	uint16_t entry, size;
	int32_t off;
};
_Static_assert(sizeof(struct frt_stride_part) == 8,
	       "layout that the pass builds: bump FR_SITE_VERSION");
void frt_h_strides(struct frt_stride *v, uint32_t n, const struct frt_stride_part *part,
		   uint32_t parts);

/*
 * The accesses of a loop nest: `inner_count` elements in each of `count` iterations of the outer
 * loop. Entries are in the order of the body. Entries `from` to `to` belong to the inner loop, the
 * others are single accesses of the outer loop. `part` describes the accesses of the inner loop as
 * for frt_h_strides, with entries counted from `from`.
 */
struct frt_nest {
	const void *base;
	uint64_t count, inner_count;
	int64_t stride, inner_stride;
	uint32_t elem, site;
	uint32_t write, fixed; /* fixed: the same address throughout the inner loop */
	uint32_t times, cls;   /* in the inner loop, as in struct frt_stride */
};
_Static_assert(sizeof(struct frt_nest) == 64, "layout that the pass builds: bump FR_SITE_VERSION");
void frt_h_nest(const struct frt_nest *v, uint32_t n, uint32_t from, uint32_t to,
		const struct frt_stride_part *part, uint32_t parts);

/* Atomics. aux = log2(size) | C11 order << 3 | FR_ATOMIC_OK. 16-byte values are lo ^ hi. */
void frt_h_atomic_load(const void *addr, uint64_t value, uint32_t aux, uint32_t site);
void frt_h_atomic_store(const void *addr, uint64_t value, uint32_t aux, uint32_t site);
void frt_h_atomic_rmw(const void *addr, uint64_t old, uint64_t new_value, uint32_t aux, uint32_t op,
		      uint32_t site);
void frt_h_atomic_cas(const void *addr, uint64_t old, uint64_t desired, uint32_t aux,
		      uint32_t fail_order, uint32_t site);
void frt_h_fence(uint32_t aux, uint32_t site);

/* Called before functions of libstdc++ that link the nodes of a tree or list, or go from a node of
   a tree to the next or previous one. The parameters are those of the function. */
struct frt_tree_node;
struct frt_list_node;
void frt_h_tree_insert(uint32_t left, const struct frt_tree_node *x, const struct frt_tree_node *p,
		       const struct frt_tree_node *header);
void frt_h_tree_erase(const struct frt_tree_node *z, const struct frt_tree_node *header);
void frt_h_tree_step(const struct frt_tree_node *x, uint32_t forward);
void frt_h_list_hook(const struct frt_list_node *x, const struct frt_list_node *before);
void frt_h_list_unhook(const struct frt_list_node *x);
void frt_h_list_transfer(const struct frt_list_node *before, const struct frt_list_node *first,
			 const struct frt_list_node *last);

/* Called where the life of an escaping local ends: at the end of its block, or before its function
   returns. */
void frt_h_stack_free(const void *addr, uint64_t size, uint32_t site);

/* Called before a call that fails (struct fr_site_mark), with the site of the call. It does not
   count as a hook. */
void frt_h_fails(uint32_t site);

/* After an instruction whose result differs from run to run: returns the result that the program
   gets. what: FRT_MACHINE_COUNTER for the time-stamp counter, else the number of bytes of the
   result. It does not count as a hook. */
#define FRT_MACHINE_COUNTER 0
uint64_t frt_h_machine(uint64_t result, uint32_t what);

/*
 * A call of a function that calls= names. what = kind of event (CALL, RETURN, EXEC_BEGIN, EXEC_END)
 * | aux << 8. n values of 64 bits follow; meta[i] = size | enum fr_arg << 8.
 */
void frt_h_point(uint32_t site, uint32_t what, const uint32_t *meta, uint32_t n, ...);

/* A constructor of each translation unit (priority 1) calls this. It sets *base to the id of the
   unit's first site. `blob` is the unit's site table (site_table.h). */
void frt_register_unit(const void *blob, uint32_t *base, uint32_t nsites, uint32_t abi);

/*
 * The pass redirects calls of these libc functions to frt_libc_NAME (same signature), which calls
 * the real function and records the ranges that it read and wrote. The pass redirects only direct
 * calls to a declaration of that name with the usual signature. The memcpy, memmove and memset
 * intrinsics get range hooks instead.
 */
/* clang-format off */
#define FRT_LIBC(X)                                                                                \
	X(memcpy) X(memmove) X(memset) X(memcmp) X(bcmp) X(memchr) X(mempcpy)                      \
	X(strlen) X(strnlen) X(strcpy) X(stpcpy) X(strncpy) X(strcat) X(strncat) X(strcmp)         \
	X(strncmp) X(strcasecmp) X(strncasecmp) X(strchr) X(strrchr) X(strstr) X(strdup)           \
	X(strndup) X(sprintf) X(snprintf) X(vsprintf) X(vsnprintf) X(puts) X(fputs) X(fgets)       \
	X(fread) X(fwrite) X(read) X(write) X(pread) X(pwrite) X(recv) X(send) X(recvfrom)         \
	X(sendto) X(readv) X(writev) X(qsort) X(strtol) X(strtoul) X(strtoll) X(strtoull)          \
	X(atoi) X(atol) X(__read_chk) X(__pread_chk) X(__recv_chk) X(__recvfrom_chk)               \
	X(__fgets_chk) X(__fread_chk) X(time) X(clock) X(times) X(kill) X(poll) X(select)          \
	X(accept) X(sleep) X(alarm) X(pause) X(socketpair) X(close) X(shutdown) X(connect)         \
	X(pipe) X(pipe2) X(socket)                                                                 \
	X(sendmsg) X(sendmmsg) X(recvmsg) X(recvmmsg) X(pwritev) X(pwritev64) X(preadv)            \
	X(preadv64) X(vmsplice) X(mq_send) X(mq_timedsend) X(mq_receive)                           \
	X(mq_timedreceive) X(msgsnd) X(msgrcv) X(semop) X(semtimedop) X(aio_write)                 \
	X(aio_return) X(lio_listio) X(eventfd_read) X(timerfd_settime) X(accept4)                  \
	X(getsockname) X(getpeername) X(waitpid) X(wait) X(epoll_wait) X(epoll_pwait)              \
	X(getline) X(getdelim) X(pread64) X(pwrite64) X(open) X(openat) X(creat)                   \
	X(access) X(stat) X(lstat) X(mkdir) X(rmdir) X(unlink) X(remove) X(rename)                 \
	X(link) X(symlink) X(truncate) X(flock) X(bind) X(listen) X(tee) X(splice)                 \
	X(printf) X(vprintf) X(fprintf) X(vfprintf) X(dprintf) X(vdprintf) X(asprintf)             \
	X(vasprintf) X(__printf_chk) X(__fprintf_chk) X(__vfprintf_chk) X(__isoc99_scanf)          \
	X(__isoc99_vscanf) X(__isoc99_fscanf) X(__isoc99_vfscanf) X(__isoc99_sscanf)               \
	X(__isoc99_vsscanf)
/* clang-format on */

#endif
