/* Every atomic operation, order and size; results as the language says. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic uint8_t a8;
static _Atomic uint16_t a16;
static _Atomic uint32_t a32;
static _Atomic uint64_t a64 = 10;
static _Atomic(int *) ap;
static _Atomic float af;
static _Atomic double ad = 1;
static _Atomic _Bool ab;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int plain[4];
static struct pair {
	uint64_t lo, hi;
} __attribute__((aligned(16))) shared = {1, 2};
static __int128 wide;

static void *work(void *arg)
{
	for (int i = 0; i < 1000; i++) {
		atomic_fetch_add_explicit(&a64, 3, memory_order_relaxed);
		atomic_fetch_sub_explicit(&a32, 1, memory_order_acq_rel);
		while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire))
			;
		plain[0]++;
		atomic_flag_clear_explicit(&flag, memory_order_release);
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];
	uint32_t want = 5;
	uint8_t w8 = 0;
	struct pair p, q;

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%llu %u %d\n", (unsigned long long)a64, (unsigned)a32, plain[0]);
	atomic_store_explicit(&a32, 5, memory_order_release);
	printf("%d ", atomic_compare_exchange_strong(&a32, &want, 9));
	printf("%d %u ", atomic_compare_exchange_strong_explicit(&a32, &want, 7, memory_order_acq_rel, memory_order_relaxed),
	       want);
	while (!atomic_compare_exchange_weak_explicit(&a8, &w8, 200, memory_order_seq_cst, memory_order_acquire))
		;
	printf("%u %u %u\n", atomic_exchange(&a32, 77), atomic_load_explicit(&a32, memory_order_consume), (unsigned)a8);
	printf("%u %u %u %u\n", atomic_fetch_or(&a16, 0xf0), atomic_fetch_and(&a16, 0x3c), atomic_fetch_xor(&a16, 0xff),
	       (unsigned)__atomic_fetch_nand((uint32_t *)&a32, 5, __ATOMIC_SEQ_CST));
	printf("%u %u\n", __atomic_fetch_max((uint32_t *)&a32, 5u, __ATOMIC_RELAXED),
	       __atomic_fetch_min((uint32_t *)&a32, 6u, __ATOMIC_RELAXED));
	ap = plain;
	printf("%d\n", (int)(atomic_fetch_add(&ap, 2) - plain) + (int)(ap - plain));
	af += 1.5f;
	ad *= 3;
	ab = 1;
	ab ^= 1;
	a8++;
	a16 -= 7;
	printf("%g %g %d %u %u\n", (double)af, ad, ab, (unsigned)a8, (unsigned)a16);
	atomic_thread_fence(memory_order_acquire);
	atomic_thread_fence(memory_order_release);
	atomic_thread_fence(memory_order_acq_rel);
	atomic_thread_fence(memory_order_seq_cst);
	atomic_signal_fence(memory_order_seq_cst);
#ifdef __SIZEOF_INT128__
#if defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16)
	__atomic_load((__int128 *)&shared, &wide, __ATOMIC_SEQ_CST);
	wide++;
	__atomic_store((__int128 *)&shared, &wide, __ATOMIC_SEQ_CST);
	__sync_bool_compare_and_swap((__int128 *)&shared, wide, wide + 5);
#else
	shared.lo += 6;
#endif
#endif
	p = shared;
	q = p;
	printf("%llu %llu %d\n", (unsigned long long)q.lo, (unsigned long long)q.hi, __sync_fetch_and_add(&plain[1], 4));
	(void)wide;
	return 0;
}
