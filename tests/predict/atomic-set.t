#!/bin/sh
# Atomic sets that the user names. Two globals without a common region are a finding only with the option. If a lock is
# around both, forerun is silent. Names are those of the report, or globs. Unknown names and invalid options cause
# messages.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99
subjects()
{
	dir=$1
	shift
	"$FORERUN" predict "$@" "$dir" >out 2>err || cat err
	json "$dir/findings.json" '" ".join(sorted("%s (%s)" % (f["subject"], f["region"]) for f in j["findings"]))'
}
cp "$SRC/tests/programs/regions/atomic_set.c" . # a short path: reports do not wrap within one
t_ok "the program builds" "$FORERUN" cc -g -O1 -pthread atomic_set.c -o prog
t_ok "the twin builds" "$FORERUN" cc -g -O1 -pthread -DFIXED atomic_set.c -o twin
t_ok "is recorded" "$FORERUN" record --order 0+,1,0 -o run.d ./prog
t_ok "twin: is recorded" "$FORERUN" record --order 0+,1,0 -o twin.d ./twin
t_eq "without --atomic-set, nothing is predicted" "" "$(subjects run.d)"
t_eq "a set of two globals" "head, count (named set) head, count (named set)" \
	"$(subjects run.d --atomic-set head,count)"
t_ok "the text names the set" grep -q 'in a set named with --atomic-set' out
t_ok "the text names the problem" grep -q "problem 11, R1 W'1 W'2 R2$" out
t_eq "lines have at most 80 columns" 0 "$(python3 -c 'print(sum(len(line.rstrip("\n")) > 80 for line in open("out")))')"
t_eq "a set finds violations in both directions" "11: R1 W'1 W'2 R2 9: W1 R'1 R'2 W2" \
	"$(json run.d/findings.json '" ".join(sorted(f["shape"] for f in j["findings"]))')"
t_eq "a set of locations with one accessor each" "spare, used (named set) spare, used (named set)" \
	"$(subjects run.d --atomic-set spare,used)"
t_eq "a set of fields of two objects" "p->x, q->y (named set) p->x, q->y (named set)" \
	"$(subjects run.d --atomic-set 'p->x,q->y')"
t_eq "a set given as a glob" "p->x, q->y (named set) p->x, q->y (named set)" "$(subjects run.d --atomic-set '[pq]->?')"
t_eq "two options are two sets" "head, count (named set) head, count (named set) spare, used (named set) spare, used (named set)" \
	"$(subjects run.d --atomic-set head,count --atomic-set spare,used)"
t_eq "locations of different sets do not belong together" "" \
	"$(subjects run.d --atomic-set head,hat --atomic-set count,hat)"
for set in head,count spare,used 'p->x,q->y'; do
	t_eq "twin: $set" "" "$(subjects twin.d --atomic-set "$set")"
done

# forerun warns about a name that the program does not contain.
t_eq "a set with an unknown name predicts nothing" "" "$(subjects run.d --atomic-set head,cuont)"
t_eq "a warning names the unknown name" "forerun: --atomic-set: no shared location named 'cuont' in this run" \
	"$(cat err)"
t_ok "the summary counts its locations" grep -q "^.-atomic-set: shared locations named 'cuont': 0$" out
t_eq "findings.json counts its locations" "atomic_set_unmatched 0" \
	"$(json run.d/findings.json '" ".join("%s %d" % (m["name"], m["count"]) for m in j["summary"]["missing"])')"

# From the first run to the crash.
"$FORERUN" run --order 0+,1,0 --atomic-set head,count -o all.d ./prog >out 2>err
t_eq "run: status" 1 $?
t_eq "run: confirmed, and it does harm" "confirmed crash confirmed crash" \
	"$(json all.d/findings.json '" ".join("%s %s" % (f["verdict"], f["harm"]) for f in j["findings"])')"
t_ok "twin: run" "$FORERUN" run --order 0+,1,0 --atomic-set head,count -o alltwin.d ./twin

# Invalid values of the option.
wrong()
{
	"$FORERUN" predict "$@" run.d >out 2>err
	t_eq "wrong: $*" "2 1" "$? $(grep -c "$MESSAGE" err)"
}
MESSAGE="is one name" wrong --atomic-set head
MESSAGE="contains an empty name" wrong --atomic-set head,
MESSAGE="contains an empty name" wrong --atomic-set head,,count
MESSAGE="which --kinds leaves out" wrong --kinds data-race --atomic-set head,count
t_done
