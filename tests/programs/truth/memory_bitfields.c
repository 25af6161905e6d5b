/* Two threads use neighbouring bytes, and bit-fields of different units. */
#include "truth.h"

static struct {
	unsigned char a;
	unsigned char b;
	unsigned x : 4;
	int : 0;
	unsigned y : 4;
} s;

static void *one(void *unused)
{
	for (int i = 0; i < 8; i++) {
		s.a++;
		s.x++;
	}
	return unused;
}

static void *two(void *unused)
{
	for (int i = 0; i < 8; i++) {
		s.b++;
		s.y++;
	}
	return unused;
}

int main(void)
{
	both(one, two, NULL);
	return s.a != 8 || s.b != 8 || s.x != 8 || s.y != 8;
}
