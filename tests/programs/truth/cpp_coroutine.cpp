// A coroutine that moves to another thread at its suspension point.
#include <cassert>
#include <coroutine>
#include <thread>

static std::thread other;
static int steps;

struct move_to_thread {
	bool await_ready()
	{
		return false;
	}
	void await_suspend(std::coroutine_handle<> h)
	{
		other = std::thread([h] { h.resume(); });
	}
	void await_resume()
	{
	}
};

struct task {
	struct promise_type {
		task get_return_object()
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
		}
	};
};

static task run()
{
	int local = 1;
	steps += local;
	co_await move_to_thread{};
	steps += local + 1;
}

int main()
{
	run();
	other.join();
	return steps != 3;
}
