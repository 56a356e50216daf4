"""Validates documents against the schema of an installed auditwheel. It runs with the interpreter of peer.py.

Reads lines of JSON from stdin, each {"file": name, "document": the document}. Prints a line for each error and ends
with 1 if there is one.
"""

import importlib.resources
import json
import sys

import jsonschema

FAULTS_SHOWN = 5  # for one document


def main() -> int:
    schema = json.loads(importlib.resources.files("auditwheel").joinpath("show-schema.json").read_text("utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(schema)
    faulty = checked = 0
    for line in sys.stdin:
        item = json.loads(line)
        faults = list(validator.iter_errors(item["document"]))
        checked += 1
        faulty += bool(faults)
        for fault in faults[:FAULTS_SHOWN]:
            print(f"{item['file']}: {fault.json_path}: {fault.message[:300]}")
    if not checked:
        print("no document was given")
    return 1 if faulty or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
