"""Wheels that pip and uv install in different ways, refuse, or that replace what another file installs. Each was
installed with pip 23.2 and uv 0.13, and unpacked with zipfile and bsdtar: a wheel that one of them refuses or sees
differently does not pass, and one that all of them agree on has no finding about its layout."""

from hostile import PURE_TAG, Case
from zip_maker import METADATA, Archive, wheel_file, wheel_members, wheel_name

ROW = "members that pip, uv and other installers put in different places"
FILES = {"hostile/__init__.py": b"value = 1\n"}
OTHER = b"value = 2\n"
DATA, INFO = "hostile-1.0.data", "hostile-1.0.dist-info"
SITE = f"{DATA}/data/lib/python3.11/site-packages"

# A member that is added, and what must be found.
REFUSED_PLACES = {
    "over-the-package": f"{DATA}/purelib/hostile/__init__.py",
    "over-the-package-platlib": f"{DATA}/platlib/hostile/__init__.py",
    "over-the-package-by-data": f"{SITE}/hostile/__init__.py",
    "over-the-package-lib64": f"{DATA}/data/lib64/python3.11/site-packages/hostile/__init__.py",
    "over-the-package-other-version": f"{DATA}/data/lib/python3.9/site-packages/hostile/__init__.py",
    "other-case": "Hostile-1.0.data/purelib/hostile/x.py",
    "other-version": "hostile-1.0.0.data/purelib/hostile/x.py",
    "other-project": "other-1.0.data/purelib/hostile/x.py",
    "scheme-in-capitals": f"{DATA}/PURELIB/hostile/x.py",
    "scheme-unknown": f"{DATA}/unknown/x.py",
    "scheme-stdlib": f"{DATA}/stdlib/os.py",
    "scheme-include": f"{DATA}/include/a.h",
    "no-scheme": f"{DATA}/x.py",
    "no-scheme-other": "x.data/hostile.py",
    "directory-of-scripts": f"{DATA}/scripts/sub/tool",
    "metadata-by-data": f"{DATA}/purelib/{INFO}/METADATA",
    "record-by-data": f"{DATA}/purelib/{INFO}/RECORD",
    "entry-points-by-data": f"{DATA}/purelib/{INFO}/entry_points.txt",
    "other-metadata-by-purelib": f"{DATA}/purelib/other-2.0.dist-info/METADATA",
    "other-metadata-by-platlib": f"{DATA}/platlib/pip-99.dist-info/METADATA",
    "other-metadata-by-data": f"{SITE}/other-2.0.dist-info/METADATA",
    "installer": f"{INFO}/INSTALLER",
    "requested": f"{INFO}/REQUESTED",
    "direct-url": f"{INFO}/direct_url.json",
    "uv-cache": f"{INFO}/uv_cache.json",
}
# A second distribution, and files over those of the interpreter.
REFUSED_PLACES |= {
    "egg-info": "evil.egg-info/PKG-INFO",
    "egg-info-of-a-version": "evil-2.0-py3.11.egg-info/PKG-INFO",
    "egg-info-file": "evil-2.0.egg-info",
    "egg-info-by-purelib": f"{DATA}/purelib/evil.egg-info/PKG-INFO",
    "egg-info-by-data": f"{SITE}/evil.egg-info/PKG-INFO",
    "python-by-data": f"{DATA}/data/bin/python3",
    "python-minor-by-data": f"{DATA}/data/bin/python3.11",
    "python-by-scripts": f"{DATA}/scripts/python",
    "environment-by-data": f"{DATA}/data/pyvenv.cfg",
    "standard-library-by-data": f"{DATA}/data/lib/python3.11/os.py",
    "standard-library-module-by-data": f"{DATA}/data/lib64/python3.11/lib-dynload/_ctypes.so.txt",
}
TAKEN_PLACES = {
    "platlib": f"{DATA}/platlib/hostile/x.py",
    "purelib": f"{DATA}/purelib/hostile/x.py",
    "headers": f"{DATA}/headers/a.h",
    "script": f"{DATA}/scripts/tool.sh",
    "data-bin": f"{DATA}/data/bin/tool",
    "data-share": f"{DATA}/data/share/hostile/a/b.txt",
    "data-site-packages": f"{SITE}/hostile/y.py",
    "licence": f"{INFO}/licenses/INSTALLER",
    "top-level": f"{INFO}/top_level.txt",
    "path-file": "hostile.pth",
    "own-egg-info": "hostile.egg-info/PKG-INFO",
    "own-egg-info-of-a-version": "Hostile-1.0-py3.11.egg-info/PKG-INFO",
    "egg-info-in-package": "hostile/evil.egg-info/PKG-INFO",
    "egg-info-without-metadata": "evil.egg-info/top_level.txt",
    "data-dist-packages": f"{DATA}/data/lib/python3/dist-packages/hostile/y.py",
    "data-bin-like-python": f"{DATA}/data/bin/python-hostile",
    "module-and-package": "hostile.py",
    "colon": "hostile/a:b",
    "tilde": "~/x.py",
    "dollar": "hostile/$HOME",
}
# [console_scripts] with this line.
REFUSED_SCRIPTS = {
    "python": b"python = hostile:value",
    "python3": b"python3 = hostile:value",
    "pythonw": b"pythonw = hostile:value",
    "python-minor": b"python3.11 = hostile:value",
    "twice": b"a = hostile:value\na = hostile:other",
    "blanks-at-colon": b"a = hostile : value",
    "blank-before-colon": b"a = hostile :value",
    "blank-after-colon": b"a = hostile: value",
    "blank-in-name": b"a b = hostile:value",
    "semicolon": b"a = hostile:a;b",
    "no-object": b"a = hostile",
    "no-value": b"novalue",
    "comment": b"a = hostile:value # c",
    "interpolation": b"a = %(b)s\nb = hostile:value",
    "dot-first": b"a = .hostile:value",
    "path": b"../a = hostile:value",
}
TAKEN_SCRIPTS = {
    "plain": b"a = hostile:value",
    "two-cases": b"a = hostile:value\nA = hostile:value",
    "attribute": b"a = hostile:value.x",
    "extra": b"a = hostile:value [x]",
    "python-prefix": b"python-hostile = hostile:value",
    "suffix": b"a.py = hostile:value",
    "dash": b"-a = hostile:value",
}
# The whole entry_points.txt.
REFUSED_ENTRY_POINTS = {
    "byte-order-mark": b"\xef\xbb\xbf[console_scripts]\na = hostile:value\n",
    "default": b"[DEFAULT]\na = hostile:value\n[console_scripts]\n",
    "no-section": b"a = hostile:value\n",
    "open-section": b"[console_scripts\na = hostile:value\n",
    "not-utf8": b"[console_scripts]\n\xff = hostile:value\n",
    "section-twice": b"[console_scripts]\na = hostile:value\n[console_scripts]\nb = hostile:value\n",
}
WHEEL = wheel_file(PURE_TAG, pure=True)
REFUSED_WHEELS = {
    "2.0": b"Wheel-Version: 2.0",
    "lower-case": b"wheel-version: 1.0",
    "twice-newer-last": b"Wheel-Version: 1.0\nWheel-Version: 2.0",
    "twice-newer-first": b"Wheel-Version: 2.0\nWheel-Version: 1.0",
    "blank-before-colon": b"Wheel-Version :1.0",
    "no-minor": b"Wheel-Version: 1",
    "three-parts": b"Wheel-Version: 1.0.0",
    "sign": b"Wheel-Version: +1.0",
    "fullwidth-digit": b"Wheel-Version: \xef\xbc\x91.0",
    "underscore": b"Wheel-Version: 1_0.0",
    "missing": b"X: y",
    "byte-order-mark": b"\xef\xbb\xbfWheel-Version: 1.0",
    "empty-line-first": b"\nWheel-Version: 1.0",
    "blank-first": b" Wheel-Version: 1.0",
    "leading-zeros": b"Wheel-Version: 01.00",
    "nul": b"Wheel-Version: 1.0\x00",
    "letter": b"Wheel-Version: 1.a",
    "two-words": b"Wheel-Version: 1.0 x",
    "from-line": b"From x\nWheel-Version: 1.0",
}
REFUSED_METADATA = {
    "other-name": (b"Name: hostile", b"Name: other"),
    "two-names": (b"Name: hostile", b"Name: hostile\nName: other"),
    "two-names-other-first": (b"Name: hostile", b"Name: other\nName: hostile"),
    "blank-before-colon": (b"Name: hostile", b"Name : hostile"),
    "blank-after-name": (b"Name: hostile", b"Name: hostile "),
    "no-name": (b"Name: hostile", b"X: y"),
    "other-version": (b"\nVersion: 1.0", b"\nVersion: 2.0"),
    "two-versions": (b"\nVersion: 1.0", b"\nVersion: 1.0\nVersion: 2.0"),
    "no-version": (b"\nVersion: 1.0", b"\nX: 1"),
    "local-version": (b"\nVersion: 1.0", b"\nVersion: 1.0+local"),
    "nonsense-version": (b"\nVersion: 1.0", b"\nVersion: nonsense"),
    "format-9": (b"Metadata-Version: 2.1", b"Metadata-Version: 9.9"),
    "no-format": (b"Metadata-Version: 2.1", b"X: 1"),
    "python-specifier": (b"Metadata-Version: 2.1", b"Metadata-Version: 2.1\nRequires-Python: nonsense"),
}


