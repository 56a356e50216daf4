#!/usr/bin/env python3
"""Runs the built program on every real wheel. corpus_test.py CHECK PROGRAM; ctest runs each check by itself.

verdicts         the best tag and the exit code are those of the recipe
determinism      the JSON is the same for every directory, environment, locale, thread count and libc.so of the host
auditwheel_json  the documents match auditwheel's schema
cxx_abi          the std::string ABI and the C++ runtime of the wheels whose recipe has them (docs/cxx-abi.md)
namespaces       exports and their C++ namespaces are counted as llvm-readelf and llvm-cxxfilt do
peer_policies    the built-in policies are those of auditwheel; PROGRAM is test_policy
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import corpus
import namespaces
import peer

AGREEMENT = corpus.RECIPES.parents[1] / "docs" / "agreement.md"
# The linker script of libc6-dev, in the directory of Debian and in that of distributions without multi-arch.
LIBC_SCRIPTS = [
    script for place in ("lib/*-linux-gnu*", "lib64") for script in pathlib.Path("/usr").glob(f"{place}/libc.so")
]
PATIENCE = 1200  # seconds for one run of the program


def run(words: list, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False, **options
    )


def in_parallel(function, items) -> list:
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


# --- verdicts -----------------------------------------------------------------------------------------------------


def judge(program: str, recipe: corpus.Recipe) -> list[str]:
    """The errors in the program's result for one wheel."""
    done = run([program, "--format", "json", "--jobs", "1", recipe.path])
    faults = []
    if done.returncode != recipe.expected["exit"]:
        faults.append(f"ends with {done.returncode}, expected {recipe.expected['exit']}")
    try:
        (wheel,) = json.loads(done.stdout)["wheels"]
    except (ValueError, KeyError) as error:
        said = done.stderr.decode(errors="replace").strip()
        return [*faults, f"gives no report of one wheel ({error}): {said[:300]}"]
    if wheel.get("best_tag") != recipe.expected["best_tag"]:
        faults.append(f"says {wheel.get('best_tag', wheel.get('message'))}, expected {recipe.expected['best_tag']}")
    return faults


def unexplained(recipe: corpus.Recipe) -> list[str]:
    """A recipe may expect another tag than auditwheel only if docs/agreement.md explains it."""
    if recipe.auditwheel.get("tag") == recipe.expected["best_tag"]:
        return []
    project = recipe.file.split("-")[0]
    text = AGREEMENT.read_text(encoding="utf-8")
    if f"`{recipe.file}`" in text or f"`{project}`" in text:
        return []
    return [f"expects {recipe.expected['best_tag']}, unlike auditwheel, and docs/agreement.md does not say why"]


def verdicts(program: str) -> list[str]:
    recipes = corpus.fetched()
    answers = in_parallel(functools.partial(judge, program), recipes)
    return [
        f"{recipe.file}: {fault}"
        for recipe, faults in zip(recipes, answers, strict=True)
        for fault in [*faults, *unexplained(recipe)]
    ]


# --- determinism --------------------------------------------------------------------------------------------------


def report(program: str, recipes: list[corpus.Recipe], *, prefix=(), jobs="2", by_name=False, **options):
    """One run on all wheels, given by path, or by name in their directory: exit code and JSON."""
    paths = [recipe.file if by_name else recipe.path for recipe in recipes]
    done = run([*prefix, program, "--format", "json", "--jobs", jobs, *paths], **options)
    return done.returncode, done.stdout


def decoys(directory: pathlib.Path) -> str:
    """Libraries that a loader of the host would find: scripts and real libraries with names that the wheels need."""
    script = "/* GNU ld script */ GROUP ( /lib/libc.so.6 )\n"
    for name in ("libc.so", "libstdc++.so", "libexpat.so.1"):
        (directory / name).write_text(script)
    for name in ("libtbb.so.12", "libgomp.so.1", "libQt5Core.so.5", "libc10.so", "libtorch.so"):
        shutil.copy(sys.executable, directory / name)
    return str(directory)


def turkish(directory: pathlib.Path) -> dict[str, str]:
    """A locale in which the lower case of I is not i. It is generated if the host has none."""
    make = ["localedef", "-i", "tr_TR", "-f", "UTF-8", directory / "tr_TR.UTF-8"]
    if not shutil.which("localedef") or run(make).returncode != 0:
        print("corpus: localedef cannot make tr_TR.UTF-8 here; it is only named in the environment")
        return {"LC_ALL": "tr_TR.UTF-8"}
    return {"LC_ALL": "tr_TR.UTF-8", "LOCPATH": str(directory)}


