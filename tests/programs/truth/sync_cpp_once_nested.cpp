// call_once of one object calls call_once of another, and a function-local static needs both.
#include "truth.h"
#include <mutex>
#include <string>
#include <thread>
static std::once_flag f1, f2;
static std::string a, b;
static void base()
{
	std::call_once(f1, [] { a = "base of everything, longer than a short string"; });
}
static const std::string &whole()
{
	std::call_once(f2, [] {
		base();
		b = a + "!";
	});
	static const std::string w = b + "?";
	return w;
}
int main()
{
	std::thread x([] { assert(whole().back() == '?'); });
	std::thread y([] {
		base();
		assert(a.size() + 2 == whole().size());
	});
	x.join();
	y.join();
}
