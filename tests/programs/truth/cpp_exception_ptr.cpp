// A worker passes its exception to main through an exception_ptr.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
	std::exception_ptr error;
	std::thread t([&] {
		try {
			throw std::out_of_range("index");
		} catch (...) {
			error = std::current_exception();
		}
	});
	t.join();
	try {
		std::rethrow_exception(error);
	} catch (const std::out_of_range &e) {
		return std::string(e.what()) != "index";
	}
	return 1;
}
