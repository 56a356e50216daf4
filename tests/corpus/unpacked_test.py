#!/usr/bin/env python3
"""unpacked_test.py PROGRAM: the report on each real wheel is the same when the wheel is unpacked."""

import concurrent.futures
import functools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import corpus

# What only an archive has. "flaws" and "findings" are compared, except those about these fields.
OF_ARCHIVES = ("file", "size", "flaws", "findings", "failed")
FLAWS_OF_ARCHIVES = ("record", "member", "name")
RULES_OF_ARCHIVES = {"WC513", "WC702", "WC704", "WC710"}
# If the file name and WHEEL disagree (WC701), only WHEEL is left in a directory.
OF_CLAIMS = ("name", "claims", "status", "findings")


def report(program: str, path: pathlib.Path) -> tuple[int, dict]:
    done = subprocess.run([program, "show", "--format", "json", "--jobs", "1", path], capture_output=True, check=False)
    (wheel,) = json.loads(done.stdout)["wheels"]
    # The files of a wheel contain its name.
    return done.returncode, json.loads(json.dumps(wheel).replace(json.dumps(wheel["file"]), '"THE WHEEL"'))


def comparable(wheel: dict) -> dict:
    out = {key: value for key, value in wheel.items() if key not in OF_ARCHIVES}
    for key in ("packed_size", "hashed"):
        out["members"].pop(key)
    out["name"]["build"] = None  # only in the file name
    out["name"]["platforms"] = sorted(out["name"]["platforms"], key=str)
    out["claims"] = sorted(out["claims"], key=lambda claim: claim["tag"])
    out["flaws"] = [flaw for flaw in wheel["flaws"] if flaw["area"] not in FLAWS_OF_ARCHIVES]
    rules = {finding["code"] for finding in wheel["findings"]}
    out["findings"] = sorted(rules - RULES_OF_ARCHIVES)
    return out


def faults_of(program: str, recipe: corpus.Recipe) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="wheelcheck-unpacked-") as folder:
        with zipfile.ZipFile(recipe.path) as archive:
            archive.extractall(folder)
        packed_code, packed = report(program, recipe.path)
        code, unpacked = report(program, pathlib.Path(folder))
    if "members" not in packed or "members" not in unpacked:
        return [f"{recipe.file}: {packed.get('message')} {unpacked.get('message')}"]
    packed, unpacked = comparable(packed), comparable(unpacked)
    keys = [key for key in packed.keys() | unpacked.keys() if packed.get(key) != unpacked.get(key)]
    if "WC701" in packed["findings"]:
        keys = [key for key in keys if key not in OF_CLAIMS]
    faults = [f"{key}: {packed.get(key)!s:.300} but unpacked {unpacked.get(key)!s:.300}" for key in sorted(keys)]
    if code != packed_code:
        faults.append(f"ends with {packed_code}, unpacked with {code}")
    return [f"{recipe.file}: {fault}" for fault in faults]


def main() -> int:
    recipes = corpus.fetched()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = [fault for part in pool.map(functools.partial(faults_of, sys.argv[1]), recipes) for fault in part]
    print("\n".join(faults) if faults else f"corpus: {len(recipes)} wheels say the same unpacked")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
