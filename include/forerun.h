/*
 * forerun.h: annotations with which a program describes itself to forerun.
 *
 * Include it anywhere, in C or C++. Without forerun (the compiler is not `forerun cc`) every
 * annotation compiles to nothing, and its arguments are not evaluated.
 *
 *   FORERUN_EVENT("name", a, b)  an event for properties, with up to 6 integers or pointers;
 *                                the name is a string literal
 *   FORERUN_ATOMIC_BEGIN()       begins an atomic region: no other thread should interfere with
 *   FORERUN_ATOMIC_END()         this thread's accesses until the region ends
 *   FORERUN_BENIGN(ptr, size)    races on these bytes are intended
 *   FORERUN_LOCK(obj)            right after the program takes its own kind of lock; obj is its
 *                                address
 *   FORERUN_TRYLOCK(obj, ok)     right after an attempt that may fail; ok: the lock was taken
 *   FORERUN_UNLOCK(obj)          right before the program releases it
 */
#ifndef FORERUN_H
#define FORERUN_H

#if defined(__GNUC__)
#pragma GCC system_header
#endif

#include <stddef.h>
#include <stdint.h>

#define FORERUN_PICK_(n, a, b, c, d, e, f, which, ...) which
#define FORERUN_VALUE_(x) ((unsigned long long)(uintptr_t)(x))

#ifdef __FORERUN__

#ifdef __cplusplus
extern "C" {
#endif

void forerun_event(const char *name, size_t length, unsigned count, unsigned long long a,
		   unsigned long long b, unsigned long long c, unsigned long long d,
		   unsigned long long e, unsigned long long f);
void forerun_atomic_begin(void);
void forerun_atomic_end(void);
void forerun_benign(const volatile void *ptr, size_t size);
void forerun_lock(const volatile void *obj);
void forerun_trylock(const volatile void *obj, int ok);
void forerun_unlock(const volatile void *obj);

#ifdef __cplusplus
}
#endif

#define FORERUN_EVENT_(count, name, a, b, c, d, e, f)                                            \
	forerun_event("" name, sizeof("" name) - 1, count, FORERUN_VALUE_(a), FORERUN_VALUE_(b), \
		      FORERUN_VALUE_(c), FORERUN_VALUE_(d), FORERUN_VALUE_(e), FORERUN_VALUE_(f))
#define FORERUN_ATOMIC_BEGIN() forerun_atomic_begin()
#define FORERUN_ATOMIC_END() forerun_atomic_end()
#define FORERUN_BENIGN(ptr, size) forerun_benign(ptr, size)
#define FORERUN_LOCK(obj) forerun_lock(obj)
#define FORERUN_TRYLOCK(obj, ok) forerun_trylock(obj, !!(ok))
#define FORERUN_UNLOCK(obj) forerun_unlock(obj)

#else

/* Uses the argument without evaluating it, so that the compiler does not call it unused. */
#define FORERUN_NOTHING_(x) (0 ? (void)(x) : (void)0)
#define FORERUN_EVENT_(count, name, a, b, c, d, e, f)                                            \
	(0 ? ((void)("" name), (void)(a), (void)(b), (void)(c), (void)(d), (void)(e), (void)(f)) \
	   : (void)0)
#define FORERUN_ATOMIC_BEGIN() ((void)0)
#define FORERUN_ATOMIC_END() ((void)0)
#define FORERUN_BENIGN(ptr, size) (0 ? ((void)(ptr), (void)(size)) : (void)0)
#define FORERUN_LOCK(obj) FORERUN_NOTHING_(obj)
#define FORERUN_TRYLOCK(obj, ok) (0 ? ((void)(obj), (void)(ok)) : (void)0)
#define FORERUN_UNLOCK(obj) FORERUN_NOTHING_(obj)

#endif

#define FORERUN_EVENT(...)                                                             \
	FORERUN_PICK_(__VA_ARGS__, FORERUN_E6_, FORERUN_E5_, FORERUN_E4_, FORERUN_E3_, \
		      FORERUN_E2_, FORERUN_E1_, FORERUN_E0_, 0)(__VA_ARGS__)
#define FORERUN_E0_(n) FORERUN_EVENT_(0, n, 0, 0, 0, 0, 0, 0)
#define FORERUN_E1_(n, a) FORERUN_EVENT_(1, n, a, 0, 0, 0, 0, 0)
#define FORERUN_E2_(n, a, b) FORERUN_EVENT_(2, n, a, b, 0, 0, 0, 0)
#define FORERUN_E3_(n, a, b, c) FORERUN_EVENT_(3, n, a, b, c, 0, 0, 0)
#define FORERUN_E4_(n, a, b, c, d) FORERUN_EVENT_(4, n, a, b, c, d, 0, 0)
#define FORERUN_E5_(n, a, b, c, d, e) FORERUN_EVENT_(5, n, a, b, c, d, e, 0)
#define FORERUN_E6_(n, a, b, c, d, e, f) FORERUN_EVENT_(6, n, a, b, c, d, e, f)

#endif
