/*
 * A ring in a memfd that is mapped twice (reader and writer have their own mappings), the descriptor is passed through a
 * socket with SCM_RIGHTS, and eventfds as semaphores count full and free entries.
 */
#include "truth.h"
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

struct ring {
	int head, tail;
	struct {
		int n;
		char text[28];
	} slot[4];
};

static int sv[2], items, spaces;

static void give(int fd)
{
	char c = 'f', ctl[CMSG_SPACE(sizeof(int))] = {0};
	struct iovec v = {&c, 1};
	struct msghdr m = {
	    .msg_iov = &v, .msg_iovlen = 1, .msg_control = ctl, .msg_controllen = sizeof(ctl)};
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);

	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(h), &fd, sizeof(int));
	assert(sendmsg(sv[0], &m, 0) == 1);
}

static int get(void)
{
	char c, ctl[CMSG_SPACE(sizeof(int))];
	struct iovec v = {&c, 1};
	struct msghdr m = {
	    .msg_iov = &v, .msg_iovlen = 1, .msg_control = ctl, .msg_controllen = sizeof(ctl)};
	int fd;

	assert(recvmsg(sv[1], &m, 0) == 1);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	return fd;
}

static void *writer(void *unused)
{
	int fd = memfd_create("ring", MFD_CLOEXEC);
	struct ring *r;

	assert(ftruncate(fd, sizeof(*r)) == 0);
	r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(r != MAP_FAILED);
	give(fd);
	close(fd);
	for (int i = 0; i < 10; i++) {
		eventfd_t v;

		assert(eventfd_read(spaces, &v) == 0 && v == 1);
		r->slot[r->head].n = i;
		snprintf(r->slot[r->head].text, 28, "entry %d", i);
		r->head = (r->head + 1) % 4;
		assert(eventfd_write(items, 1) == 0);
	}
	munmap(r, sizeof(*r));
	return unused;
}

static void *reader(void *unused)
{
	int fd = get();
	struct ring *r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct stat st;

	assert(r != MAP_FAILED && fstat(fd, &st) == 0 && st.st_size == sizeof(*r));
	close(fd);
	for (int i = 0; i < 10; i++) {
		eventfd_t v;
		char want[28];

		assert(eventfd_read(items, &v) == 0 && v == 1);
		snprintf(want, 28, "entry %d", i);
		assert(r->slot[r->tail].n == i && !strcmp(r->slot[r->tail].text, want));
		r->tail = (r->tail + 1) % 4;
		assert(eventfd_write(spaces, 1) == 0);
	}
	printf("tail %d\n", r->tail);
	munmap(r, sizeof(*r));
	return unused;
}

int main(void)
{
	assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sv) == 0);
	items = eventfd(0, EFD_SEMAPHORE);
	spaces = eventfd(4, EFD_SEMAPHORE);
	return both(reader, writer, NULL);
}
