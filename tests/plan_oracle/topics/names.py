"""Which file is opened for a name."""

from pieces import CAPTURED, LIBF, TREE, A, B, tree
from site_of import BOTH, USES_F, Case, F, Foreign, G, Hardlink, Library, Link, Text

CASES = {
    "same_soname": Case([*tree("a", F), *tree("b", F + G)], ["import a/a.so", "import b/b.so"]),
    "same_soname_lacks": Case([*tree("a", G, ""), *tree("b", F)], ["import a/a.so", "import b/b.so", "ctypes b/b.so"]),
    "same_soname_deepbind": Case([*tree("a", F), *tree("b", F)], ["import a/a.so", "import b/b.so NOW DEEPBIND"]),
    "path_beats_soname": Case(
        [*tree("a", F), *tree("b", F), Library("c/c.so", USES_F, ["libf.so.1"])],
        ["import a/a.so", "ctypes b.libs/libf.so.1 GLOBAL", "import b/b.so", "import c/c.so"],
    ),
    "second_of_a_soname_is_never_needed": Case(
        [*tree("a", F), *tree("b", F), Library("c/c.so", BOTH)],
        ["ctypes b.libs/libf.so.1", "ctypes a.libs/libf.so.1", "import a/a.so GLOBAL", "import c/c.so"],
    ),
    "hashed_sonames": Case(
        [*tree("a", F, soname="libf-1a2b.so.1"), *tree("b", F, soname="libf-3c4d.so.1")],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "soname_of_a_module": Case(
        [Library("a/x.so", F, soname="libf.so.1"), B, Library("c/c.so", USES_F, ["libf.so.1"])],
        ["import a/x.so", "import c/c.so"],
    ),
    "bare_name_of_ctypes": Case(
        [*TREE, B], ["ctypes libf.so.1", "import a/a.so", "ctypes libf.so.1 GLOBAL", "import b/b.so"]
    ),
    "name_of_a_dependency_without_soname": Case(
        [
            Library("a.libs/libn.so", F),
            Library("a/a.so", USES_F, ["a.libs/libn.so"], runpath="$ORIGIN/../a.libs"),
            Library("b/b.so", USES_F, ["libn.so"]),
        ],
        ["ctypes a.libs/libn.so", "import b/b.so", "import a/a.so", "import b/b.so"],
    ),
    "link": Case(
        [
            *TREE,
            Link("c/libg.so", "../a.libs/libf.so.1"),
            Library("b/b.so", USES_F, ["libg.so"], runpath="$ORIGIN/../c"),
        ],
        ["import b/b.so", "import a/a.so"],
    ),
    "hard_link": Case(
        [
            *TREE,
            Hardlink("c/libg.so", "a.libs/libf.so.1"),
            Library("b/b.so", USES_F, ["libg.so"], runpath="$ORIGIN/../c"),
        ],
        ["import a/a.so", "import b/b.so"],
    ),
    "dots_in_paths": Case([*TREE, CAPTURED], ["ctypes b/../a/./a.so GLOBAL", "import a/a.so", "import b/b.so"]),
    "rpath_of_the_chain": Case(
        [
            LIBF,
            Library("m/libm1.so", USES_F, ["a.libs/libf.so.1"], soname="libm1.so"),
            Library("b/b.so", "", ["m/libm1.so"], rpath="$ORIGIN/../m:$ORIGIN/../a.libs"),
        ],
        ["import b/b.so"],
    ),
    "runpath_hides_rpath_of_the_chain": Case(
        [
            LIBF,
            Library("m/libm1.so", USES_F, ["a.libs/libf.so.1"], soname="libm1.so", runpath="/nowhere"),
            Library("b/b.so", "", ["m/libm1.so"], rpath="$ORIGIN/../m:$ORIGIN/../a.libs"),
        ],
        ["import b/b.so"],
    ),
    "works_after_another": Case(
        [*TREE, Library("b/b.so", USES_F, ["libf.so.1"])], ["import b/b.so", "import a/a.so", "import b/b.so"]
    ),
    "library_path": Case(
        [
            *tree("a", F),
            Library("env/libf.so.1", F, soname="libf.so.1"),
            Library("b/b.so", USES_F, ["a.libs/libf.so.1"], rpath="$ORIGIN/../a.libs"),
        ],
        ["import a/a.so", "import b/b.so"],
        {"LD_LIBRARY_PATH": "/nowhere:{site}/env;{site}/a.libs"},
    ),
    "library_path_and_rpath": Case(
        [
            *tree("a", F),
            Library("env/libf.so.1", F, soname="libf.so.1"),
            Library("b/b.so", USES_F, ["a.libs/libf.so.1"], rpath="$ORIGIN/../a.libs"),
        ],
        ["import b/b.so", "import a/a.so"],
        {"LD_LIBRARY_PATH": "{site}/env"},
    ),
    "needed_path": Case(
        [LIBF, Library("b/b.so", USES_F, ["$ORIGIN/../a.libs/libf.so.1"]), TREE[1]], ["import b/b.so", "import a/a.so"]
    ),
    "origin_in_braces": Case(
        [LIBF, Library("b/b.so", USES_F, ["a.libs/libf.so.1"], runpath="${ORIGIN}/../a.libs")], ["import b/b.so"]
    ),
    "preload": Case(
        [A, CAPTURED, *tree("c", F, BOTH)],
        ["import b/b.so", "import c/c.so NOW DEEPBIND"],
        {"LD_PRELOAD": "{site}/a/a.so"},
    ),
    "preload_by_name": Case(
        [LIBF, CAPTURED],
        ["import b/b.so"],
        {"LD_PRELOAD": "libf.so.1 libnowhere.so", "LD_LIBRARY_PATH": "{site}/a.libs"},
    ),
    "preload_two": Case(
        [A, Library("c/c.so", F + G), Library("b/b.so", BOTH + "int g(void); int (*at_g)(void) = g;")],
        ["ctypes c/c.so GLOBAL", "import b/b.so"],
        {"LD_PRELOAD": "{site}/a/a.so:{site}/c/c.so"},
    ),
    "text_in_the_way": Case(
        [
            Text("t/libf.so.1", "INPUT(libf.so.2)\n" * 9),
            LIBF,
            Library("b/b.so", USES_F, ["a.libs/libf.so.1"], runpath="$ORIGIN/../t:$ORIGIN/../a.libs"),
        ],
        ["import b/b.so", "ctypes t/libf.so.1"],
    ),
    "short_text": Case([Text("t/libf.so.1", "libf.so.2"), A], ["ctypes t/libf.so.1", "import a/a.so"]),
    "other_class_is_skipped": Case(
        [
            Foreign("t/libf.so.1", {4: 1}),
            LIBF,
            Library("b/b.so", USES_F, ["a.libs/libf.so.1"], runpath="$ORIGIN/../t:$ORIGIN/../a.libs"),
            Library("c/c.so", USES_F, ["libf.so.1"], runpath="$ORIGIN/../t"),
        ],
        ["ctypes t/libf.so.1", "import c/c.so", "import b/b.so"],
    ),
    "other_machine_is_skipped": Case(
        [
            Foreign("t/libf.so.1", {18: 8}),
            LIBF,
            Library("b/b.so", USES_F, ["a.libs/libf.so.1"], runpath="$ORIGIN/../t:$ORIGIN/../a.libs"),
        ],
        ["ctypes t/libf.so.1", "import b/b.so"],
    ),
}
