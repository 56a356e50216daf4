// Benchmarks of the parts of a run, one module at a time, on generated facts and files. run.py measures whole wheels.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "elf/read.h"
#include "mangling/mangled.h"
#include "policy/assess.h"
#include "rules/engine.h"
#include "tests/support/elf_recipe.h"
#include "tests/support/facts.h"
#include "verdict/judge.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

// Names as long and as deeply nested as those of a large C++ library.
std::string name_of(std::size_t number) {
  return fmt::format("_ZN4grid6part{:02}10Kind{:06}10method{:04}ERKNS_6VectorIdEEi", number % 37, number / 100,
                     number % 100);
}

void sha_256(benchmark::State& state) {
  const std::vector<std::byte> bytes(static_cast<std::size_t>(state.range(0)), std::byte{7});
  for (auto _ : state) benchmark::DoNotOptimize(sha256_hex(bytes));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(sha_256)->RangeMultiplier(64)->Range(64, 1 << 18);

void namespaces(benchmark::State& state) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 100'000; ++i) names.push_back(name_of(i));
  for (auto _ : state)
    for (const std::string& name : names) benchmark::DoNotOptimize(read_mangled(name));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(names.size()));
}
BENCHMARK(namespaces)->Unit(benchmark::kMillisecond);

void read_elf(benchmark::State& state) {
  test::ElfRecipe recipe{.soname = "libgrid.so.1", .needed = {"libc.so.6"}};
  for (std::int64_t i = 0; i < state.range(0); ++i)
    recipe.exports.push_back({.name = name_of(static_cast<std::size_t>(i))});
  const std::string bytes = test::make_elf(recipe);
  for (auto _ : state) benchmark::DoNotOptimize(elf::read_elf(std::as_bytes(std::span(bytes)), Limits{}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(read_elf)->RangeMultiplier(10)->Range(100, 100'000)->Unit(benchmark::kMicrosecond);

// Extension modules in groups of ten that need the first of the group; each imports fifty symbols of libc.
WheelFacts made_wheel(std::int64_t files) {
  test::WheelBuilder wheel("grid-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  for (std::int64_t i = 0; i < files; ++i) {
    test::ElfBuilder file(fmt::format("grid/part{}.cpython-311-x86_64-linux-gnu.so", i));
    file.needed("libc.so.6").runpath("$ORIGIN").soname(fmt::format("part{}.so", i));
    if (i % 10 != 0) file.needed(fmt::format("part{}.cpython-311-x86_64-linux-gnu.so", i / 10 * 10));
    for (std::size_t k = 0; k < 50; ++k) file.import(fmt::format("call{}", k), "libc.so.6", "GLIBC_2.17");
    for (std::size_t k = 0; k < 200; ++k) file.exports(name_of(static_cast<std::size_t>(i) * 200 + k));
    wheel.elf(std::move(file));
  }
  return wheel.build();
}

void loader(benchmark::State& state) {
  const WheelFacts wheel = made_wheel(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(resolve(wheel, {}, {}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

// The input of the modules after the loader.
struct Judged {
  WheelFacts wheel;
  Resolution resolution = resolve(wheel, {}, {});
  PolicySet policies = *load_policies({});
  Knowledge knowledge = *load_knowledge({});
  std::vector<policy::TargetPlatform> targets = policy::claimed_targets(wheel, policies);
  std::vector<Assessment> assessments = policy::assess(wheel, resolution, {}, policies, targets);
  RuleOptions options = {};
};

void assess(benchmark::State& state) {
  const Judged made{.wheel = made_wheel(state.range(0))};
  for (auto _ : state)
    benchmark::DoNotOptimize(policy::assess(made.wheel, made.resolution, {}, made.policies, made.targets));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void meaning(benchmark::State& state) {
  const Judged made{.wheel = made_wheel(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(analyse(made.wheel, made.resolution, made.knowledge, made.options));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void every_rule(benchmark::State& state) {
  const Judged made{.wheel = made_wheel(state.range(0))};
  const Verdict verdict = verdict::judge(made.wheel, made.assessments);
  const Analysis analysis = analyse(made.wheel, made.resolution, made.knowledge, made.options);
  const WheelView view{made.wheel, made.resolution, made.assessments, verdict.claims,
                       analysis,   made.knowledge,  made.options};
  for (auto _ : state) benchmark::DoNotOptimize(rules::run_rules(view, {.select = {}, .ignore = {}, .pedantic = true}));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void files(benchmark::internal::Benchmark* of) {
  of->RangeMultiplier(10)->Range(1, 1000)->Unit(benchmark::kMicrosecond);
}
BENCHMARK(loader)->Apply(files);
BENCHMARK(assess)->Apply(files);
BENCHMARK(meaning)->Apply(files);
BENCHMARK(every_rule)->Apply(files);

void tables_of_policies(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load_policies({}));
}
BENCHMARK(tables_of_policies)->Unit(benchmark::kMicrosecond);

void tables_of_libraries(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(load_knowledge({}));
}
BENCHMARK(tables_of_libraries)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace wheelcheck
