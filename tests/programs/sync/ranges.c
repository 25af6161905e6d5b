/* Strings and buffers that libc reads and writes. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static char a[64] = "hello, world", b[64], c[64];
static struct iovec v[2] = {{b, 3}, {c, 10}};
static int numbers[5] = {5, 3, 4, 1, 2};

static int compare(const void *x, const void *y)
{
	return *(const int *)x - *(const int *)y;
}

int main(void)
{
	volatile size_t n = 5;
	volatile int base = 1000;
	char *end, *dup;
	long number;
	int pair[2];

	printf("%d %d\n", strcmp(a, "help") < 0, strncmp(a, "help", 3));
	printf("%d\n", strcasecmp("HELLO, WORLD", a));
	strcpy(b, a);
	strncpy(c, a, n);
	strcat(c, "!");
	strncat(c, "abcdef", 2);
	printf("%s %s\n", b, c);
	printf("%zu %zu\n", strlen(a), strnlen(a, n));
	printf("%s %s %s\n", strchr(a, ','), strrchr(a, 'o'), strstr(a, "lo"));
	dup = strdup(a);
	printf("%s\n", dup);
	free(dup);
	dup = strndup(a, n);
	printf("%s\n", dup);
	free(dup);
	snprintf(c, n, "%*d %s", 3, 7, a);
	printf("%s\n", c);
	sprintf(c, "%-5.2f|%.3s|%ld|%c|%%|%p", 1.5, a, 9L, 'x', (void *)0);
	printf("%s\n", c);
	number = strtol("  42x", &end, 10);
	printf("%ld %s\n", number, end);
	end = NULL;
	number = strtol("42", &end, base);
	printf("%ld %d\n", number, end == NULL);
	printf("%d\n", atoi("17"));
	qsort(numbers, 5, sizeof(*numbers), compare);
	printf("%d %d\n", numbers[0], numbers[4]);
	memset(c, 'z', n);
	memmove(c + 1, c, n);
	printf("%d %s\n", memcmp(a, b, n), (char *)memchr(a, 'w', 20));
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	printf("%zd\n", write(pair[0], a, n));
	printf("%zd\n", read(pair[1], b, 64));
	printf("%zd\n", send(pair[0], "0123456789", 10, 0));
	printf("%zd\n", readv(pair[1], v, 2));
	printf("%.3s %.7s\n", b, c);
	return 0;
}
