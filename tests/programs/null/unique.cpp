/*
 * A member is a unique_ptr: one thread uses it, another resets it, both under the mutex.
 * The twin looks.
 *
 * order: creation
 */
#include <memory>
#include <mutex>
#include <thread>

struct title {
	size_t width = 4;
};
struct screen {
	std::mutex m;
	std::unique_ptr<title> name;
	size_t answer = 0;

	size_t width()
	{
		std::lock_guard<std::mutex> g(m);
#ifdef FIXED
		if (!name)
			return 0;
#endif
		return name->width; /* @use */
	}
	void close()
	{
		std::lock_guard<std::mutex> g(m);
		name.reset();
	}
};

int main()
{
	screen s;
	s.name = std::make_unique<title>();
	std::thread a([&] { s.answer = s.width(); }), b([&] { s.close(); });

	a.join();
	b.join();
}
