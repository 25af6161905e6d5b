/*
 * A jthread waits on a condition_variable_any with its stop token; the request ends the wait.
 */
#include "truth.h"
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable_any c;
static std::deque<int> q;
int main()
{
	int got = 0;
	{
		std::jthread t([&](std::stop_token s) {
			std::unique_lock<std::mutex> l(m);
			while (c.wait(l, s, [] { return !q.empty(); })) {
				got += q.front();
				q.pop_front();
			}
		});
		for (int i = 1; i < 4; i++) {
			std::lock_guard<std::mutex> g(m);
			q.push_back(i);
			c.notify_one();
		}
	}
	assert(got <= 6);
	for (int x : q)
		got += x;
	assert(got == 6);
}
