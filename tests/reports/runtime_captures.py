"""Published run-time failures in which names of one file are bound to another; see runtime_cases.py."""

from __future__ import annotations

from clash import Binary, Wheel
from runtime_cases import GLOBAL, Case, Cxx, Run, Source, both, ext, module, takes


def captured_cxx() -> list[Case]:
    """A C++ library of one wheel takes the calls of another wheel's copy, of another release."""
    llvm = """#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
__attribute__((used)) static const char version_text[] = "LLVM version RELEASE";
namespace llvm {
%s
namespace cl {
class Option {
 public:
  explicit Option(const char* name) : name_(name) { addArgument(); }
  void addArgument();
  const char* name_;
};
void Option::addArgument() {
  static std::set<std::string> options;
  if (options.insert(name_).second) return;
  std::fprintf(stderr, ": CommandLine Error: Option '%%s' registered more than once!\\n", name_);
  std::fprintf(stderr, "LLVM ERROR: inconsistency in registered CommandLine options\\n");
  std::abort();
}
}
}
static llvm::cl::Option help_list("help-list");
NUMBER(value, RELEASE_MAJOR)"""
    functions = "\n".join(f"int pass{i}(int x) {{ return x + {i}; }}" for i in range(60))

    def triton(name: str, release: str, init: str, hide: bool = False) -> Wheel:
        body = (llvm % functions).replace("RELEASE_MAJOR", release.split(".")[0]).replace("RELEASE", release)
        options = ["-fvisibility=hidden"] if hide else []
        stem = "_C" if init == GLOBAL else "_ext"
        return Wheel(
            name,
            [ext(f"{name}/{stem}.abi3.so", module(body, stem, kind=Cxx), options=options)],
            {f"{name}/__init__.py": init},
        )

    twice = {"fails": "LLVM ERROR: inconsistency in registered CommandLine options", "signal": "SIGABRT"}
    return [
        Case(
            ["pytorch/torchdynamo#1818", "pytorch/pytorch#90166", "apache/tvm#420", "hughperkins/tf-coriander#69"],
            "CommandLine Error: Option 'help-list' registered more than once! LLVM ERROR",
            [triton("tvm", "14.0.0", GLOBAL), triton("triton", "17.0.6", "from ._ext import value\n")],
            [
                Run("import tvm, triton", **twice),
                Run("import triton, tvm; print(triton.value())", says="17\n"),
            ],
            "WC204",
            "error",
            [triton("triton", "17.0.6", "from ._ext import value\n", hide=True)],
            [Run("import tvm, triton; print(triton.value())", says="17\n")],
            says="LLVM",
        ),
        captured_protobuf(),
    ]


def captured_protobuf() -> Case:
    """Two protobuf runtimes in one process, and the parser of one checks the tables of the other."""
    runtime = """#include <cstdio>
#include <cstdlib>
namespace google::protobuf::internal {
%s
struct TcParser { __attribute__((visibility("default"))) static void CheckHasBitConsistency(int table); };
void TcParser::CheckHasBitConsistency(int table) {
  if (table == RELEASE) return;
  std::fprintf(stderr, "F0000 parser.cc: table of %%d, not RELEASE\\n", table);
  std::abort();
}
}
static const int checked = (google::protobuf::internal::TcParser::CheckHasBitConsistency(RELEASE), RELEASE);
NUMBER(value, checked)"""
    functions = "\n".join(f"int Parse{i}(int x) {{ return x + {i}; }}" for i in range(60))

    def wheel(name: str, release: int, init: str) -> Wheel:
        body = (runtime % functions).replace("RELEASE", str(release))
        stem = "_C" if init == GLOBAL else "_ext"
        return Wheel(name, [ext(f"{name}/{stem}.abi3.so", module(body, stem, kind=Cxx))], {f"{name}/__init__.py": init})

    return Case(
        ["ayandexyz/glance-linux#5", "google/or-tools#2047"],
        "SIGABRT in protobuf::internal::TcParser::CheckHasBitConsistency if mediapipe is imported before onnxruntime",
        [wheel("mediapipe", 36, GLOBAL), wheel("onnxruntime", 31, "from ._ext import value\n")],
        [
            Run("import mediapipe, onnxruntime", fails="table of 31, not 36", signal="SIGABRT"),
            Run("import onnxruntime, mediapipe; print(onnxruntime.value())", says="31\n"),
        ],
        "WC204",
        "error",
        [wheel("mediapipe", 36, "from ._ext import value\n")],
        [Run("import mediapipe, onnxruntime; print(onnxruntime.value())", says="31\n")],
        says="Protocol Buffers",
    )


