// Copy on write: readers take a reference under the lock and use it outside.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;
static std::shared_ptr<const std::vector<int>> data = std::make_shared<std::vector<int>>(3, 0);

static std::shared_ptr<const std::vector<int>> get()
{
	std::lock_guard g(m);
	return data;
}

static void bump()
{
	std::lock_guard g(m);
	auto fresh = std::make_shared<std::vector<int>>(*data);
	for (int &v : *fresh)
		v++;
	data = std::move(fresh);
}

int main()
{
	std::thread w([] {
		for (int i = 0; i < 3; i++)
			bump();
	});
	for (int i = 0; i < 3; i++) {
		auto d = get();
		assert((*d)[0] == (*d)[1] && (*d)[1] == (*d)[2]);
	}
	w.join();
	return (*get())[0] != 3;
}
