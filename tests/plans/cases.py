"""Cases of one idea each, by topic: flags, names of files, versions, symbols, what fails."""

from site_of import BOTH, CALLS_F, F, G, MISSING, UNIQUE, USES_F, Case, Foreign, Hardlink, Library, Link, Tagged, Text

A, B = Library("a/a.so", F), Library("b/b.so", USES_F)
CAPTURED = Library("b/b.so", BOTH)
LATE = Library("b/b.so", CALLS_F)
# a's f in a library that it brings, in a directory of the kind that auditwheel makes.
LIBF = Library("a.libs/libf.so.1", F, soname="libf.so.1")
TREE = [LIBF, Library("a/a.so", USES_F, ["a.libs/libf.so.1"], runpath="$ORIGIN/../a.libs")]
V1, V2 = "V1 { f; };", "V2 { f; };"
PLUGINS = {"a": "a.libs", "b": "b.libs"}


SYMBOLIC, FLAGS_, FLAGS_1, BIND_NOW = 16, 30, 0x6ffffffb, 24  # DT_*
LAZY_PAIR = ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL", "ctypes b/b.so LAZY"]


def tree(wheel, provides, uses=USES_F, soname="libf.so.1", **more):
    """A module and the library of its wheel."""
    library = f"{wheel}.libs/{soname}"
    return [Library(library, provides, soname=soname, **more),
            Library(f"{wheel}/{wheel}.so", uses, [library], runpath=f"$ORIGIN/../{wheel}.libs")]


