/*
 * Readers take an atomic<shared_ptr> snapshot of a map that a writer copies and replaces.
 */
#include "truth.h"
#include <atomic>
#include <map>
#include <memory>
#include <thread>
static std::atomic<std::shared_ptr<const std::map<int, int>>> now;
static void reader()
{
	for (int i = 0; i < 4; i++) {
		auto p = now.load();
		int last = -1;
		for (auto &[k, v] : *p) {
			assert(v == k * k && k > last);
			last = k;
		}
	}
}
int main()
{
	now = std::make_shared<const std::map<int, int>>();
	std::thread a(reader), b(reader);
	for (int i = 0; i < 4; i++) {
		auto next = std::make_shared<std::map<int, int>>(*now.load());
		(*next)[i] = i * i;
		now.store(next);
	}
	a.join();
	b.join();
	assert(now.load()->size() == 4);
}
