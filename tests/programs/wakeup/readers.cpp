/*
 * Readers and a writer by hand, with one condition variable and one signal: it may wake the wrong
 * one.
 * order: 0,1,2,1,3
 */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static int readers, data;
static bool writing = true;

static void write_end()
{
	std::lock_guard<std::mutex> l(m);
	writing = false;
#ifdef FIXED
	c.notify_all();
#else
	c.notify_one(); /* @signal */
#endif
}

static void look()
{
	std::unique_lock<std::mutex> l(m);
	while (writing)
		c.wait(l); /* @wait */
	readers++;
	data++;
	readers--;
	if (!readers)
		c.notify_one();
}

static void check()
{
	std::unique_lock<std::mutex> l(m);
	while (data < 1)
		c.wait(l); /* @wait */
}

int main()
{
	std::thread a(look), b(write_end), d(check);

	a.join();
	b.join();
	d.join();
	return 0;
}
