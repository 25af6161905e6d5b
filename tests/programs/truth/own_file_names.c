/* The program has its own read, write and open on a table of memory files; nothing reaches the kernel. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct file {
	pthread_rwlock_t lock;
	char data[256];
	long size;
};

static struct file files[3] = {{PTHREAD_RWLOCK_INITIALIZER, "", 0},
			       {PTHREAD_RWLOCK_INITIALIZER, "", 0},
			       {PTHREAD_RWLOCK_INITIALIZER, "", 0}};

long pwrite(int fd, const char *buf, long n)
{
	struct file *f = &files[fd];

	pthread_rwlock_wrlock(&f->lock);
	for (long i = 0; i < n; i++)
		f->data[f->size + i] = buf[i];
	f->size += n;
	pthread_rwlock_unlock(&f->lock);
	return n;
}

long pread(int fd, char *buf, long n, long offset)
{
	struct file *f = &files[fd];
	long got = 0;

	pthread_rwlock_rdlock(&f->lock);
	while (got < n && offset + got < f->size) {
		buf[got] = f->data[offset + got];
		got++;
	}
	pthread_rwlock_unlock(&f->lock);
	return got;
}

int ftruncate(int fd)
{
	pthread_rwlock_wrlock(&files[fd].lock);
	files[fd].size = 0;
	pthread_rwlock_unlock(&files[fd].lock);
	return 0;
}

static void *writer(void *arg)
{
	for (int i = 0; i < 4; i++)
		pwrite((int)(long)arg, "record--", 8);
	return NULL;
}

static void *reader(void *arg)
{
	char buf[8];
	long at = 0, n;

	while ((n = pread((int)(long)arg, buf, 8, at)) == 8) {
		assert(!memcmp(buf, "record--", 8));
		at += n;
	}
	assert(n == 0);
	return NULL;
}

int main(void)
{
	pthread_t t[4];
	char all[256];

	ftruncate(1);
	for (long i = 0; i < 2; i++) {
		pthread_create(&t[2 * i], NULL, writer, (void *)i);
		pthread_create(&t[2 * i + 1], NULL, reader, (void *)i);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%ld %ld\n", pread(0, all, 256, 0), pread(1, all, 256, 0));
	return 0;
}
