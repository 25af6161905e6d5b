/*
 * A tiny request server with its clients in the same process. Connections are socket pairs. A
 * client hands the server's end to the listener's queue. A pool of workers takes connections from
 * it and answers requests, a line each, until the client hangs up:
 *
 *	GET page	returns the page, rendered from a template, from a common cache with LRU
 *			replacement
 *	PUT page text	sets the page's text and drops it from the cache
 *	STAT		returns the counters
 *
 * SIZE is the number of requests, in thousands. THREADS is the number of workers and of clients.
 * Each client asks for pages that no client writes, and writes pages of its own. So every answer
 * but STAT's is determined; the checksum is over those.
 */
#include "kernel_main.h"
#include <sys/socket.h>
#include <unistd.h>

#define PAGES 512    /* that all clients read */
#define OWN_PAGES 16 /* that one client writes */
#define CACHED 256
#define CACHE_HASH 512
#define TEXT 64
#define BODY 1024
#define REQUEST 128
#define PER_CONNECTION 500

struct entry {
	int page;
	unsigned length;
	struct entry *hash_next;
	struct entry *newer, *older;
	char body[BODY];
};

static struct cache {
	pthread_mutex_t lock;
	struct entry *hash[CACHE_HASH];
	struct entry *newest, *oldest;
	int entries;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
	pthread_rwlock_t lock;
	char (*text)[TEXT];
	int pages;
} store = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static struct {
	pthread_mutex_t lock;
	unsigned long requests, hits, misses, puts, connections;
	unsigned long bytes_in, bytes_out;
} stats = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int fd[64];
	int waiting;
	int closed;
} listener = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static long requests_each;
static int workers;

/* ---- listener ---- */

static int connect_to_server(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		die("socketpair");
	pthread_mutex_lock(&listener.lock);
	listener.fd[listener.waiting++] = pair[1];
	pthread_cond_signal(&listener.changed);
	pthread_mutex_unlock(&listener.lock);
	return pair[0];
}

static int accept_connection(void)
{
	int fd = -1;

	pthread_mutex_lock(&listener.lock);
	while (!listener.waiting && !listener.closed)
		pthread_cond_wait(&listener.changed, &listener.lock);
	if (listener.waiting)
		fd = listener.fd[--listener.waiting];
	pthread_mutex_unlock(&listener.lock);
	return fd;
}

/* ---- cache: all with the lock held ---- */

static void unlink_age(struct entry *e)
{
	if (e->newer)
		e->newer->older = e->older;
	else
		cache.newest = e->older;
	if (e->older)
		e->older->newer = e->newer;
	else
		cache.oldest = e->newer;
}

static void link_newest(struct entry *e)
{
	e->newer = NULL;
	e->older = cache.newest;
	if (cache.newest)
		cache.newest->newer = e;
	cache.newest = e;
	if (!cache.oldest)
		cache.oldest = e;
}

static struct entry **cache_link(int page)
{
	struct entry **link = &cache.hash[page % CACHE_HASH];

	while (*link && (*link)->page != page)
		link = &(*link)->hash_next;
	return link;
}

static void cache_drop(int page)
{
	struct entry **link = cache_link(page), *e = *link;

	if (!e)
		return;
	*link = e->hash_next;
	unlink_age(e);
	cache.entries--;
	free(e);
}

static void cache_insert(int page, const char *body, unsigned length)
{
	struct entry *e;

	cache_drop(page);
	if (cache.entries == CACHED)
		cache_drop(cache.oldest->page);
	e = allocate(sizeof(*e));
	e->page = page;
	e->length = length;
	memcpy(e->body, body, length);
	e->hash_next = cache.hash[page % CACHE_HASH];
	cache.hash[page % CACHE_HASH] = e;
	link_newest(e);
	cache.entries++;
}

/* ---- requests ---- */

static const char template[] = "<html><head><title>page $n</title></head><body><h1>$t</h1>"
			       "<p>This is page $n of the collection, which says: $t.</p>"
			       "<ul><li>$t</li><li>$t</li><li>$n</li></ul>"
			       "<p>End of page $n.</p></body></html>";

