#!/bin/sh
# A call with an enormous size is recorded up to the end of the mapped memory, and faults as it does without forerun.
. "$(dirname "$0")/../lib.sh"
. "$HERE/survive.sh"

ranges() { grep "huge.c:$(line "$1" "$SV/huge.c"):" "$T/huge.dump" | sed -n \
	's/.*range-read.* \(1 x [0-9]* bytes\).*/\1/p'; }

sv_build huge
sv_same huge
sv_reads huge
t_eq "a range that is mapped is recorded as it is" "1 x 3145728 bytes" "$(ranges MAPPED)"
t_eq "a longer one ends with the mapped memory" "1 x 3145728 bytes" "$(ranges BEYOND)"
sv_same huge fault
sv_reads huge
sv_json huge signal 11
t_ok "the fault happens again under control" sh -c "'$FORERUN' replay '$T/huge.run' 2>&1 | grep -q 'was repeated'"

# gcc announces a copy before it makes it.
if gcc -fsanitize=thread -g -w -D_GNU_SOURCE -O1 -c "$SV/huge.c" -o "$T/tsan.o" 2>/dev/null &&
	"$FORERUN" cc "$T/tsan.o" -pthread -o "$T/tsan"; then
	"$FORERUN" record -q -o "$T/tsan.run" "$T/tsan" copy >/dev/null 2>&1
	t_ok "-fsanitize=thread: an enormous copy is a few events" sh -c "
		[ \$(sed -n 's/.*\"events\": \([0-9]*\).*/\1/p' '$T/tsan.run/run.json') -lt 100 ]"
else
	t_skip "-fsanitize=thread: an enormous copy is a few events" "gcc cannot build it"
fi
t_done
