/*
 * Coroutines that hop between the threads of a pool, wait for each other through an awaitable event, throw, and are
 * destroyed by whoever is last. A pmr monotonic resource per worker serves strings.
 */
#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <deque>
#include <exception>
#include <latch>
#include <memory_resource>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

class executor
{
	std::mutex m;
	std::condition_variable c;
	std::deque<std::coroutine_handle<>> q;
	bool stop = false;
	std::vector<std::thread> t;

      public:
	void post(std::coroutine_handle<> h)
	{
		{
			std::lock_guard g(m);
			q.push_back(h);
		}
		c.notify_one();
	}
	void run()
	{
		for (;;) {
			std::coroutine_handle<> h;
			{
				std::unique_lock l(m);
				c.wait(l, [this] { return stop || !q.empty(); });
				if (q.empty())
					return;
				h = q.front();
				q.pop_front();
			}
			h.resume();
		}
	}
	explicit executor(int n)
	{
		t.reserve(n);
		for (int i = 0; i < n; i++)
			t.emplace_back([this] { run(); });
	}
	~executor()
	{
		{
			std::lock_guard g(m);
			stop = true;
		}
		c.notify_all();
		for (auto &x : t)
			x.join();
	}
	auto hop()
	{
		struct aw {
			executor &e;
			bool await_ready()
			{
				return false;
			}
			void await_suspend(std::coroutine_handle<> h)
			{
				e.post(h);
			}
			void await_resume()
			{
			}
		};
		return aw{*this};
	}
};

struct event {
	executor &e;
	std::mutex m;
	std::vector<std::coroutine_handle<>> waiting;
	bool set = false;
	void fire()
	{
		std::vector<std::coroutine_handle<>> w;
		{
			std::lock_guard g(m);
			set = true;
			w.swap(waiting);
		}
		for (auto h : w)
			e.post(h);
	}
	bool await_ready()
	{
		return false;
	}
	bool await_suspend(std::coroutine_handle<> h)
	{
		std::lock_guard g(m);
		if (set)
			return false;
		waiting.push_back(h);
		return true;
	}
	void await_resume()
	{
	}
};

struct detached {
	struct promise_type {
		detached get_return_object()
		{
			return {};
		}
		std::suspend_never initial_suspend()
		{
			return {};
		}
		std::suspend_never final_suspend() noexcept
		{
			return {};
		}
		void return_void()
		{
		}
		void unhandled_exception()
		{
			std::terminate();
		}
	};
};

static std::mutex out_m;
static std::vector<std::string> out;
static std::atomic<int> caught;

static detached job(executor &e, event &ev, std::latch &done, int n)
{
	char buf[256];
	std::pmr::monotonic_buffer_resource r(buf, sizeof(buf));
	std::pmr::string s("job ", &r);
	co_await e.hop();
	s += std::to_string(n);
	try {
		if (n == 2)
			throw std::runtime_error("two");
	} catch (const std::exception &x) {
		caught++;
		s += x.what();
	}
	if (n == 0)
		ev.fire();
	else
		co_await ev;
	co_await e.hop();
	{
		std::lock_guard g(out_m);
		out.emplace_back(s);
	}
	done.count_down();
}

int main()
{
	{
		std::latch done(4);
		executor e(2);
		event ev{e, {}, {}, false};
		for (int i = 3; i >= 0; i--)
			job(e, ev, done, i);
		done.wait();
	}
	std::sort(out.begin(), out.end());
	for (auto &s : out)
		puts(s.c_str());
	return out.size() != 4 || caught != 1;
}
