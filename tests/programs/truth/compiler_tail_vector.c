/* Two threads share an array at an odd border; a string loop and a copy loop end there. */
/* build: -O3 */
#include "truth.h"

static char text[67], copy[67];
static short nums[33];

static void *low(void *unused)
{
	for (int i = 0; i < 31; i++) {
		text[i] = (char)('a' + i % 26);
		copy[i] = text[i];
	}
	for (int i = 0; i < 17; i++)
		nums[i] = (short)i;
	return unused;
}

static void *high(void *unused)
{
	for (int i = 31; i < 67; i++) {
		text[i] = (char)('A' + i % 26);
		copy[i] = text[i];
	}
	for (int i = 17; i < 33; i++)
		nums[i] = (short)-i;
	return unused;
}

int main(void)
{
	both(low, high, NULL);
	return memcmp(text, copy, 67) != 0 || nums[16] != 16 || nums[17] != -17;
}
