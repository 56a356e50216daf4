#!/usr/bin/env python3
"""real_packages.py PROGRAM [PACKAGE...]: real packages, built from their sdists against Debian's libraries and repaired.

For a developer with the network, on Debian 12; ctest -L network runs it for two small packages. `real_packages.py --apt`
prints the Debian packages that the builds need. Each wheel is built once and kept in the cache. auditwheel and wheelcheck
repair it, the latter with --verify=run. Then the result is installed in a Debian root that has Python, the C and C++
libraries and zlib, unpacked from .debs, and a smoke test runs there in a chroot. Prints one line a package; exit code 1
if a result cannot be used or bundles other libraries than that of auditwheel.
"""

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "corpus"))
import corpus  # noqa: E402
import tools  # noqa: E402

# What the C library's and the interpreter's own packages are, and what every manylinux platform provides.
ROOT_PACKAGES = """libc6 libgcc-s1 libstdc++6 zlib1g libexpat1 python3.11-minimal libpython3.11-minimal
libpython3.11-stdlib""".split()
BASE_APT = "gcc g++ gfortran make pkg-config python3-dev".split()


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    apt: str  # Debian packages of its libraries
    smoke: str  # Python code
    requires: tuple[str, ...] = ()  # wheels from PyPI that the smoke test needs
    words: tuple[str, ...] = ()  # options of `pip wheel`
    built_too: tuple[str, ...] = ()  # packages of this list, repaired, that the smoke test needs


