#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Spelling and links of all pages: words that neither the English dictionary nor tools/words.txt knows, and links and pictures that
# lead nowhere, also to headings. Code is not read.
set -eu
cd "$(dirname "$0")/.."
failed=0
command -v aspell >/dev/null || { echo "aspell is missing; on Debian: apt-get install aspell aspell-en" >&2; exit 1; }
for page in *.md docs/*.md docs/validation/*.md .github/*.md .github/*/*.md; do
    [ -e "$page" ] || continue
    unknown=$(awk '/^```/ { code = !code; next } !code && !/^    /' "$page" |
        perl -0pe 's/`[^`]*`/ /g' | sed -e 's/](\([^)]*\))/]/g' -e 's/<[^>]*>//g' -e "s/’/'/g" |
        aspell list -l en_GB --encoding=utf-8 | sed "s/'s$//" | sort -u | grep -vxFf tools/words.txt || true)
    if [ -n "$unknown" ]; then
        echo "$page: unknown words, misspelt or missing in tools/words.txt:" $unknown >&2
        failed=1
    fi
done
# One version.
version=$(sed -n 's/^#define LASH_VERSION  *"\(.*\)"/\1/p' include/lash/version.h)
grep -qx "version: $version" CITATION.cff && grep -q "^version = \"$version\"" python/pyproject.toml || {
    echo "CITATION.cff or python/pyproject.toml has another version than include/lash/version.h, $version" >&2
    failed=1
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tools/make-docs.py "$folder/docs" || failed=1
exit $failed
