# A merged dump obeys its own stamps: locks exclude, semaphores never fall below zero, threads start after they
# were made and are joined after they end, barriers and once let nobody pass early. Prints each breach.
function bad(what) { print "line " NR ": " what ": " $0; breaches++ }
function failed() { return tail ~ / (busy|timed out|deadlock|not owner|interrupted|error)/ }
/^ *[0-9]+ +[0-9.]+ +[0-9]+ / {
	thread = $2; kind = $4; object = $5
	tail = ""
	for (i = 6; i <= NF && $i !~ /:[0-9]+:[0-9]+$/ && $i != "?"; i++)
		tail = tail " " $i
	if ($1 < last)
		bad("stamps go back")
	last = $1
	seen[kind]++
	if (kind == "mutex-lock" || kind == "spin-lock" || kind == "lock") {
		if (failed()) next
		if (depth[object] && owner[object] != thread && tail !~ /owner died/)
			bad("taken while " owner[object] " has it")
		if (tail ~ /owner died/) depth[object] = 0
		owner[object] = thread; depth[object]++
		if (depth[object] > 1 && tail !~ /recursive/) bad("taken twice")
	} else if (kind == "mutex-unlock" || kind == "spin-unlock" || kind == "unlock") {
		if (failed()) next
		if (!depth[object] || owner[object] != thread) bad("released by a thread that does not hold it")
		depth[object]--
	} else if (kind == "mutex-init" || kind == "mutex-destroy") {
		depth[object] = 0
	} else if (kind == "rwlock-wrlock" && !failed()) {
		if (writer[object] || readers[object]) bad("written while others are in")
		writer[object] = "T" thread
	} else if (kind == "rwlock-rdlock" && !failed()) {
		if (writer[object]) bad("read while " writer[object] " writes")
		readers[object]++
	} else if (kind == "rwlock-unlock" && !failed()) {
		if (writer[object]) writer[object] = ""
		else if (--readers[object] < 0) bad("unlocked by none")
	} else if (kind == "sem-init") {
		count[object] = $8
	} else if (kind == "sem-post") {
		count[object] += failed() ? -1 : 1
	} else if (kind == "sem-wait") {
		if (tail ~ /cancelled/ || failed()) next
		if (--count[object] < 0) bad("below zero")
	} else if (kind == "thread-create") {
		if (object == "thread") made[$6] = 1
	} else if (kind == "thread-start") {
		if (thread != "0" && !made[thread]) bad("starts before it is made")
		started[thread] = 1
	} else if (kind == "thread-exit") {
		if (ended[thread]++) bad("ends twice")
	} else if (kind == "thread-join") {
		if (!failed() && tail !~ /cancelled/ && !ended[$6]) bad("joined before its end")
	} else if (kind == "barrier-init") {
		size[object] = $8; entered[object] = 0; passages[object] = 0
	} else if (kind == "barrier-enter") {
		entered[object]++
	} else if (kind == "barrier-leave") {
		match($0, /generation [0-9]+/)
		g = substr($0, RSTART + 11, RLENGTH - 11)
		if (!left[object, g]) passages[object]++
		if (entered[object] < size[object] * passages[object]) bad("left before all were there")
		if (++left[object, g] > size[object]) bad("more leave than the barrier holds")
	} else if (kind == "alloc" && memory) {
		if (live[object]) bad("lives already")
		live[object] = 1
	} else if (kind == "free" && memory) {
		if (!live[object]) bad("does not live")
		live[object] = 0
	} else if (kind == "once-end") {
		done[object] = tail !~ /error/
	} else if (kind == "once-done") {
		if (!done[object]) bad("passed before it was done")
	}
	if (ended[thread] && kind != "thread-exit") bad("after its end")
}
END {
	for (k in seen) total += seen[k]
	if (!total) { print "no events"; exit 1 }
	exit breaches > 0
}
