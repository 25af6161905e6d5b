// So that both languages are linked together.
#include <string>
std::string more(int n)
{
	return std::to_string(n);
}
