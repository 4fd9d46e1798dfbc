#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""words.py: makes a dictionary for libFuzzer of the schema that it reads (`lash help schema`).

Keys and values of the format, so that changes of models and studies reach what each key does, and not the refusal of
unknown names alone. Without them new code is found for as long as letters happen to make a name.
"""
import json
import sys


def names(schema):
    """Every key and every word that the schema allows as a value."""
    if isinstance(schema, dict):
        yield from ((key, ": ") for key in schema.get("properties", {}))
        yield from ((word, "") for word in [*schema.get("enum", []), schema.get("const")] if isinstance(word, str))
        for part in schema.values():
            yield from names(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from names(part)


for name, after in sorted(set(names(json.load(sys.stdin)))):
    if name.isprintable() and '"' not in name and "\\" not in name:
        print(f'"{name}{after}"')
