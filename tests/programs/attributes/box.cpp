/*
 * The same in C++: members of a class template, guarded by a member whose class wraps std::mutex
 * behind a table of virtual functions, and a method that requires it.
 *
 * order: creation
 */
#include <mutex>
#include <thread>

#define CAPABILITY(x) __attribute__((capability(x)))
#define GUARDED_BY(x) __attribute__((guarded_by(x)))
#define REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define ACQUIRE(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define RELEASE(...) __attribute__((release_capability(__VA_ARGS__)))

namespace store
{
class CAPABILITY("mutex") Mutex
{
	std::mutex m_;

      public:
	virtual ~Mutex() {}
	void Lock() ACQUIRE() { m_.lock(); }
	void Unlock() RELEASE() { m_.unlock(); }
};

template <class T> class Box
{
	Mutex mu_;
	T value_ GUARDED_BY(mu_) = 0;
	T changes_ GUARDED_BY(this->mu_) = 0;

	void note() REQUIRES(mu_) { changes_++; }

      public:
	void set(T v)
	{
		mu_.Lock();
		value_ = v;
		note();
		mu_.Unlock();
	}
	void reset()
	{
#ifdef FIXED
		mu_.Lock();
#endif
		value_ = 0;
		note();
#ifdef FIXED
		mu_.Unlock();
#endif
	}
};
}

int main()
{
	auto *box = new store::Box<long>;
	std::thread t([=] { box->set(1); }), u([=] { box->reset(); });

	t.join();
	u.join();
	delete box;
	return 0;
}