def case(name: str, expect: str, files: dict[str, bytes] | None = None, **how) -> Case:
    data = Archive(wheel_members({**FILES, **(files or {})}, tag=PURE_TAG, **how)).build()
    return Case(f"install-{name}", expect, ROW, data, wheel_name(PURE_TAG), fails=expect == "finding" or None)


def cases():
    for name, path in REFUSED_PLACES.items():
        yield case(f"place-{name}", "finding", {path: OTHER})
    for name, path in TAKEN_PLACES.items():
        yield case(f"place-{name}", "ok", {path: OTHER})
    for expect, scripts in (("finding", REFUSED_SCRIPTS), ("ok", TAKEN_SCRIPTS)):
        for name, script in scripts.items():
            yield case(f"script-{name}", expect, {f"{INFO}/entry_points.txt": b"[console_scripts]\n" + script + b"\n"})
    for name, text in REFUSED_ENTRY_POINTS.items():
        yield case(f"entry-points-{name}", "finding", {f"{INFO}/entry_points.txt": text})
    entry = b"[console_scripts]\ntool = hostile:value\n"
    both = {f"{DATA}/scripts/tool": b"#!python\n", f"{INFO}/entry_points.txt": entry}
    yield case("script-and-member", "finding", both)
    for name, text in REFUSED_WHEELS.items():
        yield case(f"wheel-{name}", "finding", wheel=WHEEL.replace(b"Wheel-Version: 1.0", text))
    yield case("wheel-utf16", "finding", wheel=WHEEL.decode().encode("utf-16"))
    yield case("wheel-folded", "ok", wheel=WHEEL.replace(b"Generator: made", b"Generator: made\n  by hand"))
    for name, (old, new) in REFUSED_METADATA.items():
        yield case(f"metadata-{name}", "finding", metadata=METADATA.replace(old, new))
