/* Stop callbacks wake threads that wait on a condition. */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex m;
std::condition_variable cv;
int n;
bool cancelled;

int main()
{
	std::stop_source ss;
	std::vector<std::thread> v;
	for (int i = 0; i < 2; i++)
		v.emplace_back([tok = ss.get_token()] {
			std::stop_callback cb(tok, [] {
				std::lock_guard l(m);
				cancelled = true;
				cv.notify_all();
			});
			std::unique_lock l(m);
			n++;
			cv.notify_all();
			cv.wait(l, [] { return cancelled; });
		});
	{
		std::unique_lock l(m);
		cv.wait(l, [] { return n == 2; });
	}
	ss.request_stop();
	for (auto &t : v)
		t.join();
	return !cancelled;
}
