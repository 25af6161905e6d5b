/* A promise is kept at the thread's exit. */
#include <cstdio>
#include <future>
#include <string>
#include <thread>

thread_local std::string tl;

struct d {
	std::promise<int> *p;

	~d()
	{
	}
};

int main()
{
	std::promise<std::string> p;
	auto f = p.get_future();
	std::thread t(
	    [](std::promise<std::string> q) {
		    tl = "thread data";
		    q.set_value_at_thread_exit(tl);
		    tl += " more";
	    },
	    std::move(p));
	std::shared_future<std::string> s = f.share();
	std::thread r1([s] {
		if (s.get() != "thread data")
			std::abort();
	}),
	    r2([s] {
		    if (s.get().size() != 11)
			    std::abort();
	    });
	t.join();
	r1.join();
	r2.join();
	std::promise<void> v;
	auto g = v.get_future();
	std::jthread e([&] {
		try {
			throw 5;
		} catch (...) {
			v.set_exception(std::current_exception());
		}
	});
	try {
		g.get();
		return 1;
	} catch (int x) {
		return x != 5;
	}
}
