#!/bin/sh
# Reports are in the order of harm: crash, assertion, hang, sanitizer, exit status, output, none.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread "$SRC/tests/programs/atomicity/mozilla.c" -o p
"$FORERUN" run $(order "$SRC/tests/programs/atomicity/mozilla.c") -o r ./p >out 2>err </dev/null
t_eq "confirmed" 1 $?
# Every kind of harm, once each, as if the findings had it.
t_ok "the findings get each harm" json_edit r \
	'first = [f for f in j["findings"] if f["verdict"] == "confirmed" and not f["needs"]][0]
harms = ["output", "sanitizer", "none seen", "crash", "exit", "hang", "assert"]
j["findings"] = [dict(json.loads(json.dumps(first)), id=i + 1, harm=h, region=None, interleavings=[])
	for i, h in enumerate(harms)]'
"$FORERUN" report r >text
t_eq "worst first, with unchanged numbers" "4 7 6 2 5 1 3" "$(sed -n 's/^\([0-9]*\)\. .*/\1/p' text | paste -sd ' ')"

# Neighbours that come to no harm are folded: a line of text, a number in JSON, and nothing that counts; --all has them.
t_ok "the findings become neighbours" json_edit r 'for f in j["findings"]:
    f["region"] = "neighbourhood"
j["findings"] = [f for f in j["findings"] if f["harm"] in ("none seen", "output")]'
# folded_and_numbers OPTIONS: prints the number of folded findings, and the numbers of the others
folded_and_numbers()
{
	"$FORERUN" report "$@" --format json r |
		json /dev/stdin '" ".join(map(str, [j["summary"]["folded"]] + [x["id"] for x in f]))'
}
t_eq "JSON counts folded findings" "1 1" "$(folded_and_numbers)"
t_eq "JSON with --all contains folded findings" "1 1 3" "$(folded_and_numbers --all)"
t_status "neighbours with harm count" 1 "$FORERUN" report r
t_eq "the text folds them into one line" 1 \
	"$("$FORERUN" report r | grep -c \
	'^1 harmless finding about neighbouring accesses: --all shows it$')"
json_edit r 'j["findings"] = j["findings"][1:]'
t_status "neighbours without harm do not count" 0 "$FORERUN" report r

# In a lock region, without harm: it counts, unless that lock does not guard the location.
regions()
{
	json_edit r 'for f in j["findings"]:
    f["region"] = "'"$1"'"'
}
regions "lock region"
t_status "a violation in a lock region counts" 1 "$FORERUN" report r
regions "outer lock region"
t_status "a violation in a region of another lock does not count" 0 "$FORERUN" report r
regions "annotated region"
t_status "a violation in an annotated region counts" 1 "$FORERUN" report r
t_done
