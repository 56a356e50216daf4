#!/usr/bin/env python3
"""cuobjdump_sizes.py PROGRAM CUOBJDUMP WHEEL...: the sizes of GPU code after decompression, against what cuobjdump
extracts, which is only what is linked (.nv_fatbin). The wheel nvidia-cuda-cuobjdump contains that program."""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile


def extracted(cuobjdump, library, folder):
    """target -> bytes of its cubins"""
    subprocess.run([cuobjdump, "-xelf", "all", library], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    sizes = collections.Counter()
    for cubin in folder.glob("*.cubin"):
        sizes[re.search(r"\.(sm_\w+)\.cubin$", cubin.name)[1]] += cubin.stat().st_size
        cubin.unlink()
    return sizes


def main(program, cuobjdump, *wheels):
    cuobjdump = pathlib.Path(cuobjdump).resolve()
    wrong = 0
    for wheel in wheels:
        done = subprocess.run([program, "show", "--no-config", "--format", "json", wheel], capture_output=True, check=True)
        for file in json.loads(done.stdout)["wheels"][0]["elf_files"]:
            ours = {one["target"]: one["unpacked"] for one in file["device_code"]["images"] if one["kind"] == "cubin"}
            if not ours:
                continue
            with tempfile.TemporaryDirectory() as name, zipfile.ZipFile(wheel) as archive:
                theirs = extracted(cuobjdump, archive.extract(file["member"], name), pathlib.Path(name))
            wrong += ours != theirs
            print(f"{file['member']}: {sum(ours.values())} bytes for {', '.join(ours)}; cuobjdump {sum(theirs.values())}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
