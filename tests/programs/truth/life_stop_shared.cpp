// One stop_source for many threads; callbacks are registered and destroyed while the stop is
// requested.
#include "truth.h"
#include <atomic>
#include <stop_token>
#include <thread>
#include <vector>
static std::atomic<int> called{0}, seen{0};
int main()
{
	std::stop_source src;
	std::vector<std::thread> t;
	for (int i = 0; i < 2; i++)
		t.emplace_back([tok = src.get_token()] {
			while (!tok.stop_requested()) {
				std::stop_callback cb(tok, [] { called++; });
				std::this_thread::yield();
			}
			seen++;
		});
	assert(src.request_stop());
	assert(!src.request_stop());
	for (auto &x : t)
		x.join();
	assert(seen == 2 && called <= 2);
}
