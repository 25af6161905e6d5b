/*
 * C++: a member that is written under a lock and read after the lock was given back.
 *
 * expect: data-race this->balance|account.balance|balance write@write read@read
 * harm: output
 * order: creation
 *	forerun c++ -g -O1 -pthread thread.cpp -o thread
 *	forerun record --order creation ./thread
 *	forerun predict
 * With -DFIXED it is correct, and forerun finds nothing.
 */
#include <cstdio>
#include <mutex>
#include <thread>

struct Account {
	std::mutex m;
	long balance = 0;

	void deposit(long n)
	{
		std::lock_guard<std::mutex> g(m);
		balance += n; /* @write */
	}

	long look()
	{
#ifdef FIXED
		std::lock_guard<std::mutex> g(m);
#else
		m.lock();
		m.unlock();
#endif
		return balance; /* @read */
	}
};

static Account account;

int main()
{
	std::thread t1([] { account.deposit(10); });
	std::thread t2([] {
		std::printf("%ld\n", account.look());
	});

	t1.join();
	t2.join();
	return 0;
}
