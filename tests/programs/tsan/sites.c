/*
 * The table of program counters by itself, with the runtime around it played: ids are dense and
 * stable, two threads agree on them, and when the table is full a place has no name, is counted,
 * and nothing breaks.
 */
#include "runtime/tsan/tsan.h"
#include "runtime/core/rt_assert.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

_Thread_local struct frt_thread *frt_self;
struct fr_pool *frt_pool;
static _Atomic uint64_t lost, told;
static _Atomic uint64_t pc_of[1 << 20];

void frt_count(enum fr_rt_counter c, uint64_t n)
{
	if (c == FR_RTC_lost_sites)
		lost += n;
}

void frt_put(struct frt_thread *t, struct fr_event *e, unsigned n)
{
	(void)t;
	if (n != 1 || fr_event_kind(e) != FR_EV_PC_SITE || e->site < FR_SITE_PC_FIRST ||
	    e->site > FR_SITE_MAX)
		abort();
	/* A number stands for one pc only. */
	if (__atomic_exchange_n((uint64_t *)&pc_of[e->site - FR_SITE_PC_FIRST], fr_event_addr(e),
				__ATOMIC_SEQ_CST))
		abort();
	told++;
}

void frt_flush_announced(struct frt_thread *t)
{
	(void)t;
}

void frt_assert_failed(const char *message)
{
	fputs(message, stderr);
	abort();
}

#define SOME 100000
/* Two modules far from each other, instructions of all alignments. */
static uintptr_t pc(unsigned i)
{
	return (i & 1 ? 0x7f1234560000 : 0x555555550000) + i * 11 + 1;
}

static void *ask(void *arg)
{
	static struct frt_tsan tsan;
	struct frt_thread t = {.tsan = &tsan};
	uint32_t *site = arg;

	for (unsigned i = 0; i < SOME; i++)
		site[i] = frt_pc_site(&t, pc(i) + 1);
	for (unsigned i = 0; i < SOME; i++)
		if (frt_pc_site(&t, pc(i) + 1) != site[i])
			return "a site changed";
	return NULL;
}

int main(void)
{
	static uint32_t a[SOME], b[SOME];
	static struct frt_tsan tsan;
	struct frt_thread t = {.tsan = &tsan};
	void *why[2];
	pthread_t other;
	unsigned n;

	pthread_create(&other, NULL, ask, a);
	why[1] = ask(b);
	pthread_join(other, &why[0]);
	for (unsigned i = 0; i < 2; i++)
		if (why[i])
			return puts(why[i]), 1;
	for (unsigned i = 0; i < SOME; i++) {
		if (!a[i] || a[i] != b[i])
			return printf("pc %u: sites %x and %x\n", i, a[i], b[i]), 1;
		if (pc_of[a[i] - FR_SITE_PC_FIRST] != pc(i))
			return printf("pc %u: told as another\n", i), 1;
	}
	if (told != SOME || lost)
		return printf("%lu told, %lu lost\n", told, lost), 1;
	for (n = SOME; n < (1 << 20) + 1000 && told < 1 << 20; n++)
		frt_pc_site(&t, pc(n) + 1);
	n = (unsigned)lost;
	if (frt_pc_site(&t, 0x666666660000) || lost <= n)
		return puts("a full table gave a site"), 1;
	if (frt_pc_site(&t, pc(7) + 1) != a[7])
		return puts("a full table forgot a site"), 1;
	return 0;
}
