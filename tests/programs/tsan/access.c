/* One access of each sort, on memory that another thread then reads. The test knows the values. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct pair { int a, b; };
struct big { char text[100]; int n; };
struct __attribute__((packed)) packed { char c; uint32_t u; uint64_t v; };

uint8_t x1;
uint16_t x2;
uint32_t x4;
uint64_t x8;
__extension__ typedef unsigned __int128 wide;
wide x16;
volatile int xv;
struct pair pair1 = {7, 8}, pair2;
struct big big1, big2;
struct packed packed;
float f4;
double f8;
static char text[32];

static __attribute__((noinline)) void write_all(void)
{
	x1 = 0xa1; /* W1 */
	x2 = 0xa2a2; /* W2 */
	x4 = 0xa4a4a4a4; /* W4 */
	x8 = 0xa8a8a8a8a8a8a8a8; /* W8 */
	x16 = ((wide)3 << 64) | 5; /* W16 */
	xv = 9; /* WV */
	packed.u = 0xb4b4b4b4; /* WU4 */
	packed.v = 0xb8b8b8b8b8b8b8b8; /* WU8 */
	f4 = 1.5f; /* WF4 */
	f8 = 2.5; /* WF8 */
	pair2 = pair1; /* PAIR */
	big2 = big1; /* BIG */
	strcpy(text, "twelve bytes"); /* STRCPY */
}

static void *read_all(void *arg)
{
	uint64_t *sum = arg;

	*sum = x1; /* R1 */
	*sum += x2; /* R2 */
	*sum += x4; /* R4 */
	*sum += x8; /* R8 */
	*sum += (uint64_t)x16; /* R16 */
	*sum += (uint64_t)xv; /* RV */
	*sum += packed.u; /* RU4 */
	*sum += packed.v; /* RU8 */
	*sum += (uint64_t)f4 + (uint64_t)f8; /* RF */
	*sum += (uint64_t)(pair2.a + pair2.b + big2.n);
	*sum += strlen(text); /* STRLEN */
	return NULL;
}

int main(void)
{
	uint64_t sum = 0;
	pthread_t t;

	big1.n = 4;
	write_all();
	pthread_create(&t, NULL, read_all, &sum);
	pthread_join(t, NULL);
	printf("%llx\n", (unsigned long long)sum);
	return 0;
}