def destroyed_twice() -> Case:
    """Two copies of one C++ library: the second constructs and destroys the objects of the first again."""

    functions = "".join(f"int amd_call{i}(int x) {{ return x * {i}; }}\n" for i in range(12))
    library = Cxx(
        "#include <string>\n#include <vector>\n"
        'std::vector<std::string> amd_devices(40, "a text that is longer than the small buffer");\n'
        f"int amd_count() {{ return static_cast<int>(amd_devices.size()); }}\n{functions}"
    )

    def wheel(name: str, init: str) -> Wheel:
        stem = "_C" if init == GLOBAL else "_ext"
        soname = f"libamd_smi-{name}.so.26"
        calls = [f"amd_call{i}" for i in range(12)]
        uses = "int amd_count();\n" + "".join(f"int {call}(int);\n" for call in calls)
        number = " + ".join(["amd_count()", *(f"{call}(0)" for call in calls)])
        return Wheel(
            name,
            [
                ext(f"{name}.libs/{soname}", library, soname=soname),
                ext(
                    f"{name}/{stem}.abi3.so",
                    module(f"{uses}NUMBER(value, {number})", stem, kind=Cxx),
                    needed=[f"{name}.libs/{soname}"],
                    runpath=f"$ORIGIN/../{name}.libs",
                ),
            ],
            {f"{name}/__init__.py": init},
        )

    plain = "from ._ext import value\n"
    code = "import rocm, amdsmi; print(amdsmi.value())"
    return Case(
        ["ROCm/TheRock#2269", "ROCm/TheRock#1059"],
        "double free or corruption at exit: two copies of libamd_smi in one process",
        [wheel("rocm", GLOBAL), wheel("amdsmi", plain)],
        [Run(code, says="40\n", signal="SIGABRT", fails="free")],
        "WC238",
        "warning",
        [wheel("rocm", plain)],
        [Run(code, says="40\n")],
        says="amd_devices",
    )


def linked_twice() -> Case:
    """A module contains a static library and loads the shared one too, so both construct the module's objects."""
    library = Cxx(
        "#include <string>\n#include <vector>\n"
        'std::vector<std::string> aff3ct_codecs(40, "a text that is longer than the small buffer");\n'
        "int aff3ct_count() { return static_cast<int>(aff3ct_codecs.size()); }\n"
    )

    def wheel(*copy: Cxx) -> Wheel:
        uses = module("int aff3ct_count();\nNUMBER(value, aff3ct_count())", kind=Cxx)
        return Wheel(
            "hermespy",
            [
                ext("hermespy.libs/libaff3ct-3.so", library, soname="libaff3ct-3.so"),
                Binary(
                    "hermespy/_ext.abi3.so",
                    [uses, *copy],
                    ["-Wl,--no-as-needed"],
                    needed=["hermespy.libs/libaff3ct-3.so"],
                    runpath="$ORIGIN/../hermespy.libs",
                ),
            ],
            takes("hermespy"),
        )

    code = "import hermespy; print(hermespy.value())"
    return Case(
        ["Barkhausen-Institut/hermespy#24"],
        "free(): invalid pointer at the end of each simulation",
        [wheel(library)],
        [Run(code, says="40\n", signal="SIGABRT", fails="free")],
        "WC238",
        "warning",
        [wheel()],
        [Run(code, says="40\n")],
        says="libaff3ct-3.so",
        options=["--select", "WC238"],
        command="check",
    )


def zstd() -> Case:
    """A C library of one wheel takes the calls of another wheel's copy."""
    names = ["createDCtx", "freeDCtx", "createDDict", "freeDDict", "decompress_usingDDict", "isError", "versionNumber"]

    def copies(number: int) -> str:
        return "\n".join(f"EXPORTED int ZSTD_{name}(void) {{ return {number}; }}" for name in names)

    def wheel(name: str, number: int, init: str) -> Wheel:
        stem = "_C" if init == GLOBAL else "_ext"
        body = f"{copies(number)}\nNUMBER(value, ZSTD_freeDDict())"
        return Wheel(name, [ext(f"{name}/{stem}.abi3.so", module(body, stem))], {f"{name}/__init__.py": init})

    plain = "from ._ext import value\n"
    code = "import tensorflow, ROOT; print(ROOT.value())"
    return Case(
        ["conda-forge/tensorflow-feedstock#449"],
        "segmentation fault in ZSTD_freeDDict if tensorflow is imported before ROOT",
        [wheel("tensorflow", 1, GLOBAL), wheel("ROOT", 2, plain)],
        [Run(code, says="1\n"), Run("import ROOT, tensorflow; print(ROOT.value())", says="2\n")],
        "WC204",
        "warning",
        [wheel("tensorflow", 1, plain)],
        [Run(code, says="2\n")],
        says="ZSTD_freeDDict",
    )


