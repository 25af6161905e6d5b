// Coroutines of C++20: left alone before they are split, instrumented after.
#include <coroutine>
#include <cstdio>
#include <exception>

struct Gen {
	struct promise_type {
		int value = 0;
		Gen get_return_object()
		{
			return Gen{std::coroutine_handle<promise_type>::from_promise(*this)};
		}
		std::suspend_always initial_suspend()
		{
			return {};
		}
		std::suspend_always final_suspend() noexcept
		{
			return {};
		}
		std::suspend_always yield_value(int v)
		{
			value = v;
			return {};
		}
		void return_void() {}
		void unhandled_exception()
		{
			std::terminate();
		}
	};
	std::coroutine_handle<promise_type> h;
	~Gen()
	{
		h.destroy();
	}
};

static int shared;

static Gen count(int n)
{
	for (int i = 0; i < n; i++) {
		shared += i;
		co_yield shared;
	}
}

int main()
{
	Gen g = count(5);

	for (g.h.resume(); !g.h.done(); g.h.resume())
		std::printf("%d ", g.h.promise().value);
	std::printf("%d\n", shared);
	return 0;
}
