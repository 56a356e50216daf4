"""Parts of the cases of several topics."""

from site_of import BOTH, CALLS_F, USES_F, F, Library

A, B = Library("a/a.so", F), Library("b/b.so", USES_F)
CAPTURED = Library("b/b.so", BOTH)
LATE = Library("b/b.so", CALLS_F)
# The f of wheel a is in a bundled library, in a directory like those that auditwheel creates.
LIBF = Library("a.libs/libf.so.1", F, soname="libf.so.1")
TREE = [LIBF, Library("a/a.so", USES_F, ["a.libs/libf.so.1"], runpath="$ORIGIN/../a.libs")]
V1, V2 = "V1 { f; };", "V2 { f; };"


def tree(wheel, provides, uses=USES_F, soname="libf.so.1", **more):
    """A module and the library of its wheel."""
    library = f"{wheel}.libs/{soname}"
    return [
        Library(library, provides, soname=soname, **more),
        Library(f"{wheel}/{wheel}.so", uses, [library], runpath=f"$ORIGIN/../{wheel}.libs"),
    ]


def versioned(wheel, script, provides=F, **more):
    return tree(wheel, provides, script=script, **more)
