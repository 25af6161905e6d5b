/* The annotations of sanitizer/tsan_interface.h, and the older ones. */
#include <sanitizer/tsan_interface.h>
#include <stdio.h>

void AnnotateHappensBefore(const char *f, int l, const volatile void *addr);
void AnnotateHappensAfter(const char *f, int l, const volatile void *addr);
void AnnotateBenignRaceSized(const char *f, int l, const volatile void *addr, unsigned long n, const char *why);
void AnnotateRWLockAcquired(const char *f, int l, const volatile void *m, unsigned long is_w);
void AnnotateRWLockReleased(const char *f, int l, const volatile void *m, unsigned long is_w);
void AnnotateIgnoreWritesBegin(const char *f, int l);
void AnnotateIgnoreWritesEnd(const char *f, int l);
void AnnotateCondVarSignal(const char *f, int l, const volatile void *cv);

static int spin, seen, unseen, benign;

int main(void)
{
	__tsan_mutex_create(&spin, 0);
	__tsan_mutex_pre_lock(&spin, 0);
	spin = 1;
	__tsan_mutex_post_lock(&spin, 0, 1); /* LOCK */
	seen = 1; /* SEEN */
	__tsan_mutex_pre_unlock(&spin, 0); /* UNLOCK */
	spin = 0;
	__tsan_mutex_post_unlock(&spin, 0);
	__tsan_mutex_pre_lock(&spin, __tsan_mutex_try_read_lock);
	__tsan_mutex_post_lock(&spin, __tsan_mutex_try_read_lock_failed, 0); /* TRY */
	__tsan_mutex_destroy(&spin, 0);
	__tsan_release(&seen); /* RELEASE */
	__tsan_acquire(&seen); /* ACQUIRE */
	AnnotateHappensBefore(__FILE__, __LINE__, &seen); /* BEFORE */
	AnnotateHappensAfter(__FILE__, __LINE__, &seen); /* AFTER */
	AnnotateRWLockAcquired(__FILE__, __LINE__, &spin, 0); /* RDLOCK */
	AnnotateRWLockReleased(__FILE__, __LINE__, &spin, 0);
	AnnotateBenignRaceSized(__FILE__, __LINE__, &benign, sizeof(benign), "counter"); /* BENIGN */
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	unseen = 1; /* UNSEEN */
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	seen = 2; /* SEEN2 */
	AnnotateCondVarSignal(__FILE__, __LINE__, &seen);
	printf("%d %d\n", seen, unseen);
	return 0;
}
