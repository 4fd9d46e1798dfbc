#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Completions and pages of man: the shells read them, bash completes with them, man reports no mistakes.
. "${0%/*}/lib.sh"
expect_exit 0 help bash
cp .stdout lash.bash
expect "bash reads its completions" bash -n lash.bash
touch a.yaml b.h5 c.txt
# complete WORD…: what bash offers for the last word.
complete_words() {
    bash -c '. ./lash.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lash; echo "${COMPREPLY[@]}"' bash "$@"
}
expect "commands" test "$(complete_words lash lin)" = linearize
expect "options" test "$(complete_words lash run --ver)" = --verify
expect "models" test "$(complete_words lash run "")" = a.yaml
expect "results" test "$(complete_words lash export "")" = b.h5
expect "topics" test "$(complete_words lash help sch)" = schema
expect "topics of the documents" test "$(complete_words lash help gloss)" = glossary
expect "pages" test "$(complete_words lash help lub)" = lubrication
for shell in zsh fish; do
    expect_exit 0 help $shell
    cp .stdout lash.$shell
    if command -v $shell >/dev/null; then
        expect "$shell reads its completions" $shell -n lash.$shell
    fi
done
for shell in zsh fish; do
    expect "$shell knows the topics of help" grep -q "glossary.*the words that Lash uses" lash.$shell
done
expect "every command has options in fish" test "$(grep -c 'seen_subcommand_from' lash.fish)" -gt 60

make_man=$SOURCE/tools/make-man.sh
"$make_man" lash 1 "motion of machines" --program "$LASH" >lash.1
"$make_man" lash-model 5 "model files" "$SOURCE/docs/model-format.md" >lash-model.5
"$make_man" lash-study 5 "study files" "$SOURCE/docs/studies.md" >lash-study.5
for page in lash.1 lash-model.5 lash-study.5; do
    expect "$page begins as man wants it" grep -q '^\.TH LASH' $page
    if command -v man >/dev/null && man --version >/dev/null 2>&1; then
        expect "man shows $page" sh -c "MANROFFOPT=-ww MANWIDTH=100 man -l --warnings ./$page >$page.txt 2>$page.err"
        expect "man has nothing to say about $page" test ! -s $page.err
    fi
done
expect "a command's options" grep -q 'relative tolerance' lash.1
expect "a key's meaning" grep -q 'moment of inertia about the centre of mass' lash-model.5
expect "a metric" grep -q 'impacts' lash-study.5
finish