def without_libc_script() -> list[str] | None:
    """A command prefix. The command runs in a mount namespace in which every linker script is an empty file."""
    if not LIBC_SCRIPTS or not shutil.which("unshare"):
        return None
    mounts = " && ".join(f"mount --bind /dev/null {path}" for path in LIBC_SCRIPTS)
    hide = ["sh", "-c", f'{mounts} && exec "$0" "$@"']
    for words in (["unshare", "--mount"], ["unshare", "--mount", "--map-root-user"]):
        if run([*words, *hide, "test", "!", "-s", LIBC_SCRIPTS[0]]).returncode == 0:
            return [*words, *hide]
    return None


def variants(scratch: pathlib.Path) -> dict[str, dict]:
    """Ways to run the program that must not change the result, each with its description."""
    for name in ("libraries", "locales", "elsewhere"):
        (scratch / name).mkdir()
    environment = dict(os.environ)
    libraries = decoys(scratch / "libraries")
    found = {
        "with one thread": {"jobs": "1"},
        "with eight threads": {"jobs": "8"},
        "from another directory": {"cwd": scratch / "elsewhere"},
        "from /": {"cwd": "/"},
        "from where the wheels lie, by their names": {"cwd": corpus.cache() / "corpus", "by_name": True},
        "with LD_LIBRARY_PATH": {"env": environment | {"LD_LIBRARY_PATH": f"{libraries}::."}, "cwd": libraries},
        "with LC_ALL=C": {"env": environment | {"LC_ALL": "C"}},
        "with LC_ALL=C.UTF-8": {"env": environment | {"LC_ALL": "C.UTF-8"}},
        "with LC_ALL=tr_TR.UTF-8": {"env": environment | turkish(scratch / "locales")},
        "with an empty environment": {"env": {}},
        "with another terminal, home and time zone": {
            "env": environment | {"TERM": "dumb", "NO_COLOR": "1", "HOME": "/", "TZ": "Asia/Tokyo", "COLUMNS": "40"}
        },
    }
    if prefix := without_libc_script():
        found["with libc6-dev's libc.so hidden"] = {"prefix": prefix}
    elif LIBC_SCRIPTS:
        print("corpus: no mount namespace can be made here: libc6-dev's libc.so is not hidden, LD_LIBRARY_PATH has one")
    else:
        print("corpus: libc6-dev is not installed here; only LD_LIBRARY_PATH has a libc.so")
    return found


def difference(one: bytes, other: bytes) -> str:
    """The first wheel, or line, in which two reports differ."""
    try:
        for a, b in zip(json.loads(one)["wheels"], json.loads(other)["wheels"], strict=True):
            if a != b:
                keys = [key for key in a if a.get(key) != b.get(key)]
                return f"{a['file']} differs in {', '.join(keys)}"
    except (ValueError, KeyError):
        return f"the reports are no JSON: {one[:60]!r} and {other[:60]!r}"
    return "the bytes differ, though not the values"


def determinism(program: str) -> list[str]:
    recipes = corpus.fetched()
    code, text = report(program, recipes)
    faults = [] if code in (0, 1) else [f"ends with {code}"]
    if text.count(b'"best_tag"') < len(recipes):
        faults.append("does not report every wheel")
    with tempfile.TemporaryDirectory(prefix="wheelcheck-corpus-") as scratch:
        for words, options in variants(pathlib.Path(scratch)).items():
            other_code, other = report(program, recipes, **options)
            if other != text:
                faults.append(f"{words}: {difference(text, other)}")
            elif other_code != code:
                faults.append(f"{words}: ends with {other_code}, not {code}")
            else:
                print(f"corpus: {words}: the same {len(text)} bytes")
    return faults


# --- auditwheel's schema ------------------------------------------------------------------------------------------


def peer_document(program: str, recipe: corpus.Recipe) -> dict:
    done = run([program, "--format", "auditwheel-json", recipe.path])
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = done.stdout.decode(errors="replace")  # a string, which does not match a schema of an object
    return {"file": recipe.file, "document": document}


