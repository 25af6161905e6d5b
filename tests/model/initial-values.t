#!/bin/sh
# forerun knows the initial contents of static memory. So it finds the true order of races on statics, and can repeat
# the run.
. "$(dirname "$0")/../lib.sh"
P=$SRC/tests/programs/initial
cd "$T" || exit 99

t_ok "the ordering library builds" cc -O1 -c "$P/order.c" -o order.o
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread "$P/race.c" order.o -o race

# Each of these runs is as its script says, whatever the machine does; only stamps differ.
python3 "$HERE/scripts.py" 40 18 >scripts
n=0 different=0 unexplained=0 lost=0
while IFS='|' read -r script a b c; do
	n=$((n + 1))
	: >recording
	"$FORERUN" record -q -o "r$n" ./race "$script" >out 2>err </dev/null
	rm recording
	printf '%s\n%s\n%s\n' "$a" "$b" "$c" >want
	cmp -s want out || { different=$((different + 1)); echo "# run $n, $script: not as told"; }
	"$BUILD/tests/unit/check_run" "r$n" >checked 2>&1
	if grep -qE 'unexplained|starts_differ' checked || ! grep -q feasible checked; then
		unexplained=$((unexplained + 1))
		sed "s|^|# $script: |" checked
	fi
	if ! "$FORERUN" replay "r$n" >again 2>err </dev/null || ! cmp -s again want; then
		lost=$((lost + 1))
		sed "s|^|# $script: |" err
	fi
done <scripts
t_eq "forty runs are recorded in the given order" "40 0" "$n $different"
t_eq "every read of them is explained" 0 "$unexplained"
t_eq "every one of them is repeated" 0 "$lost"

# When a's write is due, c's is not in sight. The known initial value proves that b did not read it.
i=0
for script in "cl aw03 al bl bw01 cr0 cl al" "cl aw13 al bl bw11 cr1 cl al"; do
	i=$((i + 1))
	: >recording
	"$FORERUN" record -q -o "s$i" ./race "$script" >want
	rm recording
	"$FORERUN" replay "s$i" >again 2>/dev/null
	t_eq "'$script': repeated" "0 $(cat want)" "$? $(cat again)"
done

# Variables of other modules that lie in the memory of the program are not zero at first, although zeros surround them.
cat >copies.cpp <<'END'
#include <iostream>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static long zeros[4], data[4] = {1, 2, 3, 4};
static void *worker(void *arg)
{
	fputs(environ && stdout ? "" : "?", stdout);
	if (std::cout)
		environ = environ;
	zeros[1] += data[2];
	data[2] = zeros[1];
	return arg;
}
int main()
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
}
END
for how in "-fPIE -pie" "-fno-pie -no-pie"; do
	t_ok "copies: the program builds, $how" "$FORERUN" c++ -g -O0 -pthread $how copies.cpp -o copies
	rm -rf copies.d
	t_ok "copies: recorded, $how" "$FORERUN" record -q -o copies.d ./copies
	t_eq "copies: every read is explained, $how" 1 \
		"$("$BUILD/tests/unit/check_run" copies.d | grep -cE '^copies.d: feasible, [0-9]+ events$')"
	t_eq "copies: repeated, $how" 0 "$("$FORERUN" replay copies.d >/dev/null 2>&1; echo $?)"
done
t_ok "copies: environ is one variable" sh -c 'readelf -rW copies | grep -E "R_X86_64_COPY .*environ"'

# Anonymous mappings are zero; mappings of files are not.
cat >maps.c <<'END'
#include <fcntl.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
	int f = open(argv[0], O_RDONLY);
	char *a = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *b = mmap(0, 8192, PROT_READ, MAP_PRIVATE, f, 0);
	return a[argc] + b[argc] < 0;
}
END
t_ok "maps: the program builds" "$FORERUN" cc -g -O1 maps.c -o maps
t_ok "maps: recorded" "$FORERUN" record -q -o maps.d ./maps
"$FORERUN" dump --raw maps.d | awk '$2 == "alloc" { aux = $4; next } $2 == "ext" && aux { print aux, $6 } { aux = "" }' |
	grep -E ' 00000000(1|2)000$' >maps.out
t_eq "maps: anonymous mappings are marked" "06 000000001000,04 000000002000," "$(tr '\n' , <maps.out)"

# A coarse stamp stands behind the access that it is for, which has happened by then, and before the next.
cat >stamps.c <<'END'
#include <pthread.h>
static volatile int a[8];
static void *worker(void *arg)
{
	for (int i = 0; i < 2000; i++)
		a[i % 8] = a[(i + 1) % 8] + 1;
	return arg;
}
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, worker, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
END
t_ok "stamps: the program builds" "$FORERUN" cc -g -O1 -pthread stamps.c -o stamps
t_ok "stamps: recorded" "$FORERUN" record -q -o stamps.d --option private=0 --option repeat=0 ./stamps
"$FORERUN" dump --raw stamps.d | awk '
	$2 == "stamp" && $6 ~ /[1-9a-f]/ { stamps++; wrong += kind !~ /^(read|write)$/ || hook != $1 }
	$2 != "ext" { kind = $2; hook = $1 }
	END { print (stamps > 20 ? "many" : stamps + 0), wrong + 0 }' >stamps.out
t_eq "stamps: there are many, and each follows its access" "many 0" "$(cat stamps.out)"
t_done
