/*
 * C++: a string buffer with a lock in each object, as AVPredictor's (and many others': it was
 * java.lang.StringBuffer). append() of another buffer holds its own lock. It asks the other buffer
 * for its length and then for its characters: two critical sections of the other's lock. Meanwhile
 * another thread erases that buffer and assigns a new text.
 *
 * Both writes of the other thread, in erase() and in assign(), come between the two reads of the
 * other buffer's count. Two interleavings; in both the buffer has fewer characters than its length
 * said.
 *
 * expect: atomicity-violation this->count|sb->count|line->count|count read@length read@chars
 * between: write@erase write@assign
 * harm: exit
 * order: creation
 */
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

class StringBuffer {
public:
	explicit StringBuffer(const char *s) { assign(s); }

	~StringBuffer() { delete[] value; }

	StringBuffer(const StringBuffer &) = delete;
	StringBuffer &operator=(const StringBuffer &) = delete;

	std::size_t length()
	{
		std::lock_guard<std::mutex> hold(lock);
		return count; /* @length */
	}

	void assign(const char *s)
	{
		std::lock_guard<std::mutex> hold(lock);
		std::size_t n = std::strlen(s);

		reserve(n);
		std::memcpy(value, s, n);
		count = n; /* @assign */
	}

	void erase()
	{
		std::lock_guard<std::mutex> hold(lock);
		count = 0; /* @erase */
	}

	/* The first n characters. */
	void chars(std::size_t n, char *to)
	{
		std::lock_guard<std::mutex> hold(lock);

		if (n > count) /* @chars */
			throw std::out_of_range("StringBuffer::chars");
		std::memcpy(to, value, n);
	}

	void append(StringBuffer *sb)
	{
		std::lock_guard<std::mutex> hold(lock);
#ifdef FIXED
		std::lock_guard<std::mutex> both(sb->lock);
		std::size_t n = sb->count;

		reserve(count + n);
		std::memcpy(value + count, sb->value, n);
#else
		std::size_t n = sb->length();

		reserve(count + n);
		sb->chars(n, value + count);
#endif
		count += n;
	}

	std::string str()
	{
		std::lock_guard<std::mutex> hold(lock);
		return std::string(value, count);
	}

private:
	void reserve(std::size_t n)
	{
		if (n <= room)
			return;
		char *more = new char[2 * n];

		if (value)
			std::memcpy(more, value, count);
		delete[] value;
		value = more;
		room = 2 * n;
	}

	std::mutex lock;
	char *value = nullptr;
	std::size_t count = 0, room = 0;
};

static StringBuffer page("<p>");
static StringBuffer line("the quick brown fox");
static bool failed;

static void layout()
{
	try {
		page.append(&line);
	} catch (const std::out_of_range &) {
		failed = true;
	}
}

static void edit()
{
	line.erase();
	line.assign("jumps");
}

int main()
{
	std::thread t1(layout), t2(edit);

	t1.join();
	t2.join();
	std::printf("%s\n", line.str().c_str());
	return failed;
}
