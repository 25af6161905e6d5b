/*
 * The file `peers`, reading: each step once and in order, with its data; a file that ends early
 * loses steps and says so; damage is an error that names the file, and never a crash.
 */
#include "base/mem.h"
#include "fixture.h"
#include "trace/peer_steps.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct fr_buf file;

static void add(unsigned what, uint32_t peer, unsigned flags, int64_t result, const void *p,
		size_t n)
{
	static const char zero[8];
	struct fr_peer_record r = {.size = (uint32_t)(sizeof(r) + ((n + 7) & ~(size_t)7)),
				   .what = (uint8_t)what,
				   .type = 1,
				   .flags = (uint16_t)flags,
				   .peer = peer,
				   .thread = 2,
				   .hook = 10 + file.n,
				   .result = result,
				   .sent = 5};

	fr_buf_add(&file, &r, sizeof(r));
	fr_buf_add(&file, p, n);
	fr_buf_add(&file, zero, -n & 7);
}

static void make(void)
{
	struct fr_peers_header h = {
	    .magic = FR_PEERS_MAGIC, .version = FR_PEERS_VERSION, .limit = FR_PEERS_LIMIT};
	struct fr_peer_addresses a = {.local = {.len = 16}, .remote = {.len = 300}};
	struct fr_peer_address from = {.len = 2};
	char datagram[sizeof(from) + 3];
	uint32_t fds[3] = {7, 8, 9};

	memcpy(datagram, &from, sizeof(from));
	memcpy(datagram + sizeof(from), "abc", 3);
	file = (struct fr_buf){0};
	fr_buf_add(&file, &h, sizeof(h));
	add(FR_PEER_LISTEN, 0, 0, 0, &a, sizeof(a));
	add(FR_PEER_ACCEPT, 1, 0, 0, &a, sizeof(a));
	add(FR_PEER_READ, 1, 0, 5, "hello", 5);
	add(FR_PEER_READ, 2, FR_PEER_FROM, 3, datagram, sizeof(datagram));
	add(FR_PEER_ORDER, FR_PEER_NONE, 0, 3, fds, sizeof(fds));
	add(FR_PEER_SIGNAL, FR_PEER_NONE, 0, 15, NULL, 0);
	add(FR_PEER_READ, 1, 0, 0, NULL, 0);
	h.used = file.n;
	memcpy(file.s, &h, sizeof(h));
}

/* Reads the first n bytes of the file. */
static int read_it(size_t n, struct fr_peers *ret, struct fr_err *e)
{
	char *dir = fx_folder(), *path = fr_xasprintf("%s/peers", dir);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), r;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, file.s, n), n);
	close(fd);
	r = fr_peers_read(dir, ret, e);
	if (r < 0)
		assert_non_null(strstr(e->msg, "peers"));
	free(path);
	fx_remove(dir);
	return r;
}

static void test_whole(void **state)
{
	static const uint8_t what[] = {FR_PEER_LISTEN, FR_PEER_ACCEPT, FR_PEER_READ, FR_PEER_READ,
				       FR_PEER_ORDER,  FR_PEER_SIGNAL, FR_PEER_READ};
	struct fr_peer_addresses a;
	struct fr_peers p;
	struct fr_err e;

	(void)state;
	make();
	assert_int_equal(read_it(file.n, &p, &e), 0);
	assert_int_equal(p.step.n, fr_array_size(what));
	assert_int_equal(p.npeers, 3);
	assert_int_equal(p.lost, 0);
	for (size_t i = 0; i < p.step.n; i++) {
		assert_int_equal(p.step.v[i].what, what[i]);
		assert_int_equal(p.step.v[i].thread, 2);
		assert_int_equal(p.step.v[i].sent, 5);
		assert_true(!i || p.step.v[i].hook > p.step.v[i - 1].hook);
	}
	assert_memory_equal(p.bytes + p.step.v[2].at, "hello", 5);
	fr_peers_addresses(&p, &p.step.v[1], &a);
	assert_int_equal(a.local.len, 16);
	assert_int_equal(a.remote.len, 0); /* longer than there is room for */
	fr_peers_free(&p);
	fr_buf_free(&file);
}

/* A thread accepted the connection of another thread before that one knew its port. */
static void test_own_accepted_early(void **state)
{
	for (unsigned flags = 0; flags <= FR_PEER_UNSURE; flags += FR_PEER_UNSURE)
		for (uint16_t port = 1000; port <= 1001; port++) {
			struct sockaddr_in mine = {.sin_family = AF_INET, .sin_port = htons(1000)},
					   seen = {.sin_family = AF_INET, .sin_port = htons(port)};
			struct fr_peer_addresses to = {.local = {.len = sizeof(mine)}},
						 from = {.remote = {.len = sizeof(seen)}};
			struct fr_peers p;
			struct fr_err e;
			struct fr_peers_header h;

			memcpy(to.local.bytes, &mine, sizeof(mine));
			memcpy(from.remote.bytes, &seen, sizeof(seen));
			make();
			add(FR_PEER_ACCEPT, 3, flags, 0, &from, sizeof(from));
			add(FR_PEER_CONNECT, 4, FR_PEER_OWN, 0, &to, sizeof(to));
			add(FR_PEER_READY, 3, 0, 1, NULL, 0);
			memcpy(&h, file.s, sizeof(h));
			h.used = file.n;
			memcpy(file.s, &h, sizeof(h));
			assert_int_equal(read_it(file.n, &p, &e), 0);
			assert_int_equal(p.step.n, flags && port == 1000 ? 8 : 10);
			assert_int_equal(p.step.v[p.step.n - 1].peer,
					 flags && port == 1000 ? 4 : 3);
			fr_peers_free(&p);
			fr_buf_free(&file);
		}
	(void)state;
}

static void test_none(void **state)
{
	char *dir = fx_folder();
	struct fr_peers p;
	struct fr_err e;

	(void)state;
	assert_int_equal(fr_peers_read(dir, &p, &e), 0);
	assert_int_equal(p.npeers, 0);
	assert_int_equal(p.fd, -1);
	fr_peers_free(&p);
	fx_remove(dir);
}

static void test_every_length(void **state)
{
	struct fr_peers p;
	struct fr_err e;
	size_t steps = 0;

	(void)state;
	make();
	for (size_t n = 0; n < file.n; n++) {
		int r = read_it(n, &p, &e);

		if (r == 0) {
			assert_true(p.lost > 0);
			assert_true(p.step.n >= steps && p.step.n < 7);
			steps = p.step.n;
		} else {
			assert_int_equal(r, -EBADMSG);
		}
		fr_peers_free(&p);
	}
	assert_int_equal(steps, 6);
	fr_buf_free(&file);
}

static void test_every_byte(void **state)
{
	struct fr_peers p;
	struct fr_err e;

	(void)state;
	make();
	for (size_t i = 0; i < file.n; i++) {
		file.s[i] = (char)~file.s[i];
		if (read_it(file.n, &p, &e) == 0)
			FR_VEC_FOREACH (s, &p.step) {
				assert_true(s->at + s->n <= p.size);
				assert_true(s->what != FR_PEER_READ || s->result <= (int64_t)s->n);
				assert_true(s->peer == FR_PEER_NONE || s->peer < p.npeers);
			}
		fr_peers_free(&p);
		file.s[i] = (char)~file.s[i];
	}
	fr_buf_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_whole),      cmocka_unit_test(test_own_accepted_early),
	    cmocka_unit_test(test_none),       cmocka_unit_test(test_every_length),
	    cmocka_unit_test(test_every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
