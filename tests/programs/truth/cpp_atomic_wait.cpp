// std::atomic::wait and notify pass a plain record.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> stage{0};
static int record;

int main()
{
	std::thread t([] {
		stage.wait(0);
		assert(record == 3);
		record = 4;
		stage.store(2);
		stage.notify_one();
	});
	record = 3;
	stage.store(1);
	stage.notify_one();
	stage.wait(1);
	assert(record == 4);
	t.join();
}
