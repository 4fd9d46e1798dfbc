#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# lash help schema: all examples keep to it; broken models whose mistake is one of structure do not.
. "${0%/*}/lib.sh"
expect_exit 0 help schema
cp .stdout schema.json
cat >check.py <<'PYTHON'
import glob, json, os, re, sys
import jsonschema, yaml

source = sys.argv[1]
schema = json.load(open("schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
failed = 0
examples = glob.glob(source + "/examples/*.yaml") + glob.glob(source + "/examples/studies/*.yaml")
for path in examples:
    for error in validator.iter_errors(yaml.safe_load(open(path))):
        print(path, list(error.path), error.message[:200])
        failed += 1
structural = re.compile(r"is not a key of|expects a map|expects true or false|found a list|expects a list")
seen = 0
for path in sorted(glob.glob(source + "/tests/broken/*.yaml")):
    text = open(path, encoding="utf-8", errors="replace").read()
    if not any(structural.search(line) for line in text.splitlines() if line.startswith("# expect:")):
        continue
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):
        continue
    seen += 1
    if validator.is_valid(data):
        print(path, "is valid by the schema")
        failed += 1
print(len(examples), "examples,", seen, "broken models")
sys.exit(failed > 0 or seen < 15 or len(examples) < 10)
PYTHON
python=python3
$python -c 'import jsonschema, yaml' 2>/dev/null || python=/usr/bin/python3
expect "the schema says what the reader says" $python check.py "$SOURCE"
finish
