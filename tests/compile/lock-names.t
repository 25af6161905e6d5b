#!/bin/sh
# Reports show the source names of locks, conditions, semaphores and the like.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
C=$SRC/tests/programs/cc

# ---- names in the site table ----
checked() { # SOURCE FLAGS...
	source=$1
	shift
	case $source in
	*.cpp) tool=c++ ;;
	*) tool=cc ;;
	esac
	FORERUN_PASS=verify=1 "$FORERUN" $tool "$@" -c "$C/$source" -o o.o && python3 "$HERE/sites.py" o.o >sites &&
		python3 "$HERE/locks.py" "$C/$source" sites >wrong && test ! -s wrong || { cat wrong; return 1; }
}
for level in -O0 -O2; do
	t_ok "names at calls $level" checked locks.c $level
	t_ok "c++: names at calls $level" checked locks.cpp -std=c++17 $level
done
t_eq "c++ -O2: the innermost call has the name that the outermost gives it" 1 \
	"$(grep -c '`pthread_mutex_lock` (L p->r) .* use ' sites)"

# ---- names in reports ----
report() { # NAME TOOL FLAGS... : NAME.d, NAME.txt, NAME.json
	name=$1 tool=$2
	shift 2
	"$FORERUN" $tool -g -pthread "$@" -o "$name" && "$FORERUN" record -q --order creation -o "$name.d" "./$name" &&
		"$FORERUN" predict --kinds deadlock "$name.d" >"$name.txt" && "$FORERUN" report --all --format json \
			"$name.d" >"$name.json"
}
cp "$SRC/tests/programs/names/pair.c" pair.c
t_ok "one function, two locks" report same cc -O1 -DSAME pair.c
t_ok "the first thread's names, in its order" grep -q '^1\. deadlock on `from->lock, to->lock`' same.txt
t_ok "the columns name the lock" grep -q '^ .*pair.c:5  acquire from->lock' same.txt
t_eq "numbers tell the locks apart" "from->lock 1,to->lock 2 from->lock 2,to->lock 1" \
	"$(sed -nE 's/.* (holds|waits for) `([^`]*)` \((lock )([12])\).*/\2 \4/p' same.txt | paste -sd ',,' | sed \
	's/,from/ from/')"
t_eq "in JSON, too" "[[1, 2], [2, 1]]" \
	"$(json same.json '[[e["locks"][0]["object"], e["object"]] for e in j["findings"][0]["events"]]')"
t_ok "two functions: the report" report other cc -O1 pair.c
t_eq "each by its own names, with numbers" "T1 from->lock to->lock T2 a->lock other->lock" \
	"$(json other.json '" ".join("T%d %s" % (e["thread"], " ".join(sorted([e["name"]] + [l["name"]
	for l in e["locks"]]))) for e in sorted(j["findings"][0]["events"], key=lambda e: e["thread"]))')"
t_eq "numbers on all four" 4 "$(grep -cE '`[a-z]*->lock` \(lock [12]\)' other.txt)"
t_eq "no line is wider than 80 columns" "" "$(cat same.txt other.txt | LC_ALL=C.UTF-8 awk 'length($0) > 80')"
t_ok "confirmed" "$FORERUN" confirm --fail-on never same.d
"$FORERUN" report --fail-on never same.d >same.txt
t_ok "the detail names threads and locks by these names" sh -c \
	"tr '\n' ' ' <same.txt | tr -s ' ' | grep -q 'thread 0.1 waits for .to->lock. at [^ ]*pair.c:5 in take(), which thread 0.2 holds'"
t_eq "dump --location finds a lock by its name" 1 "$("$FORERUN" dump -l 'from->lock' other.d | grep -c 'from->lock 0x')"
t_ok "a dump has the names" sh -c '"$1" dump other.d | grep -q "mutex-unlock *other->lock 0x"' - "$FORERUN"

cat >forks.c <<'END'
#include <pthread.h>
static struct { int n; pthread_mutex_t m; } fork_of[3] = {{0, PTHREAD_MUTEX_INITIALIZER}, {0, PTHREAD_MUTEX_INITIALIZER}, {0, PTHREAD_MUTEX_INITIALIZER}};
static int number[3] = {0, 1, 2};
static void *dine(void *arg)
{
	int i = *(int *)arg, k = (i + 1) % 3;
	pthread_mutex_lock(&fork_of[i].m);
	pthread_mutex_lock(&fork_of[k].m);
	pthread_mutex_unlock(&fork_of[k].m);
	pthread_mutex_unlock(&fork_of[i].m);
	return 0;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, dine, &number[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
END
t_ok "locks of an array" report forks cc -O1 forks.c
t_ok "locks of an array have their index" grep -q '^1\. deadlock on `fork_of\[0\].m, fork_of\[1\].m, fork_of\[2\].m`' forks.txt
t_fail "no numbers where names say it all" grep -q '(lock [0-9])' forks.txt

t_ok "a semaphore and a lock: the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/names/mixed.c" \
	-o mixed
"$FORERUN" run --order creation --all -o mixed.d ./mixed >mixed.txt 2>/dev/null
t_eq "a semaphore and a lock: each has its own name in the columns" "acquire table
release table
sem-post tokens
sem-wait tokens" "$(grep -oE '(acquire|release|sem-wait|sem-post) [a-z]+' mixed.txt | sort -u)"

cat >pair.cpp <<'END'
#include <memory>
#include <mutex>
#include <thread>
struct account { long balance = 100; std::mutex m; };
static void transfer(account &from, account &to)
{
	std::lock_guard<std::mutex> first(from.m);
	std::unique_lock<std::mutex> second(to.m);
	to.balance++;
}
int main()
{
	auto a = std::make_unique<account>(), b = std::make_unique<account>();
	std::thread t([&] { transfer(*a, *b); });
	std::thread u([&] { transfer(*b, *a); });
	t.join();
	u.join();
}
END
for level in -O0 -O2; do
	t_ok "c++ $level" report "cpp$level" c++ -std=c++17 $level pair.cpp
	t_ok "c++ $level: members by name, through the standard library" grep -q '^1\. deadlock on `from.m, to.m`' \
		"cpp$level.txt"
done
t_done