def auditwheel_json(program: str) -> list[str]:
    recipes = corpus.fetched()
    python = peer.peer_python()
    items = in_parallel(functools.partial(peer_document, program), recipes)
    lines = "\n".join(map(json.dumps, items))
    words = [python, pathlib.Path(__file__).with_name("validate.py")]
    done = subprocess.run(words, input=lines, capture_output=True, text=True, timeout=PATIENCE, check=False)
    faults = (done.stdout + done.stderr).splitlines()
    if done.returncode != 0 and not faults:
        faults = [f"validate.py ends with {done.returncode}"]
    for recipe, item in zip(recipes, items, strict=True):
        # For wheels without machine code auditwheel reports an error instead of a tag.
        tag = item["document"].get("overall_tag") if isinstance(item["document"], dict) else None
        # auditwheel's answer, where it differs because it knows no other distributions.
        expected = recipe.expected.get("overall_tag", recipe.expected["best_tag"])
        if tag != expected and expected != "any":
            faults.append(f"{recipe.file}: overall_tag is {tag}, expected {expected}")
    return faults


def same_namespaces(program: str) -> list[str]:
    recipes = corpus.fetched()
    compared = in_parallel(lambda recipe: namespaces.compare(program, str(recipe.path)), recipes)
    faults = [
        f"{recipe.file}: {line}" for recipe, (_, lines) in zip(recipes, compared, strict=True) for line in lines
    ]
    names = sum(totals["cxx"] for totals, _ in compared)
    print(f"corpus.namespaces: {sum(totals['exports'] for totals, _ in compared)} exports, {names} C++ names")
    return faults if names > 0 else [*faults, "no wheel exports a C++ name: nothing was compared"]


def peer_policies(program: str) -> list[str]:
    where = "import auditwheel, os; print(os.path.dirname(auditwheel.__file__))"
    package = run([peer.peer_python(), "-c", where]).stdout.decode().strip()
    environment = {**os.environ, "WHEELCHECK_AUDITWHEEL_POLICIES": f"{package}/policy"}
    done = run([program, "--gtest_filter=PeerPolicies.*"], env=environment)
    said = done.stdout.decode(errors="replace")
    return [] if done.returncode == 0 and "[  PASSED  ] 1 test." in said else [said]


# --- the C++ ABI --------------------------------------------------------------------------------------------------


def cxx_of(program: str, recipe: corpus.Recipe) -> dict:
    """The result of WC302 for one wheel, in the format of its recipe."""
    done = run([program, "--format", "json", "--select", "WC302", recipe.path])
    (wheel,) = json.loads(done.stdout)["wheels"]
    found = [finding for finding in wheel["findings"] if finding["code"] == "WC302"]
    if not found:
        return {}
    evidence = {item["label"]: item["value"] for item in found[0]["evidence"]}
    strings = [label for label in ("old", "new", "both") if label in evidence]
    return {
        "string": strings[0] if len(strings) == 1 else "both",
        "runtime": evidence.get("C++ runtime"),
        "cxx11_before_gcc_5": "C++11 of a GCC before 5" in evidence,
    }


def cxx_abi(program: str) -> list[str]:
    told = [recipe for recipe in corpus.fetched() if "cxx" in recipe.expected]
    answers = in_parallel(functools.partial(cxx_of, program), told)
    faults = [
        f"{recipe.file}: says {answer}, expected {recipe.expected['cxx']}"
        for recipe, answer in zip(told, answers, strict=True)
        if answer != recipe.expected["cxx"]
    ]
    return faults if len(told) > 3 else [*faults, "fewer than four recipes tell the C++ ABI"]


CHECKS = {
    "verdicts": verdicts,
    "determinism": determinism,
    "auditwheel_json": auditwheel_json,
    "cxx_abi": cxx_abi,
    "namespaces": same_namespaces,
    "peer_policies": peer_policies,
}


def main(arguments: list[str]) -> int:
    if len(arguments) != 2 or arguments[0] not in CHECKS:
        sys.exit(f"usage: corpus_test.py {'|'.join(CHECKS)} PROGRAM")
    check, program = arguments
    faults = CHECKS[check](str(pathlib.Path(program).resolve()))
    for fault in faults:
        print(f"corpus.{check}: {fault}")
    print(f"corpus.{check}: {len(corpus.recipes())} wheels, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
