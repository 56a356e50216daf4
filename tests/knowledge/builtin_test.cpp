// Tests that the built-in tables equal data/*.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "knowledge/patterns.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

template <class Entry, class Same>
void expect_same(const std::vector<Entry>& compiled, const std::vector<Entry>& read, Same same) {
  EXPECT_TRUE(std::ranges::equal(compiled, read, same)) << compiled.size() << " and " << read.size();
  EXPECT_FALSE(read.empty());
}

std::string file_text(const std::string& name) {
  std::ifstream in(WHEELCHECK_SOURCE_DIR "/data/" + name + ".json", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Knowledge from_files() {
  Knowledge result;
  for (const char* const name : {"distributions", "gpu", "libraries", "remedies", "stable_abi"})
    result = merged(std::move(result), read_tables(file_text(name), name).value());
  return result;
}

TEST(BuiltinKnowledge, IsWhatTheFilesSay) {
  const Knowledge compiled = builtin_knowledge(), read = from_files();
  const auto same_end = [](const EndOfLife& a, const EndOfLife& b) {
    return a.below == b.below && a.date == b.date && a.source == b.source;
  };
  expect_same(compiled.libraries, read.libraries, [&](const KnownLibrary& a, const KnownLibrary& b) {
    return a.id == b.id && a.name == b.name && a.family == b.family && a.namespaces == b.namespaces &&
           a.symbols == b.symbols && a.not_symbols == b.not_symbols && a.sonames == b.sonames && a.texts == b.texts &&
           a.version_nodes == b.version_nodes && a.owners == b.owners && a.compatible == b.compatible &&
           a.checks_version == b.checks_version && a.bare_version == b.bare_version &&
           std::ranges::equal(a.ends, b.ends, same_end);
  });
  const auto same_major = [](const SonameMajor& a, const SonameMajor& b) {
    return a.soname == b.soname && a.toolkit == b.toolkit;
  };
  const auto same_provider = [](const GpuProvider& a, const GpuProvider& b) {
    return a.major == b.major && a.distribution == b.distribution;
  };
  expect_same(compiled.gpu, read.gpu, [&](const KnownGpuLibrary& a, const KnownGpuLibrary& b) {
    return a.stem == b.stem && a.vendor == b.vendor && a.component == b.component && a.driver == b.driver &&
           a.redistributable == b.redistributable && a.on_user_machines == b.on_user_machines &&
           a.major_in_soname == b.major_in_soname && std::ranges::equal(a.majors, b.majors, same_major) &&
           std::ranges::equal(a.providers, b.providers, same_provider);
  });
  expect_same(compiled.distributions, read.distributions, [](const KnownDistribution& a, const KnownDistribution& b) {
    return a.name == b.name && a.sonames == b.sonames && a.brings == b.brings;
  });
  expect_same(compiled.stable_abi, read.stable_abi, [](const StableSymbol& a, const StableSymbol& b) {
    return a.name == b.name && a.minor == b.minor && a.abi_only == b.abi_only;
  });
  expect_same(compiled.remedies, read.remedies, [](const KnownRemedy& a, const KnownRemedy& b) {
    return a.name == b.name && a.symbols == b.symbols && a.nodes == b.nodes && a.libraries == b.libraries &&
           a.advice == b.advice && a.source == b.source;
  });
}

void expect_same(const PrefixIndex& compiled, const PrefixIndex& arranged) {
  const auto same = [&](const PrefixIndex::Entry& a, const PrefixIndex::Entry& b) {
    return compiled.pattern_of(a) == arranged.pattern_of(b) && a.parts == b.parts && a.value == b.value &&
           a.shorter == b.shorter;
  };
  EXPECT_TRUE(std::ranges::equal(compiled.entries(), arranged.entries(), same));
}

TEST(BuiltinKnowledge, HasItsPatternsArranged) {
  const std::shared_ptr<const Knowledge> shared = shared_knowledge({}).value();
  const Knowledge copy = *shared;
  EXPECT_TRUE(is_builtin(*shared));
  EXPECT_FALSE(is_builtin(copy));
  const LibraryPatterns compiled = library_patterns(*shared), arranged = library_patterns(copy);
  EXPECT_GT(compiled.symbols.entries().size(), 300U);
  EXPECT_GT(compiled.sonames.entries().size(), 200U);
  expect_same(compiled.symbols, arranged.symbols);
  expect_same(compiled.mangled, arranged.mangled);
  expect_same(compiled.sonames, arranged.sonames);
}

TEST(BuiltinKnowledge, HasTheSystemsOfTheFile) {
  const auto same_node = [](const NewestNode& a, const NewestNode& b) {
    return a.family == b.family && a.number == b.number;
  };
  const auto same_machine = [&](const SystemMachine& a, const SystemMachine& b) {
    return a.arch == b.arch && std::ranges::equal(a.nodes, b.nodes, same_node);
  };
  expect_same(builtin_systems(), read_systems(file_text("systems"), "systems").value(),
              [&](const KnownSystem& a, const KnownSystem& b) {
                return a.id == b.id && a.distribution == b.distribution && a.version == b.version &&
                       a.codename == b.codename && a.libc == b.libc && a.libc_version == b.libc_version &&
                       std::ranges::equal(a.nodes, b.nodes, same_node) && a.named_nodes == b.named_nodes &&
                       std::ranges::equal(a.machines, b.machines, same_machine) && a.x86_64_level == b.x86_64_level &&
                       a.released == b.released && a.support_ends == b.support_ends && a.basis == b.basis;
              });
}

TEST(BuiltinKnowledge, HoldsNoTextThatWouldNotOutliveIt) { EXPECT_TRUE(builtin_knowledge().owners.empty()); }

}  // namespace
}  // namespace wheelcheck::knowledge
