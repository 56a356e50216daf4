"""Symbol versions, and libraries without them."""

from pieces import V1, V2, A, B, tree, versioned
from site_of import BOTH, Case, F, G, Library

TWO_VERSIONS = (
    "int old_f(void) { return 1; } int new_f(void) { return 2; }\n"
    'asm(".symver old_f, f@V1"); asm(".symver new_f, f@@V2");\n'
)
TWO_NODES = "V1 { local: old_f; new_f; }; V2 { } V1;"


CASES = {
    "version_is_missing": Case([*versioned("a", V1), *versioned("b", V2)], ["import a/a.so", "import b/b.so"]),
    "version_is_there": Case(
        [*versioned("a", "V1 { f; }; V2 { g; } V1;", F + G), *versioned("b", V1)], ["import a/a.so", "import b/b.so"]
    ),
    "version_of_another_file": Case(
        [Library("a/a.so", F, script=V1), *versioned("b", V1)], ["import a/a.so GLOBAL", "import b/b.so"]
    ),
    "version_differs": Case(
        [Library("a/a.so", F, script=V2), *versioned("b", V1)], ["import a/a.so GLOBAL", "import b/b.so"]
    ),
    "no_version_captures": Case([A, *versioned("b", V1)], ["import a/a.so GLOBAL", "import b/b.so"]),
    "base_version_captures": Case(
        [Library("a/a.so", F + G, script="V9 { g; };"), *versioned("b", V1)], ["import a/a.so GLOBAL", "import b/b.so"]
    ),
    "library_lost_its_versions": Case([*versioned("b", V1), *tree("a", F)], ["import a/a.so", "import b/b.so"]),
    "lost_versions_behind_a_capture": Case(
        [Library("c/c.so", F), *versioned("b", V1), *tree("a", F)],
        ["import c/c.so GLOBAL", "import a/a.so", "import b/b.so"],
    ),
    "oldest_node": Case(
        [*versioned("a", TWO_NODES, TWO_VERSIONS), B, *versioned("c", V1)],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"],
    ),
    "weak_need": Case(
        [
            *versioned("a", V1),
            *versioned(
                "b",
                "V1 { f; }; V7 { g; } V1;",
                F + G,
                uses="int f(void); int (*at_f)(void) = f; __attribute__((weak)) int g(void); int (*at_g)(void) = g;",
            ),
        ],
        ["import a/a.so", "import b/b.so"],
    ),
    "own_version_is_captured": Case(
        [
            Library("a/a.so", F, script=V1),
            Library("b/b.so", BOTH, script="V1 { f; run_calls; at_f; };"),
            Library("c/c.so", BOTH, script="V2 { f; run_calls; at_f; };"),
        ],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"],
    ),
    "platform_versions": Case(
        [
            Library("a/a.so", "void* memcpy(void*, const void*, unsigned long); void* at = memcpy;", options=["-lc"]),
            Library("b/b.so", "void* memcpy(void*, const void*, unsigned long) { return 0; } void* at = memcpy;"),
        ],
        ["import b/b.so GLOBAL", "import a/a.so", "import b/b.so"],
        platform=True,
    ),
}
