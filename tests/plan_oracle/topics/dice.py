"""Random plans, the same in every run, for cases that the other topics do not cover."""

import random

from site_of import BOTH, UNIQUE, USES_F, Case, F, Library

COUNT = 16


def library(dice, number, made):
    path = f"w{number % 3}/m{number}.so" if dice.random() < 0.5 else f"w{number % 3}.libs/lib{number}.so"
    source = dice.choice([F, BOTH, USES_F.replace("int f(void);", "__attribute__((weak)) int f(void);", 1), ""])
    source += dice.choice([UNIQUE, "", f"int own{number};"])
    needed = dice.sample(made, min(len(made), dice.choice([0, 0, 1, 2])))
    if dice.random() < 0.1:
        needed.append("libnowhere.so")
    soname = path.rpartition("/")[2] if "libs" in path else ""
    if soname and dice.random() < 0.3:
        soname = "libshared.so.1"
    options = [option for option in ("-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,-z,nodelete") if dice.random() < 0.15]
    directories = ":".join(f"$ORIGIN/../w{wheel}{end}" for wheel in range(3) for end in ("", ".libs"))
    paths = {dice.choice(["runpath", "runpath", "rpath"]): directories}
    return Library(
        path,
        source,
        needed,
        soname=soname,
        options=options,
        script=dice.choice(["", "", "V1 { f; u; };", "V2 { *; };"]),
        **paths,
    )


def case(seed):
    dice = random.Random(seed)
    libraries = []
    for number in range(dice.randint(4, 6)):
        libraries.append(library(dice, number, [made.path for made in libraries]))
    lazy = dice.random() < 0.3
    steps = []
    for _ in range(dice.randint(3, 5)):
        flags = [
            flag
            for flag, odds in (("LAZY", 0.3), ("GLOBAL", 0.35), ("DEEPBIND", 0.15), ("NODELETE", 0.1))
            if dice.random() < odds
        ]
        if "LAZY" not in flags or dice.random() < 0.3:
            flags.append("NOW")
        op = dice.choice(["import", "import", "ctypes", "dlopen"])
        steps.append(" ".join([op, dice.choice(libraries).path, *flags]))
    environment = {"LD_DYNAMIC_WEAK": "1"} if dice.random() < 0.1 else {}
    if dice.random() < 0.15:
        environment["LD_PRELOAD"] = "{site}/" + libraries[0].path
    return Case(libraries, steps, environment, lazy)


CASES = {str(seed): case(seed) for seed in range(COUNT)}
