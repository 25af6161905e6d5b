/*
 * Every atomic operation on every size. The program checks the results; the test checks the
 * recorded events.
 */
#include <stdint.h>
#include <stdio.h>

static int bad;
#define CHECK(what) \
	do { \
		if (!(what)) { \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #what); \
			bad = 1; \
		} \
	} while (0)

#define TEST(type, name, m) \
	type name; \
	static void test_##name(void) \
	{ \
		type e, v = (type)(m)5; \
\
		__atomic_store_n(&name, v, __ATOMIC_RELAXED); \
		__atomic_store_n(&name, v, __ATOMIC_RELEASE); \
		__atomic_store_n(&name, v, __ATOMIC_SEQ_CST); \
		CHECK(__atomic_load_n(&name, __ATOMIC_ACQUIRE) == v); \
		CHECK(__atomic_exchange_n(&name, 12, __ATOMIC_ACQ_REL) == v); \
		CHECK(__atomic_fetch_add(&name, 3, __ATOMIC_RELAXED) == 12); \
		CHECK(__atomic_fetch_sub(&name, 5, __ATOMIC_SEQ_CST) == 15); \
		CHECK(__atomic_fetch_and(&name, 6, __ATOMIC_SEQ_CST) == 10); \
		CHECK(__atomic_fetch_or(&name, 5, __ATOMIC_SEQ_CST) == 2); \
		CHECK(__atomic_fetch_xor(&name, 3, __ATOMIC_SEQ_CST) == 7); \
		CHECK(__atomic_fetch_nand(&name, 6, __ATOMIC_SEQ_CST) == 4); \
		CHECK(name == (type)~(type)4); \
		e = 1; \
		CHECK(!__atomic_compare_exchange_n(&name, &e, 9, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)); \
		CHECK(e == (type)~(type)4); \
		CHECK(__atomic_compare_exchange_n(&name, &e, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
		e = 9; \
		while (!__atomic_compare_exchange_n(&name, &e, 11, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) \
			; \
		CHECK(__sync_val_compare_and_swap(&name, 11, 13) == 11); \
		CHECK(__sync_bool_compare_and_swap(&name, 13, 14)); \
		CHECK(__sync_lock_test_and_set(&name, 1) == 14); \
		__sync_lock_release(&name); \
		CHECK(__atomic_load_n(&name, __ATOMIC_SEQ_CST) == 0); \
		CHECK(__atomic_add_fetch(&name, (type)-1, __ATOMIC_SEQ_CST) == (type)-1); \
	}

TEST(uint8_t, a8, uint8_t)
TEST(uint16_t, a16, uint16_t)
TEST(uint32_t, a32, uint32_t)
TEST(uint64_t, a64, uint64_t)
#ifdef WIDE
__extension__ typedef unsigned __int128 wide;
TEST(wide, a128, wide)
#endif
_Bool flag;

int main(void)
{
	test_a8();
	test_a16();
	test_a32();
	test_a64();
#ifdef WIDE
	test_a128();
	a128 = ((wide)7 << 64) | 1;
	CHECK(__atomic_fetch_add(&a128, ((wide)1 << 64) | (uint64_t)-1, __ATOMIC_SEQ_CST) == (((wide)7 << 64) | 1));
	CHECK(a128 == (wide)9 << 64);
#endif
	CHECK(!__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
	__atomic_clear(&flag, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return bad;
}
