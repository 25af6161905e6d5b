/* Prints something else where forerun compiled it: the comparison must see it. */
#include <stdio.h>

int main(void)
{
#ifdef __FORERUN__
	puts("instrumented");
#else
	puts("native");
#endif
	return 0;
}