/* $n is the number of the page, $t its text, with the special characters of HTML escaped. */
static unsigned render(int page, const char *text, char *out)
{
	char number[16];
	unsigned n = 0;

	snprintf(number, sizeof(number), "%d", page);
	for (const char *p = template; *p; p++) {
		const char *from;

		if (*p != '$') {
			out[n++] = *p;
			continue;
		}
		from = *++p == 'n' ? number : text;
		for (; *from; from++) {
			if (*from == '<' || *from == '&') {
				memcpy(out + n, *from == '<' ? "&lt;" : "&amp;", 5);
				n += *from == '<' ? 4 : 5;
			} else {
				out[n++] = *from;
			}
		}
	}
	return n;
}

static unsigned handle_get(int page, char *out)
{
	char text[TEXT];
	struct entry *e;
	unsigned n = 0;
	int hit = 0;

	pthread_mutex_lock(&cache.lock);
	e = *cache_link(page);
	if (e) {
		memcpy(out, e->body, e->length);
		n = e->length;
		unlink_age(e);
		link_newest(e);
		hit = 1;
	}
	pthread_mutex_unlock(&cache.lock);
	if (!hit) {
		pthread_rwlock_rdlock(&store.lock);
		memcpy(text, store.text[page], TEXT);
		pthread_rwlock_unlock(&store.lock);
		n = render(page, text, out);
		pthread_mutex_lock(&cache.lock);
		cache_insert(page, out, n);
		pthread_mutex_unlock(&cache.lock);
	}
	pthread_mutex_lock(&stats.lock);
	stats.hits += (unsigned long)hit;
	stats.misses += (unsigned long)!hit;
	pthread_mutex_unlock(&stats.lock);
	return n;
}

static unsigned handle_put(int page, const char *text, char *out)
{
	size_t n = strlen(text);

	if (n >= TEXT)
		n = TEXT - 1;
	pthread_rwlock_wrlock(&store.lock);
	memcpy(store.text[page], text, n);
	store.text[page][n] = 0;
	pthread_rwlock_unlock(&store.lock);
	pthread_mutex_lock(&cache.lock);
	cache_drop(page);
	pthread_mutex_unlock(&cache.lock);
	pthread_mutex_lock(&stats.lock);
	stats.puts++;
	pthread_mutex_unlock(&stats.lock);
	memcpy(out, "stored", 6);
	return 6;
}

static unsigned handle_stat(char *out)
{
	int n;

	pthread_mutex_lock(&stats.lock);
	n = snprintf(out, BODY,
		     "requests %lu hits %lu misses %lu puts %lu connections %lu in %lu out %lu",
		     stats.requests, stats.hits, stats.misses, stats.puts, stats.connections,
		     stats.bytes_in, stats.bytes_out);
	pthread_mutex_unlock(&stats.lock);
	return (unsigned)n;
}

static unsigned handle(char *request, char *out)
{
	char *end;
	long page;

	if (strncmp(request, "STAT", 4) == 0)
		return handle_stat(out);
	page = strtol(request + 4, &end, 10);
	if (page < 0 || page >= store.pages) {
		memcpy(out, "no such page", 12);
		return 12;
	}
	if (strncmp(request, "GET ", 4) == 0)
		return handle_get((int)page, out);
	if (strncmp(request, "PUT ", 4) == 0 && *end == ' ')
		return handle_put((int)page, end + 1, out);
	memcpy(out, "bad request", 11);
	return 11;
}

/* ---- the wire: requests end with a newline, answers start with their length ---- */

static int read_all(int fd, char *buf, size_t n)
{
	while (n) {
		ssize_t r = read(fd, buf, n);

		if (r <= 0)
			return -1;
		buf += r;
		n -= (size_t)r;
	}
	return 0;
}

static int write_all(int fd, const char *buf, size_t n)
{
	while (n) {
		ssize_t r = write(fd, buf, n);

		if (r < 0)
			return -1;
		buf += r;
		n -= (size_t)r;
	}
	return 0;
}

static void answer_line(int fd, char *line, size_t length)
{
	char answer[4 + BODY];
	uint32_t n = handle(line, answer + 4);

	memcpy(answer, &n, 4);
	pthread_mutex_lock(&stats.lock);
	stats.requests++;
	stats.bytes_in += length;
	stats.bytes_out += n;
	pthread_mutex_unlock(&stats.lock);
	if (write_all(fd, answer, 4 + n) < 0)
		die("server: write");
}

