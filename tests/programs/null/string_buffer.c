/*
 * A string buffer appends another one: it asks for the length of the other and then copies that
 * many characters, both under the other's lock, but the other may be emptied between.
 * The twin keeps the lock of the other.
 *
 * order: creation
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
	pthread_mutex_t lock;
	char *text;
	size_t length;
};
static struct buffer first = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct buffer second = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t length(struct buffer *b)
{
	size_t n;

	pthread_mutex_lock(&b->lock);
	n = b->length;
	pthread_mutex_unlock(&b->lock);
	return n;
}

#ifndef FIXED
static void copy_to(struct buffer *b, char *to, size_t n)
{
	pthread_mutex_lock(&b->lock);
	for (size_t i = 0; i < n; i++)
		to[i] = b->text[i]; /* @use */
	pthread_mutex_unlock(&b->lock);
}
#endif

static void append(struct buffer *b, struct buffer *other)
{
	size_t n;
	char *text;

	pthread_mutex_lock(&b->lock);
#ifdef FIXED
	pthread_mutex_lock(&other->lock);
	n = other->length;
	text = realloc(b->text, b->length + n + 1);
	for (size_t i = 0; i < n; i++)
		text[b->length + i] = other->text[i];
	pthread_mutex_unlock(&other->lock);
#else
	n = length(other);
	text = realloc(b->text, b->length + n + 1);
	copy_to(other, text + b->length, n);
#endif
	b->text = text;
	b->length += n;
	pthread_mutex_unlock(&b->lock);
}

static void empty(struct buffer *b)
{
	pthread_mutex_lock(&b->lock);
	free(b->text);
	b->text = NULL;
	b->length = 0;
	pthread_mutex_unlock(&b->lock);
}

static void *appender(void *arg)
{
	append(&first, &second);
	return arg;
}

static void *emptier(void *arg)
{
	empty(&second);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	first.text = strdup("one ");
	first.length = length(&first) + 4;
	second.text = strdup("two");
	second.length = 3;
	pthread_create(&a, NULL, appender, NULL);
	pthread_create(&b, NULL, emptier, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(first.text);
	return 0;
}
