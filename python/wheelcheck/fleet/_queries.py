"""The data of the page, as SQL over the Parquet files of an audit. DuckDB reads them in parts, whatever their size."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass
from typing import Any

import duckdb

from wheelcheck._error import EXIT_UNREADABLE, WheelcheckError

Rows = list[tuple[Any, ...]]

# Without the architecture: manylinux_2_17. For musllinux and Android only the family.
FAMILY = r"regexp_replace({}, '^((manylinux|musllinux)_\d+_\d+|linux|android_\d+|any).*$', '\1')"
FLOOR = r"regexp_extract(best_tag, '^manylinux_(\d+)_(\d+)_', ['major', 'minor'])"
LEAKS = ("leaked-namespace", "leaked-c-library")
TOP = 20


@dataclass(frozen=True)
class Answers:
    totals: dict[str, int]
    tags: Rows  # claimed tag, compatible wheels, incompatible wheels, others
    floors: Rows  # period, required glibc version, wheels
    rules: Rows  # code, name, severity, wheels, projects, findings
    leaks: Rows  # namespace, wheels, projects
    heaviest: Rows  # file, bytes, unpacked bytes, status
    reasons: Rows  # error, wheels, a file, its reason


def ask(directory: pathlib.Path) -> Answers:
    if not (directory / "run.json").is_file():
        raise WheelcheckError(f"{directory}: contains no complete audit", EXIT_UNREADABLE)
    with duckdb.connect() as base:
        _open(base, directory)
        return Answers(
            _totals(base),
            base.execute(_TAGS).fetchall(),
            base.execute(_FLOORS).fetchall(),
            base.execute(_RULES).fetchall(),
            base.execute(_LEAKED).fetchall(),
            base.execute(_HEAVIEST).fetchall(),
            base.execute(_REASONS).fetchall(),
        )


def _open(base: duckdb.DuckDBPyConnection, directory: pathlib.Path) -> None:
    from wheelcheck.fleet._store import TABLES

    for name, schema in TABLES.items():
        files = (directory / name).glob("*/part-0.parquet")
        if any(True for _ in files):
            told = f"{directory / name}/*/part-0.parquet".replace("'", "''")
            source = f"read_parquet('{told}', hive_partitioning = true, hive_types_autocast = false)"
            base.execute(f"create view {name} as select * from {source}")
        else:  # an index may have no findings
            base.register(f"no_{name}", schema.empty_table())
            base.execute(f"create view {name} as select *, '' as project from no_{name}")


def _totals(base: duckdb.DuckDBPyConnection) -> dict[str, int]:
    asked = base.execute(_TOTALS)
    names = [column[0] for column in asked.description or ()]
    (row,) = asked.fetchall()
    return dict(zip(names, map(int, row)))


_TOTALS = """
    select count(*) as wheels, count(distinct project) as projects,
           count(*) filter (status = 'compatible') as kept, count(*) filter (status = 'incompatible') as broken,
           count(*) filter (status in ('rejected', 'failed')) as unjudged,
           count(*) filter (errors > 0) as with_errors,
           coalesce(sum(bytes), 0) as bytes
    from wheels"""

_TAGS = f"""
    with claimed as (
      select distinct file, sha256, {FAMILY.format("claim.canonical")} as tag, claim.result as result
      from (select file, sha256, unnest(claims) as claim from wheels))
    select tag, count(*) filter (result = 'compatible'), count(*) filter (result = 'incompatible'),
           count(*) filter (result not in ('compatible', 'incompatible'))
    from claimed group by tag order by count(*) desc, tag limit {TOP}"""

# By year if the dates span more than five years, otherwise by quarter.
_FLOORS = f"""
    with dated as (
      select try_cast(date as date) as day, {FLOOR} as floor from wheels
      where best_tag like 'manylinux\\_%' escape '\\'),
    span as (select year(max(day)) - year(min(day)) > 5 as years from dated)
    select case when years then year(day)::varchar else year(day) || ' Q' || quarter(day) end as period,
           floor.major || '.' || floor.minor as level, count(*)
    from dated, span where day is not null
    group by period, level, floor.major::int, floor.minor::int
    order by period, floor.major::int, floor.minor::int"""

_RULES = f"""
    select code, name, min_by(severity, case severity when 'error' then 0 when 'warning' then 1 else 2 end),
           count(distinct (file, sha256)), count(distinct project), count(*)
    from findings group by code, name order by 4 desc, code limit {TOP + 10}"""

_LEAKED = f"""
    with leaked as (
      select file, sha256, project, unnest(evidence) as said from findings where name in {LEAKS})
    select said.label, count(distinct (file, sha256)), count(distinct project)
    from leaked group by 1 order by 3 desc, 2 desc, 1 limit {TOP}"""

_HEAVIEST = f"""
    select file, bytes, unpacked_bytes, status from wheels where bytes is not null
    order by bytes desc, file, sha256 limit {TOP}"""

_REASONS = f"""
    select error, count(*), min(file), min_by(reason, file) from wheels where status in ('rejected', 'failed')
    group by error order by 2 desc, error limit {TOP}"""
