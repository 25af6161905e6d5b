// request_stop() from another thread ends a worker that polls.
#include <atomic>
#include <stop_token>
#include <thread>

static int rounds;

int main()
{
	std::stop_source s;
	std::atomic<bool> began{false};
	std::thread t([&, st = s.get_token()] {
		began = true;
		while (!st.stop_requested())
			std::this_thread::yield();
		rounds = 1;
	});
	while (!began)
		std::this_thread::yield();
	s.request_stop();
	t.join();
	return rounds != 1;
}
