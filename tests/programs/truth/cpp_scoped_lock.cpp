// std::scoped_lock takes two mutexes in either order without a deadlock.
#include <cassert>
#include <mutex>
#include <thread>

struct account {
	std::mutex m;
	int balance;
};

static account a{{}, 100}, b{{}, 100};

static void move(account &from, account &to, int n)
{
	std::scoped_lock l(from.m, to.m);
	from.balance -= n;
	to.balance += n;
}

int main()
{
	std::thread t([] {
		for (int i = 0; i < 3; i++)
			move(a, b, 10);
	});
	for (int i = 0; i < 3; i++)
		move(b, a, 5);
	t.join();
	return a.balance != 85 || b.balance != 115;
}
