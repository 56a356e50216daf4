"""Scopes and flags for every way of opening a file."""

from pieces import CAPTURED, LATE, LIBF, TREE, A, B
from site_of import BOTH, CALLS_F, MISSING, USES_F, Case, F, Library, Tagged

SYMBOLIC, FLAGS_, FLAGS_1, BIND_NOW = 16, 30, 0x6FFFFFFB, 24  # DT_*
LAZY_PAIR = ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL", "ctypes b/b.so LAZY"]

CASES = {
    "local_by_default": Case([A, CAPTURED], ["import a/a.so", "import b/b.so"]),
    "global_captures": Case([A, CAPTURED], ["import a/a.so GLOBAL", "import b/b.so"]),
    "global_after_is_too_late": Case([A, CAPTURED], ["import b/b.so", "import a/a.so GLOBAL", "import b/b.so"]),
    "ctypes_publishes": Case([A, CAPTURED], ["ctypes a/a.so GLOBAL", "import b/b.so"]),
    "promoted_by_ctypes": Case([*TREE, CAPTURED], ["import a/a.so", "ctypes a/a.so GLOBAL", "import b/b.so"]),
    "dependency_promoted_by_name": Case(
        [*TREE, CAPTURED, Library("c/c.so", BOTH)],
        ["import a/a.so", "import b/b.so", "ctypes libf.so.1 GLOBAL", "import c/c.so"],
    ),
    "noload_promotes": Case(
        [*TREE, CAPTURED], ["import a/a.so", "dlopen libf.so.1 NOW NOLOAD GLOBAL", "import b/b.so"]
    ),
    "noload_of_nothing": Case(
        [A, B],
        [
            "dlopen a/a.so NOW NOLOAD GLOBAL",
            "ctypes a/a.so NOLOAD",
            "import a/a.so NOW NOLOAD",
            "ctypes libnowhere.so NOLOAD",
            "import b/b.so",
        ],
    ),
    "local_does_not_demote": Case([A, CAPTURED], ["import a/a.so GLOBAL", "ctypes a/a.so LOCAL", "import b/b.so"]),
    "step_goes_on": Case([A, B, CAPTURED], ["import b/nothing.so; import a/a.so GLOBAL; import b/b.so"]),
    "same_step_twice": Case([A, CAPTURED], ["import b/b.so; import b/b.so; ctypes b/b.so", "import a/a.so GLOBAL"]),
    "program_itself": Case([A, CAPTURED], ["ctypes - GLOBAL", "dlopen - NOW", "import a/a.so", "import b/b.so"]),
    "ctypes_lazy_stays_lazy": Case([A, B], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL"], lazy=True),
    "now_and_lazy_is_lazy": Case(
        [A, LATE], ["import b/b.so NOW LAZY", "dlopen a/a.so NOW GLOBAL", "dlopen b/b.so NOW"], lazy=True
    ),
    "ctypes_lazy_is_called_late": Case(
        [A, LATE], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL", "ctypes b/b.so NOW"], lazy=True
    ),
    "lazy_under_bind_now": Case([A, LATE], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL"]),
    "deepbind_import": Case([A, CAPTURED], ["import a/a.so GLOBAL", "import b/b.so NOW DEEPBIND"]),
    "deepbind_global": Case(
        [A, CAPTURED, Library("c/c.so", BOTH)],
        ["import a/a.so GLOBAL", "ctypes b/b.so DEEPBIND GLOBAL", "ctypes c/c.so DEEPBIND", "ctypes c/c.so"],
    ),
    "deepbind_comes_late": Case([A, CAPTURED], ["import a/a.so GLOBAL", "import b/b.so", "ctypes b/b.so DEEPBIND"]),
    "deepbind_lazy": Case([A, CAPTURED], ["import a/a.so GLOBAL", "ctypes b/b.so DEEPBIND LAZY"], lazy=True),
    "symbolic_published": Case(
        [A, Library("b/b.so", BOTH, options=["-Wl,-Bsymbolic"]), Library("c/c.so", USES_F)],
        ["import a/a.so GLOBAL", "import b/b.so GLOBAL", "import c/c.so"],
    ),
    "symbolic_by_tag": Case(
        [A, Tagged(CAPTURED, {SYMBOLIC: 0}), Library("c/c.so", USES_F, ["a/a.so"], runpath="$ORIGIN/../a")],
        ["import a/a.so GLOBAL", "import b/b.so", "import c/c.so"],
    ),
    "symbolic_by_flag": Case([A, Tagged(CAPTURED, {FLAGS_: 2})], ["import a/a.so GLOBAL", "import b/b.so"]),
    "symbolic_under_deepbind": Case(
        [A, LIBF, Tagged(Library("b/b.so", BOTH, ["a.libs/libf.so.1"], runpath="$ORIGIN/../a.libs"), {FLAGS_: 2})],
        ["import a/a.so GLOBAL", "ctypes b/b.so DEEPBIND"],
    ),
    "symbolic_without_an_own": Case([A, Tagged(B, {FLAGS_: 2})], ["import a/a.so GLOBAL", "import b/b.so"]),
    "symbolic_dependency": Case(
        [
            A,
            Tagged(Library("b.libs/libb.so", BOTH, soname="libb.so"), {SYMBOLIC: 0}),
            Library("b/b.so", BOTH, ["b.libs/libb.so"], runpath="$ORIGIN/../b.libs"),
        ],
        ["import a/a.so GLOBAL", "import b/b.so"],
    ),
    "now_by_tag": Case([A, Tagged(LATE, {BIND_NOW: 0})], LAZY_PAIR, lazy=True),
    "now_by_flag": Case([A, Tagged(LATE, {FLAGS_: 8})], LAZY_PAIR, lazy=True),
    "now_by_second_flags": Case([A, Tagged(LATE, {FLAGS_1: 1})], LAZY_PAIR, lazy=True),
    "now_in_a_dependency": Case(
        [
            A,
            Tagged(Library("b.libs/libb.so", CALLS_F + F, soname="libb.so"), {BIND_NOW: 0}),
            Library("b/b.so", CALLS_F, ["b.libs/libb.so"], runpath="$ORIGIN/../b.libs"),
        ],
        LAZY_PAIR,
        lazy=True,
    ),
    "lazy_symbolic": Case([A, Tagged(Library("b/b.so", F + CALLS_F), {FLAGS_: 2})], LAZY_PAIR, lazy=True),
    "nodelete_and_failure": Case(
        [Library("a/a.so", F + MISSING, options=["-Wl,-z,nodelete"]), CAPTURED],
        ["ctypes a/a.so GLOBAL NODELETE", "import b/b.so"],
    ),
}
