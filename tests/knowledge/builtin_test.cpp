// Tests that the built-in tables equal data/*.json.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

bool same_list(TextSpan a, TextSpan b) { return std::ranges::equal(a, b); }

TEST(BuiltinKnowledge, IsWhatTheFilesSay) {
  const Knowledge compiled = builtin_knowledge(), read = from_files();
  const auto same_end = [](const EndOfLife& a, const EndOfLife& b) {
    return a.below == b.below && a.date == b.date && a.source == b.source;
  };
  expect_same(compiled.libraries, read.libraries, [&](const KnownLibrary& a, const KnownLibrary& b) {
    return a.id == b.id && a.name == b.name && a.family == b.family && same_list(a.namespaces, b.namespaces) &&
           same_list(a.symbols, b.symbols) && same_list(a.not_symbols, b.not_symbols) &&
           same_list(a.sonames, b.sonames) && same_list(a.texts, b.texts) &&
           same_list(a.version_nodes, b.version_nodes) && same_list(a.owners, b.owners) &&
           a.compatible == b.compatible && a.checks_version == b.checks_version && a.bare_version == b.bare_version &&
           a.in_interpreters == b.in_interpreters && std::ranges::equal(a.ends, b.ends, same_end);
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
    return a.name == b.name && same_list(a.sonames, b.sonames) && same_list(a.brings, b.brings) &&
           same_list(a.alternatives, b.alternatives) &&
           std::ranges::equal(a.dropped, b.dropped, [](const DroppedRequirement& c, const DroppedRequirement& d) {
             return c.pattern == d.pattern && c.since == d.since && c.python == d.python;
           });
  });
  expect_same(compiled.stable_abi, read.stable_abi, [](const StableSymbol& a, const StableSymbol& b) {
    return a.name == b.name && a.minor == b.minor && a.abi_only == b.abi_only;
  });
  expect_same(compiled.remedies, read.remedies, [](const KnownRemedy& a, const KnownRemedy& b) {
    return a.name == b.name && same_list(a.symbols, b.symbols) && same_list(a.nodes, b.nodes) &&
           same_list(a.libraries, b.libraries) && a.advice == b.advice && a.source == b.source;
  });
}

TEST(BuiltinKnowledge, HoldsNoTextThatWouldNotOutliveIt) { EXPECT_TRUE(builtin_knowledge().owners.empty()); }

}  // namespace
}  // namespace wheelcheck::knowledge
