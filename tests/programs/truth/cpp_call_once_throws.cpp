/*
 * call_once is tried again after an exception; exactly one call succeeds.
 */
#include "truth.h"
#include <mutex>
#include <thread>
static std::once_flag once;
static int tries, value;
static void run()
{
	for (int i = 0; i < 3; i++) {
		try {
			std::call_once(once, [] {
				if (++tries < 2)
					throw 1;
				value = 5;
			});
			assert(value == 5);
			return;
		} catch (int) {
		}
	}
}
int main()
{
	std::thread a(run), b(run);
	a.join();
	b.join();
	assert(value == 5 && tries == 2);
}
