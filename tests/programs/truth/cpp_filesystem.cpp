/* std::filesystem: a folder with a random name, and its age. */
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace fs = std::filesystem;
std::mutex m;
std::set<std::string> names;

int main()
{
	std::random_device rd;
	fs::path d = fs::current_path() / ("tmp-" + std::to_string(rd()));
	fs::create_directory(d);
	auto w = [&](int id) {
		std::mt19937 g(id);
		for (int i = 0; i < 3; i++) {
			auto p =
			    d / ("f" + std::to_string(id) + "-" + std::to_string(g() % 1000000));
			{
				std::ofstream o(p);
				o << id << ' ' << i << '\n';
			}
			std::ifstream in(p);
			int a, b;
			in >> a >> b;
			if (a != id || b != i)
				std::abort();
			std::lock_guard l(m);
			names.insert(p.filename());
		}
	};
	{
		std::jthread a(w, 1), b(w, 2);
	}
	size_t n = 0;
	for (auto &e : fs::directory_iterator(d))
		n += e.is_regular_file();
	auto age = fs::file_time_type::clock::now() - fs::last_write_time(d);
	if (age < std::chrono::seconds(-1))
		return 2;
	fs::remove_all(d);
	std::cout << n << " files in " << d << "\n";
	return n != names.size();
}
