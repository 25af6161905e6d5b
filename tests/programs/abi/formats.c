/* The formats of scanf and printf: what the calls write and return. The program checks it itself. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int wrong;

static void check(int ok, int line)
{
	if (!ok)
		printf("line %d is wrong\n", line);
	wrong |= !ok;
}
#define CHECK(x) check(x, __LINE__)

static void numbers(void)
{
	int a = 0, b = 0;
	short h = -1;
	signed char hh = -1;
	long l = 0;
	long long ll = 0;
	size_t z = 0;
	float f = 0;
	double d = 0;
	long double ld = 0;
	void *p = NULL;

	CHECK(sscanf("7 300 -9 88", "%hd %hhd %ld %lld", &h, &hh, &l, &ll) == 4);
	CHECK(h == 7 && hh == 44 && l == -9 && ll == 88);
	CHECK(sscanf("1.5 2.5 3.5 0x10 77", "%f %lf %Lf %p %zu", &f, &d, &ld, &p, &z) == 5);
	CHECK(f == 1.5f && d == 2.5 && ld == 3.5L && p == (void *)16 && z == 77);
	CHECK(sscanf("5 6", "%*d %d", &a) == 1 && a == 6);
	CHECK(sscanf("x", "%d", &a) == 0 && a == 6);
	CHECK(sscanf("", "%d", &a) == EOF && a == 6);
	CHECK(sscanf("3 4", "%2$d %1$d", &a, &b) == 2 && a == 4 && b == 3);
}

static void positions(void)
{
	int a = 0, n = -1, m = -1, first = -1;
	signed char hh = -1;
	char set[8];

	CHECK(sscanf("12 34x", "%d 34x%n", &a, &n) == 1 && a == 12 && n == 6);
	CHECK(sscanf("12 34y", "%d 34x%n", &a, &m) == 1 && m == -1);
	CHECK(sscanf("]q-", "%n%[]q]%hhn", &first, set, &hh) == 1);
	CHECK(!strcmp(set, "]q") && first == 0 && hh == 2);
}

static void strings(void)
{
	char s[20], set[8], c[4] = "zzz", one = 0, part[4] = "zzz", *new = NULL;
	wchar_t wide[8];
	int a = 0;

	CHECK(sscanf("hello wor]ld", "%s %[^x]", s, set + 0) == 2 && !strcmp(s, "hello"));
	CHECK(!strncmp(set, "wor]ld", 6));
	CHECK(sscanf("abcd", "%2c%c", c, &one) == 2 && !strcmp(c, "abz") && one == 'c');
	CHECK(sscanf("q", "%3c", part) < 2 && part[3] == 0);
	CHECK(sscanf("alloc it", "%ms", &new) == 1 && !strcmp(new, "alloc"));
	free(new);
	CHECK(sscanf("wide 5", "%ls %d", wide, &a) == 2 && !wcscmp(wide, L"wide") && a == 5);
}

static void many(void)
{
	int v[18] = {0};

	CHECK(sscanf("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
		     "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d", v, v + 1, v + 2, v + 3,
		     v + 4, v + 5, v + 6, v + 7, v + 8, v + 9, v + 10, v + 11, v + 12, v + 13,
		     v + 14, v + 15, v + 16, v + 17) == 18);
	CHECK(v[0] == 1 && v[15] == 16 && v[17] == 18);
}

static void streams(void)
{
	char s[20], big[6000], got[6000];
	FILE *f = tmpfile();
	int a = 0;

	memset(big, 'b', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	fprintf(f, "%s %d %.2s|%s\n", "word", 42, "xyz", big);
	rewind(f);
	CHECK(fscanf(f, "%19s %d xy|%5999s", s, &a, got) == 3 && !strcmp(s, "word") && a == 42);
	CHECK(!strcmp(big, got));
	rewind(f);
	CHECK(fscanf(f, "%s", s) == 1 && !strcmp(s, "word"));
	fclose(f);
}

static void *print(void *arg)
{
	char *s = NULL;

	CHECK(asprintf(&s, "%s-%d", "word", 42) == 7 && !strcmp(s, "word-42"));
	printf("%s %.2s %d %*d %% %5.1f %c\n", s, "xyz", 3, 4, 5, 2.25, 'c');
	printf("%2$s %1$d\n", 1, "two");
	fflush(stdout);
	dprintf(1, "%s\n", s);
	free(s);
	return arg;
}

int main(void)
{
	pthread_t t;

	numbers();
	positions();
	strings();
	many();
	streams();
	pthread_create(&t, NULL, print, NULL);
	pthread_join(t, NULL);
	return wrong;
}
