"""Cases of one idea each."""

from site_of import BOTH, F, G, MISSING, UNIQUE, USES_F, Case, Library, Link, Text

A, B = Library("a/a.so", F), Library("b/b.so", USES_F)
CAPTURED = Library("b/b.so", BOTH)

CASES = {
    # Flags, as each way of opening takes them.
    "local_by_default": Case([A, CAPTURED], ["import a/a.so", "import b/b.so"]),
    "ctypes_lazy_stays_lazy": Case([A, B], ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL"], lazy=True),
    "now_and_lazy_is_lazy": Case([A, Library("b/b.so", "int f(void); int run_calls(void) { return f(); }")],
                                 ["import b/b.so NOW LAZY", "dlopen a/a.so NOW GLOBAL", "dlopen b/b.so NOW"],
                                 lazy=True),
    "ctypes_lazy_is_called_late": Case([A, Library("b/b.so", "int f(void); int run_calls(void) { return f(); }")],
                                       ["ctypes b/b.so LAZY", "ctypes a/a.so GLOBAL", "ctypes b/b.so NOW"], lazy=True),
}
