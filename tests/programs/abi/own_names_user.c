/* Uses the library of own_names_lib.c, and a function of libc itself. */
#include <stdio.h>
#include <string.h>

int own_names_run(void);

int main(int argc, char **argv)
{
	char to[32] = "";

	(void)argc;
	strncat(to, argv[0] ? "user" : "", 10);
	printf("%s %zu\n", to, strlen(to));
	return own_names_run();
}
