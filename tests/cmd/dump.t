#!/bin/sh
# forerun dump: content, filters, order, call stacks, damaged folders.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

cp "$SRC/tests/programs/dump/two.c" two.c
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread two.c -o two
t_ok "the program is recorded" "$FORERUN" record -o run ./two
"$FORERUN" dump run >all
t_eq "dump prints three threads, named by creation" "0 0.1 0.2" \
	"$(sed -n 's/^thread \([0-9.]*\) .*/\1/p' all | tr '\n' ' ' | sed 's/ $//')"
t_eq "dump prints four locks" 4 "$(grep -c ' mutex-lock ' all)"
t_ok "the variable has its name" grep -q 'write 4 *counter' all
t_ok "a place has file, line, column and function" grep -qE 'write 4 .* two.c:10:9 +add$' all
t_ok "the last value is printed" grep -qE 'counter .*= 4 ' all
t_ok "an atomic has its values and memory order" grep -qE \
	'atomic-rmw 4 +flag .*= 2 -> 4 add release|atomic-rmw 4 +flag .*= 0 -> 2 add release' all
t_ok "the allocation is printed" grep -qE 'alloc .*malloc 100 bytes' all
t_ok "the creation of a thread is printed" grep -qE 'thread-create +thread 0\.2' all
t_ok "the last line counts events and threads" sh -c 'tail -1 all | grep -qE "^[0-9,]+ events of 3 threads"'

t_eq "--thread prints only that thread" 0.1 \
	"$("$FORERUN" dump --thread 0.1 run | sed -n 's/^thread \([0-9.]*\) .*/\1/p')"
t_eq "--kind prints only that kind" 8 "$("$FORERUN" dump --kind mutex-lock --kind mutex-unlock run | grep -c mutex-)"
t_eq "--kind prints only that class" 0 "$("$FORERUN" dump --kind memory run | grep -E '^ +[0-9]' | grep -vcE \
	'alloc|free')"
t_eq "--location selects by name" 0 "$("$FORERUN" dump --location counter run | grep -E '^ +[0-9]' | grep -vc counter)"
t_ok "--location selects by line" sh -c '"$0" dump --location two.c:10 run | grep -q "write 4"' "$FORERUN"
addr=$(grep -oE 'counter 0x[0-9a-f]+' all | head -1 | cut -d' ' -f2)
t_eq "--location selects by address" "$(grep -cE "counter $addr " all)" \
	"$("$FORERUN" dump --location $addr run | grep -cE ' (read|write) ')"
inner=$(printf '0x%x' $((addr + 2)))
t_eq "--location selects by an address inside the variable" "$(grep -cE "counter $addr " all)" \
	"$("$FORERUN" dump --location $inner run | grep -cE ' (read|write) ')"
t_eq "--limit stops after N events" 5 "$("$FORERUN" dump --limit 5 run | grep -cE '^ +[0-9]+  ')"
"$FORERUN" dump --merged run >merged
grep -oE '#[0-9]+' merged | tr -d '#' >stamps
t_eq "--merged prints stamps in order" "$(sort -n stamps | cksum)" "$(cksum <stamps)"
t_eq "--merged prints every event" "$(grep -cE ' (mutex|read|write|thread|alloc|free|atomic)[a-z-]* ' all)" \
	"$(grep -cE ' (mutex|read|write|thread|alloc|free|atomic)[a-z-]* ' merged)"
t_ok "--merged marks events without a stamp" grep -qE '^~.* counter' merged
"$FORERUN" dump --stacks --thread 0.1 --kind mutex-lock run >stacks
t_eq "--stacks prints call stacks" "add twice worker" \
	"$(grep -E '^ +#' stacks | head -3 | awk '{print $NF}' | tr '\n' ' ' | sed 's/ $//')"
t_ok "--stacks prints the line of the call" grep -qE '#1 .*two.c:1[56]:2 twice' stacks
t_ok "--raw prints slots" sh -c '"$0" dump --raw run | grep -q "frames .*aux"' "$FORERUN"
t_ok "--stats prints sizes" sh -c '"$0" dump --stats run | grep -q "bytes per event"' "$FORERUN"
t_eq "the default is the newest folder" "$(cksum <all)" \
	"$(mkdir -p forerun.d && cp -r run forerun.d/two.1 && "$FORERUN" dump | cksum)"
"$FORERUN" dump run | head -2 >/dev/null
"$FORERUN" dump run 2>err | true
t_eq "output into a closed pipe is no error" "" "$(cat err)"
t_status "output to a full disk is an error" 3 sh -c '"$0" dump run >/dev/full' "$FORERUN"
t_ok "a pipe gets no colours" sh -c '! grep -q "$(printf "\033")" all'

# Damage: every error names the file.
cp -r run bad
truncate -s -1 bad/trace
t_status "a truncated trace is refused" 3 "$FORERUN" dump bad
t_ok "... with file and offset" sh -c '"$0" dump bad 2>&1 | grep -qE "bad/trace.*offset [0-9]+"' "$FORERUN"
for f in trace sites run.json; do
	rm -rf bad
	cp -r run bad
	rm bad/$f
	t_status "a folder without $f is refused" 3 "$FORERUN" dump bad
	t_ok "... and the message names it" sh -c '"$0" dump bad 2>&1 | grep -q "bad/$1"' "$FORERUN" $f
	mkdir bad/$f
	t_status "a folder instead of $f is refused" 3 "$FORERUN" dump bad
	rmdir bad/$f
	mkfifo bad/$f
	t_status "a FIFO instead of $f is refused" 3 timeout 20 "$FORERUN" dump bad
done
rm -rf bad
cp -r run bad
rm -f bad/stdin bad/stdout bad/stderr
t_ok "events are readable without the copies of the streams" "$FORERUN" dump bad
cp run/trace saved
i=0 missed=
size=$(wc -c <saved)
while [ $i -lt 40 ]; do
	off=$((i * size / 40))
	cp saved bad/trace
	byte=$(od -An -tu1 -j $off -N 1 saved | tr -d ' ')
	printf "$(printf '\\%03o' $((255 - byte)))" | dd of=bad/trace bs=1 seek=$off conv=notrunc 2>/dev/null
	"$FORERUN" dump bad >out 2>&1
	[ $? -eq 3 ] && grep -q "bad/trace" out || missed="$missed $off"
	i=$((i + 1))
done
t_eq "a flipped byte is noticed anywhere" "" "$missed"

t_done