def captured_tls() -> Case:
    """A TLS library of one wheel takes the calls of another wheel's."""

    def names(number: int, *more: str) -> str:
        plain = ["SSL_CTX_new", "SSL_new", "SSL_connect", "SSL_read", "EVP_EncryptInit_ex", "X509_free", "BIO_new"]
        return "\n".join(f"EXPORTED int {name}(void) {{ return {number}; }}" for name in [*plain, *more])

    boring = [f"EVP_aead_aes_{bits}_{mode}" for bits in (128, 192, 256) for mode in ("gcm", "ctr", "siv", "ccm", "cbc")]
    boring += [f"CBB_{part}" for part in ("init", "add_asn1", "add_bytes", "add_u8", "add_u16", "add_u24", "finish")]
    boring += [f"CBS_{part}" for part in ("init", "skip", "data", "len", "get_u8", "get_u16", "get_asn1", "get_bytes")]
    boring += [f"CRYPTO_BUFFER_{part}" for part in ("new", "free", "len", "data")] + ["BORINGSSL_self_test"]
    openssl = Source('#include "module.h"\n' + names(3, "OSSL_PARAM_construct_int", "OPENSSL_init_ssl", "EVP_MD_fetch"))

    def tensorflow(init: str) -> Wheel:
        return Wheel(
            "tensorflow",
            [ext("tensorflow/_C.abi3.so", module(names(1, *boring) + "\nNUMBER(value, SSL_new())", "_C"))],
            {"tensorflow/__init__.py": init},
        )

    psycopg = Wheel(
        "psycopg",
        [
            ext("psycopg.libs/libssl-3e69114b.so.3", openssl, soname="libssl-3e69114b.so.3"),
            ext(
                "psycopg/_ext.abi3.so",
                module("int SSL_new(void);\nNUMBER(value, SSL_new())"),
                needed=["psycopg.libs/libssl-3e69114b.so.3"],
                runpath="$ORIGIN/../psycopg.libs",
            ),
        ],
        takes("psycopg"),
    )
    return Case(
        ["psycopg/psycopg#1097", "psycopg/psycopg2#1784"],
        "Segmentation fault in the SSL connection if tensorflow was imported before psycopg",
        [tensorflow(GLOBAL), psycopg],
        [*both("tensorflow", "psycopg", says="1\n"), *both("psycopg", "psycopg", says="3\n")],
        "WC204",
        "error",
        [tensorflow("from ._C import value\n")],
        both("tensorflow", "psycopg", says="3\n"),
        says="BoringSSL",
    )


def plugins() -> list[Case]:
    """A library opens a plugin that takes its names from the global scope, but Python opened the library locally."""
    host = """#include <dlfcn.h>
#include <stdio.h>
#define EXPORTED __attribute__((visibility("default")))
EXPORTED int orte_schizo_base_framework = 6;
static int opened;
EXPORTED int MPI_Init(void) { return opened; }
"""
    at_load = Source(
        host
        + """__attribute__((constructor)) static void start(void) {
  opened = dlopen("mca_schizo_ompi.so", RTLD_NOW) != NULL;
  if (!opened) fprintf(stderr, "unable to open mca_schizo_ompi: %s (ignored)\\n", dlerror());
}
"""
    )
    later = Source(host.replace("return opened", 'return (opened = dlopen("mca_schizo_ompi.so", RTLD_NOW) != NULL)'))
    plugin = Source(
        "extern int orte_schizo_base_framework;\nint component(void) { return orte_schizo_base_framework; }\n"
    )

    def mpi(source: Source, needed: bool) -> Wheel:
        return Wheel(
            "mpi4py",
            [
                ext("mpi4py/lib/libmpi.so.40", source, soname="libmpi.so.40", runpath="$ORIGIN"),
                ext(
                    "mpi4py/lib/mca_schizo_ompi.so",
                    plugin,
                    needed=["mpi4py/lib/libmpi.so.40"] if needed else [],
                    runpath="$ORIGIN",
                ),
                ext(
                    "mpi4py/_ext.abi3.so",
                    module("int MPI_Init(void);\nNUMBER(value, MPI_Init())"),
                    needed=["mpi4py/lib/libmpi.so.40"],
                    runpath="$ORIGIN/lib",
                ),
            ],
            takes("mpi4py"),
        )

    call = "import mpi4py; print(mpi4py.value())"
    return [
        Case(
            ["open-mpi/ompi#2663", "precice/precice#46", "easybuilders/easybuild-easyconfigs#186"],
            "unable to open mca_schizo_ompi: undefined symbol: orte_schizo_base_framework (ignored)",
            [mpi(at_load, False)],
            [Run(call, says="0\n")],
            "WC230",
            "warning",
            [mpi(at_load, True)],
            [Run(call, says="1\n")],
            says="orte_schizo_base_framework",
        ),
        Case(
            ["numpy/numpy#9004", "ContinuumIO/anaconda-issues#720", "alumae/kaldi-gstreamer-server#251"],
            "Intel MKL FATAL ERROR: Cannot load libmkl_avx2.so or libmkl_def.so (undefined symbol in the plugin)",
            [mpi(later, False)],
            [Run(call, says="0\n")],
            "WC230",
            "warning",
            [mpi(later, True)],
            [Run(call, says="1\n")],
            says="orte_schizo_base_framework",
        ),
    ]


def all_cases() -> list[Case]:
    return [*captured_cxx(), destroyed_twice(), linked_twice(), zstd(), captured_tls(), *plugins()]
