// What libstdc++ makes of the same: threads, locks, waits, once with exceptions, statics, new and
// delete.
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex m;
static std::timed_mutex tm;
static std::recursive_mutex rm;
static std::shared_mutex sm;
static std::condition_variable cv;
static std::once_flag flag;
static int turn, tries, made;

struct made_once {
	made_once()
	{
		if (made++ == 0)
			throw std::runtime_error("first");
	}
};

static void local_static()
{
	static made_once s;
	(void)s;
}

static void worker(int id)
{
	std::unique_lock<std::mutex> l(m);
	cv.wait(l, [id] { return turn == id; });
	turn++;
	cv.notify_all();
}

struct at_end {
	~at_end() { std::lock_guard<std::mutex> g(m); turn += 100; }
};
static thread_local at_end destroyed;

int main()
{
	std::vector<std::thread> ts;

	for (int i = 0; i < 4; i++)
		ts.emplace_back(worker, i);
	for (auto &t : ts)
		t.join();
	std::printf("turn %d\n", turn);
	for (int i = 0; i < 3; i++) {
		try {
			std::call_once(flag, [] { if (tries++ == 0) throw 1; });
		} catch (int) {
			std::printf("thrown out of call_once\n");
		}
		try {
			local_static();
		} catch (std::exception &e) {
			std::printf("thrown out of a static: %s\n", e.what());
		}
	}
	std::printf("tries %d made %d\n", tries, made);
	std::thread([] { (void)&destroyed; }).join();
	std::printf("turn %d\n", turn);
	{
		std::unique_lock<std::mutex> l(m);
		std::printf("timeout %d\n", cv.wait_for(l, std::chrono::milliseconds(1)) == std::cv_status::timeout);
	}
	tm.lock();
	std::thread([] { std::printf("timed %d\n", tm.try_lock_for(std::chrono::milliseconds(1))); }).join();
	tm.unlock();
	rm.lock();
	rm.lock();
	rm.unlock();
	rm.unlock();
	{
		std::shared_lock<std::shared_mutex> a(sm), b(sm);
		std::printf("shared %d\n", sm.try_lock());
	}
	auto f = std::async(std::launch::async, [] { return 42; });
	std::printf("async %d\n", f.get());
	auto p = std::make_unique<int[]>(100);
	auto s = std::make_shared<int>(3);
	struct alignas(64) big { char c[64]; };
	delete new big;
	std::printf("memory %d %d\n", p[5], *s);
	try {
		auto g = std::async(std::launch::async, []() -> int { throw 5; });
		g.get();
	} catch (int v) {
		std::printf("across threads %d\n", v);
	}
	return 0;
}
