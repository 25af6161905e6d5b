/*
 * The forms of operator delete that the runtime wraps in programs built with a sanitizer:
 * X(name, parameters, arguments). wrap_delete.c defines the wrappers; cmd/cmd_cc.c passes the names
 * to the linker.
 */
#ifndef FR_FORMAT_DELETES_H
#define FR_FORMAT_DELETES_H

/* clang-format off */
#define FRT_DELETES(X) \
	X(_ZdlPv, (void *p), (p)) \
	X(_ZdaPv, (void *p), (p)) \
	X(_ZdlPvm, (void *p, size_t size), (p, size)) \
	X(_ZdaPvm, (void *p, size_t size), (p, size)) \
	X(_ZdlPvSt11align_val_t, (void *p, size_t align), (p, align)) \
	X(_ZdaPvSt11align_val_t, (void *p, size_t align), (p, align)) \
	X(_ZdlPvmSt11align_val_t, (void *p, size_t size, size_t align), (p, size, align)) \
	X(_ZdaPvmSt11align_val_t, (void *p, size_t size, size_t align), (p, size, align)) \
	X(_ZdlPvRKSt9nothrow_t, (void *p, const void *nothrow), (p, nothrow)) \
	X(_ZdaPvRKSt9nothrow_t, (void *p, const void *nothrow), (p, nothrow))
/* clang-format on */

#endif
