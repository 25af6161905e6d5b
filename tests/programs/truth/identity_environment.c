/* Environment, working folder, host name and user do not change under the program. */
#include "truth.h"
#include <pwd.h>
#include <sys/utsname.h>

static char *home;

static void *work(void *unused)
{
	char a[4096], b[4096];
	struct utsname u, v;

	tick();
	assert(getcwd(a, sizeof(a)) && uname(&u) == 0);
	tick();
	assert(getcwd(b, sizeof(b)) && strcmp(a, b) == 0);
	assert(uname(&v) == 0 && strcmp(u.nodename, v.nodename) == 0);
	assert(getuid() == geteuid() && home == getenv("TRUTH_HOME"));
	return unused;
}

int main(void)
{
	setenv("TRUTH_HOME", "here", 1);
	home = getenv("TRUTH_HOME");
	return beside_look(work);
}
