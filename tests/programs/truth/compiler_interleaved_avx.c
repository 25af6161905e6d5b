/* Strided stores of one colour channel each, built for wide vectors. */
/* build: -O3 -mavx2 -ffast-math */
#include "truth.h"

static struct {
	float r, g, b, a;
} px[256];

static void *red(void *unused)
{
	for (int i = 0; i < 256; i++)
		px[i].r = px[i].r * 0.5f + 1;
	return unused;
}

static void *blue(void *unused)
{
	for (int i = 0; i < 256; i++)
		px[i].b = px[i].b * 0.25f + 2;
	return unused;
}

int main(void)
{
	both(red, blue, NULL);
	return px[255].r != 1 || px[7].b != 2 || px[8].g != 0;
}
