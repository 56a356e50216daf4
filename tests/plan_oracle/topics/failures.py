"""Failed opens: their error messages, and what is undone."""

from pieces import CAPTURED, V1, A, B, tree, versioned
from site_of import BOTH, MISSING, USES_F, Case, F, Foreign, G, Library

CASES = {
    "no_such_file": Case(
        [A], ["import a/none.so", "ctypes a/none.so", "dlopen a/none.so NOW", "ctypes libnone.so.7", "import a/a.so"]
    ),
    "dependency_is_missing": Case(
        [
            Library("a/a.so", F, ["libnone.so.7"]),
            Library("b/b.so", "", ["c.libs/libx.so"]),
            *tree("c", "", soname="libx.so"),
        ],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"],
    ),
    "undefined": Case([B, A], ["import b/b.so; import a/a.so GLOBAL", "import b/b.so"]),
    "undefined_version": Case(
        [
            *versioned("b", "V1 { f; }; V2 { g; } V1;", F + G, uses="int g(void); int (*at_g)(void) = g;"),
            Library(
                "b.libs/libf.so.1",
                F + G,
                soname="libf.so.1",
                script="V1 { f; }; V2 { h; } V1;",
                options=["-Wl,--defsym=h=f"],
            ),
        ],
        ["import b/b.so"],
    ),
    "undefined_in_a_dependency": Case(
        [*tree("a", F + MISSING), *tree("b", F)], ["import a/a.so GLOBAL", "import b/b.so"]
    ),
    "rolled_back": Case(
        [*tree("a", F, USES_F + MISSING), Library("b/b.so", USES_F, ["libf.so.1"]), CAPTURED],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "kept_by_another": Case(
        [*tree("a", F), Library("c/c.so", MISSING, ["a.libs/libf.so.1"]), Library("b/b.so", BOTH)],
        ["import a/a.so", "ctypes c/c.so GLOBAL", "ctypes libf.so.1 GLOBAL", "import b/b.so"],
    ),
    "underlinked_dependency": Case(
        [
            Library("s/libs.so", USES_F, soname="libs.so"),
            Library("a/a.so", "", ["s/libs.so"], runpath="$ORIGIN/../s"),
            Library("b/b.so", F, ["s/libs.so"], runpath="$ORIGIN/../s"),
        ],
        ["import a/a.so", "import b/b.so", "import a/a.so"],
    ),
    "root_of_the_chain": Case(
        [
            Library("s/libs.so", USES_F, soname="libs.so"),
            Library("s/libm1.so", "", ["s/libs.so"], soname="libm1.so"),
            Library("b/b.so", F, ["s/libm1.so"], rpath="$ORIGIN/../s"),
            Library("c/c.so", F, ["s/libs.so"], rpath="$ORIGIN/../s"),
        ],
        ["import b/b.so", "import c/c.so"],
    ),
    "first_user_decides": Case(
        [
            Library("s/libs.so", USES_F, soname="libs.so"),
            Library("a/a.so", F, ["s/libs.so"], runpath="$ORIGIN/../s"),
            Library("b/b.so", F, ["s/libs.so"], runpath="$ORIGIN/../s"),
            Library("c/c.so", F),
        ],
        ["import b/b.so", "ctypes c/c.so GLOBAL", "import a/a.so"],
    ),
    "program_is_no_library": Case([Foreign("a/program.so", {16: 2}), A], ["ctypes a/program.so", "import a/a.so"]),
    "not_for_dlopen": Case(
        [Library("a/a.so", F, options=["-Wl,-z,nodlopen"]), B], ["ctypes a/a.so GLOBAL", "import b/b.so"]
    ),
    "preloaded_file_lacks_a_symbol": Case(
        [Library("p/p.so", USES_F), A], ["import a/a.so"], {"LD_PRELOAD": "{site}/p/p.so"}
    ),
    "preloaded_file_lacks_a_version": Case(
        [*versioned("b", V1), *versioned("a", "V2 { f; };")],
        ["import a/a.so"],
        {"LD_PRELOAD": "{site}/b/b.so", "LD_LIBRARY_PATH": "{site}/a.libs"},
    ),
    "preloaded_file_fails": Case(
        [Library("p/p.so", F, ["libnone.so.7"]), B], ["import b/b.so"], {"LD_PRELOAD": "{site}/p/p.so"}
    ),
}
