#!/bin/sh
# The documents name only files that exist.
. "$(dirname "$0")/../lib.sh"

# named DOCUMENT...: prints each missing file that a document names. Names in capitals are examples.
named()
{
	(cd "$SRC" && grep -oE '\b(src|tests|bench|scripts|include|share|examples)/[A-Za-z0-9_./+-]+\.(c|h|cpp|t|py|sh|def|md)\b' \
		/dev/null "$@") | grep -vE '/[A-Z]{4,}' | sort -u | while IFS=: read -r document file; do
		[ -e "$SRC/$file" ] || echo "$document: $file"
	done
}
t_eq "the files exist" '' "$(named README.md tests/README.md doc/*.md doc/man/*)"
echo 'See src/cmd/none.c, src/cmd/main.c and src/generate/KIND.c.' >"$T/document"
t_eq "a file that does not exist is found" "$T/document: src/cmd/none.c" "$(named "$T/document")"
t_done
