#!/bin/sh
# forerun check: every message with its position, several errors in one call, the canonical layout, and the examples of
# doc/properties.md.
. "$(dirname "$0")/../lib.sh"
cd "$T" || exit 99

t_ok "each error has its message and position" python3 "$HERE/errors.py" "$HERE/errors.txt" "$T"

sed -n '/^    \/\/ /,/^    }/s/^    //p' "$SRC/doc/properties.md" >documented
t_eq "the document has nine properties" 9 "$(grep -c '^property ' documented)"
t_ok "the documented properties are valid" "$FORERUN" check documented
t_eq "check prints the number of properties" "documented: 9 properties" "$("$FORERUN" check documented)"

# The layout. A second pass changes nothing.
cat >messy <<'END'
/* Two
   lines. */
property  P ( list*c,const   iter * const*i ){ // behind the head
event create after((call(list_iter)))&&args(c)&&returns(i) ;// behind create


  // before update
  event update before (call(list_add*)||call(list_remove*) )&&args(c,..) && if( (1+2)*3==9&&!(c==NULL) );
  event n(int x)   set(a.b) && /* inside */ target( i ) && args(x) && !(within(f.c) || within(a_function_with_a_long_name));
  pattern : ((create)) (n*) (update+ | n( t1 )||n(t2)) !( n n)
  // the end
}
property Q() { event a mark("x"); event b mark("y"); ltl: ([]((a) -> (<*>(b)))) U (b U a) }
// after all
END
cat >neat <<'END'
/* Two
   lines. */
property P(list *c, const iter *const *i) {
    // behind the head
    event create   after  call(list_iter) && args(c) && returns(i); // behind create

    // before update
    event update   before (call(list_add*) || call(list_remove*))
        && args(c, ..)
        && if((1 + 2) * 3 == 9 && !(c == NULL));
    /* inside */
    event n(int x) set(a.b)
        && target(i)
        && args(x)
        && !(within(f.c) || within(a_function_with_a_long_name));
    pattern: create n* (update+ | n(t1) || n(t2)) !(n n)
    // the end
}

property Q() {
    event a mark("x");
    event b mark("y");
    ltl: [](a -> <*>b) U b U a
}

// after all
END
t_eq "the layout of a messy file" "$(cat neat)" "$("$FORERUN" check --format messy)"
t_eq "the layout of a neat file" "$(cat neat)" "$("$FORERUN" check --format neat)"
"$FORERUN" check --format documented >laid
t_eq "the layout of the documented properties is stable" "$(cat laid)" "$("$FORERUN" check -f laid)"

# Patterns in rows: the same command reads and prints them.
sed -n 's/^    //p' "$SRC/doc/patterns.md" >rows
t_eq "check prints the number of patterns" "rows: $(grep -c '^pattern ' rows) patterns" "$("$FORERUN" check rows)"
"$FORERUN" check --format rows >laid
t_eq "the layout of the documented patterns is stable" "$(cat laid)" "$("$FORERUN" check -f laid)"
cat >messy.rows <<'END'
  # before
pattern a   # behind the name
T t1 other t1
# inside
E look;other  ; change # behind E
SV x   x x
AT r w w

pattern b
E a b
O - at-once
T t u
SV x y
AR - long-name.1
AT * w
# the end
END
sed -i 's/long-name/long_name/' messy.rows
cat >neat.rows <<'END'
# before
pattern a # behind the name
T  t1     other   t1
# inside
E  look ; other ; change # behind E
SV x      x       x
AT r      w       w

pattern b
E  a b
O  - at-once
T  t u
SV x y
AR - long_name.1
AT * w

# the end
END
t_eq "the layout of messy rows" "$(cat neat.rows)" "$("$FORERUN" check --format messy.rows)"
t_eq "the layout of neat rows" "$(cat neat.rows)" "$("$FORERUN" check --format neat.rows)"
t_status "two files with one pattern" 1 "$FORERUN" check neat.rows messy.rows

printf 'property P() { event a mark("x"); pattern: b }\n' >bad
t_status "errors give status 1" 1 "$FORERUN" check bad
t_status "a file with errors among correct files" 1 "$FORERUN" check documented bad neat
t_status "a file with errors is not printed" 1 "$FORERUN" check --format bad
t_eq "... nothing is printed" "" "$("$FORERUN" check --format bad 2>/dev/null)"
t_says "no file is a usage error" 2 "no property file" "$FORERUN" check
t_says "a missing file" 3 "'missing'" "$FORERUN" check missing
t_says "a folder" 3 "'\\.'" "$FORERUN" check .
printf 'property Q() { event a mark("x"); pattern: a }\n' >again
t_status "two files with one property" 1 "$FORERUN" check neat again
t_eq "the message names both" "again:1:10: two properties are called 'Q': the other is in neat:20" \
	"$("$FORERUN" check neat again 2>&1 >/dev/null)"

# 60 errors: the first 20 are printed.
{ echo 'property P() {'; for i in $(seq 60); do echo "event e$i get;"; done; echo 'pattern: e1 }'; } >many
t_eq "at most 20 errors are printed" "21 many: more errors follow these 20" \
	"$("$FORERUN" check many 2>&1 | wc -l) $("$FORERUN" check many 2>&1 | tail -1)"

# The texts of this test as a corpus for the fuzzer's entry, which also runs under libFuzzer (make fuzz-spec).
mkdir corpus
python3 - "$HERE/errors.txt" <<'END'
import sys
for i, case in enumerate(open(sys.argv[1]).read().split('\n-- ')):
    text = ''.join(l + '\n' for l in case.split('\n')[1:] if not l.startswith('=> '))
    open(f'corpus/{i}', 'w').write(text)
END
cp documented messy neat many rows messy.rows neat.rows corpus
t_ok "the fuzzer's entry accepts the corpus" "$BUILD/tests/fuzz/fuzz_spec" corpus/*
t_done
