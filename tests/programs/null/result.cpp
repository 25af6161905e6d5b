/*
 * A task of std::async stores a pointer to its result; its starter uses the pointer without a wait
 * for the task. The twin waits.
 *
 * order: 0+,1,0
 */
#include <atomic>
#include <future>

struct result {
	int value;
};
static std::atomic<result *> published;

int main()
{
	auto f = std::async(std::launch::async, [] { published = new result{7}; });
#ifdef FIXED
	f.get();
#endif
	int v = published.load()->value; /* @use */
#ifndef FIXED
	f.get();
#endif
	delete published.load();
	return v != 7;
}
