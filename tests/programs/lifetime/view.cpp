/*
 * One thread reads all characters of a view in one lock region; another deletes the string. The
 * loop is one place, so only its first read can come after the free.
 * The twin takes the view away with the string.
 *
 * expect: use-after-free
 * order: creation
 */
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

static std::mutex lock;
static std::string *text = new std::string(100, 'x');
static std::string_view view = *text;
volatile int sum;

static void read_all()
{
	std::lock_guard<std::mutex> guard(lock);

	for (char c : view)
		sum = sum + c;
}

static void drop()
{
	std::lock_guard<std::mutex> guard(lock);

#ifdef FIXED
	view = {};
#endif
	delete text;
}

int main()
{
	std::thread reader(read_all), owner(drop);

	reader.join();
	owner.join();
	return 0;
}
