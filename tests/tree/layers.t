#!/bin/sh
# Includes, build files, linked symbols, names and committed files follow the rules of layers.py and the table of
# doc/architecture.md.
. "$(dirname "$0")/../lib.sh"
layers() { python3 "$HERE/layers.py" "$1" "$BUILD"; }
t_ok 'the tree agrees with the table' layers "$SRC"

mkdir "$T/doc"
cp "$SRC/doc/architecture.md" "$T/doc"
fresh() { rm -rf "$T/src"; cp -r "$SRC/src" "$T/src"; }
fresh
t_ok 'a copy agrees' layers "$T"
echo '#include "report/text.h"' >>"$T/src/model/model.c"
t_fail 'an include that the table forbids' layers "$T"
fresh
sed -i 's/fr_causality_deps = .*/fr_causality_deps = [fr_base_dep]/' "$T/src/causality/meson.build"
t_fail 'a dependency that the build file does not declare' layers "$T"
fresh
sed -i 's/fr_findings_deps = .*/fr_findings_deps = [fr_oracle_dep]/' "$T/src/findings/meson.build"
t_fail 'a declared dependency that the table forbids' layers "$T"
fresh
mkdir "$T/src/other"
t_fail 'a folder that is not in the table' layers "$T"
fresh
find "$T/src" -name '*.[ch]' -exec sed -i '/#include "oracle/d' {} +
sed -i 's/fr_predict_deps = .*/fr_predict_deps = [fr_generate_dep, fr_findings_dep]/' "$T/src/predict/meson.build"
t_fail 'a symbol of a library that the build file does not declare' layers "$T"
fresh
cp "$T/src/base/json.c" "$T/src/report/json.c"
t_fail 'two files of one name in two folders' layers "$T"
fresh
printf 'struct fr_finding {\n\tint a;\n};\n' >>"$T/src/base/json.c"
t_fail 'two structures of one name' layers "$T"
fresh
printf 'void fr_unit_sites_free(void)\n{\n}\n' >>"$T/src/base/json.c"
t_fail 'two functions of one name' layers "$T"
fresh
printf '/* Nothing. */\n' >"$T/src/report/unknown.c"
t_fail 'a file that the overview of its module does not mention' layers "$T"
fresh
sed -i '1,/\*\//d' "$T/src/report/text.h"
t_fail 'a module without an overview' layers "$T"
fresh
git -C "$T" init -q
cp /bin/true "$T/src/program"
git -C "$T" add doc src/base
t_ok 'a program that git does not contain' layers "$T"
git -C "$T" add src/program
t_fail 'a committed program' layers "$T"
git -C "$T" rm -q --cached src/program
mkdir "$T/doc/run.d"
echo '{}' >"$T/doc/run.d/run.json"
git -C "$T" add doc/run.d
t_fail 'a committed run folder' layers "$T"
t_done