FLAGS = {
    "local_by_default": Case([A, CAPTURED], ["import a/a.so", "import b/b.so"]),
    "global_captures": Case([A, CAPTURED], ["import a/a.so GLOBAL", "import b/b.so"]),
    "global_after_is_too_late": Case([A, CAPTURED], ["import b/b.so", "import a/a.so GLOBAL", "import b/b.so"]),
    "ctypes_publishes": Case([A, CAPTURED], ["ctypes a/a.so GLOBAL", "import b/b.so"]),
    "promoted_by_ctypes": Case([*TREE, CAPTURED], ["import a/a.so", "ctypes a/a.so GLOBAL", "import b/b.so"]),
    "dependency_promoted_by_name": Case([*TREE, CAPTURED, Library("c/c.so", BOTH)],
                                        ["import a/a.so", "import b/b.so", "ctypes libf.so.1 GLOBAL", "import c/c.so"]),
    "noload_promotes": Case([*TREE, CAPTURED],
                            ["import a/a.so", "dlopen libf.so.1 NOW NOLOAD GLOBAL", "import b/b.so"]),
    "noload_of_nothing": Case([A, B], ["dlopen a/a.so NOW NOLOAD GLOBAL", "ctypes a/a.so NOLOAD", "import a/a.so NOW NOLOAD",
                                       "ctypes libnowhere.so NOLOAD", "import b/b.so"]),
    "local_does_not_demote": Case([A, CAPTURED], ["import a/a.so GLOBAL", "ctypes a/a.so LOCAL", "import b/b.so"]),
    "step_goes_on": Case([A, B, CAPTURED], ["import b/nothing.so; import a/a.so GLOBAL; import b/b.so"]),
    "same_step_twice": Case([A, CAPTURED], ["import b/b.so; import b/b.so; ctypes b/b.so", "import a/a.so GLOBAL"]),
    "program_itself": Case([A, CAPTURED], ["ctypes - GLOBAL", "dlopen - NOW", "import a/a.so", "import b/b.so"]),
    "ctypes_lazy_stays_lazy": Case([A, B], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL"], lazy=True),
    "now_and_lazy_is_lazy": Case([A, LATE], ["import b/b.so NOW LAZY", "dlopen a/a.so NOW GLOBAL", "dlopen b/b.so NOW"],
                                 lazy=True),
    "ctypes_lazy_is_called_late": Case([A, LATE], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL", "ctypes b/b.so NOW"],
                                       lazy=True),
    "lazy_under_bind_now": Case([A, LATE], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL"]),
    "deepbind_import": Case([A, CAPTURED], ["import a/a.so GLOBAL", "import b/b.so NOW DEEPBIND"]),
    "deepbind_global": Case([A, CAPTURED, Library("c/c.so", BOTH)],
                            ["import a/a.so GLOBAL", "ctypes b/b.so DEEPBIND GLOBAL", "ctypes c/c.so DEEPBIND",
                             "ctypes c/c.so"]),
    "deepbind_comes_late": Case([A, CAPTURED], ["import a/a.so GLOBAL", "import b/b.so", "ctypes b/b.so DEEPBIND"]),
    "deepbind_lazy": Case([A, CAPTURED], ["import a/a.so GLOBAL", "ctypes b/b.so DEEPBIND LAZY"], lazy=True),
    "symbolic_published": Case([A, Library("b/b.so", BOTH, options=["-Wl,-Bsymbolic"]), Library("c/c.so", USES_F)],
                               ["import a/a.so GLOBAL", "import b/b.so GLOBAL", "import c/c.so"]),
    "symbolic_by_tag": Case([A, Tagged(CAPTURED, {SYMBOLIC: 0}), Library("c/c.so", USES_F, ["a/a.so"], runpath="$ORIGIN/../a")],
                            ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"]),
    "symbolic_by_flag": Case([A, Tagged(CAPTURED, {FLAGS_: 2})], ["import a/a.so GLOBAL", "import b/b.so"]),
    "symbolic_under_deepbind": Case(
        [A, LIBF, Tagged(Library("b/b.so", BOTH, ["a.libs/libf.so.1"], runpath="$ORIGIN/../a.libs"), {FLAGS_: 2})],
        ["import a/a.so GLOBAL", "ctypes b/b.so DEEPBIND"]),
    "symbolic_without_an_own": Case([A, Tagged(B, {FLAGS_: 2})], ["import a/a.so GLOBAL", "import b/b.so"]),
    "symbolic_dependency": Case([A, Tagged(Library("b.libs/libb.so", BOTH, soname="libb.so"), {SYMBOLIC: 0}),
                                 Library("b/b.so", BOTH, ["b.libs/libb.so"], runpath="$ORIGIN/../b.libs")],
                                ["import a/a.so GLOBAL", "import b/b.so"]),
    "now_by_tag": Case([A, Tagged(LATE, {BIND_NOW: 0})], LAZY_PAIR, lazy=True),
    "now_by_flag": Case([A, Tagged(LATE, {FLAGS_: 8})], LAZY_PAIR, lazy=True),
    "now_by_second_flags": Case([A, Tagged(LATE, {FLAGS_1: 1})], LAZY_PAIR, lazy=True),
    "now_in_a_dependency": Case([A, Tagged(Library("b.libs/libb.so", CALLS_F + F, soname="libb.so"), {BIND_NOW: 0}),
                                 Library("b/b.so", CALLS_F, ["b.libs/libb.so"], runpath="$ORIGIN/../b.libs")],
                                LAZY_PAIR, lazy=True),
    "lazy_symbolic": Case([A, Tagged(Library("b/b.so", F + CALLS_F), {FLAGS_: 2})], LAZY_PAIR, lazy=True),
    "nodelete_and_failure": Case([Library("a/a.so", F + MISSING, options=["-Wl,-z,nodelete"]), CAPTURED],
                                 ["ctypes a/a.so GLOBAL NODELETE", "import b/b.so"]),
}

NAMES = {
    "same_soname": Case([*tree("a", F), *tree("b", F + G)], ["import a/a.so", "import b/b.so"]),
    "same_soname_lacks": Case([*tree("a", G, ""), *tree("b", F)], ["import a/a.so", "import b/b.so", "ctypes b/b.so"]),
    "same_soname_deepbind": Case([*tree("a", F), *tree("b", F)], ["import a/a.so", "import b/b.so NOW DEEPBIND"]),
    "path_beats_soname": Case([*tree("a", F), *tree("b", F), Library("c/c.so", USES_F, ["libf.so.1"])],
                              ["import a/a.so", "ctypes b.libs/libf.so.1 GLOBAL", "import b/b.so", "import c/c.so"]),
    "second_of_a_soname_is_never_needed": Case(
        [*tree("a", F), *tree("b", F), Library("c/c.so", BOTH)],
        ["ctypes b.libs/libf.so.1", "ctypes a.libs/libf.so.1", "import a/a.so GLOBAL", "import c/c.so"]),
    "hashed_sonames": Case([*tree("a", F, soname="libf-1a2b.so.1"), *tree("b", F, soname="libf-3c4d.so.1")],
                           ["import a/a.so GLOBAL", "import b/b.so"]),
    "soname_of_a_module": Case([Library("a/x.so", F, soname="libf.so.1"), B, Library("c/c.so", USES_F, ["libf.so.1"])],
                               ["import a/x.so", "import c/c.so"]),
    "bare_name_of_ctypes": Case([*TREE, B], ["ctypes libf.so.1", "import a/a.so", "ctypes libf.so.1 GLOBAL", "import b/b.so"]),
    "name_of_a_dependency_without_soname": Case(
        [Library("a.libs/libn.so", F), Library("a/a.so", USES_F, ["a.libs/libn.so"], runpath="$ORIGIN/../a.libs"),
         Library("b/b.so", USES_F, ["libn.so"])], ["ctypes a.libs/libn.so", "import b/b.so", "import a/a.so", "import b/b.so"]),
    "link": Case([*TREE, Link("c/libg.so", "../a.libs/libf.so.1"), Library("b/b.so", USES_F, ["libg.so"], runpath="$ORIGIN/../c")],
                 ["import b/b.so", "import a/a.so"]),
    "hard_link": Case([*TREE, Hardlink("c/libg.so", "a.libs/libf.so.1"),
                       Library("b/b.so", USES_F, ["libg.so"], runpath="$ORIGIN/../c")], ["import a/a.so", "import b/b.so"]),
    "dots_in_paths": Case([*TREE, CAPTURED], ["ctypes b/../a/./a.so GLOBAL", "import a/a.so", "import b/b.so"]),
    "rpath_of_the_chain": Case([LIBF, Library("m/libm1.so", USES_F, ["a.libs/libf.so.1"], soname="libm1.so"),
                                Library("b/b.so", "", ["m/libm1.so"], rpath="$ORIGIN/../m:$ORIGIN/../a.libs")],
                               ["import b/b.so"]),
    "runpath_hides_rpath_of_the_chain": Case(
        [LIBF, Library("m/libm1.so", USES_F, ["a.libs/libf.so.1"], soname="libm1.so", runpath="/nowhere"),
         Library("b/b.so", "", ["m/libm1.so"], rpath="$ORIGIN/../m:$ORIGIN/../a.libs")], ["import b/b.so"]),
    "works_after_another": Case([*TREE, Library("b/b.so", USES_F, ["libf.so.1"])],
                                ["import b/b.so", "import a/a.so", "import b/b.so"]),
    "library_path": Case([*tree("a", F), Library("env/libf.so.1", F, soname="libf.so.1"),
                          Library("b/b.so", USES_F, ["a.libs/libf.so.1"], rpath="$ORIGIN/../a.libs")],
                         ["import a/a.so", "import b/b.so"], {"LD_LIBRARY_PATH": "/nowhere:{site}/env;{site}/a.libs"}),
    "library_path_and_rpath": Case([*tree("a", F), Library("env/libf.so.1", F, soname="libf.so.1"),
                                    Library("b/b.so", USES_F, ["a.libs/libf.so.1"], rpath="$ORIGIN/../a.libs")],
                                   ["import b/b.so", "import a/a.so"], {"LD_LIBRARY_PATH": "{site}/env"}),
    "needed_path": Case([LIBF, Library("b/b.so", USES_F, ["$ORIGIN/../a.libs/libf.so.1"]), TREE[1]],
                        ["import b/b.so", "import a/a.so"]),
    "origin_in_braces": Case([LIBF, Library("b/b.so", USES_F, ["a.libs/libf.so.1"], runpath="${ORIGIN}/../a.libs")],
                             ["import b/b.so"]),
    "preload": Case([A, CAPTURED, *tree("c", F, BOTH)], ["import b/b.so", "import c/c.so NOW DEEPBIND"],
                    {"LD_PRELOAD": "{site}/a/a.so"}),
    "preload_by_name": Case([LIBF, CAPTURED], ["import b/b.so"],
                            {"LD_PRELOAD": "libf.so.1 libnowhere.so", "LD_LIBRARY_PATH": "{site}/a.libs"}),
    "preload_two": Case([A, Library("c/c.so", F + G), Library("b/b.so", BOTH + "int g(void); int (*at_g)(void) = g;")],
                        ["ctypes c/c.so GLOBAL", "import b/b.so"], {"LD_PRELOAD": "{site}/a/a.so:{site}/c/c.so"}),
    "text_in_the_way": Case([Text("t/libf.so.1", "INPUT(libf.so.2)\n" * 9), LIBF,
                             Library("b/b.so", USES_F, ["a.libs/libf.so.1"], runpath="$ORIGIN/../t:$ORIGIN/../a.libs")],
                            ["import b/b.so", "ctypes t/libf.so.1"]),
    "short_text": Case([Text("t/libf.so.1", "libf.so.2"), A], ["ctypes t/libf.so.1", "import a/a.so"]),
    "other_class_is_skipped": Case(
        [Foreign("t/libf.so.1", {4: 1}), LIBF, Library("b/b.so", USES_F, ["a.libs/libf.so.1"],
                                                       runpath="$ORIGIN/../t:$ORIGIN/../a.libs"),
         Library("c/c.so", USES_F, ["libf.so.1"], runpath="$ORIGIN/../t")],
        ["ctypes t/libf.so.1", "import c/c.so", "import b/b.so"]),
    "other_machine_is_skipped": Case(
        [Foreign("t/libf.so.1", {18: 8}), LIBF, Library("b/b.so", USES_F, ["a.libs/libf.so.1"],
                                                        runpath="$ORIGIN/../t:$ORIGIN/../a.libs")],
        ["ctypes t/libf.so.1", "import b/b.so"]),
}

TWO_VERSIONS = ('int old_f(void) { return 1; } int new_f(void) { return 2; }\n'
                'asm(".symver old_f, f@V1"); asm(".symver new_f, f@@V2");\n')
TWO_NODES = "V1 { local: old_f; new_f; }; V2 { } V1;"


def versioned(wheel, script, provides=F, **more):
    return tree(wheel, provides, script=script, **more)


VERSIONS = {
    "version_is_missing": Case([*versioned("a", V1), *versioned("b", V2)], ["import a/a.so", "import b/b.so"]),
    "version_is_there": Case([*versioned("a", "V1 { f; }; V2 { g; } V1;", F + G), *versioned("b", V1)],
                             ["import a/a.so", "import b/b.so"]),
    "version_of_another_file": Case([Library("a/a.so", F, script=V1), *versioned("b", V1)],
                                    ["import a/a.so GLOBAL", "import b/b.so"]),
    "version_differs": Case([Library("a/a.so", F, script=V2), *versioned("b", V1)], ["import a/a.so GLOBAL", "import b/b.so"]),
    "no_version_captures": Case([A, *versioned("b", V1)], ["import a/a.so GLOBAL", "import b/b.so"]),
    "base_version_captures": Case([Library("a/a.so", F + G, script="V9 { g; };"), *versioned("b", V1)],
                                  ["import a/a.so GLOBAL", "import b/b.so"]),
    "library_lost_its_versions": Case([*versioned("b", V1), *tree("a", F)], ["import a/a.so", "import b/b.so"]),
    "lost_versions_behind_a_capture": Case([Library("c/c.so", F), *versioned("b", V1), *tree("a", F)],
                                           ["import c/c.so GLOBAL", "import a/a.so", "import b/b.so"]),
    "oldest_node": Case([*versioned("a", TWO_NODES, TWO_VERSIONS), B, *versioned("c", V1)],
                        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"]),
    "weak_need": Case([*versioned("a", V1), *versioned("b", "V1 { f; }; V7 { g; } V1;", F + G,
                                                       uses="int f(void); int (*at_f)(void) = f; "
                                                            "__attribute__((weak)) int g(void); int (*at_g)(void) = g;")],
                      ["import a/a.so", "import b/b.so"]),
    "own_version_is_captured": Case([Library("a/a.so", F, script=V1), Library("b/b.so", BOTH, script="V1 { f; run_calls; at_f; };"),
                                     Library("c/c.so", BOTH, script="V2 { f; run_calls; at_f; };")],
                                    ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"]),
    "platform_versions": Case([Library("a/a.so", "void* memcpy(void*, const void*, unsigned long); void* at = memcpy;",
                                       options=["-lc"]),
                               Library("b/b.so", "void* memcpy(void*, const void*, unsigned long) { return 0; } void* at = memcpy;")],
                              ["import b/b.so GLOBAL", "import a/a.so", "import b/b.so"], platform=True),
}

WEAK_F = "__attribute__((weak)) " + F
PROTECTED = ('__attribute__((visibility("protected"))) int f(void) { return 2; }\n'
             '__attribute__((visibility("protected"))) int v = 2; int* at_v = &v; int (*at_f)(void) = f;\n')
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

SYMBOLS = {
    "unique_though_local": Case([Library("a/a.so", UNIQUE), Library("b/b.so", UNIQUE)], ["import a/a.so", "import b/b.so"]),
    "unique_and_deepbind": Case([Library("a/a.so", UNIQUE), Library("b/b.so", UNIQUE, options=["-Wl,-Bsymbolic"])],
                                ["ctypes a/a.so", "ctypes b/b.so DEEPBIND"]),
    "unique_not_looked_up": Case([Library("a/a.so", UNIQUE_ONLY), Library("b/b.so", UNIQUE), Library("c/c.so", UNIQUE)],
                                 ["import a/a.so GLOBAL", "import c/c.so", "import b/b.so"]),
    "unique_behind_a_plain_one": Case([Library("a/a.so", "int u;"), Library("b/b.so", UNIQUE), Library("c/c.so", UNIQUE)],
                                      ["import b/b.so", "import a/a.so GLOBAL", "import c/c.so"]),
    "unique_of_a_failed_open": Case([Library("a/a.so", UNIQUE + MISSING), Library("b/b.so", UNIQUE), Library("c/c.so", UNIQUE)],
                                    ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"]),
    "unique_by_templates": Case([Library("a/a.so", TEMPLATE, **CXX), Library("b/b.so", TEMPLATE, **CXX)],
                                ["import a/a.so", "import b/b.so"]),
    "vtables_of_two_layouts": Case(
        [Library("a/a.so", VTABLE.replace("EXTRA", "").replace("MORE", ""), **CXX),
         Library("b/b.so", VTABLE.replace("EXTRA", "virtual int three();").replace("MORE", "int S::three() { return 3; }"), **CXX)],
        ["import a/a.so GLOBAL", "import b/b.so"]),
    "weak_counts": Case([Library("a/a.so", WEAK_F), CAPTURED], ["import a/a.so GLOBAL", "import b/b.so"]),
    "weak_does_not_count": Case([Library("a/a.so", WEAK_F), CAPTURED, Library("c/c.so", WEAK_F + USES_F)],
                                ["import a/a.so GLOBAL", "import c/c.so", "import b/b.so"], {"LD_DYNAMIC_WEAK": "1"}),
    "weak_reference": Case([Library("b/b.so", "__attribute__((weak)) " + USES_F), A, Library("c/c.so", "__attribute__((weak)) " + USES_F)],
                           ["import b/b.so", "import a/a.so GLOBAL", "import c/c.so"]),
    "protected": Case([Library("a/a.so", F + "int v;"), Library("b/b.so", PROTECTED), Library("c/c.so", USES_F)],
                      ["import a/a.so GLOBAL", "import b/b.so GLOBAL", "import c/c.so"]),
    "protected_first": Case([Library("b/b.so", PROTECTED), Library("c/c.so", BOTH)], ["import b/b.so GLOBAL", "import c/c.so"]),
    "hidden_and_symbolic": Case(
        [A, Library("b/b.so", BOTH, options=["-fvisibility=hidden"]), Library("c/c.so", BOTH, options=["-Wl,-Bsymbolic-functions"]),
         Library("d/d.so", BOTH, script="{ global: at_f; local: *; };")],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so", "import d/d.so"]),
    "thread_local": Case([Library("a/a.so", "__thread int t = 1;"), Library("b/b.so", "__thread int t = 2;" + TLS, options=["-lc"]),
                          Library("c/c.so", TLS, options=["-lc", "-ftls-model=initial-exec"]),
                          Library("d/d.so", TLS, options=["-lc", "-mtls-dialect=gnu2"])],
                         ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so", "import d/d.so"]),
    "function_against_data": Case([Library("a/a.so", "char f[64] = {1};"), Library("b/b.so", "int f(void); int (*at_f)(void) = f;")],
                                  ["import a/a.so GLOBAL", "import b/b.so"]),
    "ifunc": Case([Library("a/a.so", "static int body(void) { return 1; } static void* pick(void) { return body; }\n"
                                     'int f(void) __attribute__((ifunc("pick")));\n'), CAPTURED],
                  ["import a/a.so GLOBAL", "import b/b.so"]),
    "no_section_headers": Case([A, Foreign("b/b.so", {place: 0 for place in (*range(40, 48), *range(60, 64))}, BOTH)], ["import a/a.so GLOBAL", "import b/b.so"]),
    "old_hash": Case([Library("a/a.so", F, options=["-Wl,--hash-style=sysv"]), Library("b/b.so", BOTH, options=["-Wl,--hash-style=sysv"])],
                     ["import a/a.so GLOBAL", "import b/b.so"]),
    "packed_relocations": Case([A, Library("b/b.so", BOTH + "static int x; int* many[] = {&x, &x, &x};",
                                           options=["-lc", "-Wl,-z,pack-relative-relocs"])],
                               ["import a/a.so GLOBAL", "import b/b.so"]),
    "filter": Case([LIBF, Library("c/libw.so", F, soname="libw.so", runpath="$ORIGIN/../a.libs", options=["-Wl,--auxiliary=libf.so.1"]),
                    Library("b/b.so", USES_F, ["c/libw.so"], runpath="$ORIGIN/../c")],
                   ["import b/b.so", "ctypes b/b.so GLOBAL"]),
    "interpreters_name": Case([Library("a/a.so", "int PyLong_FromLong(void) { return 1; } int (*at)(void) = PyLong_FromLong;"),
                               Library("b/b.so", "int PyLong_FromLong(void); int (*at)(void) = PyLong_FromLong;")],
                              ["import a/a.so GLOBAL", "import b/b.so", "ctypes a/a.so DEEPBIND"], platform=True),
    "libcs_name": Case([Library("a/a.so", "int malloc(void) { return 1; } int (*at)(void) = malloc;"),
                        Library("b/b.so", "int malloc(void); int (*at)(void) = malloc;", options=["-lc"])],
                       ["import a/a.so GLOBAL", "import b/b.so", "ctypes a/a.so"], platform=True),
}

FAILURES = {
    "no_such_file": Case([A], ["import a/none.so", "ctypes a/none.so", "dlopen a/none.so NOW", "ctypes libnone.so.7",
                               "import a/a.so"]),
    "dependency_is_missing": Case([Library("a/a.so", F, ["libnone.so.7"]), Library("b/b.so", "", ["c.libs/libx.so"]),
                                   *tree("c", "", soname="libx.so")], ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"]),
    "undefined": Case([B, A], ["import b/b.so; import a/a.so GLOBAL", "import b/b.so"]),
    "undefined_version": Case([*versioned("b", "V1 { f; }; V2 { g; } V1;", F + G, uses="int g(void); int (*at_g)(void) = g;"),
                               Library("b.libs/libf.so.1", F + G, soname="libf.so.1", script="V1 { f; }; V2 { h; } V1;",
                                       options=["-Wl,--defsym=h=f"])], ["import b/b.so"]),
    "undefined_in_a_dependency": Case([*tree("a", F + MISSING), *tree("b", F)], ["import a/a.so GLOBAL", "import b/b.so"]),
    "rolled_back": Case([*tree("a", F, USES_F + MISSING), Library("b/b.so", USES_F, ["libf.so.1"]), CAPTURED],
                        ["import a/a.so GLOBAL", "import b/b.so"]),
    "kept_by_another": Case([*tree("a", F), Library("c/c.so", MISSING, ["a.libs/libf.so.1"]), Library("b/b.so", BOTH)],
                            ["import a/a.so", "ctypes c/c.so GLOBAL", "ctypes libf.so.1 GLOBAL", "import b/b.so"]),
    "underlinked_dependency": Case([Library("s/libs.so", USES_F, soname="libs.so"),
                                    Library("a/a.so", "", ["s/libs.so"], runpath="$ORIGIN/../s"),
                                    Library("b/b.so", F, ["s/libs.so"], runpath="$ORIGIN/../s")],
                                   ["import a/a.so", "import b/b.so", "import a/a.so"]),
    "root_of_the_chain": Case([Library("s/libs.so", USES_F, soname="libs.so"),
                               Library("s/libm1.so", "", ["s/libs.so"], soname="libm1.so"),
                               Library("b/b.so", F, ["s/libm1.so"], rpath="$ORIGIN/../s"),
                               Library("c/c.so", F, ["s/libs.so"], rpath="$ORIGIN/../s")],
                              ["import b/b.so", "import c/c.so"]),
    "first_user_decides": Case([Library("s/libs.so", USES_F, soname="libs.so"),
                                Library("a/a.so", F, ["s/libs.so"], runpath="$ORIGIN/../s"),
                                Library("b/b.so", F, ["s/libs.so"], runpath="$ORIGIN/../s"), Library("c/c.so", F)],
                               ["import b/b.so", "ctypes c/c.so GLOBAL", "import a/a.so"]),
    "program_is_no_library": Case([Foreign("a/program.so", {16: 2}), A], ["ctypes a/program.so", "import a/a.so"]),
    "not_for_dlopen": Case([Library("a/a.so", F, options=["-Wl,-z,nodlopen"]), B], ["ctypes a/a.so GLOBAL", "import b/b.so"]),
    "preloaded_file_fails": Case([Library("p/p.so", F, ["libnone.so.7"]), B], ["import b/b.so"],
                                 {"LD_PRELOAD": "{site}/p/p.so"}),
}

TOPICS = {"flags": FLAGS, "names": NAMES, "versions": VERSIONS, "symbols": SYMBOLS, "failures": FAILURES}
