"""Kinds of symbols (UNIQUE, weak, protected, hidden, thread-local) and their bindings."""

from pieces import CAPTURED, LIBF, A
from site_of import BOTH, MISSING, UNIQUE, USES_F, Case, F, Foreign, Library

WEAK_F = "__attribute__((weak)) " + F
PROTECTED = (
    '__attribute__((visibility("protected"))) int f(void) { return 2; }\n'
    '__attribute__((visibility("protected"))) int v = 2; int* at_v = &v; int (*at_f)(void) = f;\n'
)
UNIQUE_ONLY = UNIQUE.partition("\n")[0]
VTABLE = """
struct S { virtual int one(); EXTRA virtual int two(); };
int S::one() { return 1; } int S::two() { return 2; } MORE
extern "C" void* run_make() { static S s; return &s; }
"""
TEMPLATE = """
template <class T> struct Counter { static T value; };
template <class T> T Counter<T>::value;
inline int* number() { static int n; return &n; }
extern "C" void* at_value() { return &Counter<int>::value; }
extern "C" void* at_number() { return number(); }
"""
CXX = {"language": "c++", "options": ["-fno-exceptions", "-fno-threadsafe-statics", "-fno-rtti"]}
TLS = "extern __thread int t; int* where(void) { return &t; }"

CASES = {
    "unique_though_local": Case(
        [Library("a/a.so", UNIQUE), Library("b/b.so", UNIQUE)], ["import a/a.so", "import b/b.so"]
    ),
    "unique_and_deepbind": Case(
        [Library("a/a.so", UNIQUE), Library("b/b.so", UNIQUE, options=["-Wl,-Bsymbolic"])],
        ["ctypes a/a.so", "ctypes b/b.so DEEPBIND"],
    ),
    "unique_not_looked_up": Case(
        [Library("a/a.so", UNIQUE_ONLY), Library("b/b.so", UNIQUE), Library("c/c.so", UNIQUE)],
        ["import a/a.so GLOBAL", "import c/c.so", "import b/b.so"],
    ),
    "unique_behind_a_plain_one": Case(
        [Library("a/a.so", "int u;"), Library("b/b.so", UNIQUE), Library("c/c.so", UNIQUE)],
        ["import b/b.so", "import a/a.so GLOBAL", "import c/c.so"],
    ),
    "unique_of_a_failed_open": Case(
        [Library("a/a.so", UNIQUE + MISSING), Library("b/b.so", UNIQUE), Library("c/c.so", UNIQUE)],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"],
    ),
    "unique_by_templates": Case(
        [Library("a/a.so", TEMPLATE, **CXX), Library("b/b.so", TEMPLATE, **CXX)], ["import a/a.so", "import b/b.so"]
    ),
    "vtables_of_two_layouts": Case(
        [
            Library("a/a.so", VTABLE.replace("EXTRA", "").replace("MORE", ""), **CXX),
            Library(
                "b/b.so",
                VTABLE.replace("EXTRA", "virtual int three();").replace("MORE", "int S::three() { return 3; }"),
                **CXX,
            ),
        ],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "weak_counts": Case([Library("a/a.so", WEAK_F), CAPTURED], ["import a/a.so GLOBAL", "import b/b.so"]),
    "weak_does_not_count": Case(
        [Library("a/a.so", WEAK_F), CAPTURED, Library("c/c.so", WEAK_F + USES_F)],
        ["import a/a.so GLOBAL", "import c/c.so", "import b/b.so"],
        {"LD_DYNAMIC_WEAK": "1"},
    ),
    "weak_reference": Case(
        [Library("b/b.so", "__attribute__((weak)) " + USES_F), A, Library("c/c.so", "__attribute__((weak)) " + USES_F)],
        ["import b/b.so", "import a/a.so GLOBAL", "import c/c.so"],
    ),
    "protected": Case(
        [Library("a/a.so", F + "int v;"), Library("b/b.so", PROTECTED), Library("c/c.so", USES_F)],
        ["import a/a.so GLOBAL", "import b/b.so GLOBAL", "import c/c.so"],
    ),
    "protected_first": Case(
        [Library("b/b.so", PROTECTED), Library("c/c.so", BOTH)], ["import b/b.so GLOBAL", "import c/c.so"]
    ),
    "hidden_and_symbolic": Case(
        [
            A,
            Library("b/b.so", BOTH, options=["-fvisibility=hidden"]),
            Library("c/c.so", BOTH, options=["-Wl,-Bsymbolic-functions"]),
            Library("d/d.so", BOTH, script="{ global: at_f; local: *; };"),
        ],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so", "import d/d.so"],
    ),
    "thread_local": Case(
        [
            Library("a/a.so", "__thread int t = 1;"),
            Library("b/b.so", "__thread int t = 2;" + TLS, options=["-lc"]),
            Library("c/c.so", TLS, options=["-lc", "-ftls-model=initial-exec"]),
            Library("d/d.so", TLS, options=["-lc", "-mtls-dialect=gnu2"]),
        ],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so", "import d/d.so"],
    ),
    "function_against_data": Case(
        [Library("a/a.so", "char f[64] = {1};"), Library("b/b.so", "int f(void); int (*at_f)(void) = f;")],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "ifunc": Case(
        [
            Library(
                "a/a.so",
                "static int body(void) { return 1; } static void* pick(void) { return body; }\n"
                'int f(void) __attribute__((ifunc("pick")));\n',
            ),
            CAPTURED,
        ],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "no_section_headers": Case(
        [A, Foreign("b/b.so", {place: 0 for place in (*range(40, 48), *range(60, 64))}, BOTH)],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "old_hash": Case(
        [
            Library("a/a.so", F, options=["-Wl,--hash-style=sysv"]),
            Library("b/b.so", BOTH, options=["-Wl,--hash-style=sysv"]),
        ],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "packed_relocations": Case(
        [
            A,
            Library(
                "b/b.so",
                BOTH + "static int x; int* many[] = {&x, &x, &x};",
                options=["-lc", "-Wl,-z,pack-relative-relocs"],
            ),
        ],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "filter": Case(
        [
            LIBF,
            Library(
                "c/libw.so", F, soname="libw.so", runpath="$ORIGIN/../a.libs", options=["-Wl,--auxiliary=libf.so.1"]
            ),
            Library("b/b.so", USES_F, ["c/libw.so"], runpath="$ORIGIN/../c"),
        ],
        ["import b/b.so", "ctypes b/b.so GLOBAL"],
    ),
    "interpreters_name": Case(
        [
            Library("a/a.so", "int PyLong_FromLong(void) { return 1; } int (*at)(void) = PyLong_FromLong;"),
            Library("b/b.so", "int PyLong_FromLong(void); int (*at)(void) = PyLong_FromLong;"),
        ],
        ["import a/a.so GLOBAL", "import b/b.so", "ctypes a/a.so DEEPBIND"],
        platform=True,
    ),
    "libcs_name": Case(
        [
            Library("a/a.so", "int malloc(void) { return 1; } int (*at)(void) = malloc;"),
            Library("b/b.so", "int malloc(void); int (*at)(void) = malloc;", options=["-lc"]),
        ],
        ["import a/a.so GLOBAL", "import b/b.so", "ctypes a/a.so"],
        platform=True,
    ),
}
