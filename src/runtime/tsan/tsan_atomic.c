/*
 * The atomic operations of -fsanitize=thread. The compilers leave them to the runtime, which
 * performs and records them with the values that they read and wrote.
 *
 * Performed with the strongest order, except stores: on x86-64 no other operation costs more than
 * the program asked for. Recorded with the order that the program named. Operations of 16 bytes use
 * cmpxchg16b, so that they need no library. A load of 16 bytes from read-only memory faults.
 */
#include "tsan.h"
#include "format/hook_abi.h"
#include <stddef.h>

#define RET ((uintptr_t)__builtin_return_address(0))

typedef uint8_t a8;
typedef uint16_t a16;
typedef uint32_t a32;
typedef uint64_t a64;
__extension__ typedef unsigned __int128 a128;

/* Aux of an atomic event. gcc passes flags above the order. */
static inline uint32_t aux_of(unsigned size, int order)
{
	return (uint32_t)__builtin_ctz(size) | ((uint32_t)order & 7) << 3;
}

/* The value as an event holds it. */
static inline uint64_t word(a128 v, unsigned size)
{
	return size == 16 ? (uint64_t)v ^ (uint64_t)(v >> 64) : (uint64_t)v;
}

/* Before the operation: reads the values of announced writes before
   other threads see the release. */
static inline uint32_t begin(uintptr_t ret)
{
	struct frt_thread *t = frt_self;

	if (!t)
		return 0;
	if (t->announced_addr)
		frt_flush_announced(t);
	return frt_pc_site(t, ret);
}

#if defined(__x86_64__)
static inline bool cas16(volatile a128 *a, a128 *expected, a128 desired)
{
	uint64_t lo = (uint64_t)*expected, hi = (uint64_t)(*expected >> 64);
	bool ok;

	__asm__ volatile("lock cmpxchg16b %1"
			 : "=@ccz"(ok), "+m"(*a), "+a"(lo), "+d"(hi)
			 : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
			 : "memory");
	*expected = (a128)hi << 64 | lo;
	return ok;
}
#else
static inline bool cas16(volatile a128 *a, a128 *expected, a128 desired)
{
	return __atomic_compare_exchange_n(a, expected, desired, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_SEQ_CST);
}
#endif

static inline a128 combine(a128 old, a128 v, enum fr_rmw op)
{
	switch (op) {
	case FR_RMW_ADD:
		return old + v;
	case FR_RMW_SUB:
		return old - v;
	case FR_RMW_AND:
		return old & v;
	case FR_RMW_OR:
		return old | v;
	case FR_RMW_XOR:
		return old ^ v;
	case FR_RMW_NAND:
		return ~(old & v);
	default:
		return v;
	}
}

static a128 rmw16(volatile a128 *a, a128 v, enum fr_rmw op)
{
	a128 old = 0;

	while (!cas16(a, &old, combine(old, v, op)))
		;
	return old;
}

#define LOAD(bits, a) __atomic_load_n(a, __ATOMIC_SEQ_CST)
#define STORE(bits, a, v, mo)                                                    \
	((mo & 7) == __ATOMIC_SEQ_CST ? __atomic_store_n(a, v, __ATOMIC_SEQ_CST) \
				      : __atomic_store_n(a, v, __ATOMIC_RELEASE))
#define CAS(bits, a, c, v) \
	__atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define RMW_XCHG(a, v) __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST)
#define RMW_ADD(a, v) __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST)
#define RMW_SUB(a, v) __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST)
#define RMW_AND(a, v) __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST)
#define RMW_OR(a, v) __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST)
#define RMW_XOR(a, v) __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST)
#define RMW_NAND(a, v) __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST)

static inline a128 load16(volatile a128 *a)
{
	a128 v = 0;

	cas16(a, &v, 0);
	return v;
}

