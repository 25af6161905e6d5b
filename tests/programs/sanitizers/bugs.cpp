// As bugs.c, for what C++ adds: operator new and delete, containers, its threads.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Base {
	virtual ~Base() {}
	int x = 1;
};
struct Derived : Base {
	std::string text = "a text that is too long to be kept inside of the object";
};

static std::mutex m;
static std::vector<int> v;
static void *volatile any;

int main(int argc, char **argv)
{
	std::string w = argc > 1 ? argv[1] : "none";
	std::vector<std::thread> threads;

	if (w == "mismatch") {
		any = new int[10];
		free(any);
	}
	if (w == "size") {
		any = new char;
		delete (double *)any;
	}
	if (w == "use-after-delete") {
		Base *p = new Derived;

		std::thread([p] { delete p; }).join();
		std::thread([p] { std::cout << p->x; }).join();
	}
	if (w == "leak") {
		any = new Derived;
		any = nullptr;
	}
	for (int i = 0; i < 3; i++)
		threads.emplace_back([i] {
			for (int k = 0; k < 20; k++) {
				std::lock_guard<std::mutex> g(m);
				v.push_back(i * k);
			}
		});
	for (auto &t : threads)
		t.join();
	try {
		throw std::runtime_error("caught");
	} catch (std::exception &e) {
		std::cout << e.what() << " " << v.size() << "\n";
	}
	return 3;
}