PACKAGES = [
    Package(
        "cffi",
        "libffi-dev",
        """
import cffi
ffi = cffi.FFI()
ffi.cdef("int abs(int);")
assert ffi.dlopen(None).abs(-3) == 3
assert ffi.callback("int(int)", lambda x: x + 1)(41) == 42
""",
        requires=("pycparser",),
    ),
    Package(  # Fortran: LAPACK, and OpenBLAS where update-alternatives prefers it
        "cvxopt",
        "libopenblas-dev libsuitesparse-dev",
        """
from cvxopt import lapack, matrix, solvers, sparse, umfpack
a, b = matrix([[4.0, 1.0], [1.0, 3.0]]), matrix([1.0, 2.0])
x = +b
lapack.gesv(+a, x)
assert abs((a * x - b)[0]) < 1e-12
y = +b
umfpack.linsolve(sparse(a), y)
assert abs(x[1] - y[1]) < 1e-12
solvers.options["show_progress"] = False
assert solvers.lp(matrix([1.0]), matrix([-1.0]), matrix([-2.0]))["status"] == "optimal"
""",
    ),
    Package(
        "gmpy2",
        "libgmp-dev libmpfr-dev libmpc-dev",
        """
import gmpy2
assert gmpy2.mpz(2) ** 100 == 2**100
assert str(gmpy2.sqrt(2)).startswith("1.41421356")
assert gmpy2.sqrt(gmpy2.mpc(-1)) == 1j
""",
    ),
    Package(
        "h5py",
        "libhdf5-dev",
        """
import h5py
with h5py.File("x", "w", driver="core", backing_store=False) as file:
    file.create_dataset("a", data=list(range(1000)), compression="gzip")
    assert file["a"][...].sum() == 499500
""",
        requires=("numpy",),
    ),
    Package(
        "lxml",
        "libxml2-dev libxslt1-dev",
        """
from lxml import etree
sheet = etree.XSLT(etree.XML('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
    '<xsl:template match="/"><b><xsl:value-of select="a"/></b></xsl:template></xsl:stylesheet>'))
assert sheet(etree.XML("<a>1</a>")).getroot().text == "1"
assert etree.fromstring("<a>\\xe9</a>".encode("latin-1"), etree.XMLParser(encoding="windows-1252")).text == "\\xe9"
""",
    ),
    Package(
        "mysqlclient",
        "default-libmysqlclient-dev",
        """
import MySQLdb
try:
    MySQLdb.connect(host="127.0.0.1", port=1)
except MySQLdb.OperationalError as error:
    assert error.args[0] in (2002, 2003), error
""",
    ),
    Package(  # without code for newer processors, which takes most of the time of the build
        "numpy",
        "libopenblas-dev gfortran",
        """
import numpy
a = numpy.arange(10000.0).reshape(100, 100) + 1000 * numpy.eye(100)
assert abs(numpy.linalg.inv(a) @ a - numpy.eye(100)).max() < 1e-9
assert abs(numpy.linalg.eigvals(a).sum() - a.trace()) < 1e-6
""",
        words=(
            "-Csetup-args=-Dblas=openblas",
            "-Csetup-args=-Dlapack=openblas",
            "-Csetup-args=-Ddisable-optimization=true",
            "-Ccompile-args=-j2",
        ),
    ),
    Package(
        "pillow",
        "libjpeg-dev zlib1g-dev libtiff-dev libfreetype-dev libwebp-dev libopenjp2-7-dev liblcms2-dev",
        """
import io
from PIL import Image, features
for kind in ("JPEG", "PNG"):
    file = io.BytesIO()
    Image.new("RGB", (32, 32), (200, 10, 10)).save(file, kind)
    assert Image.open(io.BytesIO(file.getvalue())).convert("RGB").getpixel((5, 5))[0] > 190
assert features.check("jpg") and features.check("zlib")
""",
    ),
    Package(
        "psycopg2",
        "libpq-dev",
        """
import psycopg2, psycopg2.extensions
assert psycopg2.extensions.libpq_version() > 100000
try:
    psycopg2.connect(host="127.0.0.1", port=1)
except psycopg2.OperationalError:
    pass
""",
    ),
    Package(
        "pycurl",
        "libcurl4-openssl-dev libssl-dev",
        """
import io, pycurl
out, curl = io.BytesIO(), pycurl.Curl()
curl.setopt(curl.URL, "file:///etc/smoke")
curl.setopt(curl.WRITEDATA, out)
curl.perform()
assert out.getvalue() == b"smoke\\n", out.getvalue()
assert "OpenSSL" in pycurl.version
""",
    ),
    Package(  # OpenMP
        "pykdtree",
        "",
        """
import numpy
from pykdtree.kdtree import KDTree
points = numpy.arange(3000.0).reshape(1000, 3)
distance, index = KDTree(points).query(points[:50], k=1)
assert (index == numpy.arange(50)).all() and (distance == 0).all()
""",
        requires=("numpy",),
    ),
    Package(
        "pysqlite3",
        "libsqlite3-dev",
        """
import pysqlite3
assert pysqlite3.connect(":memory:").execute("select 6 * 7").fetchone() == (42,)
""",
    ),
    Package(
        "python-ldap",
        "libldap-dev libsasl2-dev",
        """
import ldap, ldap.sasl
try:
    ldap.initialize("ldap://127.0.0.1:1").simple_bind_s()
except ldap.SERVER_DOWN:
    pass
assert ldap.TLS_AVAIL and ldap.SASL_AVAIL
""",
        requires=("pyasn1", "pyasn1_modules"),
    ),
    Package("pyyaml", "libyaml-dev", "import yaml; assert yaml.load('{a: [1, 2]}', yaml.CSafeLoader) == {'a': [1, 2]}"),
    Package(  # C++
        "pyzmq",
        "libzmq3-dev",
        """
import zmq
context = zmq.Context()
a, b = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
port = a.bind_to_random_port("tcp://127.0.0.1")
b.connect(f"tcp://127.0.0.1:{port}")
b.send(b"x")
assert a.recv() == b"x"
if zmq.has("curve"):
    assert len(zmq.curve_keypair()[0]) == 40
context.destroy(0)
""",
    ),
    Package(
        "xmlsec",
        "libxmlsec1-dev",
        """
import xmlsec
xmlsec.Key.generate(xmlsec.constants.KeyDataAes, 128, xmlsec.constants.KeyDataTypeSession)
""",
        built_too=("lxml",),
    ),
]
BY_NAME = {package.name: package for package in PACKAGES}


def run(*words, **options):
    return subprocess.run(
        list(map(str, words)), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, **options
    )


def last_line(done):
    return ((done.stderr.strip() or done.stdout.strip()) or f"exit code {done.returncode}").splitlines()[-1]


def cache():
    return corpus.cache() / "built-packages"