#define DEFINE_RMW(bits, name, OP, do_it)                                                 \
	a##bits __tsan_atomic##bits##_##name(volatile a##bits *a, a##bits v, int mo)      \
	{                                                                                 \
		uint32_t site = begin(RET);                                               \
		a##bits old = do_it;                                                      \
                                                                                          \
		frt_h_atomic_rmw((const void *)a, word(old, bits / 8),                    \
				 word((a##bits)combine(old, v, FR_RMW_##OP), bits / 8),   \
				 aux_of(bits / 8, mo) | FR_ATOMIC_OK, FR_RMW_##OP, site); \
		return old;                                                               \
	}

#define DEFINE_CAS(bits, name, do_it)                                                      \
	int __tsan_atomic##bits##_compare_exchange_##name(volatile a##bits *a, a##bits *c, \
							  a##bits v, int mo, int fmo)      \
	{                                                                                  \
		uint32_t site = begin(RET);                                                \
		a##bits old = *c;                                                          \
		bool ok = do_it;                                                           \
                                                                                           \
		if (!ok)                                                                   \
			*c = old;                                                          \
		frt_h_atomic_cas((const void *)a, word(old, bits / 8), word(v, bits / 8),  \
				 aux_of(bits / 8, mo) | (ok ? FR_ATOMIC_OK : 0),           \
				 (uint32_t)fmo & 7, site);                                 \
		return ok;                                                                 \
	}

#define DEFINE_REST(bits, load, store, cas)                                                \
	a##bits __tsan_atomic##bits##_load(const volatile a##bits *a, int mo)              \
	{                                                                                  \
		uint32_t site = begin(RET);                                                \
		a##bits v = load;                                                          \
                                                                                           \
		frt_h_atomic_load((const void *)a, word(v, bits / 8),                      \
				  aux_of(bits / 8, mo) | FR_ATOMIC_OK, site);              \
		return v;                                                                  \
	}                                                                                  \
	void __tsan_atomic##bits##_store(volatile a##bits *a, a##bits v, int mo)           \
	{                                                                                  \
		uint32_t site = begin(RET);                                                \
                                                                                           \
		store;                                                                     \
		frt_h_atomic_store((const void *)a, word(v, bits / 8),                     \
				   aux_of(bits / 8, mo) | FR_ATOMIC_OK, site);             \
	}                                                                                  \
	DEFINE_CAS(bits, strong, cas)                                                      \
	DEFINE_CAS(bits, weak, cas)                                                        \
	a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *a, a##bits c, \
							   a##bits v, int mo, int fmo)     \
	{                                                                                  \
		uint32_t site = begin(RET);                                                \
		a##bits old = c;                                                           \
		bool ok = cas;                                                             \
                                                                                           \
		frt_h_atomic_cas((const void *)a, word(old, bits / 8), word(v, bits / 8),  \
				 aux_of(bits / 8, mo) | (ok ? FR_ATOMIC_OK : 0),           \
				 (uint32_t)fmo & 7, site);                                 \
		return old;                                                                \
	}

#define DEFINE(bits)                                                                   \
	DEFINE_REST(bits, LOAD(bits, a), STORE(bits, a, v, mo), CAS(bits, a, &old, v)) \
	DEFINE_RMW(bits, exchange, XCHG, RMW_XCHG(a, v))                               \
	DEFINE_RMW(bits, fetch_add, ADD, RMW_ADD(a, v))                                \
	DEFINE_RMW(bits, fetch_sub, SUB, RMW_SUB(a, v))                                \
	DEFINE_RMW(bits, fetch_and, AND, RMW_AND(a, v))                                \
	DEFINE_RMW(bits, fetch_or, OR, RMW_OR(a, v))                                   \
	DEFINE_RMW(bits, fetch_xor, XOR, RMW_XOR(a, v))                                \
	DEFINE_RMW(bits, fetch_nand, NAND, RMW_NAND(a, v))
DEFINE(8)
DEFINE(16)
DEFINE(32)
DEFINE(64)

DEFINE_REST(128, load16((volatile a128 *)a), rmw16(a, v, FR_RMW_XCHG), cas16(a, &old, v))
DEFINE_RMW(128, exchange, XCHG, rmw16(a, v, FR_RMW_XCHG))
DEFINE_RMW(128, fetch_add, ADD, rmw16(a, v, FR_RMW_ADD))
DEFINE_RMW(128, fetch_sub, SUB, rmw16(a, v, FR_RMW_SUB))
DEFINE_RMW(128, fetch_and, AND, rmw16(a, v, FR_RMW_AND))
DEFINE_RMW(128, fetch_or, OR, rmw16(a, v, FR_RMW_OR))
DEFINE_RMW(128, fetch_xor, XOR, rmw16(a, v, FR_RMW_XOR))
DEFINE_RMW(128, fetch_nand, NAND, rmw16(a, v, FR_RMW_NAND))

void __tsan_atomic_thread_fence(int mo)
{
	uint32_t site = begin(RET);

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	frt_h_fence(((uint32_t)mo & 7) << 3, site);
}

void __tsan_atomic_signal_fence(int mo)
{
	uint32_t site = begin(RET);

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	frt_h_fence(((uint32_t)mo & 7) << 3 | FR_FENCE_SIGNAL, site);
}
