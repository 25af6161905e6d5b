/*
 * A coroutine is resumed by one thread and then, after a semaphore, by another.
 */
#include "truth.h"
#include <coroutine>
#include <semaphore>
#include <thread>
struct gen {
	struct promise_type {
		int value = 0;
		gen get_return_object()
		{
			return {std::coroutine_handle<promise_type>::from_promise(*this)};
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
		void return_void()
		{
		}
		void unhandled_exception()
		{
			abort();
		}
	};
	std::coroutine_handle<promise_type> h;
};
static gen count()
{
	for (int i = 1; i <= 4; i++)
		co_yield i;
}
int main()
{
	gen g = count();
	std::binary_semaphore ping(1), pong(0);
	int sum = 0;
	auto run = [&](std::binary_semaphore &mine, std::binary_semaphore &other) {
		for (int i = 0; i < 2; i++) {
			mine.acquire();
			g.h.resume();
			sum += g.h.promise().value;
			other.release();
		}
	};
	std::thread a(run, std::ref(ping), std::ref(pong)), b(run, std::ref(pong), std::ref(ping));
	a.join();
	b.join();
	g.h.destroy();
	assert(sum == 10);
}
