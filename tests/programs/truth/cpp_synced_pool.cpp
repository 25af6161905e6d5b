/*
 * Threads share a synchronized_pool_resource; blocks of one thread are freed by another.
 */
#include "truth.h"
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static std::pmr::synchronized_pool_resource pool;
static std::mutex m;
static std::vector<std::pmr::string *> box;
int main()
{
	std::thread a([] {
		for (int i = 0; i < 5; i++) {
			auto *s = new std::pmr::string(40, 'a', &pool);
			std::lock_guard<std::mutex> g(m);
			box.push_back(s);
		}
	});
	std::thread b([] {
		for (int i = 0; i < 5; i++) {
			std::pmr::string *s = nullptr;
			{
				std::lock_guard<std::mutex> g(m);
				if (!box.empty()) {
					s = box.back();
					box.pop_back();
				}
			}
			if (s)
				assert(s->size() == 40);
			delete s;
		}
	});
	a.join();
	b.join();
	for (auto *s : box)
		delete s;
}
