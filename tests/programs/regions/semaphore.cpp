/*
 * A withdrawal reads the balance and writes it in two sections of one std::binary_semaphore. A
 * deposit in between is lost.
 *
 * order: creation
 */
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore guard(1);
static int balance = 100;

static void withdraw()
{
	int have;

	guard.acquire();
	have = balance;
#ifndef FIXED
	guard.release();
	guard.acquire();
#endif
	balance = have - 10;
	guard.release();
}

static void deposit()
{
	guard.acquire();
	balance += 50;
	guard.release();
}

int main()
{
	std::thread a(withdraw), b(deposit);

	a.join();
	b.join();
	assert(balance == 140);
	return 0;
}
