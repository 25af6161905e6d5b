#!/bin/sh
# A program of another version of forerun runs as usual. A message names its file and says what to do.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cat >prog.c <<'END'
#include <stdio.h>
int main(void) { return puts("hello") < 0; }
END
"$FORERUN" cc -g -O1 -pthread prog.c -o prog || exit 99

# Between the recorder and the program, a script gives the pool the number of another version (format/pool.h).
cat >other.py <<'END'
import os, struct, sys
with open(os.environ["FORERUN_POOL"], "r+b") as pool:
    pool.seek(8)
    version, = struct.unpack("I", pool.read(4))
    pool.seek(8)
    pool.write(struct.pack("I", version + int(sys.argv[1])))
os.execv("./prog", ["./prog"])
END
printf '#!/bin/sh\nexec python3 other.py "$@"\n' >other
chmod +x other
for d in 0 -1 1; do
	"$FORERUN" record -o "r$d" ./other $d >out 2>err
	s=$?
	t_eq "pool version $d: the program runs" hello "$(cat out)"
	if [ $d = 0 ]; then
		t_eq "the same version: recorded" "0 1" "$s $(grep -c '^forerun: recorded ' err)"
		continue
	fi
	t_eq "pool version $d: status" 3 $s
	t_eq "pool version $d: the program's message" \
		"forerun: another version of forerun built this file; rebuild it with this version: ./prog" \
		"$(head -n 1 err)"
	t_ok "pool version $d: the recorder's message" grep -q "was not recorded: no instrumented program attached" err
done

# A library whose hooks have another version: the recording ends when it registers.
cat >lib.c <<'END'
#include <stdint.h>
void frt_register_unit(const void *blob, uint32_t *base, uint32_t nsites, uint32_t abi);
static uint32_t base;
static const int blob[4];
void __attribute__((constructor)) start(void) { frt_register_unit(blob, &base, 1, 1); }
END
cc -shared -fPIC lib.c -o liblib.so && "$FORERUN" cc -g -O1 -pthread -Wl,--no-as-needed prog.c ./liblib.so -o \
	with_lib || exit 99
"$FORERUN" record -o lib.run ./with_lib >out 2>err
t_eq "a library of another version: the program runs" "0 hello" "$? $(cat out)"
t_eq "a library of another version: message" \
	"forerun: recording stops: another version of forerun cc built a part of this file; rebuild it with this version: ./liblib.so" \
	"$(head -n 1 err)"
t_ok "a library of another version: the trace is incomplete" grep -q '^forerun: warning: the trace is incomplete' err
t_done
