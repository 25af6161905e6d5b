/* What each read influences in C++: see influence.c. */
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

int x, y, z, res;
std::atomic<bool> ready;

struct counter {
	int n = 0;
	__attribute__((noinline)) void add(int by) { n += by; }
	virtual int get() const { return n; }
} total;

void throws()
{
	if (x) /* x -> BRANCH */
		throw std::runtime_error("x");
	res = 1;
}

void catches()
{
	try {
		if (y) /* y -> BRANCH */
			throw y;
	} catch (int e) {
		res = e;
	}
}

__attribute__((noinline)) void set(int &to, const int &from)
{
	to = from; /* from -> =to+1 [123] */
}

void reference()
{
	set(y, z);
}

void plain()
{
	if (z > 1) /* z -> ?res */
		res = 2;
	y = x; /* x -> =y */
}

void waits()
{
	while (!ready.load())
		std::this_thread::yield();
	while (!ready.load())
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void method()
{
	total.add(x); /* x -> USED:stored PARAM:_ZN7counter3addEi:1 */
	res = total.get();
}
