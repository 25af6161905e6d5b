/* A loop that reads only where a private mask is set, which a vectoriser turns into masked loads.
 */
/* build: -O3 -march=x86-64-v3 */
#include "truth.h"

int data[128];
static unsigned char mask[128];
static int sum;

static void *reader(void *unused)
{
	int s = 0;

	for (int i = 0; i < 128; i++)
		if (mask[i])
			s += data[i];
	sum = s;
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 0; i < 128; i++)
		if (!mask[i])
			data[i] = -1;
	return unused;
}

int main(void)
{
	for (int i = 0; i < 128; i += 2) {
		mask[i] = 1;
		data[i] = 1;
	}
	both(reader, writer, NULL);
	return sum != 64;
}