def built(name):
    """The wheel, from the cache or built; None after a message."""
    python = tools.tools() / "python"  # Debian's own has no pip
    folder = cache() / name
    if not list(folder.glob("*.whl")):
        folder.mkdir(parents=True, exist_ok=True)
        pip = [python, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps"]
        words = BY_NAME[name].words if name in BY_NAME else ()
        done = run(*pip, *words, "--no-binary", name, "-w", folder, name, env={"MAKEFLAGS": "-j2", **os.environ})
        if done.returncode:
            print(f"{name}: not built: {last_line(done)}", file=sys.stderr)
            return None
    return sorted(folder.glob("*.whl"))[-1]


def environment():
    return {**os.environ, "PATH": f"{tools.tools()}:{os.environ['PATH']}"}


def bundled(wheel):
    """The names of the libraries that a repair has added."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            name
            for name in archive.namelist()
            if name.partition("/")[0].endswith(".libs") and not name.endswith("/")
        }


def bare_root(folder):
    """Unpacks ROOT_PACKAGES below the folder; without a file of any other package."""
    debs = cache() / "debs"
    debs.mkdir(parents=True, exist_ok=True)
    for place in ("bin", "lib", "lib64", "sbin"):  # merged, as in every installed Debian 12
        (folder / "usr" / place).mkdir(parents=True)
        (folder / place).symlink_to(f"usr/{place}")
    for name in ROOT_PACKAGES:
        if not list(debs.glob(f"{name}_*.deb")):
            done = run("apt-get", "download", name, cwd=debs)
            if done.returncode:
                sys.exit(f"real_packages: {last_line(done)}")
        deb = sorted(debs.glob(f"{name}_*.deb"))[-1]
        subprocess.run(
            f"dpkg-deb --fsys-tarfile '{deb}' | tar -x --keep-directory-symlink -C '{folder}'", shell=True, check=True
        )
    (folder / "etc").mkdir(exist_ok=True)
    (folder / "etc/smoke").write_text("smoke\n")
    (folder / "tmp").mkdir(exist_ok=True)


def smoke(root, package, wheels):
    """Installs the wheels and runs the smoke test in the root; "" or what was wrong."""
    site = root / "site"
    shutil.rmtree(site, ignore_errors=True)
    python = tools.tools() / "python"
    pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", site]
    for words in (["--no-deps", *wheels], ["--only-binary", ":all:", *package.requires]):
        done = run(*pip, *words) if words[-1] != ":all:" else None
        if done is not None and done.returncode:
            return last_line(done)
    code = f"import sys; sys.path.insert(0, '/site')\n{package.smoke}"
    words = ["unshare", "--user", "--map-root-user", f"--root={root}", "/usr/bin/python3.11", "-I", "-c", code]
    done = run(*words, env={"PATH": "/usr/bin"}, timeout=300)
    return last_line(done) if done.returncode else ""


def repaired(program, name, folder):
    """The result of `wheelcheck repair --verify=run`; None after a message."""
    wheel = built(name)
    if wheel is None:
        return None
    done = run(program, "repair", "--verify=run", "-w", folder, wheel, env=environment())
    if done.returncode:
        print(f"{name}: {last_line(done)}", file=sys.stderr)
        return None
    (result,) = folder.glob("*.whl")
    return result


def check(program, package, root):
    """True if everything is right. Prints the line of the package."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        others = [repaired(program, name, folder / name) for name in package.built_too]
        ours = repaired(program, package.name, folder / "ours")
        if ours is None or None in others:
            return False
        done = run("auditwheel", "repair", "-w", folder / "theirs", built(package.name), env=environment())
        theirs = bundled(next((folder / "theirs").glob("*.whl"))) if done.returncode == 0 else set()
        difference = sorted(bundled(ours) ^ theirs)
        wrong = smoke(root, package, [ours, *others])
        same = "the same as auditwheel" if not difference else f"differ: {', '.join(difference)}"
        print(
            f"{package.name}: {ours.name.split('-')[-1]}: {len(bundled(ours))} libraries, {same}; "
            f"in a bare root: {wrong or 'works'}",
            flush=True,
        )
        return not wrong and not difference


def main():
    if sys.argv[1:] == ["--apt"]:
        print(*sorted({word for package in PACKAGES for word in package.apt.split()} | set(BASE_APT)))
        return
    program = pathlib.Path(sys.argv[1]).resolve()
    packages = [BY_NAME[name] for name in sys.argv[2:]] or PACKAGES
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        root.chmod(0o755)
        bare_root(root)
        results = [check(program, package, root) for package in packages]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
