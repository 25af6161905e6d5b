/*
 * Java's StringBuffer, of version 1.4. Every method locks its buffer. append() of one buffer to
 * another asks the source for its length, and then for that number of characters. If the source has
 * fewer characters by then, getChars() throws an exception; this program exits instead. Nothing
 * races.
 *
 * append() reads the source's count twice while the target is locked. Between the reads, one thread
 * can delete the source's text, and after that another thread can write a new text: two
 * interleavings. Both do harm, because the source is shorter after either.
 *
 * expect: atomicity-violation from->count read@length read@bounds
 * between: write@delete write@put
 * harm: exit exit status 3
 * order: creation
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
	pthread_mutex_t lock;
	int count, room;
	char *value;
};

static struct buffer *buffer_new(const char *s)
{
	struct buffer *from = calloc(1, sizeof(*from));

	if (!from)
		exit(9);
	pthread_mutex_init(&from->lock, NULL);
	from->count = (int)strlen(s);
	from->room = from->count + 16;
	from->value = malloc((size_t)from->room);
	memcpy(from->value, s, (size_t)from->count);
	return from;
}

static void expand(struct buffer *b, int least)
{
	if (least <= b->room)
		return;
	b->room = 2 * least;
	b->value = realloc(b->value, (size_t)b->room);
}

#ifndef FIXED
static int buffer_length(struct buffer *from)
{
	int n;

	pthread_mutex_lock(&from->lock);
	n = from->count; /* @length */
	pthread_mutex_unlock(&from->lock);
	return n;
}

static void get_chars(struct buffer *from, int begin, int end, char *to)
{
	pthread_mutex_lock(&from->lock);
	if (begin < 0 || begin > end || end > from->count) { /* @bounds */
		fprintf(stderr, "index out of bounds: %d\n", end);
		exit(3);
	}
	memcpy(to, from->value + begin, (size_t)(end - begin));
	pthread_mutex_unlock(&from->lock);
}
#endif

static void buffer_append(struct buffer *b, struct buffer *from)
{
	int n;

	pthread_mutex_lock(&b->lock);
#ifdef FIXED
	pthread_mutex_lock(&from->lock);
	n = from->count;
	expand(b, b->count + n);
	memcpy(b->value + b->count, from->value, (size_t)n);
	pthread_mutex_unlock(&from->lock);
#else
	n = buffer_length(from);
	expand(b, b->count + n);
	get_chars(from, 0, n, b->value + b->count);
#endif
	b->count += n;
	pthread_mutex_unlock(&b->lock);
}

static void buffer_delete(struct buffer *from)
{
	pthread_mutex_lock(&from->lock);
	from->count = 0; /* @delete */
	pthread_mutex_unlock(&from->lock);
}

static void buffer_put(struct buffer *from, char c)
{
	int n;

	pthread_mutex_lock(&from->lock);
	n = from->count;
	expand(from, n + 1);
	from->value[n] = c;
	from->count = n + 1; /* @put */
	pthread_mutex_unlock(&from->lock);
}

static struct buffer *to, *line;

static void *appender(void *arg)
{
	buffer_append(to, line);
	return arg;
}

static void *deleter(void *arg)
{
	buffer_delete(line);
	return arg;
}

static void *putter(void *arg)
{
	buffer_put(line, '!');
	return arg;
}

int main(void)
{
	void *(*const job[])(void *) = {appender, deleter, putter};
	pthread_t t[3];

	to = buffer_new("abc");
	line = buffer_new("defghi");
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, job[i], NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("%.*s %.*s\n", to->count, to->value, line->count, line->value);
	return 0;
}
