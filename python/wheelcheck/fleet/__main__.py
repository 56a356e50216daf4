"""The command line of wheelcheck-fleet."""

from __future__ import annotations

import argparse
import pathlib
import sys

from wheelcheck._error import EXIT_INTERNAL, EXIT_USAGE, WheelcheckError

ABOUT = "Judges the wheels of an index on the workers of a Dask cluster and reports the findings"
NEEDS = "needs the packages of `pip install wheelcheck[fleet]`"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wheelcheck-fleet", description=ABOUT)
    commands = parser.add_subparsers(dest="command", required=True)

    manifest = commands.add_parser("manifest", help="write a manifest of directories, wheels or requirements")
    manifest.add_argument("inputs", nargs="+", metavar="DIR|WHEEL|REQUIREMENT")
    manifest.add_argument("-o", "--output-file", help="write to this file instead of stdout")
    manifest.add_argument(
        "--pip",
        action="append",
        default=[],
        metavar="OPTION",
        help="for requirements: --pip=--platform=manylinux_2_28_x86_64",
    )

    audit = commands.add_parser(
        "audit", help="judge the wheels of a manifest; options after -- are passed to `wheelcheck check`"
    )
    audit.add_argument("manifest", type=pathlib.Path)
    where = audit.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", default="", metavar="ADDRESS", help="address of a Dask cluster: tcp://host:8786")
    where.add_argument("--local", type=int, default=0, metavar="N", help="number of workers on this machine")
    audit.add_argument(
        "--out", required=True, metavar="DIR", help="directory that all workers share; an existing audit is continued"
    )
    audit.add_argument(
        "--facts", default="", metavar="DIR", help="facts of an earlier audit, which are judged instead of the wheels"
    )
    audit.add_argument("--no-facts", action="store_true", help="store no facts: faster, but without a later --facts")
    audit.add_argument("--limit-bytes", type=int, default=8 << 30, metavar="N", help="largest wheel (8 GiB)")
    audit.add_argument("--limit-seconds", type=int, default=900, metavar="N", help="longest run of the program (900)")
    audit.add_argument("--dashboard", default="127.0.0.1:8787", metavar="ADDRESS", help="with --local")
    audit.add_argument("--program", default="", metavar="FILE", help="program to run (default: the installed one)")

    report = commands.add_parser("report", help="write an HTML page about an audit")
    report.add_argument("directory", type=pathlib.Path, metavar="DIR")
    report.add_argument("-o", "--output-file", type=pathlib.Path, help="instead of DIR/report.html")
    return parser


def main(words: list[str] | None = None) -> int:
    given = sys.argv[1:] if words is None else words
    at = given.index("--") if "--" in given else len(given)
    asked = _parser().parse_args(given[:at])
    try:
        if asked.command != "audit" and at < len(given):
            raise WheelcheckError("options after -- are for audit", EXIT_USAGE)
        if asked.command == "manifest":
            return _manifest(asked)
        return _audit(asked, given[at + 1 :]) if asked.command == "audit" else _report(asked)
    except WheelcheckError as error:
        print(f"wheelcheck-fleet: {error.message}", file=sys.stderr)
        return error.exit_code
    except ImportError as error:
        print(f"wheelcheck-fleet: {NEEDS}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except OSError as error:
        print(f"wheelcheck-fleet: {error}", file=sys.stderr)
        return EXIT_INTERNAL


def _manifest(asked: argparse.Namespace) -> int:
    from wheelcheck.fleet._make_manifest import make_manifest
    from wheelcheck.fleet._manifest import write_manifest

    text = write_manifest(make_manifest(asked.inputs, asked.pip))
    if asked.output_file:
        pathlib.Path(asked.output_file).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


def _audit(asked: argparse.Namespace, words: list[str]) -> int:
    from wheelcheck.fleet._manifest import read_manifest
    from wheelcheck.fleet._settings import make_settings

    items = read_manifest(asked.manifest)
    if not items:
        raise WheelcheckError(f"{asked.manifest}: names no wheel", EXIT_USAGE)
    if not asked.scheduler and asked.local < 1:
        raise WheelcheckError("--local: at least one worker", EXIT_USAGE)
    out = pathlib.Path(asked.out).absolute()
    settings = make_settings(words, asked.program, out)
    # Dask takes a second to import: a mistake in the words is told before.
    from wheelcheck.fleet._audit import Cluster, audit
    from wheelcheck.fleet._batch import Job

    job = Job(
        settings,
        str(out),
        str(pathlib.Path(asked.facts).absolute()) if asked.facts else "",
        asked.limit_bytes,
        asked.limit_seconds,
        not asked.no_facts,
    )
    audit(job, items, Cluster(asked.scheduler, asked.local, asked.dashboard))
    return 0


def _report(asked: argparse.Namespace) -> int:
    from wheelcheck.fleet._report import write_report

    write_report(asked.directory, asked.output_file or asked.directory / "report.html")
    return 0


if __name__ == "__main__":
    sys.exit(main())
