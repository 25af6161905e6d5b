#!/bin/sh
# If the program crashes, fails an assertion or is stopped by a sanitizer before the end of the schedule, the finding is
# refuted. The failure is a finding of its own, which forerun can replay.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
cp "$SRC/tests/programs/on-the-way/prices.c" prices.c
# run_prices NAME OPTIONS: builds and runs prices.c; sets status
run_prices()
{
	n=$1
	shift
	t_ok "$n: the program builds" "$FORERUN" cc -g -O1 -pthread "$@" prices.c -o "$n"
	"$FORERUN" run --order creation --time-limit 1000 --kinds data-race -o "$n.d" "./$n" >"$n.out" 2>"$n.err"
	status=$?
	t_ok "$n: recorded without the bug" recorded "$n.err"
}
verdict='" ".join(str([x for x in j["findings"] if x["kind"] == "data-race"][0][k]) for k in ("verdict", "harm", "harm_before"))'

# harmed NAME HARM DETAIL: of the run, NAME.d
harmed()
{
	t_eq "$1: the failure is confirmed" 1 $status
	t_eq "$1: a finding of its own" "failure confirmed $2" \
		"$(json $1.d/findings.json '" ".join(j["findings"][0][k] for k in ("kind", "verdict", "harm"))')"
	t_eq "$1: verdict" "refuted None $2" "$(json $1.d/findings.json "$verdict")"
	t_ok "$1: detail" sh -c 'grep "\"detail\"" "$1" | grep -q "$2.* before the end of the schedule"' sh \
		$1.d/findings.json "$3"
	t_ok "$1: shown" grep -q '^[0-9]*\. failure — confirmed,' $1.out
	id=$(json $1.d/findings.json 'j["findings"][0]["id"]')
	t_ok "$1: with the command" grep -q "^   replay: forerun replay $1.d/$id " $1.out
	"$FORERUN" replay --time-limit 1000 $1.d/$id >out 2>err
	t_eq "$1: replayed, it fails again" 1 $?
	t_ok "$1: replayed, in the same way" grep -q "^forerun: failure happened: .*$3" err
	"$FORERUN" replay --time-limit 1000 $1.d/$(json $1.d/findings.json \
		'[x["id"] for x in f if x["kind"] == "data-race"][0]') >out 2>err
	t_eq "$1: replayed, the race does not happen" 0 $?
	t_ok "$1: replayed, the harm does" grep -q "^forerun: the program failed before: .*$3" err
	"$FORERUN" report $1.d >out
	t_ok "$1: reported" grep -q '^[0-9]*\. failure — confirmed' out
}
run_prices crash
harmed crash crash 'SIGSEGV in thread 0.2 at prices.c:[0-9]* in quote()'
run_prices check -DCHECK
harmed check assert 'Assertion `p. failed'
if echo 'int main(void) { return 0; }' | "$FORERUN" cc -fsanitize=address -x c - -o probe >probe.log 2>&1 &&
	./probe >>probe.log 2>&1; then
	run_prices asan -fsanitize=address
	harmed asan sanitizer 'AddressSanitizer: SEGV'
	# A symbolizer that takes long, as on a loaded machine: the thread that waits for it is not lost.
	mkdir slow
	cat >slow/llvm-symbolizer <<'END'
#!/bin/sh
i=0
while [ $i -lt 1500000 ]; do i=$((i + 1)); done
exec llvm-symbolizer "$@"
END
	chmod +x slow/llvm-symbolizer
	ASAN_SYMBOLIZER_PATH=$PWD/slow/llvm-symbolizer "$FORERUN" run --order creation --time-limit 1000 --kinds \
		data-race -o slow.d ./asan >out 2>err
	t_eq "asan, a slow symbolizer: verdict" "1 refuted None sanitizer" "$? $(json slow.d/findings.json "$verdict")"
else
	t_skip "asan" "programs with -fsanitize=address do not run here"
fi

# A program may end with another status because it did not find something: that is no harm, and not shown.
run_prices leave -DLEAVE
t_eq "leave: verdict" "refuted None None" "$(json leave.d/findings.json "$verdict")"
t_fail "leave: not shown" grep -q ' — refuted' leave.out
t_ok "leave: detail" grep -q 'the program ended with status 4 before the end of the schedule' leave.d/findings.json

# The same harm in the same place, and one was confirmed: it is shown once.
json_edit crash.d '
race = [x for x in j["findings"] if x["kind"] == "data-race"][0]
race["id"] = 1
f = json.loads(json.dumps(race))
f.update(id=2, verdict="confirmed", harm="crash", harm_before=None, detail=f["detail"].split(" before the ")[0])
j["findings"] = [race, f]'
"$FORERUN" report crash.d >out
t_eq "the report shows the harm once" "2. data race on \`p[]\` — confirmed, the program then crashes" "$(grep '^[0-9]*\. ' out)"
t_done
