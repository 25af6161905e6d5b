// Promise, future, shared_future, packaged_task and async pass values.
#include <cassert>
#include <future>
#include <numeric>
#include <vector>

static int plain;

int main()
{
	std::promise<int> p;
	std::future<int> f = p.get_future();
	std::thread t([&] {
		plain = 1;
		p.set_value(2);
	});
	assert(f.get() == 2 && plain == 1);
	t.join();

	auto a = std::async(std::launch::async, [] {
		std::vector<int> v(10, 3);
		return std::accumulate(v.begin(), v.end(), 0);
	});
	assert(a.get() == 30);

	std::packaged_task<int(int)> task([](int x) { return x + plain; });
	auto r = task.get_future();
	std::thread u(std::move(task), 4);
	assert(r.get() == 5);
	u.join();
}
