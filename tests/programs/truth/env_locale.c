/* Locales per thread. */
#include "truth.h"
#include <locale.h>

static void *work(void *unused)
{
	locale_t l = newlocale(LC_ALL_MASK, "C", NULL), old = uselocale(l);
	char b[32];

	for (int i = 0; i < 3; i++) {
		snprintf(b, sizeof(b), "%.2f", 1.5 * i);
		tick();
		assert(strtod(b, NULL) == 1.5 * i);
	}
	uselocale(old);
	freelocale(l);
	return unused;
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return both(work, work, NULL);
}
