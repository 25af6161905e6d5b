# A dump, thread by thread, without what differs from run to run: addresses become A, B, ... in the
# order in which they are first seen, stamps and places go: "0.1 mutex-lock A try busy".
# Events before and after the program's own code (without a place) are removed, too.
function letter(a)
{
	if (!(a in name))
		name[a] = sprintf("%c", 65 + known++ % 26)
	return name[a]
}
/^thread / { thread = $2; next }
!/^ *[0-9]+  [a-z]/ { next }
{
	for (last = 3; last <= NF && $last != "?" && $last !~ /:[0-9]+:[0-9]+$/; last++)
		;
	if ((last > NF || $last == "?") && $2 !~ /^thread-/)
		next
	line = thread " " $2
	for (i = 3; i < last; i++)
		if ($i == "x") {
			sub(/ [0-9]+$/, "", line) # "2 x 8 bytes" is 16 bytes
			line = line " " $(i - 1) * $(i + 1) " bytes"
			break
		} else if ($i !~ /^#/ && !($2 ~ /^range/ && i == 3 && $i !~ /^0x/)) {
			line = line " " ($i ~ /^0x/ ? letter($i) : $i)
		}
	print line
}