static void serve_connection(int fd)
{
	char buf[4 * REQUEST];
	size_t held = 0;
	ssize_t r;

	while ((r = read(fd, buf + held, sizeof(buf) - held)) > 0) {
		char *line = buf, *end;

		held += (size_t)r;
		while ((end = memchr(line, '\n', held))) {
			*end = 0;
			answer_line(fd, line, (size_t)(end - line));
			held -= (size_t)(end + 1 - line);
			line = end + 1;
		}
		memmove(buf, line, held);
	}
	close(fd);
}

static void serve(void)
{
	int fd;

	while ((fd = accept_connection()) >= 0) {
		pthread_mutex_lock(&stats.lock);
		stats.connections++;
		pthread_mutex_unlock(&stats.lock);
		serve_connection(fd);
	}
}

/* ---- clients ---- */

struct work {
	int self; /* workers first, then clients */
	uint64_t sum;
};

static unsigned ask(int fd, const char *request, size_t length, char *answer)
{
	uint32_t n = 0;

	if (write_all(fd, request, length) < 0 || read_all(fd, (char *)&n, 4) < 0 || n > BODY ||
	    read_all(fd, answer, n) < 0)
		die("client");
	return n;
}

static void be_client(struct work *w)
{
	uint64_t rng = random_seed((uint64_t)w->self);
	char request[REQUEST], answer[BODY];
	int fd = -1;

	for (long i = 0; i < requests_each; i++) {
		uint64_t x = random_next(&rng);
		unsigned own = PAGES + (unsigned)(w->self - workers) * OWN_PAGES + x % OWN_PAGES;
		unsigned page = (unsigned)((x >> 8 & 0xffff) * (x >> 24 & 0xffff) >> 23) % PAGES;
		int n;
		unsigned got;

		if (i % PER_CONNECTION == 0) {
			if (fd >= 0)
				close(fd);
			fd = connect_to_server();
		}
		if (x >> 60 == 0)
			n = snprintf(request, sizeof(request), "PUT %u text <%ld> & more\n", own,
				     i);
		else if (x >> 60 == 1)
			n = snprintf(request, sizeof(request), "GET %u\n", own);
		else if (i % 1024 == 1023)
			n = snprintf(request, sizeof(request), "STAT\n");
		else
			n = snprintf(request, sizeof(request), "GET %u\n", page);
		got = ask(fd, request, (size_t)n, answer);
		if (request[0] == 'S')
			continue;
		for (unsigned k = 0; k < got; k++)
			w->sum = checksum_add(w->sum, (unsigned char)answer[k]);
	}
	close(fd);
}

static void *run(void *arg)
{
	struct work *w = arg;

	if (w->self < workers)
		serve();
	else
		be_client(w);
	return NULL;
}

int main(int argc, char **argv)
{
	struct options o = parse_options(argc, argv, 60);
	struct work work[2 * 256];
	pthread_t thread[2 * 256];
	uint64_t sum = 0;
	int n;

	if (o.threads > 60)
		o.threads = 60;
	workers = o.threads;
	n = 2 * workers;
	requests_each = o.size * 1000 * o.rounds / workers;
	store.pages = PAGES + workers * OWN_PAGES;
	store.text = allocate((size_t)store.pages * TEXT);
	for (int i = 0; i < store.pages; i++)
		snprintf(store.text[i], TEXT, "the %dth text, <b>%x</b> & so on", i,
			 (unsigned)i * 2654435761u);
	for (int i = 0; i < n; i++) {
		work[i] = (struct work){.self = i};
		if (pthread_create(&thread[i], NULL, run, &work[i]))
			die("pthread_create");
	}
	for (int i = workers; i < n; i++) {
		pthread_join(thread[i], NULL);
		sum += work[i].sum;
	}
	pthread_mutex_lock(&listener.lock);
	listener.closed = 1;
	pthread_cond_broadcast(&listener.changed);
	pthread_mutex_unlock(&listener.lock);
	for (int i = 0; i < workers; i++)
		pthread_join(thread[i], NULL);
	while (cache.oldest)
		cache_drop(cache.oldest->page);
	free(store.text);
	printf("server %016" PRIx64 " %lu\n", sum, stats.requests);
	return 0;
}
